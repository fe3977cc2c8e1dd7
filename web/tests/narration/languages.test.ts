/** A language needs one line in narration/languages.json and these files; nothing else lists the languages. */
import languages from '@narration/languages.json'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const NARRATION = '../src/heckmeck/narration'
const filesOf = (language: string): string[] => [
  ...['messages', 'news', 'rules', 'table'].map((folder) => `${NARRATION}/${folder}/${language}.json`),
  `src/learn/${language}.json`,
  `src/narration/messages/${language}.json`,
  `src/narration/languages/${language}.ts`,
]

/** The letters that the font in src/styles/ui.css has. */
const ranges = (JSON.parse(readFileSync('node_modules/@fontsource/bitter/unicode.json', 'utf8')) as { latin: string }).latin
  .split(',')
  .map((range) => range.slice('U+'.length).split('-').map((code) => Number.parseInt(code, 16)))
const inFont = (letter: string): boolean => {
  const code = letter.codePointAt(0) ?? 0
  return ranges.some(([first = 0, last = first]) => first <= code && code <= last)
}

describe.each(Object.keys(languages))('%s', (language) => {
  it('has all of its files', () => {
    expect(filesOf(language).filter((path) => !existsSync(path))).toEqual([])
  })

  it('is written with letters that the font has', () => {
    const text = filesOf(language).map((path) => readFileSync(path, 'utf8')).join('')
    expect([...new Set(text)].filter((letter) => /\p{L}|[¿¡’«»“”…]/u.test(letter) && !inFont(letter))).toEqual([])
  })
})

it('has a few words in every language for a page that cannot begin', () => {
  const start = readFileSync('public/start.js', 'utf8')
  const spoken = [...start.matchAll(/^ {2}(\w+): \[/gm)].map(([, language]) => language)
  expect(spoken.toSorted()).toEqual(Object.keys(languages).toSorted())
})
