/** Worth as people write it. */
import type { Unit } from '../coach'
import { number, percent } from '../i18n.svelte'

/** What something is worth: worms, or a chance to win, which is told to a tenth of a percent. */
export function worthText(worth: number, unit: Unit, digits = 2): string {
  return (unit === 'win' ? percent(worth, 1) : number(worth, digits)).replace('-', '\u2212')
}

/** A gain or a loss with its sign; what rounds to nothing has none. */
export function signed(worth: number, unit: Unit, digits = 1): string {
  const size = worthText(Math.abs(worth), unit, digits)
  if (size === worthText(0, unit, digits)) return size
  return `${worth < 0 ? '\u2212' : '+'}${size}`
}
