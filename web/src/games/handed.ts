/** Mistakes that are practised at once, from a game that is not in this device's history. */
import type { Reviewed } from '../net/coach'
import { today } from '../puzzle/days'
import { pastGame, type PastGame } from './history'

let handed: PastGame | null = null

/** Hand the mistakes of a seat over to the page of mistakes. */
export function handOver(reviewed: Reviewed, seat: number): void {
  const { edition, seats } = reviewed.record
  const ended = { id: '', edition, names: seats, scores: [], ranking: [], seats: [seat] }
  handed = pastGame(ended, reviewed, Date.now(), today())
}

/** What was handed over; it is gone when the page is loaded again. */
export const handedOver = (): PastGame | null => handed
