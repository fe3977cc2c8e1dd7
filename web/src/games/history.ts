/** The games of this device: what is kept of each, and what they add up to. Nothing of it leaves the device. */
import type { Decision, Review, Reviewed, Unit } from '../net/coach'
import type { GameState, Reason, WeighedMove } from '../net/wire'
import { fresh, type Scheduled } from '../puzzle/schedule'

export const KINDS = ['keep', 'stop', 'golden', 'weasel', 'question'] as const
export type Kind = (typeof KINDS)[number]

/** A decision that gave something away, with everything that is needed to practise it. */
export interface Mistake extends Scheduled {
  /** After so many moves of its game. */
  index: number
  seat: number
  move: string
  loss: number
  state: GameState
  choices: WeighedMove[]
  /** Why the best move was better. */
  reason?: Reason | null
}

export interface PastGame {
  /** The table and its game: `able-fox/2`. */
  id: string
  edition: string
  /** Milliseconds since 1970. */
  ended: number
  /** The players, by seat, as the server calls them. */
  names: string[]
  scores: number[]
  /** The seats of this device, with the place of each. */
  places: { seat: number; place: number }[]
  /** Null: nobody judged the game. */
  unit: Unit | null
  totals: { seat: number; given: number; luck: number }[]
  /** What was given away, by kind of decision. */
  lost: Partial<Record<Kind, number>>
  mistakes: Mistake[]
}

/** How many mistakes of a game are kept, the biggest. */
const MOST_MISTAKES = 12

/** The kind of a decision, from the words that could be chosen. */
export function kindOf({ legal }: Pick<GameState, 'legal'>): Kind {
  if (legal.some((word) => word.startsWith('keep:'))) return legal.includes('reroll') ? 'weasel' : 'keep'
  if (legal.includes('roll')) return legal.includes('roll:golden') ? 'golden' : 'stop'
  return legal.includes('reroll') ? 'weasel' : 'question'
}

/** Who came in where; those with the same place share it. */
export function placeOf(ranking: readonly (readonly number[])[], seat: number): number {
  const at = ranking.findIndex((place) => place.includes(seat))
  return 1 + ranking.slice(0, Math.max(at, 0)).flat().length
}

/** The mistakes of these seats, the biggest first. */
export function mistakesIn({ moments, review }: Pick<Reviewed, 'moments' | 'review'>, seats: readonly number[], today: string): Mistake[] {
  const marked = review.decisions.filter(({ seat, mark }) => mark !== null && seats.includes(seat))
  return marked
    .toSorted((one, other) => other.loss - one.loss)
    .slice(0, MOST_MISTAKES)
    .flatMap(({ index, seat, move, loss, choices, reason }) => {
      const state = moments[index]?.state
      return state ? [{ index, seat, move, loss, state, choices, reason: reason ?? null, ...fresh(today) }] : []
    })
}

function lostIn(decisions: readonly Decision[], moments: Reviewed['moments'], seats: readonly number[]): PastGame['lost'] {
  const lost: PastGame['lost'] = {}
  for (const { index, seat, loss } of decisions) {
    const state = moments[index]?.state
    if (!state || !seats.includes(seat)) continue
    const kind = kindOf(state)
    lost[kind] = (lost[kind] ?? 0) + loss
  }
  return lost
}

export interface Ended {
  id: string
  edition: string
  names: string[]
  scores: readonly number[]
  ranking: readonly (readonly number[])[]
  seats: readonly number[]
}

/** A game that is over, as it is kept; without a review if nobody could judge it. */
export function pastGame({ id, edition, names, scores, ranking, seats }: Ended, reviewed: Reviewed | null, ended: number, today: string): PastGame {
  const review: Review | null = reviewed?.review ?? null
  return {
    id,
    edition,
    ended,
    names,
    scores: [...scores],
    places: seats.map((seat) => ({ seat, place: placeOf(ranking, seat) })),
    unit: review?.unit ?? null,
    totals: seats.flatMap((seat) => {
      const totals = review?.players[seat]
      return totals ? [{ seat, given: totals.given_away, luck: totals.luck }] : []
    }),
    lost: reviewed ? lostIn(reviewed.review.decisions, reviewed.moments, seats) : {},
    mistakes: reviewed ? mistakesIn(reviewed, seats, today) : [],
  }
}

/** What the games of this device add up to; only those judged by chances to win count for the last two. */
export interface Summary {
  games: number
  won: number
  given: number | null
  luck: number | null
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

export function summaryOf(games: readonly PastGame[]): Summary {
  const judged = games.filter(({ unit }) => unit === 'win').flatMap(({ totals }) => totals)
  return {
    games: games.length,
    won: games.filter(({ places }) => places.some(({ place }) => place === 1)).length,
    given: mean(judged.map(({ given }) => given)),
    luck: mean(judged.map(({ luck }) => luck)),
  }
}

/** What was given away by kind of decision, the most first. */
export function favourites(games: readonly PastGame[]): { kind: Kind; lost: number }[] {
  const judged = games.filter(({ unit }) => unit === 'win')
  const lost = (kind: Kind) => judged.reduce((sum, game) => sum + (game.lost[kind] ?? 0), 0)
  return KINDS.map((kind) => ({ kind, lost: lost(kind) }))
    .filter((each) => each.lost > 0)
    .toSorted((one, other) => other.lost - one.lost)
}

// --- as a file ---------------------------------------------------------------------------------

const VERSION = 1

/** The games as a file. */
export const toFile = (games: readonly PastGame[]): string => JSON.stringify({ heckmeck_games: VERSION, games })

const isNumbers = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'number')

function isMistake(value: unknown): value is Mistake {
  const it = value as Partial<Mistake> | null
  return (
    typeof it?.index === 'number' &&
    typeof it.seat === 'number' &&
    typeof it.move === 'string' &&
    typeof it.loss === 'number' &&
    typeof it.box === 'number' &&
    /^\d{4}-\d\d-\d\d$/.test(it.due ?? '') &&
    typeof it.state?.edition === 'string' &&
    Array.isArray(it.state.legal) &&
    Array.isArray(it.choices) &&
    it.choices.length > 0
  )
}

function isGame(value: unknown): value is PastGame {
  const it = value as Partial<PastGame> | null
  return (
    typeof it?.id === 'string' &&
    typeof it.edition === 'string' &&
    typeof it.ended === 'number' &&
    Array.isArray(it.names) &&
    it.names.every((name) => typeof name === 'string') &&
    isNumbers(it.scores) &&
    Array.isArray(it.places) &&
    Array.isArray(it.totals) &&
    typeof it.lost === 'object' &&
    it.lost !== null &&
    Array.isArray(it.mistakes) &&
    it.mistakes.every(isMistake)
  )
}

/** The games in a file; null if it is none of ours. */
export function fromFile(text: string): PastGame[] | null {
  try {
    const data = JSON.parse(text) as { heckmeck_games?: unknown; games?: unknown } | null
    if (data?.heckmeck_games !== VERSION || !Array.isArray(data.games)) return null
    return data.games.every(isGame) ? data.games : null
  } catch {
    return null
  }
}

/** The games that are not there yet. */
export function unknownOf(games: readonly PastGame[], more: readonly PastGame[]): PastGame[] {
  const known = new Set(games.map(({ id }) => id))
  return more.filter(({ id }) => !known.has(id) && known.add(id))
}
