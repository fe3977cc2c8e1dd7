/**
 * Facts in sentences, as `heckmeck.narration` tells them: an event's name picks the message, its
 * fields fill the blanks of the same names.
 */
import { canSay, say, t, type NarrationKey } from './i18n.svelte'
import { isolated } from './isolate'
import { settings } from './settings.svelte'
import type { Fact, GameEndedFact } from './wire'

/** A number that the eye looks for, in the middle of a sentence. */
export interface Part {
  text: string
  strong: boolean
}

const [OPEN, CLOSE] = ['\u0001', '\u0002']
const STRONG = new Set(['tile', 'total', 'result', 'spot', 'to'])

/** Tell facts about the players called `names`, by seat. */
export function narrate(facts: readonly Fact[], names: readonly string[]): Part[] {
  const told = names.map(isolated)
  return partsOf(facts.map((fact) => sentence(fact, told)).join(' '))
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

function sentence(fact: Fact, names: readonly string[]): string {
  if (fact.event === 'game_ended') return gameEnded(fact, names)
  const key = `${fact.event}${formOf(fact)}`
  if (!canSay(key)) return ''
  const blanks = Object.fromEntries(
    Object.entries(fact).map(([name, value]) => [name, wordFor(name, value, names)]),
  )
  return say(key, { ...blanks, ...otherForms(fact) })
}

function plural(count: number): 'one' | 'other' {
  return new Intl.PluralRules(settings.language).select(count) === 'one' ? 'one' : 'other'
}

function wordFor(name: string, value: unknown, names: readonly string[]): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return listed(value.map((seat) => names[Number(seat)] ?? ''))
  if (name === 'specialist' || name === 'held' || name === 'received') return word('specialist', value)
  if (name === 'seat' || name === 'thief' || name === 'victim') return names[Number(value)] ?? ''
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

/** "a, b and c", as the narration writes it. */
export function listed(items: string[]): string {
  const last = items.at(-1) ?? ''
  const first = items.slice(0, -1).join(', ')
  return first ? say('and', { first, last }) : last
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

function gameEnded(fact: GameEndedFact, names: readonly string[]): string {
  const scores = fact.scores.map((score, seat) =>
    say('score', { seat: names[seat] ?? '', worms: worms(score) }),
  )
  const winners = listed((fact.ranking[0] ?? []).map((seat) => names[seat] ?? ''))
  return [
    say(`game_ended.${fact.reason}`),
    `${scores.join(', ')}.`,
    say(`winner.${fact.decided_by}`, { winners }),
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
