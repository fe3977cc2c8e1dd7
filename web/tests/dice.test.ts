import { expect, it } from 'vitest'
import { deadChance } from '../src/lib/pieces'
import { groupsOf } from '../src/lib/table/dice'
import type { GameState } from '../src/lib/wire'

const state = (kept: string, total: number, hand: number): GameState => ({
  edition: 'classic',
  seats: 2,
  options: {},
  to_move: 0,
  awaits: 'player',
  legal: [],
  turn: { kept, total, hand, golden: false, roll: null, golden_roll: null, weasel_used: false },
  table: { grill: [21, 24, 30], face_down: [], stacks: [[], [25]] },
  scores: [0, 2],
  over: false,
  winners: [],
})

it('says what each face would bring', () => {
  const groups = groupsOf(state('W', 5, 7), { dice: '1335W', golden: null, kept: null }, ['keep:1', 'keep:3', 'keep:5'], false)
  expect(groups.map(({ face, can, total }) => [face, can, total])).toEqual([
    ['1', 'keep', 6],
    ['3', 'keep', 11],
    ['5', 'keep', 10],
    ['W', 'kept', 10],
  ])
})

it('counts from before the keep when another face could be kept instead', () => {
  const groups = groupsOf(state('5555W', 25, 3), { dice: '345W', golden: null, kept: 'W' }, ['roll', 'stop'], true)
  expect(groups.map(({ face, can, total }) => [face, can, total])).toEqual([
    ['3', 'swap', 23],
    ['4', 'swap', 24],
    ['5', 'kept', 25],
  ])
})

it('knows how likely the next throw is dead', () => {
  expect(deadChance('classic', '5W', 3, false)).toBeCloseTo((2 / 6) ** 3)
  expect(deadChance('junior', 'W', 2, false)).toBeCloseTo((2 / 6) ** 2)
  expect(deadChance('deluxe', 'W', 0, true)).toBeCloseTo(1 / 2)
})
