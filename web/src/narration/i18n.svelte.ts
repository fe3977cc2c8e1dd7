/** The interface's words in the reader's language. Languages are loaded when they are needed. */
import { euphonyOf, settings, type Language } from '../device/settings.svelte'
import { isolated } from './isolate'
import type study from '@narration/study/en.json'
import type en from './languages/en'

type English = typeof en
/** The pages' own words, and those that the terminal says too. */
export type Key = keyof English['ui'] | keyof typeof study
export type NarrationKey = keyof English['narration']
export type Blanks = Record<string, string | number>

/** Keys that come in two forms: `x.one` and `x.other`. */
type Counted<K> = K extends `${infer Stem}.one` ? Stem : never
export type CountedKey = Counted<Key>

interface Words {
  language: Language
  ui: Record<Key, string>
  narration: Record<NarrationKey, string>
}

/** One file a language; the tests of the messages make sure that all of them have the same keys. */
const LOADERS = import.meta.glob<{ default: English }>('./languages/*.ts')

/** The files of a language, which come as one. */
function load(language: Language): Promise<{ default: English }> {
  const loader = LOADERS[`./languages/${language}.ts`]
  if (!loader) throw new Error(`There is no file src/narration/languages/${language}.ts.`)
  return loader()
}

/** Words that only some pages need, of a language; those pages bring them (`study.ts`). */
type More = (language: Language) => Promise<Partial<Record<Key, string>>>
let more: More = async () => ({})

let words: Words | undefined = $state.raw()

/** Load a language; everything that was said with `t` is said again in it. */
export async function speak(language: Language): Promise<void> {
  const [{ default: spoken }, rest] = await Promise.all([load(language), more(language)])
  if (settings.language !== language) return
  words = { language, narration: spoken.narration, ui: { ...spoken.ui, ...rest } as Words['ui'] }
  document.documentElement.lang = language
}

/** Speak these words too, from now on. */
export async function alsoSpeak(words: More): Promise<void> {
  more = words
  await speak(settings.language)
}

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The text with its last word as it sounds right before what follows. */
function euphonic(language: Language, text: string, following: string): string {
  for (const [word = '', instead = '', before = ''] of euphonyOf(language)) {
    const found = new RegExp(`(?<![\\p{L}\\p{N}_])${word} $`, 'iu').exec(text)
    if (!found || !new RegExp(`^(?:${before})`).test(withoutAccents(following))) continue
    const capital = found[0].startsWith(word.toUpperCase())
    return `${text.slice(0, found.index)}${capital ? instead.charAt(0).toUpperCase() + instead.slice(1) : instead} `
  }
  return text
}

/** The template with its blanks filled in, and its words as the language says them. */
export function fill(template: string, blanks: Blanks, language: Language = 'en'): string {
  // Texts and the names of blanks take turns.
  return template
    .split(/\{(\w+)\}/)
    .map((piece, at, pieces) => {
      const filling = (name: string) => String(blanks[name] ?? `{${name}}`)
      if (at % 2 === 1) return filling(piece)
      const next = pieces[at + 1]
      return next === undefined ? piece : euphonic(language, piece, filling(next))
    })
    .join('')
}

/** The message in the reader's language, with its blanks filled in; `{name}` is somebody's name. */
export function t(key: Key, blanks: Blanks = {}): string {
  const name = blanks.name === undefined ? {} : { name: isolated(String(blanks.name)) }
  return fill(words?.ui[key] ?? '', { nbsp: '\u00a0', ...blanks, ...name }, words?.language)
}

/** A message that depends on a number: `{count}` worm or worms. */
export function count(key: CountedKey, number: number, blanks: Blanks = {}): string {
  const form = new Intl.PluralRules(settings.language).select(number) === 'one' ? 'one' : 'other'
  return t(`${key}.${form}` as Key, { count: number, ...blanks })
}

/** A message of the narration, which the Python side shares. */
export function say(key: NarrationKey, blanks: Blanks = {}): string {
  return fill(words?.narration[key] ?? '', blanks, words?.language)
}

/** Whether the narration knows this key; facts of a newer server may have none. */
export function canSay(key: string): key is NarrationKey {
  return words !== undefined && key in words.narration
}

/** Whether the interface knows this key: bots and refusals of a newer server may have none. */
export function has(key: string): key is Key {
  return words !== undefined && key in words.ui
}

/** A number as the reader writes it. */
export function number(value: number, digits = 0): string {
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(settings.language, form).format(value)
}

/** A chance between 0 and 1 as the reader writes it: whole percents, finer where it is close, or so many digits. */
export function percent(chance: number, digits?: number): string {
  const close = chance > 0 && (chance < 0.095 || chance > 0.985)
  return new Intl.NumberFormat(settings.language, {
    style: 'percent',
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? (close ? 1 : 0),
  }).format(chance)
}

/** "a, b and c" in the reader's language, as the narration writes it. */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  const first = items.slice(0, -1).join(', ')
  return first ? say('and', { first, last }) : last
}
