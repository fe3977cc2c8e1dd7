/** What the server's coach tells: the review of a game, the odds of a turn. */
import { settings } from '../device/settings.svelte'
import type { OddsAsked, ReviewedGame } from './wire'

export type { Decision, Moment, Review, ThrowLuck as Luck, TurnOdds as OddsOfTurn } from './wire'

/** What worth is measured in: worms, or the chance to win. */
export type Unit = ReviewedGame['review']['unit']

/** The unit to ask for; null leaves it to the server, which prefers the chance to win where it is known. */
export const askedUnit = (): 'worms' | null => (settings.worth === 'worms' ? 'worms' : null)

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

export interface Reviewed extends ReviewedGame {
  record: GameRecord
}

/** A turn as somebody describes it; `hand` counts white dice, null: all that are not kept. */
export type TurnSetup = Required<Omit<OddsAsked, 'unit'>>
