/** What the pages restate of Python is the same as in Python. Run by tests/browser/test_same_as_python.py. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { endingWith, type Ending } from '../../src/lib/table/preview'
import type { Fact, GameState } from '../../src/lib/wire'

interface Told {
  names: string[]
  endings: { state: GameState; ending: Ending }[]
  sentences: { fact: Fact; de: string; en: string; fr: string; it: string }[]
}
const told = JSON.parse(readFileSync(process.env.HECKMECK_TOLD ?? '', 'utf8')) as Told

beforeAll(() => {
  // What a browser has and Node has not.
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('document', { documentElement: {} })
})

it('has something to compare', () => {
  expect(told.endings.length).toBeGreaterThan(100)
  expect(told.sentences.length).toBeGreaterThan(50)
})

it('knows what stopping would do', () => {
  const own = told.endings.map(({ state }) => endingWith(state, state.turn.kept, state.turn.total))
  expect(own).toEqual(told.endings.map(({ ending }) => ending))
})

describe.each(['de', 'en', 'fr', 'it'] as const)('%s', (language) => {
  it('tells facts as the narrator does', async () => {
    const { choose } = await import('../../src/lib/settings.svelte')
    const { speak } = await import('../../src/lib/i18n.svelte')
    const { narrate, plain } = await import('../../src/lib/narrate')
    choose('language', language)
    await speak(language)
    const own = told.sentences.map(({ fact }) => plain(narrate([fact], told.names)))
    expect(own).toEqual(told.sentences.map((sentence) => sentence[language]))
  })
})
