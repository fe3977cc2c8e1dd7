import { describe, expect, test } from 'vitest'
import { pretend, speakNow } from '../browser'

pretend()

describe('a game in one sentence', async () => {
  const { storyOf } = await import('../../src/review/story')
  await speakNow('en')
  const totals = { given_away: 0.06, luck: -0.214, counted: 30, adjusted: 0.58 }

  test('says what was given away, the luck, and what even luck would bring', () => {
    expect(storyOf(totals, 'Ada', true)).toBe(
      'You gave away 6 points of win chance and had bad luck worth 21 points: with even luck, you would have won about 58 of 100.',
    )
  })

  test('stays between 0 and 100, and has a word for even luck', () => {
    expect(storyOf({ ...totals, luck: 0.001, adjusted: 1.2 }, 'Ada', false)).toBe(
      'Ada gave away 6 points of win chance, and luck was even: about 100 of 100 such games are won.',
    )
  })

  test('needs the end of the game', () => {
    expect(storyOf({ ...totals, adjusted: null }, 'Ada', true)).toBeNull()
  })
})
