/**
 * What stopping would do, so that the button can say it.
 *
 * This restates `Game.earned` of the four editions, so that the answer is there with the tap; a test compares
 * it with Python's. It decides nothing: the server does what is right anyway.
 */
import { asEdition, type Edition } from '../pieces'
import type { BarbecueTable, DeluxeTable, GameState, GrillTable, WhyNothing } from '../wire'

export type Ending =
  | { ending: 'take_tile'; tile: number }
  | { ending: 'steal_tile'; tile: number; victim: number }
  | { ending: 'steal_hen'; tile: number; victim: number }
  | { ending: 'pinch_tile'; tile: number; victims: number[] }
  | { ending: 'occupy_spot'; spot: number }
  | { ending: 'steal_spot'; spot: number; victim: number }
  | { ending: 'close_spot'; spot: number }
  | { ending: 'take_snail'; spot: number | null }
  | { ending: 'end_game' }
  | { ending: 'nothing'; why: WhyNothing }

const nothing = (why: WhyNothing): Ending => ({ ending: 'nothing', why })

/** What ending the turn with these kept dice and this total would do. */
export function endingWith(state: GameState, kept: string, total: number): Ending {
  const result = resultOf(state, kept, total)
  if (result === null) return nothing('no_worm')
  const edition: Edition = asEdition(state.edition)
  if (edition === 'barbecue') return onTheBoard(state.table as BarbecueTable, state.to_move, result)
  return onTheGrill(state.table as GrillTable | DeluxeTable, edition, state.to_move, result)
}

/** The result that counts, with the canned worm where it stands in; null without a worm. */
export function resultOf(state: GameState, kept: string, total: number): number | null {
  if (kept.includes('W')) return total
  const held = 'held' in state.table ? state.table.held[state.to_move] : null
  return held === 'canned' ? total + 5 : null
}

function onTheGrill(
  table: GrillTable | DeluxeTable,
  edition: Edition,
  seat: number,
  result: number,
): Ending {
  if (table.grill.includes(result)) return { ending: 'take_tile', tile: result }
  const small = (tile: number) => edition === 'deluxe' && tile < 21
  const victims = table.stacks.flatMap((stack, at) =>
    at !== seat && stack.at(-1) === result && !small(result) ? [at] : [],
  )
  const [victim] = victims
  if (victim !== undefined) {
    if (edition === 'junior') return { ending: 'pinch_tile', tile: result, victims }
    const guarded = 'held' in table && table.held[victim] === 'hen'
    return { ending: guarded ? 'steal_hen' : 'steal_tile', tile: result, victim }
  }
  const lower = table.grill.filter((tile) => tile < result && !small(tile)).at(-1)
  return lower === undefined ? nothing('too_low') : { ending: 'take_tile', tile: lower }
}

function onTheBoard(table: BarbecueTable, seat: number, result: number): Ending {
  if (result > 36) {
    if (table.pool > 0) return { ending: 'take_snail', spot: null }
    const snails = Object.keys(table.spots).filter((spot) => table.spots[spot]?.[0] === 'snail')
    if (snails.length === 0) return { ending: 'end_game' }
    return { ending: 'take_snail', spot: Math.max(...snails.map(Number)) }
  }
  if (result < 23) return nothing('too_low')
  const on = table.spots[result] ?? []
  if (on[0] === 'snail') return { ending: 'take_snail', spot: result }
  if (on.length === 2) return nothing('spot_closed')
  if (table.plates[seat] === 0) return nothing('no_plate')
  if (on.length === 0) return { ending: 'occupy_spot', spot: result }
  const owner = Number(on[0])
  return owner === seat
    ? { ending: 'close_spot', spot: result }
    : { ending: 'steal_spot', spot: result, victim: owner }
}
