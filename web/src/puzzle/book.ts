/** The puzzles of each edition: one file, which Python reads too, loaded when it is needed. `docs/puzzles.md` describes it. */
import type { GameState, Reason } from '../net/wire'
import type { Edition } from '../pieces/boxes'
import { puzzleOfDay } from './days'
import type { Exercise } from './exercise'

export interface Puzzle {
  stars: number
  /** What each bot plays. */
  bots: Record<string, string>
  /** Every legal move, best first: its value, and the chance that the turn fails. */
  moves: Record<string, [worth: number, fail: number]>
  /** The position without what is usual. */
  reason?: Reason
  state: Omit<Partial<GameState>, 'turn'> & Pick<GameState, 'scores'> & { turn: Partial<GameState['turn']> }
}

export interface Book {
  edition: string
  evaluator: string
  names: string[]
  puzzles: Puzzle[]
}

/** What is not written down of a position, as in `heckmeck.puzzles`. */
const USUAL = { options: {}, awaits: 'player', over: false, winners: [], count: null, undo: false, correct: false }
const USUAL_TURN = { golden: false, roll: null, golden_roll: null, weasel_used: false }

const BOOKS = import.meta.glob<Book>('@puzzles/*.json', { import: 'default' })

export async function bookOf(edition: Edition): Promise<Book> {
  const [, load] = Object.entries(BOOKS).find(([path]) => path.endsWith(`/${edition}.json`)) ?? []
  if (!load) throw new Error(`There are no puzzles of ${edition}.`)
  return load()
}

export const puzzleOf = (book: Book, day: string): Puzzle | null =>
  book.puzzles[puzzleOfDay(day, book.puzzles.length)] ?? null

/** The whole position, with everything that an interface shows. */
export function exerciseOf({ edition, names }: Book, { state, moves, reason }: Puzzle): Exercise {
  const seats = state.scores.length
  const whole = { ...USUAL, edition, seats, ...state, turn: { ...USUAL_TURN, ...state.turn } }
  return {
    state: whole as GameState,
    names: names.slice(0, seats),
    moves: Object.entries(moves).map(([move, [worth, fail]]) => ({ move, worth, fail })),
    unit: 'win',
    reason: reason ?? null,
  }
}

/** The bots that do not find the best move. */
export const wrongBots = ({ bots, moves }: Puzzle): string[] =>
  Object.keys(bots).filter((bot) => bots[bot] !== Object.keys(moves)[0])

export const starsText = (stars: number): string => '★'.repeat(stars)
