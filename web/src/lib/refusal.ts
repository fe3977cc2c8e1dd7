/** What to tell somebody whose request was refused. */
import { Refused } from './api'
import { has, t } from './i18n.svelte'

/**
 * A sentence in the reader's language, or else the server's; anything but a refusal is thrown on.
 * `own` names the key of what this page says about a code, if it says anything.
 */
export function refusalWords(error: unknown, own?: (code: string) => string): string {
  if (!(error instanceof Refused)) throw error
  const keys = [own?.(error.code) ?? '', `refused.${error.code}`]
  const key = keys.find(has)
  return key === undefined ? error.message : t(key)
}
