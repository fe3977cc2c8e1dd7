/** Moves with what they are worth, so that what differs looks different and what is equal looks equal. */
import { number, percent } from '../narration/i18n.svelte'
import type { Unit } from '../net/coach'
import type { WeighedMove } from '../net/wire'

/** The last digit that is shown. Moves that differ by less are equally good, as far as anybody can tell. */
const STEP: Record<Unit, number> = { win: 0.001, worms: 0.01 }

export interface Weighed extends WeighedMove {
  /** What it is worth, in the reader's numbers. */
  text: string
  /** Whether no move is better. */
  best: boolean
}

/** Moves, best first, as they are shown. Moves that are equally good are told with the same number. */
export function weighed(moves: readonly WeighedMove[], unit: Unit): Weighed[] {
  const best = moves[0]?.worth ?? 0
  let shown = best
  return moves.map((advice) => {
    if (shown - advice.worth >= STEP[unit]) shown = advice.worth
    return { ...advice, text: worthText(shown, unit), best: shown === best }
  })
}

/** What something is worth: worms, or a chance to win, which is told to a tenth of a percent. */
export function worthText(worth: number, unit: Unit, digits = 2): string {
  return (unit === 'win' ? percent(worth, 1) : number(worth, digits)).replace('-', '\u2212')
}

/** A gain or a loss with its sign; what rounds to nothing has none. */
export function signed(worth: number, unit: Unit, digits = 1): string {
  const size = worthText(Math.abs(worth), unit, digits)
  if (size === worthText(0, unit, digits)) return size
  return `${worth < 0 ? '\u2212' : '+'}${size}`
}
