/** What a key means here and now. */
import { BOXES, type Edition } from '../pieces'
import type { Table } from './table.svelte'

/** A word to play, `swap:<face>` to keep that instead, or one of our own wishes; null: nothing. */
export function keyMove(key: string, table: Table, edition: Edition): string | null {
  if (key === '?') return 'keys'
  const letter = key.toUpperCase()
  const { legal } = table
  const asked = legal.filter((word) => /^(rob|return|pinch):/.test(word))
  if (asked.length > 0) return /^[1-9]$/.test(key) ? (asked[Number(key) - 1] ?? null) : null
  const is = (word: string) => (legal.includes(word) ? word : null)
  if (BOXES[edition].sides.includes(letter)) {
    if (legal.includes(`keep:${letter}`)) return `keep:${letter}`
    const lies = table.lying && `${table.lying.dice}${table.lying.golden ?? ''}`.includes(letter)
    return table.canUndo && lies && !table.state?.turn.kept.includes(letter) ? `swap:${letter}` : null
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
      return table.canUndo ? 'undo' : null
    case 'H':
      return table.you.host ? 'hint' : null
    default:
      return null
  }
}
