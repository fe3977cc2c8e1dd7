import { expect, it } from 'vitest'
import { promiseOf } from '../../src/fair/promise'
import type { SeatInfo, TableInfo } from '../../src/net/wire'
import { MOST_OWN, OwnSalt } from '../../src/table/salt'

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
  const own = new OwnSalt()
  const first = own.toPromise(table([{}, {}]), [0, 1])
  expect(first.map(({ seat }) => seat)).toEqual([0, 1])
  expect(new Set(first.map(({ promise }) => promise)).size).toBe(2)
  expect(own.toPromise(table([{}, {}]), [0, 1])).toEqual([])
  expect(own.toPromise(table([{}], {}, { round: 1 }), [0])).toHaveLength(1)
  expect(own.toPromise(table([{}], { called: true }, { round: 2 }), [0])).toEqual([])
})

it('promises again after a lost connection, unless the promise arrived', () => {
  const own = new OwnSalt()
  const [mine] = own.toPromise(table([{}]), [0])
  own.ask()
  expect(own.toPromise(table([{ promise: mine?.promise ?? '' }]), [0])).toEqual([])
  expect(own.toPromise(table([{ promise: '' }]), [0])).toHaveLength(1)
})

it('shows what it promised, when it is called for', () => {
  const own = new OwnSalt()
  const promise = own.think('  grilled   to a turn ')
  expect(own.own(promise)).toBe('grilled to a turn')
  expect(own.toShow(table([{ promise }]), [0])).toEqual([])
  expect(own.toShow(table([{ promise: 'another device’s' }], { called: true }), [0])).toEqual([])
  const [shown] = own.toShow(table([{ promise }], { called: true }), [0])
  expect(shown?.salt).toMatch(/^grilled to a turn [\w-]{22}$/)
  expect(promiseOf(shown?.salt ?? '')).toBe(promise)
  expect(own.toShow(table([{ promise, salt: 'shown' }], { called: true }), [0])).toEqual([])
})

it('keeps to what the server takes', () => {
  const own = new OwnSalt()
  const promise = own.think(`a\u0000\tb\u2028c ${'🎲'.repeat(99)}`)
  expect(own.own(promise)).toMatch(/^ab c 🎲+$/u)
  expect([...own.own(promise)]).toHaveLength(MOST_OWN)
  const [shown] = own.toShow(table([{ promise }], { called: true }), [0])
  expect([...(shown?.salt ?? '')].length).toBeLessThanOrEqual(64)
})
