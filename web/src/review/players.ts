/** The players of a record. */
import { kindCalled, playerName } from '../narration/names'
import type { GameRecord } from '../net/coach'
import type { TableInfo } from '../net/wire'

type Players = Pick<GameRecord, 'seats' | 'bots'>

/** As the table's components know players. */
export function playersOf({ edition, seats }: Pick<GameRecord, 'edition' | 'seats'>): TableInfo {
  return {
    id: '',
    round: 1,
    status: 'over',
    dice: { commitment: '' },
    seats: seats.map((name) => ({ name: playerName(name) })),
    setup: { edition, seats: seats.length },
  }
}

/** The kind of bot that played on a seat; null for a person. */
export function botOn({ seats, bots }: Players, seat: number): string | null {
  return bots?.[seat] ?? kindCalled(seats[seat] ?? '')
}

/**
 * The seat that the reader takes to play on: their `own` that is to move, or any other of theirs; that
 * of the only person in the game; or, where nobody knows who they were, that of the player to move.
 */
export function seatToTake(record: Players, own: readonly number[], toMove: number): number {
  if (own.includes(toMove)) return toMove
  const people = record.seats.flatMap((_, seat) => (botOn(record, seat) === null ? [seat] : []))
  return own[0] ?? (people.length === 1 ? people[0] : undefined) ?? toMove
}
