import { describe, expect, test } from 'vitest'
import type { Decision, Moment } from '../../src/net/coach'
import { markOf, tally } from '../../src/review/marks'
import { thrownIn } from '../../src/review/thrown'
import { endOfTurn, startOfTurn, turnsOf } from '../../src/review/turns'

function decision(mark: Decision['mark'], choices: [move: string, worth: number, fail: number][] = []): Decision {
  return {
    index: 0,
    seat: 0,
    move: 'roll',
    loss: 0,
    counted: true,
    mark,
    choices: choices.map(([move, worth, fail]) => ({ move, worth, fail })),
  }
}

describe('marks', () => {
  test.each([
    [null, 'fine'],
    ['inaccuracy', 'slip'],
    ['mistake', 'mistake'],
    ['blunder', 'blunder'],
  ] as const)('of the coach, %s, is %s', (given, mark) => {
    expect(markOf(decision(given), 'worms')).toBe(mark)
  })

  test('the best move is sharp only if another one looked safer', () => {
    const brave = decision(null, [
      ['roll', 2, 0.4],
      ['stop', 1, 0],
    ])
    const forced = decision(null, [
      ['roll', 2, 0.4],
      ['stop', -1, 1],
    ])
    expect(markOf(brave, 'worms')).toBe('sharp')
    expect(markOf(forced, 'worms')).toBe('fine')
  })

  test('are counted', () => {
    expect(tally([decision('blunder'), decision('inaccuracy'), decision('inaccuracy')], 'worms')).toMatchObject({ blunder: 1, mistake: 0, slip: 2 })
  })
})

/** Two turns of two moves each, and a third that has begun. */
const MOMENTS = [
  [0, false],
  [0, false],
  [1, true],
  [1, false],
  [0, true],
  [0, false],
].map(([to_move, starts], after) => ({
  after,
  move: null,
  events: starts ? [{ event: 'turn_started', seat: to_move }] : [],
  state: { to_move, turn: { roll: null, golden_roll: null } },
})) as unknown as Moment[]

describe('turns', () => {
  const turns = turnsOf(MOMENTS)

  test('a moment belongs to the turn that brought it about', () => {
    expect(turns.map(({ turn }) => turn)).toEqual([1, 1, 1, 2, 2, 3])
    expect(turns.map(({ seat }) => seat)).toEqual([0, 0, 0, 1, 1, 0])
  })

  test('one can leap from turn to turn', () => {
    expect([0, 1, 2, 3, 4].map((at) => endOfTurn(turns, at))).toEqual([2, 2, 4, 4, 5])
    expect([5, 4, 3, 2, 0].map((at) => startOfTurn(turns, at))).toEqual([4, 2, 2, 0, 0])
    expect(endOfTurn(turns, 5)).toBe(5)
  })
})

test('a dead throw is seen in what happened', () => {
  const moment = { ...MOMENTS[0], events: [{ event: 'dice_fell', seat: 0, dice: '33W', golden: null }] } as Moment
  expect(thrownIn(moment)).toEqual({ dice: '33W', golden: null, dead: true })
  expect(thrownIn(MOMENTS[0] as Moment)).toBeNull()
})
