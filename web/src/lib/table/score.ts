/** The final count, line by line, as the table shows it. */
import { wormsOn } from '../pieces'
import type { GameState } from '../wire'

export interface ScoreLine {
  item: 'tiles' | 'bratworms' | 'apple' | 'worms' | 'snails'
  art: string
  worms: number
}

/** What each player's worms came from. */
export function sheetsOf(state: GameState): ScoreLine[][] {
  const on = state.table
  return state.scores.map((_, seat): ScoreLine[] => {
    if ('worms' in on) {
      return [
        { item: 'worms', art: 'pip', worms: on.worms[seat] ?? 0 },
        { item: 'snails', art: 'snail', worms: 3 * (on.snails[seat] ?? 0) },
      ]
    }
    const worms = (on.stacks[seat] ?? []).reduce((sum, tile) => sum + wormsOn(tile), 0)
    const tiles: ScoreLine = { item: 'tiles', art: 'pip', worms }
    if (!('bratworms' in on)) return [tiles]
    return [
      tiles,
      { item: 'bratworms', art: 'bratworm', worms: on.bratworms[seat] ?? 0 },
      { item: 'apple', art: 'apple', worms: on.held[seat] === 'apple' ? 3 : 0 },
    ]
  })
}

/** What broke a tie for the first place; null if there was none to break. */
export function tieBreak(state: GameState): 'highest_tile' | 'highest_plate' | null {
  const best = Math.max(...state.scores)
  const tied = state.scores.filter((score) => score === best).length > 1
  if (!tied || state.winners.length > 1) return null
  return 'spots' in state.table ? 'highest_plate' : 'highest_tile'
}

/** The highest tile of a player, or in barbecue the highest spot with their plate; null if there is none. */
export function highestOf({ table: on }: GameState, seat: number): number | null {
  const owned =
    'spots' in on
      ? Object.keys(on.spots).filter((spot) => on.spots[spot]?.includes(seat)).map(Number)
      : (on.stacks[seat] ?? [])
  return owned.length > 0 ? Math.max(...owned) : null
}
