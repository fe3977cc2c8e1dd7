import { beforeAll, describe, expect, it, test } from 'vitest'
import { isolated, piecesOf } from '../../src/narration/isolate'
import type { Fact } from '../../src/net/wire'
import { pretend, speakNow } from '../browser'

const NOA = 'נועה'
const SAMI = 'سامي'

beforeAll(pretend)

describe('names that are written from right to left', () => {
  it('are isolated, once', () => {
    expect(isolated(NOA)).toBe(`\u2068${NOA}\u2069`)
    expect(isolated(isolated(SAMI))).toBe(`\u2068${SAMI}\u2069`)
  })

  it('and no others', () => {
    for (const name of ['Ada', 'Émile 2', '李雷', 'Ωρα', '']) expect(isolated(name)).toBe(name)
  })

  it('are pieces of their own', () => {
    expect(piecesOf(`${isolated(NOA)} wins`)).toEqual([
      { text: NOA, isolated: true },
      { text: ' wins', isolated: false },
    ])
  })

  test('are isolated in every sentence, once', async () => {
    await speakNow('en')
    const { t } = await import('../../src/narration/i18n.svelte')
    const { narrate, plain } = await import('../../src/narration/narrate')
    expect(t('turn.of', { name: NOA })).toBe(`\u2068${NOA}\u2069’s turn`)
    expect(t('turn.of', { name: isolated(NOA) })).toBe(`\u2068${NOA}\u2069’s turn`)
    const stolen: Fact = { event: 'tile_stolen', thief: 0, victim: 1, tile: 25, worms: 2 }
    const told = plain(narrate([stolen], [NOA, SAMI]))
    expect(told).toContain(`\u2068${NOA}\u2069`)
    expect(told).toContain(`\u2068${SAMI}\u2069`)
    expect(told).not.toMatch(/\u2068\u2068|\u2069\u2069/)
  })
})

describe('bots', () => {
  const info = (name: string, bot: string) => ({
    id: '',
    round: 0,
    status: 'playing' as const,
    setup: { edition: 'classic', seats: 1 },
    seats: [{ name, bot }],
    dice: { commitment: '' },
  })

  test.each([
    ['The chick', 'chick', 'Küken'],
    ['The fox 2', 'fox', 'Fuchs 2'],
    ['The chick', 'fox', 'Küken'],
    ['Ben', 'fox', 'Ben'],
    ['The Who', 'fox', 'The Who'],
  ])('%s, played by %s, is called %s', async (name, bot, called) => {
    await speakNow('de')
    const { nameOf } = await import('../../src/narration/names')
    expect(nameOf(info(name, bot), 0)).toBe(called)
  })
})

describe('playing on from a record', () => {
  const record = { seats: ['Chef', 'The chick', 'The rooster', 'Ben'], bots: { 3: 'champion' } }

  test('finds the bots by what the record says of them, and by their names', async () => {
    const { botOn } = await import('../../src/review/players')
    expect(record.seats.map((_, seat) => botOn(record, seat))).toEqual([null, 'chick', 'rooster', 'champion'])
  })

  test.each([
    ['the own seat', record.seats, [0], 2, 0],
    ['the own seat that is to move', record.seats, [0, 3], 3, 3],
    ['the only person’s', record.seats, [], 2, 0],
    ['whoever is to move, if nobody knows', ['Ada', 'Ben'], [], 1, 1],
  ])('takes %s', async (_, seats, own, toMove, seat) => {
    const { seatToTake } = await import('../../src/review/players')
    expect(seatToTake({ ...record, seats: [...seats] }, own, toMove)).toBe(seat)
  })
})
