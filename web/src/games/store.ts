/** Where the games of this device are kept: IndexedDB. A browser that forbids it, or is full, keeps them while the page is open. */
import { isDue, type Scheduled } from '../puzzle/schedule'
import type { Mistake, PastGame } from './history'

const DATABASE = 'heckmeck'
const STORE = 'games'
/** How many games are kept, the latest. */
export const MOST_GAMES = 300

/** What could not be kept for longer than this page. */
const memory = new Map<string, PastGame>()
let lasting = true

/** Whether what was saved will be there tomorrow. */
export const isLasting = (): boolean => lasting

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The database failed.'))
  })
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
  return done(request)
}

/** Do something with the database; null if it cannot be used. */
async function using<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
  let database: IDBDatabase | null = null
  try {
    database = await open()
    const transaction = database.transaction(STORE, mode)
    const committed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('Nothing was saved.'))
    })
    const [result] = await Promise.all([done(work(transaction.objectStore(STORE))), committed])
    return result
  } catch {
    lasting = false
    return null
  } finally {
    database?.close()
  }
}

/** All games, the latest first. */
export async function allGames(): Promise<PastGame[]> {
  const saved = (await using<PastGame[]>('readonly', (store) => store.getAll())) ?? []
  const all = new Map([...saved.map((game) => [game.id, game] as const), ...memory])
  return [...all.values()].toSorted((one, other) => other.ended - one.ended)
}

export async function saveGame(game: PastGame): Promise<void> {
  // What is on the page may be a proxy, which no database takes.
  const plain = JSON.parse(JSON.stringify(game)) as PastGame
  if ((await using('readwrite', (store) => store.put(plain))) === null) memory.set(plain.id, plain)
  else memory.delete(plain.id)
}

/** Add games, and forget the oldest if there are too many. */
export async function addGames(games: readonly PastGame[]): Promise<void> {
  for (const game of games) await saveGame(game)
  for (const { id } of (await allGames()).slice(MOST_GAMES)) await removeGame(id)
}

export async function removeGame(id: string): Promise<void> {
  memory.delete(id)
  await using('readwrite', (store) => store.delete(id))
}

export async function removeAll(): Promise<void> {
  memory.clear()
  await using('readwrite', (store) => store.clear())
}

/** A mistake in its game. */
export interface Practice {
  game: PastGame
  mistake: Mistake
}

/** The mistakes that are due, those that were never practised first, then the biggest. */
export function dueIn(games: readonly PastGame[], today: string): Practice[] {
  const all = games.flatMap((game) => game.mistakes.map((mistake) => ({ game, mistake })))
  return all
    .filter(({ mistake }) => isDue(mistake, today))
    .toSorted((one, other) => one.mistake.box - other.mistake.box || other.mistake.loss - one.mistake.loss)
}

/** Note when a mistake comes again. */
export async function reschedule({ game, mistake }: Practice, when: Scheduled): Promise<void> {
  Object.assign(mistake, when)
  await saveGame(game)
}
