/** What is in each box, as far as the eye needs it: `boxes.json` comes from `heckmeck.rules` (hatch_build.py). */
import type { Specialist } from '../net/wire'
import boxes from './boxes.json'

type Boxes = typeof boxes.editions
export type Edition = keyof Boxes
export type Face = { [E in Edition]: keyof Boxes[E]['points'] }[Edition]

interface Box {
  /** How many can play, at least and at most. */
  players: [least: number, most: number]
  /** Each side of a die: what it can fall on. */
  sides: string
  points: Partial<Record<Face, number>>
  /** The face without which nothing can be taken. */
  worm: string
  dice: number
  /** The sides of the golden die, where there is one. */
  golden: string
  /** Every tile or spot there is, in the order of the grill. */
  slots: number[]
  /** Who stands on which tile when a game begins. */
  standing: Partial<Record<number, Specialist>>
  house_rules: boolean
}

export const BOXES = boxes.editions as unknown as Record<Edition, Box>
export const EDITIONS = Object.keys(BOXES) as Edition[]
/** The order in which dice are written. */
export const FACE_ORDER = boxes.face_order

export function asEdition(text: string): Edition {
  return EDITIONS.find((edition) => edition === text) ?? 'classic'
}

/** The faces on these sides, each once. */
export const facesOn = (sides: string): Face[] => [...new Set(sides)] as Face[]

/** The worms on a tile or spot. */
export const wormsOn = (number: number): number => (boxes.worms as Record<number, number>)[number] ?? 0

/** The drawing of a face's ingredient, where a face is no number; a bun is the outside of the meal. */
export const INGREDIENTS: Partial<Record<Face, string>> = {
  B: 'bun',
  W: 'worm',
  C: 'cheese',
  G: 'gherkin',
  K: 'ketchup',
}

/** Which plate a seat has: neighbours differ most. */
export function plateOf(seat: number): number {
  return [1, 4, 3, 5, 2, 6, 7][seat % 7] ?? 1
}
