/** Moves with what they are worth, so that what differs looks different and what is equal looks equal. */
import type { Unit } from './coach'
import { worthText } from './review/numbers'
import type { Advice } from './wire'

/** The last digit that is shown. Moves that differ by less are equally good, as far as anybody can tell. */
const STEP: Record<Unit, number> = { win: 0.001, worms: 0.01 }

export interface Weighed extends Advice {
  /** What it is worth, in the reader's numbers. */
  text: string
  /** Whether no move is better. */
  best: boolean
}

/** Moves, best first, as they are shown. Moves that are equally good are told with the same number. */
export function weighed(moves: readonly Advice[], unit: Unit): Weighed[] {
  const best = moves[0]?.worth ?? 0
  let shown = best
  return moves.map((advice) => {
    if (shown - advice.worth >= STEP[unit]) shown = advice.worth
    return { ...advice, text: worthText(shown, unit), best: shown === best }
  })
}
