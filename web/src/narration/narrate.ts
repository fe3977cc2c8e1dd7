/**
 * Facts in sentences, as `heckmeck.narration` tells them: an event's name picks the message, its
 * fields fill the blanks of the same names.
 */
import { settings } from '../device/settings.svelte'
import type { Fact, GameEndedFact } from '../net/wire'
import { BOXES } from '../pieces/boxes'
import { canSay, list, say, t, type NarrationKey } from './i18n.svelte'
import { isolated } from './isolate'

/** A number that the eye looks for, in the middle of a sentence. */
export interface Part {
  text: string
  strong: boolean
}

const [OPEN, CLOSE] = ['\u0001', '\u0002']
const STRONG = new Set(['tile', 'total', 'result', 'spot', 'to'])

/** The players of whom we tell, and which of them reads it. */
interface Cast {
  names: readonly string[]
  you: number | null
}

/**
 * Tell facts about the players called `names`, by seat. `you` is the reader's seat; it is null where
 * everybody is called by name: several people read this, or somebody who does not play.
 */
export function narrate(facts: readonly Fact[], names: readonly string[], you: number | null = null): Part[] {
  const cast = { names: names.map(isolated), you }
  return partsOf(facts.map((fact) => sentence(fact, cast)).join(' '))
}

/** The same as plain text, for the ear. */
export function plain(parts: readonly Part[]): string {
  return parts.map((part) => part.text).join('')
}

function partsOf(marked: string): Part[] {
  const pieces = marked.split(/[\u0001\u0002]/)
  return pieces
    .map((text, index) => ({ text, strong: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

function sentence(fact: Fact, cast: Cast): string {
  if (fact.event === 'game_ended') return gameEnded(fact, cast)
  const key = forReader(`${fact.event}${formOf(fact)}`, fact, cast)
  if (!canSay(key)) return ''
  const blanks = Object.fromEntries(
    Object.entries(fact).map(([name, value]) => [name, wordFor(name, value, cast)]),
  )
  return say(key, { ...blanks, ...otherForms(fact) })
}

/** The key of the message as it is for this reader: the one who acts, or from whom something is taken. */
function forReader(key: string, fact: Fact, { you }: Cast): string {
  if (you === null) return key
  const victim = 'victim' in fact ? fact.victim : null
  const actor = 'victim' in fact ? fact.thief : 'seat' in fact ? fact.seat : null
  if (actor === you && canSay(`${key}.you`)) return `${key}.you`
  return victim === you && canSay(`${key}.from_you`) ? `${key}.from_you` : key
}

function plural(count: number): 'one' | 'other' {
  return new Intl.PluralRules(settings.language).select(count) === 'one' ? 'one' : 'other'
}

function wordFor(name: string, value: unknown, cast: Cast): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return allOf(value.map(Number), cast, say('you.among'))
  if (name === 'specialist' || name === 'held' || name === 'received') return word('specialist', value)
  if (name === 'seat' || name === 'thief' || name === 'victim') return cast.names[Number(value)] ?? ''
  if (name === 'worms') return worms(Number(value))
  const isText = typeof value === 'string'
  if (isText && ['face', 'golden', 'dice'].includes(name)) {
    return [...value].map((face) => word('face', face)).join(' ')
  }
  return STRONG.has(name) ? `${OPEN}${String(value)}${CLOSE}` : String(value)
}

function word(kind: 'specialist' | 'Specialist' | 'face' | 'faces' | 'one' | 'number', of: unknown): string {
  return say(`${kind}.${String(of)}` as NarrationKey)
}

export function worms(count: number): string {
  return say(`worms.${plural(count)}`, { count })
}

/** The names of these seats, the reader first: that is what the reader is called among them. */
function allOf(seats: readonly number[], { names, you }: Cast, reader: string): string {
  const others = seats.filter((seat) => seat !== you).map((seat) => names[seat] ?? '')
  return list(others.length < seats.length ? [reader, ...others] : others)
}

function otherForms(fact: Fact): Record<string, string> {
  switch (fact.event) {
    case 'dice_kept':
      return fact.count === 1
        ? { one: word('one', fact.face) }
        : { faces: word('faces', fact.face), number: word('number', fact.count) }
    case 'specialist_returned':
    case 'specialist_moved':
      return { Specialist: word('Specialist', fact.specialist) }
    default:
      return {}
  }
}

function gameEnded(fact: GameEndedFact, cast: Cast): string {
  const scores = fact.scores.map((score, seat) =>
    say(seat === cast.you ? 'score.you' : 'score', { seat: cast.names[seat] ?? '', worms: worms(score) }),
  )
  const first = fact.ranking[0] ?? []
  const won = cast.you !== null && first.includes(cast.you)
  const winners = allOf(first, cast, say('you.first'))
  return [
    say(`game_ended.${fact.reason}`),
    `${scores.join(', ')}.`,
    say(won ? `winner.${fact.decided_by}.you` : `winner.${fact.decided_by}`, { winners }),
  ].join(' ')
}

function diceForm(white: number, golden: boolean): string {
  return (golden ? '.golden' : '') + (white > 0 ? `.${plural(white)}` : '')
}

/** The suffix of the message's key for events that read in several ways. */
function formOf(fact: Fact): string {
  switch (fact.event) {
    case 'dice_cast':
      return diceForm(fact.dice, fact.golden)
    case 'dice_fell':
      return diceForm(fact.dice.length, fact.golden !== null)
    case 'dice_kept':
      return `.${plural(fact.count)}`
    case 'turn_ended':
      return fact.stopped ? '.stopped' : '.complete'
    case 'attempt_failed':
    case 'missed_out':
    case 'bratworm_earned':
      return `.${fact.why}`
    case 'tile_taken':
      return fact.tile === fact.result ? '.exact' : '.lower'
    case 'tile_stolen':
      return BOXES.junior.slots.includes(fact.tile) ? '.pinched' : ''
    case 'specialist_returned':
      return fact.tile === null ? '.gone' : '.tile'
    case 'specialist_moved':
      return fact.to === null ? '.gone' : '.tile'
    case 'tile_guarded':
      return fact.thief === null ? '.failure' : '.thief'
    case 'snail_taken':
      return fact.spot === null ? '.pool' : '.spot'
    default:
      return ''
  }
}

/** A face as the interface names it: 4, worm, cheese. */
export function faceName(face: string): string {
  return canSay(`face.${face}`) ? say(`face.${face}` as NarrationKey) : face
}

/** A Specialist without an article, for labels. */
export function specialistName(name: string): string {
  return t(`specialist.${name}` as 'specialist.hen')
}

/** So many dice of a face: one 4, three worms. */
export function diceWords(face: string, count: number): string {
  return count === 1 ? word('one', face) : `${word('number', count)} ${word('faces', face)}`
}
