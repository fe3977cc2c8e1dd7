/** A position to solve: a puzzle of the day, or one's own mistake. */
import type { Unit } from '../net/coach'
import type { GameState, Reason, WeighedMove } from '../net/wire'

export interface Exercise {
  state: GameState
  /** The players, by seat. */
  names: readonly string[]
  /** Every legal move, best first. */
  moves: readonly WeighedMove[]
  unit: Unit
  /** Why the best move is better than the obvious one, or than the one that was made. */
  reason: Reason | null
}

/** What gives away less is as good as the best: the last digit that is shown. */
const EQUAL: Record<Unit, number> = { win: 0.001, worms: 0.01 }

export function lossOf({ moves }: Exercise, move: string): number {
  const best = moves[0]?.worth ?? 0
  return best - (moves.find((each) => each.move === move)?.worth ?? best)
}

export const isRight = (exercise: Exercise, move: string): boolean => lossOf(exercise, move) < EQUAL[exercise.unit]
