/** The server's HTTP side. */
import type { Proof } from '../fair/check'
import { askedUnit, type GameRecord, type OddsOfTurn, type Reviewed, type TurnSetup } from './coach'
import { askHere, isHere } from './here'
import { at, isAlone } from './site'
import type {
  BotList,
  Code,
  NewTable,
  Problem,
  PushInfo,
  Replay,
  TableList,
  TableMade,
  TableNow,
} from './wire'

/**
 * The server said no, or could not be reached at all (`offline`); or this page, which could not load what answers
 * (`unloaded`) or keep a table (`unkept`).
 */
export class Refused extends Error {
  constructor(
    readonly code: Code | 'offline' | 'unloaded' | 'unkept',
    message: string,
    /** How many seconds a limit lasts, where that is known. */
    readonly wait: number | null = null,
  ) {
    super(message)
  }
}

/** Whether this page itself answers: the table is on this device, or there is no server. */
function isAnsweredHere(path: string): boolean {
  return isAlone || isHere(/^\/api\/tables\/([^/]+)/.exec(path)?.[1] ?? '')
}

/** Ask the server if there is one and it can be reached, otherwise this page (`here`). */
async function fetched(path: string, init?: RequestInit): Promise<{ response: Response; here: boolean }> {
  const here = isAnsweredHere(path)
  try {
    return { response: await (here ? askHere(path, init) : fetch(at(path), init)), here }
  } catch {
    const answer = here ? null : await import('./host.svelte').then((host) => host.instead(path, init)).catch(() => null)
    if (answer) return { response: answer, here: true }
    throw new Refused(here ? 'unloaded' : 'offline', 'The server cannot be reached.')
  }
}

/** The code of a refusal; what cannot keep a table that is `here` is this browser, and no server. */
export const codeOf = (code: Code, here: boolean): Refused['code'] => (here && code === 'unavailable' ? 'unkept' : code)

/** Ask the server; the answer is null if it is not JSON. */
export async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const { response, here } = await fetched(path, init)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const body: unknown = isJson ? await response.json() : null
  if (response.ok) return body as T
  const problem = body as Problem | null
  throw new Refused(codeOf(problem?.code ?? 'internal', here), problem?.message ?? response.statusText, problem?.wait)
}

export const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})

export const getBots = (): Promise<BotList> => ask('/api/bots')
export const getTable = (id: string): Promise<TableNow> => ask(`/api/tables/${id}`)
/** What is asked for, behind a path. */
function query(params: Readonly<Record<string, string | number | null>>): string {
  const known = Object.entries(params).flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, String(value)]]))
  return known.length > 0 ? `?${new URLSearchParams(known).toString()}` : ''
}

/** A table's game as a record, with the proof of its dice. */
export const getRecord = (id: string, game: number): Promise<GameRecord & { fair?: Proof }> => ask(`/api/tables/${id}/record.json${query({ game })}`)
/** A page of a table's game, move by move: the current one, or an earlier one. */
export const getReplay = (id: string, from: number, game: string | null): Promise<Replay> =>
  ask(`/api/tables/${id}/replay${query({ from, game })}`)
export const createTable = (table: NewTable): Promise<TableMade> =>
  ask('/api/tables', post(JSON.stringify(table)))
/** Make a table from a record, going on after its first `at` moves. */
export const importRecord = (record: string, at?: number): Promise<TableMade> =>
  ask(`/api/records${at === undefined ? '' : `?at=${at}`}`, post(record))
// Nobody waits for a whole Python to hear that there is nothing.
export const getPush = async (): Promise<PushInfo> => (isAlone ? { key: null } : ask('/api/push'))
export const getTables = async (): Promise<TableList> => (isAlone ? { tables: [] } : ask('/api/tables'))
/** A table's game move by move, with what its decisions cost and its dice brought: the current one, or an earlier one. */
export const getReview = (id: string, game: string | number | null): Promise<Reviewed> =>
  ask(`/api/tables/${id}/review${query({ unit: askedUnit(), game })}`)
/** The same for a record in either form. */
export const reviewRecord = (record: string): Promise<Reviewed> => ask(`/api/review${query({ unit: askedUnit() })}`, post(record))
export const getOdds = (turn: TurnSetup): Promise<OddsOfTurn> => 
  ask('/api/odds', post(JSON.stringify({ ...turn, unit: askedUnit() })))
