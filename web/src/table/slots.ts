/** What each slot of the grill shows. A slot belongs to one tile for ever, so nothing shifts. */
import type { DeluxeTable, GrillTable } from '../net/wire'

export type Slot =
  | { number: number; is: 'up' }
  | { number: number; is: 'down' }
  | { number: number; is: 'taken'; owner: number; top: boolean }

/** The slots after a change. Of equal tiles (junior) those that did not change keep their places. */
export function slotsOf(
  numbers: readonly number[],
  table: GrillTable | DeluxeTable,
  before: readonly Slot[],
): Slot[] {
  const now = new Map(numbers.map((number) => [number, conditions(number, table)]))
  const sameAs = (slot: Slot | undefined) => (other: Slot) => JSON.stringify(slot) === JSON.stringify(other)
  const slots: (Slot | undefined)[] = numbers.map((number, place) => {
    const left = now.get(number) ?? []
    const kept = left.findIndex(sameAs(before[place]))
    return kept < 0 ? undefined : left.splice(kept, 1)[0]
  })
  return slots.map((slot, place) => {
    const number = numbers[place] ?? 0
    return slot ?? now.get(number)?.shift() ?? { number, is: 'up' }
  })
}

/** Every tile of this number: on the grill, turned, in stacks. */
function conditions(number: number, table: GrillTable | DeluxeTable): Slot[] {
  const of = (tiles: readonly number[]) => tiles.filter((tile) => tile === number)
  return [
    ...of(table.grill).map((): Slot => ({ number, is: 'up' })),
    ...table.stacks.flatMap((stack, owner) =>
      stack.flatMap((tile, place): Slot[] =>
        tile === number ? [{ number, is: 'taken', owner, top: place === stack.length - 1 }] : [],
      ),
    ),
    ...of(table.face_down).map((): Slot => ({ number, is: 'down' })),
  ]
}
