/** This device's tables, with the secrets that bring it back to its seats. */
import type { TableInfo } from '../net/wire'
import { read, write } from './storage'

export interface KnownTable {
  id: string
  /** Secrets of seats and, perhaps, of the host. */
  secrets: string[]
  edition: string
  /** The other players, for the list on the home page. */
  players: string[]
  /** What it was like when we last looked. */
  status: 'closed' | 'over' | 'playing' | 'waiting'
  yourTurn: boolean
  /** The seats of this device; devices that remember a table from before do not know them. */
  seats?: readonly number[]
  /** The promises for the dice of the last game, as this device saw them before any words were shown. */
  noted?: Noted
  /** Whether this device gets a message when it is its turn. */
  push?: boolean
  /** Milliseconds since 1970. */
  seen: number
}

/** The promises of seed and words; `round` is the table's game. */
export interface Noted {
  round: number
  commitment: string
  promises: readonly string[]
}

const KEY = 'heckmeck.tables'
const MOST = 30

function isTable(value: unknown): value is KnownTable {
  const table = value as Partial<KnownTable> | null
  return typeof table?.id === 'string' && Array.isArray(table.secrets) && typeof table.seen === 'number'
}

/** The tables this device knows, the one seen last first. */
export function knownTables(): KnownTable[] {
  const isList = (value: unknown): value is unknown[] => Array.isArray(value)
  return read<unknown[]>(KEY, [], isList).filter(isTable)
}

export function secretsOf(id: string): string[] {
  return knownTables().find((table) => table.id === id)?.secrets ?? []
}

/** Remember a table, or what is new about it. */
export function remember(id: string, news: Partial<Omit<KnownTable, 'id'>>): void {
  const tables = knownTables()
  const old = tables.find((table) => table.id === id)
  const table: KnownTable = {
    secrets: [],
    edition: '',
    players: [],
    status: 'waiting',
    yourTurn: false,
    ...old,
    ...news,
    id,
    seen: Date.now(),
  }
  write(KEY, [table, ...tables.filter((other) => other.id !== id)].slice(0, MOST))
}

/** Note the promises for the dice, to compare them with those that the record will tell of. */
export function noteDown({ id, round, dice, seats }: TableInfo): void {
  const promises = seats.map((seat) => seat?.promise ?? '')
  remember(id, { noted: { round, commitment: dice.commitment, promises } })
}

export function notedOf(id: string): Noted | null {
  return knownTables().find((table) => table.id === id)?.noted ?? null
}

export function addSecret(id: string, secret: string): void {
  const secrets = secretsOf(id)
  if (!secrets.includes(secret)) remember(id, { secrets: [...secrets, secret] })
}

export function forget(id: string): void {
  write(
    KEY,
    knownTables().filter((table) => table.id !== id),
  )
}

/** A secret of our own: whoever brings one can ask again and is safe from losing the answer. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
