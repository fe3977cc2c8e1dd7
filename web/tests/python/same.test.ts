/** What the pages restate of Python is the same as in Python. Run by tests/web/test_same_as_python.py. */
import languages from '@narration/languages.json'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '../../src/device/settings.svelte'
import { checkDice, type Proof } from '../../src/fair/check'
import { badgesOf } from '../../src/narration/badges'
import type { GameRecord, Unit } from '../../src/net/coach'
import type { Fact, GameState, Reason } from '../../src/net/wire'
import { pretend, speakNow } from '../browser'

interface Told {
  names: string[]
  badges: { names: string[]; badges: string[] }[]
  fair: { record: GameRecord & { fair: Proof }; throws: number; dice: number }[]
  euphony: { language: Language; template: string; name: string; told: string }[]
  /** What stopping would do: title and detail in each language. */
  endings: ({ state: GameState } & Record<Language, [string, string]>)[]
  reasons: ({ reason: Reason; unit: Unit; you: number | null } & Record<Language, string>)[]
  sentences: ({ fact: Fact; you: number | null } & Record<Language, string>)[]
}
const told = JSON.parse(readFileSync(process.env.HECKMECK_TOLD ?? '', 'utf8')) as Told

beforeAll(pretend)

it('has something to compare', () => {
  expect(told.sentences.length).toBeGreaterThan(50)
})

it('lets words change before some sounds', async () => {
  const { fill } = await import('../../src/narration/i18n.svelte')
  expect(told.euphony.length).toBeGreaterThan(10)
  for (const { language, template, name, told: sentence } of told.euphony) {
    expect(fill(template, { name }, language)).toBe(sentence)
    expect(fill(template, { name }, 'en')).toBe(template.replaceAll('{name}', name))
  }
})

it('gives players the same badges', () => {
  expect(told.badges.length).toBeGreaterThan(3)
  for (const { names, badges } of told.badges) expect(badgesOf(names)).toEqual(badges)
})

it('works out fair dice again', () => {
  expect(told.fair.length).toBeGreaterThan(3)
  for (const { record, throws, dice } of told.fair) {
    expect(checkDice(record)).toEqual({ is: 'fair', throws, dice, before: 0, notShown: [], unpromised: false })
  }
})

it('finds a die that was put there by hand, another seed and another start', () => {
  for (const { record } of told.fair) {
    const at = record.moves.findLastIndex((word) => word.startsWith('='))
    const [first = '', ...rest] = (record.moves[at] ?? '').slice(1)
    const other = `=${[first === 'W' ? 'B' : 'W', ...rest].join('')}`
    expect(checkDice({ ...record, moves: record.moves.with(at, other) }).is).toBe('unfair')
    const seed = record.fair.seed?.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) ?? ''
    expect(checkDice({ ...record, fair: { ...record.fair, seed } })).toEqual({ is: 'unfair', at: null })
    expect(checkDice({ ...record, first: 1 - record.first })).toEqual({ is: 'unfair', at: null })
  }
})

it('tells what was not promised, and words that are not those promised', () => {
  for (const { record } of told.fair) {
    const { promises = [], ...older } = record.fair
    const withFair = (fair: Proof) => checkDice({ ...record, fair })
    expect(withFair(older)).toMatchObject({ is: 'fair', unpromised: true })
    expect(withFair({ ...record.fair, promises: ['', ''] })).toEqual({ is: 'unfair', at: null, words: 0 })
    expect(withFair({ ...record.fair, promises: [promises[0] ?? '', promises[0] ?? ''] })).toMatchObject({ notShown: [1] })
    expect(withFair({ ...record.fair, start: record.moves.length })).toEqual({ is: 'unknown' })
    // The throws before came from elsewhere, with dice of the same number.
    const fallen = record.moves.filter((word) => word.startsWith('='))
    const imported = { ...record, moves: [...record.moves, ...record.moves], fair: { ...record.fair, start: record.moves.length } }
    expect(checkDice(imported)).toMatchObject({ is: 'partly', before: fallen.length, throws: fallen.length })
  }
})

describe.each(Object.keys(languages) as Language[])('%s', (language) => {
  it('says why a move is better as Python does', async () => {
    const { reasonWords, speakReasons } = await import('../../src/narration/reasons.svelte')
    await speakNow(language)
    await speakReasons(language)
    expect(told.reasons.length).toBeGreaterThan(40)
    for (const { reason, unit, you, ...said } of told.reasons) {
      // Browsers write a narrower space before a French per cent sign.
      const words = reasonWords(reason, unit, { names: told.names, you }).replaceAll('\u202f', '\u00a0')
      expect(words).toBe(said[language])
    }
  })
  it('says what stopping would do as the terminal does', async () => {
    const { endingNow, stopWords } = await import('../../src/narration/stop')
    await speakNow(language)
    expect(told.endings.length).toBeGreaterThan(15)
    for (const { state, ...words } of told.endings) {
      const ending = endingNow(state)
      const { title, detail } = ending ? stopWords(state, ending, told.names) : {}
      expect([title, detail]).toEqual(words[language])
    }
  })

  it('tells facts as the narrator does', async () => {
    const { narrate, plain } = await import('../../src/narration/narrate')
    await speakNow(language)
    const own = told.sentences.map(({ fact, you }) => plain(narrate([fact], told.names, you)))
    expect(own).toEqual(told.sentences.map((sentence) => sentence[language]))
  })
})
