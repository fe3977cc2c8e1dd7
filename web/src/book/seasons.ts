/** Seasons of a book, in the reader's own time. */

export interface Season {
  /** `all`, `year` or `month` (the current ones), or the number of an earlier year. */
  name: string
  from?: Date
  to?: Date
}

/** The seasons to choose from, for a book whose first game ended at `since`. */
export function seasonsFrom(since: string | null, now: Date): Season[] {
  const year = now.getFullYear()
  const first = since === null ? year : Math.min(year, new Date(since).getFullYear())
  const earlier = Array.from({ length: year - first }, (_, back) => year - 1 - back)
  return [
    { name: 'all' },
    { name: 'year', from: new Date(year, 0, 1) },
    { name: 'month', from: new Date(year, now.getMonth(), 1) },
    ...earlier.map((past) => ({ name: String(past), from: new Date(past, 0, 1), to: new Date(past + 1, 0, 1) })),
  ]
}
