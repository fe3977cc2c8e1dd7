/** When a mistake comes again: Leitner's boxes. Whoever solves it at the first try moves it one box on. */
import { daysAfter } from './days'

/** Days until a mistake of each box comes again; one that has left the last box is learned. */
export const INTERVALS = [0, 1, 3, 7, 21] as const
export const LEARNED = INTERVALS.length

export interface Scheduled {
  box: number
  /** The day on which it comes again. */
  due: string
}

export const fresh = (today: string): Scheduled => ({ box: 0, due: today })

/** Where a mistake goes that was solved at the first try, or not. */
export function afterTry(box: number, solved: boolean, today: string): Scheduled {
  const next = solved ? Math.min(box + 1, LEARNED) : 0
  return { box: next, due: daysAfter(today, INTERVALS[next] ?? 0) }
}

export const isLearned = ({ box }: Scheduled): boolean => box >= LEARNED

export const isDue = (it: Scheduled, today: string): boolean => !isLearned(it) && it.due <= today
