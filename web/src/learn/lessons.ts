/** What the pages of rules say, in which order, and which examples can be played. */
import type { Language } from '../device/settings.svelte'
import type { GameRecord, Moment } from '../net/coach'
import type { Edition } from '../pieces/boxes'
import examples from './examples.json'

export type ExampleName = keyof typeof examples

/** A rule of its own anchor: `/learn/deluxe#weasel`. */
export interface Lesson {
  id: string
  /** Who or what it is about. */
  art?: string
  /** Show the pieces of the box. */
  pieces?: true
  examples?: ExampleName[]
}

export interface Cells {
  heading: string[]
  rows: string[][]
}
/** `**strong**` is strong; a list stands in a list, a table has its heading. */
export type Paragraph = string | string[] | Cells

export interface ExampleText {
  title: string
  intro: string
  after: string
  names: string[]
}
export interface Texts {
  games: Record<Edition, { name: string; sections: Record<string, { title: string; text: Paragraph[] }> }>
  examples: Record<ExampleName, ExampleText>
}

export const LESSONS: Record<Edition, Lesson[]> = {
  classic: [
    { id: 'idea' },
    { id: 'table', pieces: true },
    { id: 'turn', examples: ['thomas'] },
    { id: 'take', examples: ['thief', 'lower'] },
    { id: 'fail', examples: ['bridget', 'returned', 'empty'] },
    { id: 'end' },
    { id: 'house' },
  ],
  deluxe: [
    { id: 'idea' },
    { id: 'table', pieces: true },
    { id: 'turn', examples: ['deluxe-thomas'] },
    { id: 'take', examples: ['accomplice'] },
    { id: 'fail' },
    { id: 'bratworms', art: 'bratworm', examples: ['double'] },
    { id: 'specialists' },
    { id: 'canned', art: 'canned', examples: ['can'] },
    { id: 'hen', art: 'hen', examples: ['hen'] },
    { id: 'raven', art: 'raven', examples: ['raven'] },
    { id: 'weasel', art: 'weasel', examples: ['weasel'] },
    { id: 'golden', art: 'golden', examples: ['golden'] },
    { id: 'apple', art: 'apple' },
    { id: 'end' },
    { id: 'house' },
  ],
  barbecue: [
    { id: 'idea' },
    { id: 'table', pieces: true },
    { id: 'turn', examples: ['john'] },
    { id: 'take', examples: ['plates', 'closed', 'snail', 'above'] },
    { id: 'fail', art: 'snail', examples: ['steven', 'ousted'] },
    { id: 'end' },
  ],
  junior: [
    { id: 'idea' },
    { id: 'table', pieces: true },
    { id: 'turn', examples: ['junior-a', 'junior-c', 'junior-d'] },
    { id: 'take', examples: ['pinch'] },
    { id: 'fail', examples: ['junior-b'] },
    { id: 'end' },
  ],
}

/** Our rules, which `heckmeck rules` prints too, and the examples to play: one file of each a language. */
const RULES = import.meta.glob<Texts['games']>('@narration/rules/*.json', { import: 'default' })
const EXAMPLES = import.meta.glob<Pick<Texts, 'examples'>>('./??.json', { import: 'default' })

function loaderFor<T>(loaders: Record<string, () => Promise<T>>, language: Language): () => Promise<T> {
  const found = Object.entries(loaders).find(([path]) => path.endsWith(`/${language}.json`))
  if (!found) throw new Error(`The rules have no file ${language}.json.`)
  return found[1]
}

/** The rules in a language; the tests make sure that all of them say the same things. */
export async function textsIn(language: Language): Promise<Texts> {
  const [games, own] = await Promise.all([loaderFor(RULES, language)(), loaderFor(EXAMPLES, language)()])
  return told({ games, ...own }) as Texts
}

/** The numbers of rulings after a sentence, ` [C8, D7]`: for tests, never for readers; `rulebook.py` has the same pattern. */
const CITED = / \[[A-Z]\d+(?:, [A-Z]\d+)*\]/g

/** Everything as readers see it. */
function told(text: unknown): unknown {
  if (typeof text === 'string') return text.replace(CITED, '')
  if (Array.isArray(text)) return text.map(told)
  return Object.fromEntries(Object.entries(text as object).map(([key, part]) => [key, told(part)]))
}

export interface Script {
  record: GameRecord
  /** Whom the reader plays. */
  hero: number
  /** So many moves were made before. */
  from: number
}

/** An example as a record: what went before, and the turn that the reader plays. */
export function scriptOf(name: ExampleName, names: string[]): Script {
  const { edition, first, hero, before, moves } = examples[name]
  const words = (text: string) => text.split(' ').filter(Boolean)
  const record = { heckmeck: 1, edition, seats: names, first, options: {}, moves: [...words(before), ...words(moves)] }
  return { record, hero, from: words(before).length }
}

/** What there is to see of an example, from the moment on in which its player rolls; `python -m tests.web.examples` plays them. */
export async function momentsOf(name: ExampleName): Promise<Moment[]> {
  const { default: played } = await import('./moments.json')
  return (played as unknown as Record<ExampleName, Moment[]>)[name]
}
