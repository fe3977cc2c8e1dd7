/** Who sits where, in the reader's language. */
import { has, t, type Key } from './i18n.svelte'
import type { TableInfo } from './wire'

/** Bots are called what they are; a name that somebody gave one is kept. */
function botName(bot: string, name: string): string {
  const key = `bot.${bot}`
  // "The fox 2": the server numbers bots of one kind.
  const numbered = /^The [a-z]+( \d)?$/.exec(name)
  return has(key) && numbered ? `${t(key)}${numbered[1] ?? ''}` : name
}

export function nameOf(info: TableInfo | null, seat: number): string {
  const sitter = info?.seats[seat]
  if (!sitter) return info?.names?.[seat] ?? t('seat.number', { number: seat + 1 })
  return sitter.bot ? botName(sitter.bot, sitter.name) : sitter.name
}

export function namesOf(info: TableInfo | null): string[] {
  return (info?.seats ?? []).map((_, seat) => nameOf(info, seat))
}

/** What kind of bot it is, for choosing one. */
export function botKind(bot: string): string {
  const key = `bot.${bot}`
  return has(key) ? t(key) : bot
}

export function botAbout(bot: string, about: string): string {
  const key = `bot.${bot}.about`
  return has(key) ? t(key as Key) : about
}
