import languages from '@narration/languages.json'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Language } from '../../src/device/settings.svelte'
import { LESSONS, momentsOf, scriptOf, textsIn, type ExampleName } from '../../src/learn/lessons'
import { BOXES, EDITIONS } from '../../src/pieces/boxes'

const LANGUAGES = Object.keys(languages) as Language[]

/** How a text is built: keys, lists, and which words stand out. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
  }
  return typeof value === 'string' ? value.split('**').length : value
}

describe.each(LANGUAGES)('the rules in %s', (language) => {
  test('say as much as in English, with every strong word closed and without the numbers of rulings', async () => {
    const [texts, english] = await Promise.all([textsIn(language), textsIn('en')])
    expect(shape(texts)).toEqual(shape(english))
    expect(JSON.stringify(texts).split('**').length % 2).toBe(1)
    expect(JSON.stringify(texts)).not.toMatch(/\[[A-Z]\d/)
  })

  test('call the house rules by the names of their switches', async () => {
    const texts = await textsIn(language)
    const messages = JSON.parse(readFileSync(`src/narration/messages/${language}.json`, 'utf8')) as Record<string, string>
    for (const edition of ['classic', 'deluxe'] as const) {
      const rules = texts.games[edition].sections['house']?.text.find(Array.isArray) as string[]
      const names = rules.map((rule) => rule.split('**')[1]?.replace(/\u00a0?:$/, ''))
      expect(names).toEqual([messages['house.flip_always'], messages['house.flip_returned']])
    }
  })

  test('have a section for every lesson and a lesson for every section', async () => {
    const texts = await textsIn(language)
    for (const edition of EDITIONS) {
      const ids = LESSONS[edition].map(({ id }) => id)
      expect(Object.keys(texts.games[edition].sections).sort()).toEqual([...ids].sort())
    }
  })
})

test('every example belongs to one lesson of its own game', async () => {
  const { examples } = await textsIn('en')
  const used = EDITIONS.flatMap((edition) =>
    LESSONS[edition].flatMap((lesson) => (lesson.examples ?? []).map((name) => ({ name, edition }))),
  )
  expect(used.map(({ name }) => name).sort()).toEqual(Object.keys(examples).sort())
  for (const { name, edition } of used) expect(scriptOf(name, []).record.edition).toBe(edition)
})

test('an example begins with a roll of its player', async () => {
  const { examples } = await textsIn('en')
  for (const [name, { names }] of Object.entries(examples)) {
    const { record, from, hero } = scriptOf(name as ExampleName, names)
    expect(record.moves[from]).toMatch(/^roll(:golden)?$/)
    expect(hero).toBeLessThan(names.length)
  }
})

test('the Specialists stand in the box where a game begins', async () => {
  const [start] = await momentsOf('raven')
  expect(start?.state.table).toMatchObject({ on_grill: BOXES.deluxe.standing })
})
