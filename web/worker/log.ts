/**
 * The logs of the tables of this device, in IndexedDB: what Python asks for (`heckmeck.page.store`), and nothing else.
 *
 * A table is a row with the number of its next entry, so two tabs that write at the same time cannot both write
 * that entry: transactions that write the same stores run one after the other, in whichever tab they are.
 */

type Request =
  | { do: 'create'; table: string; head: string; entries: string[] }
  | { do: 'load'; table: string; after: number }
  | { do: 'append'; table: string; n: number; entries: string[] }

interface Answer {
  outcome: 'done' | 'exists' | 'missing' | 'conflict' | 'failed'
  head?: string
  entries?: string[]
  why?: string
}

interface Row {
  id: string
  head: string
  /** The number of the entry that comes next. */
  next: number
}

const DATABASE = 'heckmeck.tables'
const TABLES = 'tables'
const ENTRIES = 'entries'
/** Says in the other tabs what was written in this one. */
const news = new BroadcastChannel(DATABASE)

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The request failed.'))
  })
}

let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TABLES, { keyPath: 'id' })
    request.result.createObjectStore(ENTRIES)
  }
  return result(request).then((database) => {
    // A newer page in another tab may change it; the browser may close it.
    database.onversionchange = () => database.close()
    database.onclose = () => (opened = null)
    return database
  })
}

/** Do something in a transaction; when this returns, everything is on disk, or nothing of it is. */
async function within(mode: IDBTransactionMode, work: (tables: IDBObjectStore, entries: IDBObjectStore) => Promise<Answer>): Promise<Answer> {
  opened ??= open()
  const database = await opened
  // Strict: not only handed to the system, which may lose it with the power.
  const transaction = database.transaction([TABLES, ENTRIES], mode, { durability: 'strict' })
  const committed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('Nothing was written.'))
  })
  const [answer] = await Promise.all([work(transaction.objectStore(TABLES), transaction.objectStore(ENTRIES)), committed])
  return answer
}

function write(entries: IDBObjectStore, table: string, n: number, texts: readonly string[]): void {
  texts.forEach((text, index) => entries.add(text, [table, n + index]))
}

async function carryOut(request: Request): Promise<Answer> {
  const { table } = request
  return within(request.do === 'load' ? 'readonly' : 'readwrite', async (tables, entries) => {
    const row = (await result(tables.get(table))) as Row | undefined
    if (request.do === 'create') {
      if (row) return { outcome: 'exists' }
      tables.add({ id: table, head: request.head, next: request.entries.length } satisfies Row)
      write(entries, table, 0, request.entries)
      return { outcome: 'done' }
    }
    if (!row) return { outcome: 'missing' }
    if (request.do === 'load') {
      const range = IDBKeyRange.bound([table, request.after + 1], [table, Infinity])
      return { outcome: 'done', head: row.head, entries: (await result(entries.getAll(range))) as string[] }
    }
    if (row.next !== request.n) return { outcome: 'conflict' }
    tables.put({ ...row, next: row.next + request.entries.length } satisfies Row)
    write(entries, table, request.n, request.entries)
    return { outcome: 'done' }
  })
}

/** Answer a request as JSON. */
export async function database(text: string): Promise<string> {
  const request = JSON.parse(text) as Request
  let answer: Answer
  try {
    answer = await carryOut(request)
  } catch (error) {
    opened = null
    answer = { outcome: 'failed', why: String(error) }
  }
  if (request.do === 'append' && answer.outcome === 'done')
    news.postMessage({ table: request.table, n: request.n + request.entries.length - 1 })
  return JSON.stringify(answer)
}

/** Hear of what other tabs write: a table, and the number of its last entry. */
export function listen(heard: (table: string, n: number) => void): void {
  news.onmessage = ({ data }: MessageEvent<{ table: string; n: number }>) => heard(data.table, data.n)
}
