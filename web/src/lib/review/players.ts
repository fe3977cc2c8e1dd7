/** The players of a record, as the table's components know players. */
import { has, t } from '../i18n.svelte'
import type { GameRecord } from '../coach'
import type { TableInfo } from '../wire'

/** What the server calls its bots in records. */
const BOTS: Record<string, string> = {
  'The egg': 'random',
  'The chick': 'chick',
  'The rooster': 'rooster',
  'The fox': 'fox',
  'The badger': 'champion',
  'The owl': 'grandmaster',
}

function playerName(name: string): string {
  const [, character = '', number = ''] = /^(The [a-z]+)( \d)?$/.exec(name) ?? []
  const key = `bot.${BOTS[character] ?? ''}`
  return has(key) ? `${t(key)}${number}` : name
}

export function playersOf({ edition, seats }: Pick<GameRecord, 'edition' | 'seats'>): TableInfo {
  return {
    id: '',
    round: 1,
    status: 'over',
    dice: { commitment: '' },
    seats: seats.map((name) => ({ name: playerName(name) })),
    setup: { edition, seats: seats.length },
  }
}
