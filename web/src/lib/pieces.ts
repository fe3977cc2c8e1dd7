/** What is in each box, as far as the eye needs it. What may be done with it only the server knows. */
import type { Specialist } from './wire'

export const EDITIONS = ['classic', 'deluxe', 'barbecue', 'junior'] as const
export type Edition = (typeof EDITIONS)[number]
export type Face = '1' | '2' | '3' | '4' | '5' | '6' | 'W' | 'B' | 'C' | 'G' | 'K'

export function asEdition(text: string): Edition {
  return EDITIONS.find((edition) => edition === text) ?? 'classic'
}

interface Box {
  players: [number, number]
  /** Each side of a die: what it can fall on. */
  sides: string
  points: Partial<Record<Face, number>>
  dice: number
  /** Every tile or spot there is, in the order of the grill. */
  slots: number[]
  /** Who stands on which tile when a game begins. */
  standing?: Partial<Record<number, Specialist>>
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const NUMBERS = { '1': 1, '2': 2, '3': 3, '4': 4, '5': 5, W: 5 }

export const BOXES: Record<Edition, Box> = {
  classic: { players: [2, 7], sides: '12345W', points: NUMBERS, dice: 8, slots: range(21, 36) },
  deluxe: {
    players: [2, 7],
    sides: '12345W',
    points: NUMBERS,
    dice: 8,
    slots: [11, 13, ...range(21, 36)],
    standing: { 11: 'canned', 21: 'hen', 23: 'raven', 25: 'weasel', 27: 'golden', 29: 'apple' },
  },
  barbecue: {
    players: [2, 5],
    sides: '1234W6',
    points: { '1': 1, '2': 2, '3': 3, '4': 4, W: 5, '6': 6 },
    dice: 8,
    slots: range(23, 36),
  },
  junior: {
    players: [2, 5],
    sides: 'WWBCGK',
    points: { W: 1, B: 2, C: 1, G: 1, K: 1 },
    dice: 6,
    slots: [4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9],
  },
}

const JUNIOR_WORMS: Record<number, number> = { 4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 9: 4 }

/** The worms on a tile or spot. */
export function wormsOn(number: number): number {
  if (number < 10) return JUNIOR_WORMS[number] ?? 0
  return number < 21 ? 1 : 1 + Math.floor((number - 21) / 4)
}

/** The drawing of a face's ingredient, where a face is no number. */
export const INGREDIENTS: Partial<Record<Face, string>> = {
  W: 'worm',
  B: 'bun',
  C: 'cheese',
  G: 'gherkin',
  K: 'ketchup',
}

/** Which plate a seat has: neighbours differ most. */
export function plateOf(seat: number): number {
  return [1, 4, 3, 5, 2, 6, 7][seat % 7] ?? 1
}
