/** What to tell somebody whose request was refused. */
import { Refused } from '../net/api'
import { count, has, t, type CountedKey } from './i18n.svelte'

/** What was refused: a code, the server's words for it, and how many seconds a limit lasts. */
interface Refusal {
  code: string
  message: string
  wait?: number | null
}

/**
 * A sentence in the reader's language; a newer server's, where we have none. `own` is the key of what
 * this page says about the code, if it says anything.
 */
export function whyNot({ code, message, wait }: Refusal, own = ''): string {
  if (has(own)) return t(own)
  const limit = `refused.${code}.wait`
  if (wait != null && has(`${limit}.other`)) return count(limit as CountedKey, Math.max(1, Math.ceil(wait)))
  const key = `refused.${code}`
  return has(key) ? t(key) : message
}

/** The same for an error; anything but a refusal is thrown on. `own` makes the key of a code. */
export function refusalWords(error: unknown, own?: (code: string) => string): string {
  if (!(error instanceof Refused)) throw error
  return whyNot(error, own?.(error.code))
}
