import { expect, it } from 'vitest'
import { slotsOf } from '../../src/table/slots'

const table = (grill: number[], face_down: number[], stacks: number[][]) => ({ grill, face_down, stacks })

it('gives every tile its own slot', () => {
  const slots = slotsOf([21, 22, 23, 24], table([21], [24], [[23], [22]]), [])
  expect(slots).toEqual([
    { number: 21, is: 'up' },
    { number: 22, is: 'taken', owner: 1, top: true },
    { number: 23, is: 'taken', owner: 0, top: true },
    { number: 24, is: 'down' },
  ])
})

it('says which tile is on top of a stack', () => {
  const slots = slotsOf([21, 22], table([], [], [[21, 22]]), [])
  expect(slots.map((slot) => slot.is === 'taken' && slot.top)).toEqual([false, true])
})

it('leaves the other one of two equal tiles where it is', () => {
  const numbers = [9, 9]
  const both = slotsOf(numbers, table([9, 9], [], [[], []]), [])
  const taken = slotsOf(numbers, table([9], [], [[9], []]), both)
  expect(taken).toEqual([{ number: 9, is: 'up' }, { number: 9, is: 'taken', owner: 0, top: true }])
  const turned = slotsOf(numbers, table([], [9], [[9], []]), taken)
  expect(turned).toEqual([{ number: 9, is: 'down' }, { number: 9, is: 'taken', owner: 0, top: true }])
})
