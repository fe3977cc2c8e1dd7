import { expect, it } from 'vitest'
import type { Fact, NumberedEntry } from '../../src/net/wire'
import { extended, satDownAt, type Line } from '../../src/table/log'

let n = 0
const played = (seat: number, move: string, ...facts: Fact[]): NumberedEntry => ({
  n: (n += 1),
  what: { do: 'played', seat, move, facts },
})
const fell: Fact = { event: 'dice_fell', seat: 0, dice: '1W', golden: null }
const kept: Fact = { event: 'dice_kept', seat: 0, face: 'W', count: 1, golden: false, total: 5, left: 1 }
const lines = (...events: NumberedEntry[]) =>
  events.reduce<readonly Line[]>((so, event) => extended(so, event), [])
const facts = (line: Line | undefined) => (line?.kind === 'play' ? line.facts.map((fact) => fact.event) : [])

it('tells a throw and what is kept of it in one line', () => {
  const told = lines(
    played(0, 'roll', { event: 'dice_cast', seat: 0, dice: 2, golden: false }),
    played(0, '=1W', fell),
    played(0, 'keep:W', kept),
  )
  expect(told.map(facts)).toEqual([['dice_fell', 'dice_kept']])
})

it('forgets a keep that was taken back', () => {
  const told = lines(played(0, '=1W', fell), played(0, 'keep:W', kept), { n: (n += 1), what: { do: 'undone' } })
  expect(told.map(facts)).toEqual([['dice_fell']])
})

it('tells who comes and goes', () => {
  const told = lines({ n: (n += 1), what: { do: 'went_away', seat: 1 } })
  expect(told).toMatchObject([{ kind: 'table', action: { do: 'went_away', seat: 1 } }])
})

it('knows since when somebody has a seat', () => {
  const sat = (seat: number, name: string): NumberedEntry => ({ n: (n += 1), what: { do: 'sat', seat, name } })
  const told = lines(sat(0, 'Ada'), { n: (n += 1), what: { do: 'left', seat: 0 } }, sat(1, 'Ben'), sat(0, 'Cleo'))
  expect(satDownAt(told, 0)).toBe(n)
  expect(satDownAt(told, 1)).toBe(n - 1)
  expect(satDownAt(told, 2)).toBe(0)
  expect(satDownAt(told, null)).toBe(0)
})
