/** The puzzle of the day: the same arithmetic as in Python, the streak, and positions as the table's components know them. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { EDITIONS } from '../../src/pieces/boxes'
import { bookOf, exerciseOf, puzzleOf, wrongBots } from '../../src/puzzle/book'
import { daysAfter, numberOf, puzzleOfDay, today } from '../../src/puzzle/days'
import { isRight, lossOf } from '../../src/puzzle/exercise'
import { noteResult, results, streak } from '../../src/puzzle/results'

/** What `tests/puzzles/test_books.py` holds Python to. */
const DAYS = JSON.parse(readFileSync('../tests/puzzles/days.json', 'utf8')) as [string, number, number][]

describe('days', () => {
  it.each(DAYS)('%s of %i puzzles is number %i, as in Python', (day, count, number) => {
    expect(puzzleOfDay(day, count)).toBe(number)
  })

  it('go on over the ends of months, years and summer time', () => {
    expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01')
    expect(daysAfter('2028-03-01', -1)).toBe('2028-02-29')
    expect(daysAfter('2026-03-29', 1)).toBe('2026-03-30')
    expect(daysAfter('2026-10-25', 1)).toBe('2026-10-26')
  })

  it('are those of the calendar on the wall', () => {
    expect(today(new Date(2026, 10, 18, 0, 5))).toBe('2026-11-18')
    expect(today(new Date(2026, 10, 18, 23, 55))).toBe('2026-11-18')
  })

  it.each(['2026-02-30', '2026-13-01', 'today', '', '18.11.2026'])('has no day %j', (text) => {
    expect(numberOf(text)).toBeNull()
  })
})

describe('results', () => {
  let saved = new Map<string, string>()
  beforeEach(() => {
    saved = new Map()
    vi.stubGlobal('localStorage', { getItem: (key: string) => saved.get(key) ?? null, setItem: (key: string, text: string) => saved.set(key, text) })
  })
  const solve = (edition: string, day: string, tries = 1, on = day) => noteResult(edition, day, { tries, on })

  it('keep the first time', () => {
    solve('classic', '2026-11-18', 3)
    solve('classic', '2026-11-18', 1)
    expect(results()['classic/2026-11-18']).toEqual({ tries: 3, on: '2026-11-18' })
  })

  it('count days in a row, whatever the edition', () => {
    solve('classic', '2026-11-15')
    solve('classic', '2026-11-16')
    solve('junior', '2026-11-17')
    expect(streak(results(), '2026-11-17')).toBe(3)
    expect(streak(results(), '2026-11-18'), 'today can still be solved').toBe(3)
    expect(streak(results(), '2026-11-19')).toBe(0)
  })

  it('do not count what was solved later, or shown', () => {
    solve('classic', '2026-11-16')
    solve('classic', '2026-11-17', 1, '2026-11-18')
    solve('deluxe', '2026-11-18', 0)
    expect(streak(results(), '2026-11-18')).toBe(0)
  })

  it('are empty where something else was written', () => {
    saved.set('heckmeck.puzzles', '{"classic/2026-11-18": 5}')
    expect(results()).toEqual({})
  })
})

describe.each(EDITIONS)('%s', (edition) => {
  it('has whole positions with their moves', async () => {
    const book = await bookOf(edition)
    const wrong = book.puzzles.filter((puzzle) => {
      const exercise = exerciseOf(book, puzzle)
      const { state, names, moves } = exercise
      const right = moves.filter(({ move }) => isRight(exercise, move))
      const all = moves.map(({ move }) => move).toSorted().join() === state.legal.join()
      const margin = lossOf(exercise, moves.at(-1)?.move ?? '')
      return state.edition !== edition || names.length !== state.seats || right.length !== 1 || !all || margin < 0.04 || wrongBots(puzzle).length === 0
    })
    expect(wrong).toEqual([])
    expect(puzzleOf(book, '2026-11-18')).toBe(book.puzzles[puzzleOfDay('2026-11-18', book.puzzles.length)])
  })
})
