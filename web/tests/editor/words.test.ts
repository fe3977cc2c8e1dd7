/** The editor says everything in all languages, and knows every flaw that the server knows. */
import languages from '@narration/languages.json'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (language: string) => JSON.parse(readFileSync(`src/editor/${language}.json`, 'utf8')) as Record<string, string>
const english = read('en')
const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted().join()
const schema = JSON.parse(readFileSync('schema.json', 'utf8')) as { $defs: { Flaw: { properties: { code: { enum: string[] } } } } }
/** What no page can set up is told in general words. */
const GENERAL = ['foreign']

describe.each(Object.keys(languages))('%s', (language) => {
  const own = read(language)

  it('has every message, with the same blanks', () => {
    expect(Object.keys(own)).toEqual(Object.keys(english))
    const different = Object.keys(english).filter((key) => !own[key]?.trim() || blanks(own[key]) !== blanks(english[key] ?? ''))
    expect(different).toEqual([])
  })
})

it('has words for every flaw', () => {
  const codes = schema.$defs.Flaw.properties.code.enum
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.filter((code) => !(`flaw.${code}` in english) && !GENERAL.includes(code))).toEqual([])
  const flaws = Object.keys(english).filter((key) => key.startsWith('flaw.') && key !== 'flaw.other')
  expect(flaws.filter((key) => !codes.includes(key.slice('flaw.'.length)))).toEqual([])
})

it('says nothing for nothing', () => {
  const sources = readdirSync('src/editor')
    .filter((name) => /\.(svelte|ts)$/.test(name))
    .map((name) => readFileSync(`src/editor/${name}`, 'utf8'))
    .join('\n')
  const unused = Object.keys(english).filter((key) => !sources.includes(`'${key}'`) && !/^(flaw|next)\./.test(key))
  expect(unused).toEqual([])
})
