/** The dice in the tray, in the groups that are picked up together. */
import { asEdition, BOXES, type Face } from '../pieces'
import type { GameState } from '../wire'
import { endingWith, type Ending } from './preview'
import type { Lying } from './table.svelte'

export interface Group {
  face: Face
  /** One for each die of the face; the golden one is last. */
  dice: { golden: boolean; place: number }[]
  /** `keep`: tap to keep. `swap`: tap to keep it instead. `kept`: face kept already. `rest`: not now. */
  can: 'keep' | 'swap' | 'kept' | 'rest'
  /** The total with it, and what stopping would do then. */
  total: number
  ending: Ending
  bratworm: boolean
}

/** What lies there. After a keep the rest of the throw lies there still, and may be kept instead. */
export function groupsOf(state: GameState, lying: Lying, legal: readonly string[], canSwap: boolean): Group[] {
  const edition = asEdition(state.edition)
  const { points } = BOXES[edition]
  const before = withoutFace(state, lying.kept)
  let place = 0
  const faces = [...new Set([...lying.dice, ...(lying.golden ?? '')])] as Face[]
  return faces
    .map((face): Group => {
      const dice = [
        ...[...lying.dice].filter((die) => die === face).map(() => ({ golden: false, place: (place += 1) })),
        ...(lying.golden === face ? [{ golden: true, place: (place += 1) }] : []),
      ]
      const total = before.total + (points[face] ?? 0) * dice.length
      return {
        face,
        dice,
        can: whatCan(face, before.kept, lying, legal, canSwap),
        total,
        ending: endingWith(state, before.kept + face, total),
        bratworm: edition === 'deluxe' && face === '1' && dice.length > 1,
      }
    })
    .filter((group) => group.face !== lying.kept)
}

function whatCan(
  face: Face,
  kept: string,
  lying: Lying,
  legal: readonly string[],
  canSwap: boolean,
): Group['can'] {
  if (kept.includes(face)) return 'kept'
  if (legal.includes(`keep:${face}`)) return 'keep'
  return lying.kept && canSwap ? 'swap' : 'rest'
}

/** The turn as it was before the last keep. */
function withoutFace(state: GameState, face: string | null): { kept: string; total: number } {
  const { kept, total } = state.turn
  if (face === null) return { kept, total }
  const points = BOXES[asEdition(state.edition)].points[face as Face] ?? 0
  const taken = [...kept].filter((other) => other === face).length
  return { kept: kept.replaceAll(face, ''), total: total - points * taken }
}
