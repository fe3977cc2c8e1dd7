/** Every text is there in all languages, with the same blanks, and none is there for nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import languages from '@narration/languages.json'

const LANGUAGES = Object.keys(languages)
const SOURCES = 'src'

const messages = new Map(
  LANGUAGES.map((language) => [language, read(`src/messages/${language}.json`)] as const),
)
const english = messages.get('en') ?? {}

function read(path: string): Record<string, string> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
}

function sources(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(svelte|ts)$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
}

const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
const text = sources().join('\n')
/** Whatever stands between quotes may be a key. */
const literals = new Set([...text.matchAll(/(['"`])([a-z_]+(?:\.[a-z_]+)*)\1/g)].map((found) => found[2]))
/** A template with a literal beginning stands for every key that begins so. */
const beginnings = new Set([...text.matchAll(/`([a-z_]+(?:\.[a-z_]+)*\.)\$\{/g)].map((found) => found[1] ?? ''))

function isUsed(key: string): boolean {
  const stem = key.replace(/\.(one|other)$/, '')
  return literals.has(key) || literals.has(stem) || [...beginnings].some((begin) => key.startsWith(begin))
}

describe.each(LANGUAGES)('%s', (language) => {
  const own = messages.get(language) ?? {}

  it('has every key', () => {
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(english).toSorted())
  })

  it('has the same blanks in every message', () => {
    const different = Object.keys(english).filter(
      (key) => blanks(own[key] ?? '').join() !== blanks(english[key] ?? '').join(),
    )
    expect(different).toEqual([])
  })

  it('says something everywhere', () => {
    expect(Object.keys(own).filter((key) => !own[key]?.trim())).toEqual([])
  })

  it.each(['messages', 'table', 'news'])('has every key of the narration: %s', (folder) => {
    const narration = `../src/heckmeck/narration/${folder}`
    const keys = Object.keys(read(`${narration}/${language}.json`)).toSorted()
    expect(keys).toEqual(Object.keys(read(`${narration}/en.json`)).toSorted())
  })

  it('says nothing again that the terminal says too', () => {
    const narration = '../src/heckmeck/narration'
    const said = { ...read(`${narration}/table/${language}.json`), ...read(`${narration}/news/${language}.json`) }
    expect(Object.keys(own).filter((key) => key in said)).toEqual([])
  })
})

it('has no key that nobody uses', () => {
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([])
})
