/**
 * Lucky words of this device's seats: their hash is promised first, and they are shown when nobody can
 * change seed or promises any more.
 */
import { promiseOf } from '../fair/promise'
import type { TableInfo } from '../wire'

/** Letters of their own that players may choose; the server takes 64, and the others are left to chance. */
export const MOST_OWN = 41

interface Words {
  own: string
  all: string
}

/**
 * What this device promised at its table. It promises once for each seat, game and connection, so two
 * devices with one seat do not take turns for ever: the one that promised last shows its words.
 */
export class OwnWords {
  #asked = new Set<string>()
  #known = new Map<string, Words>()

  /** Returns the promise of words that begin with the player's own. Nobody can guess the rest. */
  think(own: string): string {
    const typed = tidy(own)
    const all = typed ? `${typed} ${chance()}` : chance()
    const promise = promiseOf(all)
    this.#known.set(promise, { own: typed, all })
    return promise
  }

  /** The player's own words behind a promise of this device. */
  own(promise: string | undefined): string {
    return this.#known.get(promise ?? '')?.own ?? ''
  }

  /** After a lost connection a promise may not have arrived. */
  ask(): void {
    this.#asked.clear()
  }

  toPromise(info: TableInfo, seats: readonly number[]): { seat: number; promise: string }[] {
    if (info.status !== 'waiting' || info.dice.called) return []
    const missing = seats.filter((seat) => {
      const game = `${info.round}/${seat}`
      if (this.#asked.has(game) || this.#known.has(info.seats[seat]?.promise ?? '')) return false
      this.#asked.add(game)
      return true
    })
    return missing.map((seat) => ({ seat, promise: this.think('') }))
  }

  toShow(info: TableInfo, seats: readonly number[]): { seat: number; words: string }[] {
    if (info.status !== 'waiting' || !info.dice.called) return []
    return seats.flatMap((seat) => {
      const { promise = '', words: shown = '' } = info.seats[seat] ?? {}
      const words = this.#known.get(promise)
      return words && !shown ? [{ seat, words: words.all }] : []
    })
  }
}

/** 128 bits that nobody can guess. */
function chance(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The form that the server takes: printable letters, single spaces, none at the ends. */
function tidy(text: string): string {
  const printable = text.normalize('NFC').replace(/\p{Z}/gu, ' ').replace(/\p{C}/gu, '')
  const letters = [...printable.split(' ').filter(Boolean).join(' ')]
  return letters.slice(0, MOST_OWN).join('').trim()
}
