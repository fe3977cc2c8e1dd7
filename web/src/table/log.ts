/** The table's log: what happened, line by line, still as facts, so that any language can tell it. */
import type { Fact, NumberedEntry } from '../net/wire'

type Action = Exclude<NumberedEntry['what'], { do: 'played' }>
export type TableAction = Extract<
  Action,
  { do: 'sat' | 'left' | 'went_away' | 'came_back' | 'stood_in' | 'emoted' | 'reopened' | 'started' }
>

export type Line =
  | { n: number; kind: 'play'; seat: number; facts: Fact[] }
  | { n: number; kind: 'table'; action: TableAction }

/** Facts that the eye need not read: the table shows them. */
const SILENT = new Set<Fact['event']>(['dice_cast', 'turn_started', 'rob_asked', 'return_asked', 'pinch_asked'])
const TOLD = new Set<Action['do']>([
  'sat',
  'left',
  'went_away',
  'came_back',
  'stood_in',
  'emoted',
  'reopened',
  'started',
])
const MOST = 200

/** The lines after one more entry. A throw and what is kept of it are one line. */
export function extended(lines: readonly Line[], { n, what }: NumberedEntry): readonly Line[] {
  if (what.do === 'undone') return withoutKeep(lines)
  if (what.do !== 'played') {
    return TOLD.has(what.do) ? push(lines, { n, kind: 'table', action: what as TableAction }) : lines
  }
  const facts = what.facts.filter((fact) => !SILENT.has(fact.event))
  if (facts.length === 0) return lines
  const last = lines.at(-1)
  const joins =
    facts[0]?.event === 'dice_kept' &&
    last?.kind === 'play' &&
    last.seat === what.seat &&
    last.facts.at(-1)?.event === 'dice_fell'
  if (joins) {
    const joined: Line = { ...last, n, facts: [...last.facts, ...facts] }
    return [...lines.slice(0, -1), joined]
  }
  return push(lines, { n, kind: 'play', seat: what.seat, facts })
}

/** The number of the line in which a seat was taken last: what happened there before was somebody else. */
export function satDownAt(lines: readonly Line[], seat: number | null): number {
  const sat = lines.findLast((line) => line.kind === 'table' && line.action.do === 'sat' && line.action.seat === seat)
  return sat?.n ?? 0
}

function push(lines: readonly Line[], line: Line): Line[] {
  return [...lines, line].slice(-MOST)
}

function withoutKeep(lines: readonly Line[]): readonly Line[] {
  const at = lines.findLastIndex((line) => line.kind === 'play')
  const line = lines[at]
  if (line?.kind !== 'play') return lines
  const kept = line.facts.findIndex((fact) => fact.event === 'dice_kept')
  if (kept < 0) return lines
  const rest = line.facts.slice(0, kept)
  const changed = rest.length > 0 ? [{ ...line, facts: rest }] : []
  return [...lines.slice(0, at), ...changed, ...lines.slice(at + 1)]
}
