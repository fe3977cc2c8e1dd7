/**
 * Works out the dice of a game again, as `heckmeck verify` does: from the seed that was promised before
 * the first throw, and the players' words. How is told in `src/heckmeck/dice/fair.py`.
 */
import type { GameRecord } from '../net/coach'
import { asEdition, BOXES, FACE_ORDER } from '../pieces/boxes'
import { promiseOf } from './promise'
import { bytesOf, hexOf, hmac, sha256 } from './sha256'

/** What a record says about its dice; the seed is shown when the game is over. */
export interface Proof {
  version: number
  commitment: string
  words: string[]
  start: number
  drawn: boolean
  seed?: string
  /** The hashes of the words, by seat, empty for who promised none; older records have no promises. */
  promises?: string[]
  /** People rolled dice of their own and entered what fell. */
  own_dice?: boolean
}

export type Checked =
  | Fair
  /** The game is not over, or its dice were thrown elsewhere. */
  | { is: 'unknown' }
  /** The players' own dice: nobody can check them. */
  | { is: 'own' }
  /**
   * `at`: the throw that did not fall so, counted from 1; null: the seed, the start or the `words` of a
   * seat are not those promised.
   */
  | { is: 'unfair'; at: number | null; words?: number }

interface Fair {
  /** `partly`: throws before the promised ones came with an imported record. */
  is: 'fair' | 'partly'
  throws: number
  dice: number
  /** The throws that nobody promised. */
  before: number
  /** The seats that promised words and did not show them. */
  notShown: number[]
  /** Whether words were shown that nobody had promised: the record is from before there were promises. */
  unpromised: boolean
}

const utf8 = new TextEncoder()

export function checkDice(record: GameRecord & { fair?: Proof }): Checked {
  const { fair } = record
  if (!fair?.seed || fair.version !== 1) return { is: 'unknown' }
  const seed = bytesOf(fair.seed)
  if (hexOf(sha256(seed)) !== fair.commitment) return { is: 'unfair', at: null }
  const { promises } = fair
  const broken = fair.words.findIndex((words, seat) => promises && words && promiseOf(words) !== promises[seat])
  if (broken >= 0) return { is: 'unfair', at: null, words: broken }
  const bytes = (what: string) => stream(seed, fair.words, what)
  if (fair.drawn && below(record.seats.length, bytes('first')) !== record.first) return { is: 'unfair', at: null }
  const { sides, golden: gold } = BOXES[asEdition(record.edition)]
  let throws = 0
  let dice = 0
  for (const word of record.moves.slice(fair.start)) {
    if (!word.startsWith('=')) continue
    const [white = '', golden] = word.slice(1).split('+')
    if (thrown(bytes(`throw ${throws}`), sides, white.length, golden === undefined ? '' : gold) !== word) {
      return { is: 'unfair', at: throws + 1 }
    }
    throws += 1
    dice += white.length + (golden === undefined ? 0 : 1)
  }
  if (throws === 0) return { is: fair.own_dice ? 'own' : 'unknown' }
  const before = record.moves.slice(0, fair.start).filter((word) => word.startsWith('=')).length
  const notShown = fair.words.flatMap((words, seat) => (!words && promises?.[seat] ? [seat] : []))
  const unpromised = !promises && fair.words.some(Boolean)
  return { is: before > 0 ? 'partly' : 'fair', throws, dice, before, notShown, unpromised }
}

/** A throw as its word in a record. */
function thrown(bytes: Iterator<number>, sides: string, white: number, gold: string): string {
  const face = (of: string) => of[below(of.length, bytes)] ?? ''
  const dice = Array.from({ length: white }, () => face(sides))
  dice.sort((a, b) => FACE_ORDER.indexOf(a) - FACE_ORDER.indexOf(b))
  return `=${dice.join('')}${gold ? `+${face(gold)}` : ''}`
}

function* stream(seed: Uint8Array, words: readonly string[], what: string): Generator<number, never> {
  const head = ['heckmeck fair dice 1', ...words.map((text) => hexOf(utf8.encode(text))), what]
  for (let block = 0; ; block += 1) {
    yield* hmac(seed, utf8.encode([...head, `block ${block}`, ''].join('\n')))
  }
}

/** A number below `limit`, each as likely as the others. */
function below(limit: number, bytes: Iterator<number>): number {
  const fair = 256 - (256 % limit)
  for (;;) {
    const byte = Number(bytes.next().value)
    if (byte < fair) return byte % limit
  }
}
