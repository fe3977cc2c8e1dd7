/** The words of family books, which the terminal says too; they are loaded with the pages that need them. */
import type en from '@narration/book/en.json'
import { settings, type Language } from '../device/settings.svelte'
import { fill, type Blanks } from '../narration/i18n.svelte'
import { isolated } from '../narration/isolate'

export type BookKey = keyof typeof en
type Words = Record<BookKey, string>
type Counted<K> = K extends `${infer Stem}.one` ? Stem : never

const LOADERS = import.meta.glob<Words>('@narration/book/*.json', { import: 'default' })
let words: { language: Language; texts: Words } | undefined = $state.raw()

/** Load the words of a language. */
export async function learn(language: Language): Promise<void> {
  const loader = Object.entries(LOADERS).find(([path]) => path.endsWith(`/${language}.json`))?.[1]
  if (!loader) throw new Error(`There is no file book/${language}.json.`)
  const texts = await loader()
  if (settings.language === language) words = { language, texts }
}

/** Whether there are words yet. */
export const canRead = (): boolean => words !== undefined

/** A message about books; `{name}` is what somebody or a book is called. */
export function b(key: BookKey, blanks: Blanks = {}): string {
  const name = blanks.name === undefined ? {} : { name: isolated(String(blanks.name)) }
  return fill(words?.texts[key] ?? '', { ...blanks, ...name }, words?.language)
}

export function bookCount(key: Counted<BookKey>, count: number): string {
  const form = new Intl.PluralRules(settings.language).select(count) === 'one' ? 'one' : 'other'
  return b(`${key}.${form}` as BookKey, { count })
}

/** Whether there is a message with this key. */
export const hasWords = (key: string): key is BookKey => words !== undefined && key in words.texts
