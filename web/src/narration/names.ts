/** Who sits where, in the reader's language. */
import type { TableInfo } from '../net/wire'
import { badgesOf } from './badges'
import { has, t, type Key } from './i18n.svelte'

/** What the server calls its bots, and records too. */
const CHARACTERS: Record<string, string> = {
  'The egg': 'random',
  'The chick': 'chick',
  'The rooster': 'rooster',
  'The fox': 'fox',
  'The badger': 'champion',
  'The owl': 'grandmaster',
}

/** "The fox 2": the server numbers bots of one kind. */
const NUMBERED = /^(The [a-z]+)( \d)?$/

/** The kind of bot that goes by this name; null for a name that somebody was given. */
export function kindCalled(name: string): string | null {
  const [, character = ''] = NUMBERED.exec(name) ?? []
  return CHARACTERS[character] ?? null
}

/** Bots are called what they are; a name that somebody gave one is kept. */
export function playerName(name: string): string {
  const kind = kindCalled(name)
  return kind === null ? name : name.replace(NUMBERED, `${botKind(kind)}$2`)
}

export function nameOf(info: TableInfo | null, seat: number): string {
  const sitter = info?.seats[seat]
  const called = sitter?.name ?? info?.names?.[seat]
  if (called === undefined) return t('seat.number', { number: seat + 1 })
  return sitter && !sitter.bot ? called : playerName(called)
}

export function namesOf(info: TableInfo | null): string[] {
  return (info?.seats ?? []).map((_, seat) => nameOf(info, seat))
}

/** What a seat's plate shows. */
export function badgeOf(info: TableInfo | null, seat: number): string {
  return badgesOf(namesOf(info))[seat] ?? '?'
}

/** Whether the pages know this kind of bot. */
export const isKnown = (bot: string): boolean => has(`bot.${bot}`)

/** What kind of bot it is, for choosing one. */
export function botKind(bot: string): string {
  const key = `bot.${bot}`
  return has(key) ? t(key) : bot
}

/** What a bot plays like; one that the host brought may say nothing about itself. */
export function botAbout(bot: string, about: string): string {
  const key = `bot.${bot}.about`
  return has(key) ? t(key as Key) : about || t('bot.guest.about')
}
