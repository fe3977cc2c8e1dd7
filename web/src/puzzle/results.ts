/** Which puzzles were solved on this device, and how many days in a row. */
import { read, write } from '../device/storage'
import { daysAfter } from './days'

export interface Result {
  /** The number of tries; 0: the solution was shown. */
  tries: number
  /** The day on which that was. */
  on: string
}

/** By edition and day: `classic/2026-11-18`. */
export type Results = Record<string, Result>

const KEY = 'heckmeck.puzzles'
/** Four editions for more than a year. */
const MOST = 2_000

function isResults(value: unknown): value is Results {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every(({ tries, on }: Partial<Result>) => typeof tries === 'number' && typeof on === 'string')
}

export const results = (): Results => read<Results>(KEY, {}, isResults)

/** Note how a puzzle went; the first time counts. */
export function noteResult(edition: string, day: string, result: Result): Results {
  const before = results()
  const key = `${edition}/${day}`
  if (key in before) return before
  const after = Object.fromEntries([...Object.entries(before), [key, result] as const].slice(-MOST))
  write(KEY, after)
  return after
}

/** Days in a row on which a puzzle of that very day was solved, up to today or yesterday. */
export function streak(all: Results, today: string): number {
  const days = new Set(
    Object.entries(all).flatMap(([key, { tries, on }]) => (tries > 0 && key.endsWith(`/${on}`) ? [on] : [])),
  )
  let day = days.has(today) ? today : daysAfter(today, -1)
  let count = 0
  for (; days.has(day); day = daysAfter(day, -1)) count += 1
  return count
}
