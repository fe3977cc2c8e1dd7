/** What a key means here and now. */
import { BOXES, type Edition } from '../pieces/boxes'
import type { Table } from './store.svelte'

/** Whether a key, if it means nothing else, hurries a bot: every one that types something, and Enter. */
export const hurries = (key: string): boolean => key.length === 1 || key === 'Enter'

/** A word to play, `swap:<face>` to keep that instead, or one of our own wishes; null: nothing. */
export function keyMove(key: string, table: Table, edition: Edition): string | null {
  if (key === '?') return 'keys'
  const letter = key.toUpperCase()
  const { legal } = table
  const asked = legal.filter((word) => /^(rob|return|pinch):/.test(word))
  if (asked.length > 0) return /^[1-9]$/.test(key) ? (asked[Number(key) - 1] ?? null) : null
  if (table.wanted) {
    const { white } = table.wanted
    const { sides, golden } = BOXES[edition]
    if ((table.entered.length < white ? sides : golden).includes(letter)) return `enter:${letter}`
    if (key === 'Backspace' || key === 'Delete') return key === 'Delete' ? 'clear' : 'erase'
    if (letter === 'R' || key === ' ') return null
  }
  const is = (word: string) => (legal.includes(word) ? word : null)
  if (BOXES[edition].sides.includes(letter)) {
    const can = table.groups.find(({ face }) => face === letter)?.can
    return can === 'keep' || can === 'swap' ? `${can}:${letter}` : null
  }
  switch (letter) {
    case 'R':
    case ' ':
      return is('roll')
    case 'S':
      return is('stop') ?? is('bust')
    case 'A':
      return is('reroll')
    case 'G':
      return is('roll:golden')
    case 'U':
      return table.canUndo ? 'undo' : table.canCorrect ? 'correct' : null
    case 'H':
      return table.you.host ? 'hint' : null
    default:
      return null
  }
}
