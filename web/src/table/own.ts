/** Words about dice that people roll themselves. */
import { count, t } from '../narration/i18n.svelte'
import { nameOf } from '../narration/names'
import type { Table } from './store.svelte'

/** Who rolls how many dice; for another player, that it is for them. */
export function enterWords(table: Table): string {
  const { wanted, state } = table
  if (!wanted || !state) return ''
  const dice = count('dice', wanted.white + (wanted.golden ? 1 : 0))
  if (table.you.seats.includes(state.to_move)) return t('throw.enter', { dice })
  return t('throw.enter.for', { dice, name: nameOf(table.info, state.to_move) })
}
