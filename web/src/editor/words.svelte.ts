/** What the editor says, in the reader's language: loaded with the page, as no other page needs it. */
import { settings, type Language } from '../device/settings.svelte'
import { fill, list, t, type Blanks } from '../narration/i18n.svelte'
import { isolated } from '../narration/isolate'
import { specialistName } from '../narration/narrate'
import type { Flaw } from '../net/wire'
import type english from './en.json'

type Words = typeof english
export type Word = keyof Words

const FILES = import.meta.glob<Words>('./??.json', { import: 'default' })
let words: Words | null = $state.raw(null)

/** Load the words of a language. */
export async function learn(language: Language): Promise<void> {
  const spoken = await FILES[`./${language}.json`]?.()
  if (spoken && settings.language === language) words = spoken
}

/** The editor's message, with its blanks filled in. */
export function say(key: Word, blanks: Blanks = {}): string {
  const name = blanks.name === undefined ? {} : { name: isolated(String(blanks.name)) }
  return fill(words?.[key] ?? '', { ...blanks, ...name }, settings.language)
}

/** What a player without a name is called. */
export const playerAt = (seat: number): string => t('seat.number', { number: seat + 1 })

function placeWords(place: number | string): string {
  if (typeof place === 'number') return say('place.stack', { name: playerAt(place) })
  return place === 'grill' ? say('place.grill') : say('place.down')
}

/** One thing that is wrong, as a sentence. */
export function flawWords(flaw: Flaw): string {
  const key = `flaw.${flaw.code}` as Word
  const { tiles = [], places = [], seat, who, count, least, box, spot, at, text } = flaw
  return say(words && key in words ? key : 'flaw.other', {
    tiles: list(tiles.map(String)),
    places: list(places.map(placeWords)),
    name: seat == null ? '' : playerAt(seat),
    who: who ? specialistName(who) : '',
    count: count ?? 0,
    least: least ?? 0,
    box: box ?? 0,
    spot: spot ?? 0,
    at: at ?? 0,
    text: text ?? '',
  })
}
