import { describe, expect, it } from 'vitest'
import { arrange, TOUCH, widthOf, type Arrangement } from '../../src/table/arrange'

/** Every way that up to six faces can share so many dice, in order. */
function* throwsOf(dice: number, faces = 6): Generator<number[]> {
  if (dice === 0) yield []
  else if (faces > 0)
    for (let first = 1; first <= dice; first += 1)
      for (const rest of throwsOf(dice - first, faces - 1)) yield [first, ...rest]
}

/** How high the dice stand in a row that wraps at this width. */
function heightOf(groups: readonly number[], size: Arrangement, width: number): number {
  let rows = 1
  let filled = 0
  for (const dice of groups) {
    const wide = widthOf(dice, size) - size.apart
    expect(wide).toBeLessThanOrEqual(width)
    const next = filled === 0 ? wide : filled + size.apart + wide
    if (next > width) rows += 1
    filled = next > width ? wide : next
  }
  return rows * (size.die + size.words)
}

describe('dice in the tray', () => {
  const trays: [width: number, height: number][] = [
    [296, 116], // the smallest phone, upright
    [248, 116], // and with the browser's bars
    [232, 116], // on its side
    [360, 150],
    [470, 170],
    [720, 300],
  ]
  it.each(trays)('fit into %i x %i px, however they fall, and can be tapped', (width, height) => {
    for (let dice = 1; dice <= 9; dice += 1)
      for (const groups of throwsOf(dice)) {
        const size = arrange(groups, width, height)
        expect(size.die, String(groups)).toBeGreaterThanOrEqual(TOUCH)
        expect(heightOf(groups, size, width), String(groups)).toBeLessThanOrEqual(height)
      }
  })

  it('are as large as the room allows, and overlap only where they must', () => {
    const roomy = arrange([2, 1], 600, 300)
    expect(roomy.die).toBeGreaterThan(80)
    expect(roomy.between).toBeGreaterThan(0)
    expect(arrange([2, 5, 2], 296, 116)).toMatchObject({ die: TOUCH })
    expect(arrange([9], 296, 116).between).toBeLessThan(0)
  })

  it('still fit where there is no room for fingers', () => {
    const size = arrange([3, 3, 3], 120, 60)
    expect(size.die).toBeLessThan(TOUCH)
    expect(heightOf([3, 3, 3], size, 120)).toBeLessThanOrEqual(60)
  })
})
