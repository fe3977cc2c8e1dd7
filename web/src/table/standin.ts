/** Who plays for the players of this device. */
import { list, t } from '../narration/i18n.svelte'
import { isolated } from '../narration/isolate'
import { nameOf } from '../narration/names'
import type { Table } from './store.svelte'

/** That a bot plays for the reader; where several share this device, for whom of them. */
export function standInWords({ stoodIn, you, info }: Pick<Table, 'stoodIn' | 'you' | 'info'>): string {
  if (you.seats.length === 1) return t('standin.you')
  return t('standin.names', { names: list(stoodIn.map((seat) => isolated(nameOf(info, seat)))) })
}
