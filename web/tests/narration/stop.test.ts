import { beforeAll, expect, test } from 'vitest'
import type { GameState, Prospect } from '../../src/net/wire'
import { pretend, speakNow } from '../browser'

beforeAll(async () => {
  pretend()
  await speakNow('en')
})

/** Deluxe with the raven on 23 and 23 kept; the rest of the state does not matter here. */
function state(bonus: Prospect['bonus']): GameState {
  const stop: Prospect = { total: 23, result: 23, ending: { ending: 'take_tile', tile: 23 }, bonus: bonus ?? null }
  return { edition: 'deluxe', prospects: { stop }, table: { on_grill: { 23: 'raven' }, held: [null, null] } } as unknown as GameState
}

test.each([
  ['bratworm', '1 worm + 1 Bratworm'],
  ['apple', '1 worm + Apple'],
  [null, '1 worm'],
] as const)('stopping promises what the rules say: %s', async (bonus, detail) => {
  const { endingNow, stopWords } = await import('../../src/narration/stop')
  const game = state(bonus)
  const ending = endingNow(game)
  expect(ending && stopWords(game, ending, ['Ada', 'Ben']).detail).toBe(detail)
})
