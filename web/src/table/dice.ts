/** The dice in the tray, in the groups that are picked up together. */
import type { Prospect } from '../net/wire'
import type { Face } from '../pieces/boxes'

/** The dice of the last throw, as long as something of them lies on the table. */
export interface Lying {
  dice: string
  golden: string | null
  /** The face that was picked up since; until the next throw it can be put back. */
  kept: string | null
  /** What the turn would be with each face that could be kept, if the server told while all dice lay there. */
  prospects: Readonly<Record<string, Prospect>>
}

export interface Group {
  face: Face
  /** One for each die of the face; the golden one is last. */
  dice: { golden: boolean; place: number }[]
  /**
   * `keep`: tap to keep. `swap`: tap to keep it instead. `kept`: face kept already. `rest`: not now.
   * `taken`: kept of this throw; only a trace of the dice lies here.
   */
  can: 'keep' | 'swap' | 'kept' | 'rest' | 'taken'
  /** What the turn would be with it; null for a face that is kept already, and where nobody told. */
  prospect: Prospect | null
}

/** How many dice of each face were thrown. */
export function sizesOf({ dice, golden }: Pick<Lying, 'dice' | 'golden'>): number[] {
  const thrown = [...dice, ...(golden ?? '')]
  return [...new Set(thrown)].map((face) => thrown.filter((other) => other === face).length)
}

/**
 * What lies there. After a keep the rest of the throw lies there still, and may be kept instead; where
 * it may not, a trace of what was kept shows the whole throw.
 */
export function groupsOf(kept: string, lying: Lying, legal: readonly string[], canSwap: boolean): Group[] {
  const before = lying.kept === null ? kept : kept.replaceAll(lying.kept, '')
  let place = 0
  const faces = [...new Set([...lying.dice, ...(lying.golden ?? '')])] as Face[]
  return faces
    .map((face): Group => ({
      face,
      dice: [
        ...[...lying.dice].filter((die) => die === face).map(() => ({ golden: false, place: (place += 1) })),
        ...(lying.golden === face ? [{ golden: true, place: (place += 1) }] : []),
      ],
      can: whatCan(face, before, lying, legal, canSwap),
      prospect: lying.prospects[`keep:${face}`] ?? null,
    }))
    .filter((group) => !(canSwap && group.face === lying.kept))
}

function whatCan(
  face: Face,
  kept: string,
  lying: Lying,
  legal: readonly string[],
  canSwap: boolean,
): Group['can'] {
  if (face === lying.kept) return 'taken'
  if (legal.includes(`keep:${face}`)) return 'keep'
  if (kept.includes(face)) return 'kept'
  return lying.kept && canSwap ? 'swap' : 'rest'
}
