/** Ways to a table. */
import { createTable, importRecord } from './api'
import type { GameRecord } from './coach'
import { BOXES, type Edition } from './pieces'
import { go } from './router.svelte'
import { addSecret } from './seats'
import type { Table } from './table/table.svelte'
import type { TableMade } from './wire'

/** Who sits down at a new table as soon as it is there; then the game begins, or not yet. */
interface Plan {
  /** By seat; null: a bot plays on for whoever sat there. */
  names: (string | null)[]
  start: boolean
}
const plans = new Map<string, Plan>()

const BOTS = ['chick', 'rooster', 'fox']
/** Who plays on for the others in a game that is taken up again. */
const SUBSTITUTE = 'fox'
/** What a person is called until they say so. */
export const DEFAULT_NAME = 'Chef'

/** A table against bots: one tap, and the first throw waits. */
export async function playNow(edition: Edition, name: string): Promise<void> {
  const setup = { edition, seats: BOTS.length + 1, first: 0 }
  await open({ setup, bots: BOTS }, { names: [name], start: true })
}

/** A table for friends: a link, a QR code, and this device on the first seat. */
export async function inviteFriends(edition: Edition, name: string): Promise<void> {
  const [least, most] = BOXES[edition].players
  await open({ setup: { edition, seats: Math.min(most, Math.max(least, 3)) } }, { names: [name], start: false })
}

/** A table on one device that is passed around. */
export async function sameDevice(edition: Edition, names: string[]): Promise<void> {
  await open({ setup: { edition, seats: names.length } }, { names, start: false })
}

/** A table that goes on after so many moves of a record, with this device on one of its seats. */
export async function playOn(record: GameRecord, at: number, seat: number): Promise<void> {
  const made = await importRecord(JSON.stringify(record), at)
  const names = record.seats.map((name, place) => (place === seat ? name : null))
  arrive(made, { names, start: true })
}

async function open(table: Parameters<typeof createTable>[0], plan: Plan): Promise<void> {
  arrive(await createTable(table), plan)
}

function arrive(made: TableMade, plan: Plan): void {
  addSecret(made.id, made.secret)
  plans.set(made.id, plan)
  go(made.path)
}

/** Carry out what was planned for this table when it was opened, once. */
export async function followPlan(table: Table): Promise<void> {
  const plan = plans.get(table.id)
  if (!plan) return
  plans.delete(table.id)
  for (const [seat, name] of plan.names.entries()) {
    if (name !== null) await table.sit(name, seat)
    else await table.ask({ do: 'set_bot', seat, bot: SUBSTITUTE, name: table.info?.names?.[seat] ?? null })
  }
  if (plan.start) await table.ask({ do: 'start' })
}
