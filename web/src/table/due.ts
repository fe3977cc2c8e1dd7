/** How long there is time for a move. */
import { settings } from '../device/settings.svelte'
import { t } from '../narration/i18n.svelte'

/** Whose turn it is, and until when: today by the hour, later by the day too. */
export function untilWords(turn: string, due: Date, now = new Date()): string {
  const today = due.toDateString() === now.toDateString()
  const time = due.toLocaleString(settings.language, { hour: 'numeric', minute: '2-digit', ...(today ? {} : { weekday: 'long' }) })
  return t('turn.until', { turn, time })
}
