/** Family books: seasons in the reader's own time, and every word there is, used. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { seasonsFrom } from '../../src/book/seasons'

describe('seasons', () => {
  const now = new Date(2026, 4, 17, 12)

  it('are all, this year, this month, and the years before', () => {
    const seasons = seasonsFrom(new Date(2024, 11, 31).toISOString(), now)
    expect(seasons.map(({ name }) => name)).toEqual(['all', 'year', 'month', '2025', '2024'])
    expect(seasons[2]?.from).toEqual(new Date(2026, 4, 1))
    expect(seasons[3]).toEqual({ name: '2025', from: new Date(2025, 0, 1), to: new Date(2026, 0, 1) })
  })

  it('have no years before the first game', () => {
    expect(seasonsFrom(null, now)).toHaveLength(3)
    expect(seasonsFrom(now.toISOString(), now)).toHaveLength(3)
  })
})

it('uses every word about books', () => {
  const sources = readdirSync('src/book').map((name) => readFileSync(`src/book/${name}`, 'utf8')).join('\n')
  const words = JSON.parse(readFileSync('../src/heckmeck/narration/book/en.json', 'utf8')) as Record<string, string>
  const asked = [...sources.matchAll(/'([a-z_]+(?:\.[a-z_]+)*)'/g)].map((found) => found[1] ?? '')
  const begun = [...sources.matchAll(/`([a-z_]+\.)\$\{/g)].map((found) => found[1] ?? '')
  const isUsed = (key: string) => asked.includes(key.replace(/\.(one|other)$/, '')) || begun.some((begin) => key.startsWith(begin))
  expect(Object.keys(words).filter((key) => !isUsed(key))).toEqual([])
})
