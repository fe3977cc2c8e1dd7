import { expect, it } from 'vitest'
import { promiseOf } from '../src/lib/fair/promise'
import { MOST_OWN, OwnWords } from '../src/lib/table/words'
import type { SeatInfo, TableInfo } from '../src/lib/wire'

const table = (seats: Partial<SeatInfo>[], dice: Partial<TableInfo['dice']> = {}, more: Partial<TableInfo> = {}) =>
  ({
    id: 'x',
    status: 'waiting',
    round: 0,
    seats: seats.map((seat, at) => ({ name: `P${at}`, ...seat })),
    dice: { commitment: 'c', ...dice },
    ...more,
  }) as unknown as TableInfo

it('promises once for each seat and game', () => {
  const words = new OwnWords()
  const first = words.toPromise(table([{}, {}]), [0, 1])
  expect(first.map(({ seat }) => seat)).toEqual([0, 1])
  expect(new Set(first.map(({ promise }) => promise)).size).toBe(2)
  expect(words.toPromise(table([{}, {}]), [0, 1])).toEqual([])
  expect(words.toPromise(table([{}], {}, { round: 1 }), [0])).toHaveLength(1)
  expect(words.toPromise(table([{}], { called: true }, { round: 2 }), [0])).toEqual([])
})

it('promises again after a lost connection, unless the promise arrived', () => {
  const words = new OwnWords()
  const [mine] = words.toPromise(table([{}]), [0])
  words.ask()
  expect(words.toPromise(table([{ promise: mine?.promise ?? '' }]), [0])).toEqual([])
  expect(words.toPromise(table([{ promise: '' }]), [0])).toHaveLength(1)
})

it('shows what it promised, when it is called for', () => {
  const words = new OwnWords()
  const promise = words.think('  grilled   to a turn ')
  expect(words.own(promise)).toBe('grilled to a turn')
  expect(words.toShow(table([{ promise }]), [0])).toEqual([])
  expect(words.toShow(table([{ promise: 'another device’s' }], { called: true }), [0])).toEqual([])
  const [shown] = words.toShow(table([{ promise }], { called: true }), [0])
  expect(shown?.words).toMatch(/^grilled to a turn [\w-]{22}$/)
  expect(promiseOf(shown?.words ?? '')).toBe(promise)
  expect(words.toShow(table([{ promise, words: 'shown' }], { called: true }), [0])).toEqual([])
})

it('keeps to what the server takes', () => {
  const words = new OwnWords()
  const promise = words.think(`a\u0000\tb\u2028c ${'🎲'.repeat(99)}`)
  expect(words.own(promise)).toMatch(/^ab c 🎲+$/u)
  expect([...words.own(promise)]).toHaveLength(MOST_OWN)
  const [shown] = words.toShow(table([{ promise }], { called: true }), [0])
  expect([...(shown?.words ?? '')].length).toBeLessThanOrEqual(64)
})
