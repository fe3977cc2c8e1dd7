/** Ways to a table. */
import { addSecret } from '../device/seats'
import { isKnown } from '../narration/names'
import { createTable, importRecord } from '../net/api'
import type { GameRecord } from '../net/coach'
import { go } from '../net/router.svelte'
import type { TableMade } from '../net/wire'
import { BOXES, type Edition } from '../pieces/boxes'
import { botOn } from '../review/players'
import type { Table } from './store.svelte'

/** Who sits down at a new table as soon as it is there; then the game begins, or not yet. */
interface Plan {
  /** By seat: a person of this device, or a bot. */
  sitters: Sitter[]
  start: boolean
}
type Sitter = { name: string; bot: null } | { name: string; bot: string }
const people = (names: string[]): Sitter[] => names.map((name) => ({ name, bot: null }))

const plans = new Map<string, Plan>()

const BOTS = ['chick', 'rooster', 'fox']
/** Who plays on for a person, or for a bot that this server does not know. */
const SUBSTITUTE = 'fox'
/** What a person is called until they say so. */
export const DEFAULT_NAME = 'Chef'

/** A table against bots: one tap, and the first throw waits. */
export async function playNow(edition: Edition, name: string): Promise<void> {
  const setup = { edition, seats: BOTS.length + 1, first: 0 }
  await open({ setup, bots: BOTS }, { sitters: people([name]), start: true })
}

/** A table for friends: a link, a QR code, and this device on the first seat. */
export async function inviteFriends(edition: Edition, name: string): Promise<void> {
  const [least, most] = BOXES[edition].players
  await open({ setup: { edition, seats: Math.min(most, Math.max(least, 3)) } }, { sitters: people([name]), start: false })
}

/** A table on one device that is passed around. */
export async function sameDevice(edition: Edition, names: string[], ownDice = false): Promise<void> {
  await open({ setup: { edition, seats: names.length, own_dice: ownDice } }, { sitters: people(names), start: true })
}

/**
 * A table that goes on after so many moves of a record, with this device on one of its seats. Everybody
 * keeps their name; bots of the same kind play on for bots.
 */
export async function playOn(record: GameRecord, at: number, seat: number): Promise<void> {
  const made = await importRecord(JSON.stringify(record), at)
  const sitters = record.seats.map((name, place) => ({ name, bot: place === seat ? null : successor(record, place) }))
  arrive(made, { sitters, start: true })
}

function successor(record: GameRecord, seat: number): string {
  const bot = botOn(record, seat)
  return bot !== null && isKnown(bot) ? bot : SUBSTITUTE
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
  for (const [seat, { name, bot }] of plan.sitters.entries()) {
    if (bot === null) await table.sit(name, seat)
    else await table.ask({ do: 'set_bot', seat, bot, name })
  }
  if (plan.start) await table.ask({ do: 'start' })
}
