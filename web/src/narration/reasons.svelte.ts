/**
 * Why a move is better than another, in words, as `heckmeck.coach.why` says it. The messages of a
 * language are loaded when the first reason is to be said.
 */
import type english from '@narration/reasons/en.json'
import { settings, type Language } from '../device/settings.svelte'
import type { Unit } from '../net/coach'
import type { FailureCost, Outcome, Reason } from '../net/wire'
import { fill, list, number, percent, say, type Blanks, type NarrationKey } from './i18n.svelte'
import { isolated } from './isolate'

type Key = keyof typeof english
type Words = Record<Key, string>

const FILES = import.meta.glob<Words>('@narration/reasons/*.json', { import: 'default' })
let loaded: { language: Language; words: Words } | null = $state.raw(null)

/** Load the messages of a language, once. */
export async function speakReasons(language: Language): Promise<void> {
  if (loaded?.language === language) return
  const file = Object.keys(FILES).find((path) => path.endsWith(`/${language}.json`))
  const words = file && (await FILES[file]?.())
  if (words && settings.language === language) loaded = { language, words }
}

/** The players of whom we speak, and which of them reads it. */
export interface Cast {
  names: readonly string[]
  you?: number | null | undefined
}

function told(key: Key, blanks: Blanks = {}): string {
  return loaded ? fill(loaded.words[key], blanks, loaded.language) : ''
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const nameOf = ({ names }: Cast, seat: number | null | undefined): string => isolated(names[seat ?? -1] ?? '')
const isYou = ({ you }: Cast, seat: number | null | undefined): boolean => seat != null && seat === you

/** The reason, whether it matters, and what a failed attempt costs; empty until the messages have come. */
export function reasonWords(reason: Reason, unit: Unit, cast: Cast): string {
  const parts = [shortReason(reason, unit, cast)]
  if (reason.size === 'small') parts.push(told('small'))
  const mayFail = Math.max(reason.fail.better, reason.fail.other) > 0
  if (reason.size !== 'equal' && mayFail && reason.cost && !isFree(reason.cost)) parts.push(costWords(reason.cost, cast))
  return parts.join(' ')
}

/** The reason in one sentence. */
export function shortReason(reason: Reason, unit: Unit, cast: Cast): string {
  const better = capital(moveWords(reason.better, reason.other, cast))
  if (reason.size === 'equal') {
    return told('equal', { Better: better, other: moveWords(reason.other, reason.better, cast) })
  }
  const said = reason.sure ? sure(reason, cast) : reason.outcome?.kind === 'rival' ? rival(reason, better, cast) : compared(reason, better, cast)
  return said ?? valued(reason, better, unit)
}

/** What one move makes likelier than the other; null if there is nothing to see. */
function compared({ outcome, chance: chances, fail: fails }: Reason, better: string, cast: Cast): string | null {
  const [chance, before] = [percent(chances?.better ?? 0), percent(chances?.other ?? 0)]
  const [fail, risk] = [percent(fails.better), percent(fails.other)]
  const safer = fails.better < fails.other
  const blanks = { Better: better, fail, risk }
  if (!outcome || chance === before) return safer && fail !== risk ? told('fails', blanks) : null
  const all = { ...blanks, what: outcomeWords(outcome, cast), chance, before }
  if (fail !== risk) return told(safer ? 'brings.less' : 'brings.more', all)
  return told(fails.better > 0 ? 'brings.same' : 'brings.safe', all)
}

/** What stopping brings, and what rolling may bring instead. */
function sure({ better, other, sure: certain, outcome, chance: chances, fail: fails }: Reason, cast: Cast): string | null {
  const [stop, roll, at] = better === 'stop' ? ([better, other, 'other'] as const) : ([other, better, 'better'] as const)
  const isNothing = certain?.kind === 'nothing'
  const blanks = {
    Stop: capital(moveWords(stop, roll, cast)),
    roll: moveWords(roll, stop, cast),
    fail: percent(fails[at]),
    sure: certain && !isNothing ? outcomeWords(certain, cast) : '',
  }
  const chance = percent(chances?.[at] ?? 0)
  if (!outcome || chance === percent(0)) {
    return isNothing || fails[at] === 0 ? null : told('sure.only', blanks)
  }
  const all = { ...blanks, what: outcomeWords(outcome, cast), chance }
  if (isNothing) return told('sure.nothing', all)
  return told(fails[at] > 0 ? 'sure' : 'sure.safe', all)
}

/** What an answer leaves to the player who loses by it. */
function rival({ outcome, chance: chances }: Reason, better: string, cast: Cast): string | null {
  const { better: now, other: else_ } = chances ?? { better: 0, other: 0 }
  const [chance, before] = [percent(now, 1), percent(else_, 1)]
  if (now > else_ || chance === before) return null
  const key = isYou(cast, outcome?.seat) ? 'rival.you' : 'rival'
  return told(key, { Better: better, name: nameOf(cast, outcome?.seat), chance, before })
}

/** The sentence that is always true: what both moves are worth. */
function valued({ worth }: Reason, better: string, unit: Unit): string {
  const signed = (value: number) => `${value < 0 ? '-' : '+'}${number(Math.abs(value), 2)}`
  const text = (value: number) => (unit === 'win' ? percent(value, 1) : signed(value))
  const [chance, before] = [text(worth.better), text(worth.other)]
  return told(unit === 'win' ? 'value.win' : 'value.worms', { Better: better, chance, before })
}

/** A move as the subject of a sentence that compares it with another. */
function moveWords(word: string, against: string, cast: Cast): string {
  const [kind = '', of = ''] = word.split(':')
  switch (kind) {
    case 'keep':
      return told('move.keep', { faces: say(`faces.${of}` as NarrationKey) })
    case 'return':
      return told('move.return', { specialist: say(`specialist.${of}` as NarrationKey) })
    case 'rob':
    case 'pinch':
      return told(`move.${kind}${isYou(cast, Number(of)) ? '.you' : ''}` as Key, { name: nameOf(cast, Number(of)) })
    case 'roll':
      if (of) return told('move.golden')
      return told(against === 'roll:golden' ? 'move.plain' : 'move.roll')
    default:
      return told(`move.${kind}` as Key)
  }
}

/** What a turn can bring, as the object of a sentence. */
export function outcomeWords({ kind, number: of, seat, specialist }: Outcome, cast: Cast): string {
  const blanks = { number: of ?? 0, name: nameOf(cast, seat) }
  const form = isYou(cast, seat) ? '.you' : ''
  switch (kind) {
    case 'specialist':
      return say(`specialist.${specialist ?? 'hen'}` as NarrationKey)
    case 'pinch':
      if (seat == null) return told('what.pinch', blanks)
      return told(form ? 'what.pinch.you' : 'what.pinch.from', blanks)
    case 'steal':
    case 'hen':
    case 'steal_spot':
      return told(`what.${kind}${form}` as Key, blanks)
    default:
      return told(`what.${kind}` as Key, blanks)
  }
}

/** What the chances of tiles or spots are about. */
export const aimWords = (spots: boolean): string => told(spots ? 'aim.spots' : 'aim.tiles')

/** The question before a mistake, and its answers. */
export const warnWords = (part: 'title' | 'yes' | 'no'): string => told(`warn.${part}`)

const losesNothing = ({ tile, specialist, turned, snail }: FailureCost): boolean =>
  tile == null && specialist == null && turned == null && snail == null
const isFree = (cost: FailureCost): boolean => losesNothing(cost) && !cost.ends

/** What a failed attempt costs. */
export function costWords(cost: FailureCost, cast: Cast): string {
  if (cost.ends && losesNothing(cost)) return told('cost.ends.only')
  const said = cost.snail == null ? lost(cost) : snail(cost, cast)
  return cost.ends ? `${said} ${told('cost.ends')}` : said
}

function snail({ snail: spot, plate }: FailureCost, cast: Cast): string {
  if (plate == null) return told('cost.snail', { spot: spot ?? 0 })
  const key = isYou(cast, plate) ? 'cost.snail.plate.you' : 'cost.snail.plate'
  return told(key, { spot: spot ?? 0, name: nameOf(cast, plate) })
}

function lost({ tile, specialist, turned, miss }: FailureCost): string {
  const pieces = tile == null ? [] : [told('cost.tile', { number: tile })]
  if (specialist != null) pieces.push(say(`specialist.${specialist}`))
  if (pieces.length > 0) {
    return told(turned == null ? 'cost.lost' : 'cost.lost.turned', { what: list(pieces), tile: turned ?? 0 })
  }
  if (turned == null) return told('cost.none')
  return told(miss ? 'cost.miss' : 'cost.turned', { tile: turned })
}
