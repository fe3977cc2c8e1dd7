/** How the thrown dice lie in the tray: as large as its room allows, and never too small to tap. */

/** What a finger needs, in px. A die is smaller only where not even overlapping dice would fit. */
export const TOUCH = 44

export interface Arrangement {
  /** The side of a die, in px. */
  die: number
  /** Between dice of one face; negative where they overlap. */
  between: number
  /** Between dice of different faces. */
  apart: number
  /** The height of the words below the dice. */
  words: number
}

const LARGEST = 132
const SMALLEST = 20
/** At most this part of a die is covered by the next one of its face. */
const COVERED = 0.6
const WORDS = 0.28

/**
 * The largest arrangement of `groups` (how many dice each face has, in their order) that fits into
 * `width` x `height` px. Rows fill up from the left, as a wrapping flex row does.
 */
export function arrange(groups: readonly number[], width: number, height: number): Arrangement {
  for (let die = LARGEST; die > TOUCH; die -= 2) {
    const loose = around(die, Math.max(3, die * 0.1), die * 0.22)
    if (fits(groups, loose, width, height)) return loose
  }
  for (let between = 4; between >= -TOUCH * COVERED; between -= 1) {
    const close = around(TOUCH, between, 8 + Math.min(0, between / 6))
    if (fits(groups, close, width, height)) return close
  }
  let tiny = around(TOUCH, 0, 8)
  for (let die = TOUCH - 2; die >= SMALLEST && !fits(groups, tiny, width, height); die -= 2) {
    tiny = around(die, -die * COVERED, 4)
  }
  return tiny
}

function around(die: number, between: number, apart: number): Arrangement {
  return { die, between, apart, words: Math.max(14, Math.round(die * WORDS)) }
}

/** How wide a group of dice is, with what lies between it and the next one. */
export function widthOf(dice: number, { die, between, apart }: Arrangement): number {
  return dice * die + (dice - 1) * between + apart
}

function fits(groups: readonly number[], size: Arrangement, width: number, height: number): boolean {
  const widths = groups.map((dice) => widthOf(dice, size) - size.apart)
  // A width in whole pixels may be rounded up.
  const room = width - 1
  return Math.max(0, ...widths) <= room && rowsOf(widths, size.apart, room) * (size.die + size.words) <= height
}

function rowsOf(widths: readonly number[], apart: number, width: number): number {
  let rows = widths.length > 0 ? 1 : 0
  let filled = -apart
  for (const next of widths) {
    if (filled + apart + next > width) {
      rows += 1
      filled = next
    } else filled += apart + next
  }
  return rows
}
