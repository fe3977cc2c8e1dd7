/** What the server's coach tells: the review of a game, the odds of a turn. */
import { settings } from './settings.svelte'
import type { Advice, Fact, GameState } from './wire'

/** What worth is measured in: worms, or the chance to win. */
export type Unit = 'worms' | 'win'

/** The unit to ask for; null leaves it to the server, which prefers the chance to win where it is known. */
export const askedUnit = (): 'worms' | null => (settings.worth === 'worms' ? 'worms' : null)

/** The game after so many moves, the last of which brought these events. */
export interface Moment {
  after: number
  move: string | null
  events: Fact[]
  state: GameState
}

/** A choice that somebody had before move `index`, every move best first. */
export interface Decision {
  index: number
  seat: number
  move: string
  loss: number
  choices: Advice[]
}

/** What the dice of move `index` brought, more or less than throwing was worth. */
export interface Luck {
  index: number
  seat: number
  luck: number
}

export interface GameRecord {
  heckmeck: number
  edition: string
  seats: string[]
  first: number
  options: Record<string, boolean>
  moves: string[]
  /** The kind of each seat's bot, where the server that wrote the record knew. */
  bots?: Record<string, string>
}

export interface Review {
  unit: Unit
  players: { loss: number; luck: number }[]
  decisions: Decision[]
  throws: Luck[]
  /** Everybody's chance to win at every moment, where somebody knows it. */
  chances?: number[][] | null
}

export interface Reviewed {
  record: GameRecord
  moments: Moment[]
  review: Review
}

/** A turn as somebody describes it; `hand` counts white dice, null: all that are not kept. */
export interface TurnSetup {
  edition: string
  holding: string | null
  kept: string
  hand: number | null
  roll: string | null
}

/** What is kept so far, the chance of each number, and every move with its worth; no moves: the turn is over. */
export interface OddsOfTurn {
  edition: string
  total: number
  at_least: Record<string, number>
  exactly: Record<string, number>
  unit: Unit
  moves: Advice[]
}
