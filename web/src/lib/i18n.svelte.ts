/** The interface's words in the reader's language. Languages are loaded when they are needed. */
import type en from '../words/en'
import { isolated } from './isolate'
import { settings, type Language } from './settings.svelte'

type English = typeof en
/** The pages' own words, and those that the terminal says too. */
export type Key = keyof English['ui']
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
const LOADERS = import.meta.glob<{ default: English }>('../words/*.ts')

/** The files of a language, which come as one. */
function load(language: Language): Promise<{ default: English }> {
  const loader = LOADERS[`../words/${language}.ts`]
  if (!loader) throw new Error(`There are no words in ${language}: src/words/${language}.ts is missing.`)
  return loader()
}

let words: Words | undefined = $state.raw()

/** Load a language; everything that was said with `t` is said again in it. */
export async function speak(language: Language): Promise<void> {
  const { default: spoken } = await load(language)
  if (settings.language !== language) return
  words = { language, ...spoken }
  document.documentElement.lang = language
}

export function fill(template: string, blanks: Blanks): string {
  return template.replace(/\{(\w+)\}/g, (blank, name: string) => String(blanks[name] ?? blank))
}

/** The message in the reader's language, with its blanks filled in; `{name}` is somebody's name. */
export function t(key: Key, blanks: Blanks = {}): string {
  const name = blanks.name === undefined ? {} : { name: isolated(String(blanks.name)) }
  return fill(words?.ui[key] ?? '', { nbsp: '\u00a0', ...blanks, ...name })
}

/** A message that depends on a number: `{count}` worm or worms. */
export function count(key: CountedKey, number: number, blanks: Blanks = {}): string {
  const form = new Intl.PluralRules(settings.language).select(number) === 'one' ? 'one' : 'other'
  return t(`${key}.${form}` as Key, { count: number, ...blanks })
}

/** A message of the narration, which the Python side shares. */
export function say(key: NarrationKey, blanks: Blanks = {}): string {
  return fill(words?.narration[key] ?? '', blanks)
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

/** "a, b and c" in the reader's language. */
export function list(items: readonly string[]): string {
  return new Intl.ListFormat(settings.language, { type: 'conjunction' }).format(items)
}
