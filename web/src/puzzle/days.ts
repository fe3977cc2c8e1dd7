/** Days as `2026-11-18`, by the reader's calendar, and which puzzle is whose: the same arithmetic as `heckmeck.puzzles`. */

export const FIRST_DAY = '2026-01-01'
/** A prime, larger than any number of puzzles: successive days visit all of them, far apart. */
const STRIDE = 10_007
const MILLISECONDS = 86_400_000

/** Days since 1970; null for what is no day. */
export function numberOf(day: string): number | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)
  if (!parts) return null
  const [, year, month, date] = parts.map(Number) as [number, number, number, number]
  // In UTC no day is shorter than another.
  const time = Date.UTC(year, month - 1, date)
  return dayOf(time / MILLISECONDS) === day ? time / MILLISECONDS : null
}

/** The day with this number. */
export const dayOf = (number: number): string => new Date(number * MILLISECONDS).toISOString().slice(0, 10)

/** Today on the reader's calendar. */
export function today(now = new Date()): string {
  return dayOf(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / MILLISECONDS)
}

/** The day that is so many days later. */
export const daysAfter = (day: string, days: number): string => dayOf((numberOf(day) ?? 0) + days)

/** Which of `count` puzzles is that day's. */
export function puzzleOfDay(day: string, count: number): number {
  const days = (numberOf(day) ?? 0) - (numberOf(FIRST_DAY) ?? 0)
  const place = (days * STRIDE) % count
  return place < 0 ? place + count : place
}

/** A day in the reader's words. */
export function dayWords(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}
