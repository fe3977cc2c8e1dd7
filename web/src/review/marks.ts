/** How big a mistake was, in signs that chess players know. */
import type { Decision, Review, Unit } from '../net/coach'

export type Mark = 'blunder' | 'mistake' | 'slip' | 'sharp' | 'fine'

export const SIGNS: Record<Mark, string> = { blunder: '??', mistake: '?', slip: '?!', sharp: '!', fine: '' }
/** From the biggest mistake on; what is no mistake is not counted. */
export const MISTAKES = ['blunder', 'mistake', 'slip'] as const

/** The coach's marks by their names here. */
const NAMES: Record<NonNullable<Decision['mark']>, Mark> = { blunder: 'blunder', mistake: 'mistake', inaccuracy: 'slip' }
/** From how much on a loss has a mark, as the coach counts it. */
export const FROM: Record<Unit, Record<(typeof MISTAKES)[number], number>> = {
  win: { blunder: 0.1, mistake: 0.05, slip: 0.02 },
  worms: { blunder: 0.9, mistake: 0.4, slip: 0.15 },
}
/** By how much the best move beats the next one to be worth a word of praise. */
const SHARP: Record<Unit, number> = { worms: 0.4, win: 0.04 }

export function markOf(decision: Decision, unit: Unit): Mark {
  if (decision.mark) return NAMES[decision.mark]
  return isSharp(decision, unit) ? 'sharp' : 'fine'
}

/** The best move by far, although another one looked safer. */
function isSharp({ move, choices }: Decision, unit: Unit): boolean {
  const [best, next] = choices
  if (!best || !next || best.move !== move || best.worth - next.worth < SHARP[unit]) return false
  return choices.some(({ fail }) => fail < best.fail)
}

export const isMistake = (mark: Mark): boolean => MISTAKES.some((mistake) => mistake === mark)

/** How the marks of these decisions are distributed. */
export function tally(decisions: readonly Decision[], unit: Unit): Record<Mark, number> {
  const counts: Record<Mark, number> = { blunder: 0, mistake: 0, slip: 0, sharp: 0, fine: 0 }
  for (const decision of decisions) counts[markOf(decision, unit)] += 1
  return counts
}

/** A mark on the chart: where a player went wrong. */
export interface Flag {
  at: number
  seat: number
  mark: Mark
}

/** A player's blunders and mistakes. */
export function bigMistakes({ decisions, unit }: Pick<Review, 'decisions' | 'unit'>, seat: number): Flag[] {
  return decisions.flatMap((decision) => {
    const mark = markOf(decision, unit)
    const big = mark === 'blunder' || mark === 'mistake'
    return decision.seat === seat && big ? [{ at: decision.index, seat, mark }] : []
  })
}
