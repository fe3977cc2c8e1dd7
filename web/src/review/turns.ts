/** Which turn each moment of a game belongs to. */
import type { Moment } from '../net/coach'

export interface Place {
  /** Turns are counted from 1. */
  turn: number
  seat: number
}

/** The turn in which each moment came about; the start belongs to the first. */
export function turnsOf(moments: readonly Moment[]): Place[] {
  let turn = 1
  return moments.map((moment, at) => {
    const place = { turn, seat: (moments[at - 1] ?? moment).state.to_move }
    if (moment.events.some(({ event }) => event === 'turn_started')) turn += 1
    return place
  })
}

/** The moment before moment `at` in which its turn began. */
export function startOfTurn(turns: readonly Place[], at: number): number {
  const turn = turns[at]?.turn ?? 1
  return Math.max(0, turns.findIndex((place) => place.turn === turn) - 1)
}

/** The moment in which the turn after moment `at` has ended. */
export function endOfTurn(turns: readonly Place[], at: number): number {
  const next = turns[at + 1]
  if (!next) return at
  return turns.findLastIndex((place) => place.turn === next.turn)
}
