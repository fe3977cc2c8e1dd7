/** One's own games: what is kept of a game, when a mistake comes again, and the way to a file and back. */
import { describe, expect, it } from 'vitest'
import { favourites, fromFile, kindOf, mistakesIn, pastGame, placeOf, summaryOf, toFile, unknownOf, type PastGame } from '../../src/games/history'
import { dueIn } from '../../src/games/store'
import type { Reviewed } from '../../src/net/coach'
import { afterTry, INTERVALS, isDue, isLearned, LEARNED } from '../../src/puzzle/schedule'

const TODAY = '2026-11-18'

/** A review with these decisions: seat, loss, mark, and the words that could be chosen. */
function reviewed(decisions: [seat: number, loss: number, mark: string | null, legal: string[]][]): Reviewed {
  return {
    record: { heckmeck: 1, edition: 'classic', seats: ['Ann', 'The fox'], first: 0, options: {}, moves: [] },
    moments: decisions.map(([seat, , , legal]) => ({ after: 0, move: null, events: [], state: { edition: 'classic', to_move: seat, legal } })),
    review: {
      unit: 'win',
      evaluator: 'classic x',
      players: [0, 1].map(() => ({ given_away: 0.12, luck: -0.2, counted: 3 })),
      decisions: decisions.map(([seat, loss, mark], index) => ({ index, seat, move: 'roll', loss, counted: true, mark, choices: [{ move: 'stop', worth: 0.5, fail: 0 }] })),
      throws: [],
      jumps: [],
    },
  } as unknown as Reviewed
}

const ENDED = { id: 'able-fox/1', edition: 'classic', names: ['Ann', 'The fox'], scores: [3, 5], ranking: [[1], [0]], seats: [0] }
const GAME = reviewed([
  [0, 0.03, 'inaccuracy', ['roll', 'stop']],
  [1, 0.4, 'blunder', ['roll', 'stop']],
  [0, 0.08, 'mistake', ['keep:1', 'keep:W']],
  [0, 0.01, null, ['keep:1', 'keep:W']],
])
const game = (id = ENDED.id, ended = 1): PastGame => pastGame({ ...ENDED, id }, GAME, ended, TODAY)

describe('a game that is over', () => {
  it('keeps the own mistakes, the biggest first', () => {
    expect(mistakesIn(GAME, [0], TODAY).map(({ index, box, due }) => [index, box, due])).toEqual([[2, 0, TODAY], [0, 0, TODAY]])
  })

  it('keeps what was given away by kind of decision', () => {
    const { lost, totals, places, unit } = game()
    expect(lost).toEqual({ stop: 0.03, keep: 0.09 })
    expect(totals).toEqual([{ seat: 0, given: 0.12, luck: -0.2 }])
    expect(places).toEqual([{ seat: 0, place: 2 }])
    expect(unit).toBe('win')
  })

  it('is kept without figures if nobody could judge it', () => {
    expect(pastGame(ENDED, null, 1, TODAY)).toMatchObject({ unit: null, totals: [], mistakes: [], scores: [3, 5] })
  })

  it.each([
    [['keep:1', 'keep:2'], 'keep'],
    [['keep:1', 'reroll'], 'weasel'],
    [['bust', 'reroll'], 'weasel'],
    [['roll', 'stop'], 'stop'],
    [['roll', 'roll:golden'], 'golden'],
    [['rob:0', 'rob:2'], 'question'],
  ] as const)('asked with %j is a question of kind %s', (legal, kind) => {
    expect(kindOf({ legal: [...legal] })).toBe(kind)
  })

  it('has places, which may be shared', () => {
    const places = [0, 1, 2, 3].map((seat) => placeOf([[2], [0, 3], [1]], seat))
    expect(places).toEqual([2, 4, 1, 2])
  })
})

describe('all games', () => {
  it('add up', () => {
    const won = { ...game('b/1'), places: [{ seat: 0, place: 1 }] }
    expect(summaryOf([game(), won])).toEqual({ games: 2, won: 1, given: 0.12, luck: -0.2 })
    expect(summaryOf([])).toEqual({ games: 0, won: 0, given: null, luck: null })
    expect(favourites([game(), won]).map(({ kind }) => kind)).toEqual(['keep', 'stop'])
  })

  it('go into a file and come back', () => {
    const games = [game(), game('b/1', 5)]
    expect(fromFile(toFile(games))).toEqual(games)
  })

  it.each([
    '',
    '[]',
    'null',
    '{"heckmeck_games": 2, "games": []}',
    '{"heckmeck_games": 1, "games": [{}]}',
    '{"heckmeck_games": 1, "games": [null]}',
    toFile([{ ...game(), mistakes: [{ index: 1 }] as unknown as PastGame['mistakes'] }]),
  ])('do not come from %j', (text) => {
    expect(fromFile(text)).toBeNull()
  })

  it('are merged without doubling', () => {
    const more = [game(), game('b/1'), game('b/1')]
    expect(unknownOf([game()], more).map(({ id }) => id)).toEqual(['b/1'])
  })
})

describe('the schedule', () => {
  it('sets a mistake that is solved further and further apart, until it is learned', () => {
    let it = { box: 0, due: TODAY }
    const days = ['2026-11-19', '2026-11-21', '2026-11-25', '2026-12-09']
    for (const day of days) {
      it = afterTry(it.box, true, TODAY)
      expect(it.due).toBe(day)
      expect(isLearned(it)).toBe(false)
    }
    it = afterTry(it.box, true, TODAY)
    expect(it.box).toBe(LEARNED)
    expect(isLearned(it)).toBe(true)
    expect(isDue(it, '2030-01-01')).toBe(false)
    expect(INTERVALS).toHaveLength(LEARNED)
  })

  it('starts over with one that is not solved, today', () => {
    expect(afterTry(3, false, TODAY)).toEqual({ box: 0, due: TODAY })
  })

  it('offers what is due: new ones first, then the biggest', () => {
    const one = game('a/1')
    const [big, small] = one.mistakes
    if (!big || !small) throw new Error('two mistakes')
    Object.assign(big, afterTry(0, true, '2026-11-10'))
    expect(dueIn([one], TODAY).map(({ mistake }) => mistake.index)).toEqual([small.index, big.index])
    Object.assign(big, afterTry(0, true, TODAY))
    expect(dueIn([one], TODAY).map(({ mistake }) => mistake.index)).toEqual([small.index])
    expect(dueIn([one], '2026-11-19')).toHaveLength(2)
  })
})
