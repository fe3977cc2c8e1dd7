/**
 * Salt for the dice of this device's seats (to people: lucky words): its hash is promised first, and it is
 * shown when nobody can change seed or promises any more.
 */
import { promiseOf } from '../fair/promise'
import type { TableInfo } from '../net/wire'

/** Letters of their own that players may choose; the server takes 64, and the others are left to chance. */
export const MOST_OWN = 41

interface Salt {
  own: string
  all: string
}

/**
 * What this device promised at its table. It promises once for each seat, game and connection, so two
 * devices with one seat do not take turns for ever: the one that promised last shows its salt.
 */
export class OwnSalt {
  #asked = new Set<string>()
  #known = new Map<string, Salt>()

  /** Returns the promise of salt that begins with the player's own words. Nobody can guess the rest. */
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

  toShow(info: TableInfo, seats: readonly number[]): { seat: number; salt: string }[] {
    if (info.status !== 'waiting' || !info.dice.called) return []
    return seats.flatMap((seat) => {
      const { promise = '', salt: shown = '' } = info.seats[seat] ?? {}
      const salt = this.#known.get(promise)
      return salt && !shown ? [{ seat, salt: salt.all }] : []
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
