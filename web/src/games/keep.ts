/** A game of this device that is over goes into its history, once, with what the coach says of it. */
import type { Reviewed } from '../net/coach'
import { today } from '../puzzle/days'
import type { Table } from '../table/store.svelte'
import { pastGame, type PastGame } from './history'
import { addGames, allGames } from './store'

/** Keep the game of a table, if this device has a seat at it; null if not. Nothing here may fail: the game is over, and safe. */
export async function keepGame(table: Table, review: Promise<Reviewed>): Promise<PastGame | null> {
  const { info, state, you } = table
  if (!info || !state?.over || !state.count || you.seats.length === 0) return null
  const ended = {
    id: `${table.id}/${info.round}`,
    edition: state.edition,
    names: info.seats.map((seat, at) => seat?.name ?? info.names?.[at] ?? ''),
    scores: state.scores,
    ranking: state.count.ranking,
    seats: [...you.seats],
  }
  const before = (await allGames()).find(({ id }) => id === ended.id)
  if (before?.unit) return before
  const reviewed = await review.catch(() => null)
  const game = pastGame(ended, reviewed, before?.ended ?? Date.now(), today())
  await addGames([game])
  return game
}
