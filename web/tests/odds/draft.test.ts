import { describe, expect, test } from 'vitest'
import type { GameState } from '../../src/net/wire'
import { addressOf, afterKeep, draftFrom, emptyDraft, handOf, missing, oddsLink, setupOf, type Draft } from '../../src/odds/draft'

const draft = (news: Partial<Draft>): Draft => ({ ...emptyDraft('deluxe'), ...news })

describe('a turn that is set up', () => {
  test('without a throw asks for what is kept', () => {
    expect(setupOf(draft({ kept: '44W' }))).toEqual({ edition: 'deluxe', holding: null, kept: '44W', hand: null, roll: null })
  })

  test('counts a throw only when every die is told', () => {
    expect(setupOf(draft({ kept: '44W', thrown: '1134' })).roll).toBeNull()
    expect(setupOf(draft({ kept: '44W', thrown: '11345' })).roll).toBe('11345')
  })

  test('knows where the golden die is', () => {
    const golden = { holding: 'golden', kept: 'WW' } as const
    expect(handOf(draft({ ...golden, gold: 'kept' }))).toBe(7)
    expect(setupOf(draft({ ...golden, gold: 'kept' }))).toMatchObject({ holding: 'golden', hand: 7 })
    expect(setupOf(draft({ ...golden, gold: 'out' }))).toMatchObject({ holding: null, hand: null })
    const thrown = draft({ ...golden, gold: 'hand', thrown: '111222' })
    expect(missing(thrown)).toBe(1)
    expect(setupOf({ ...thrown, goldThrown: '1' }).roll).toBe('111222+1')
  })

  test('goes on after a keep with the rest in hand', () => {
    const kept = afterKeep(draft({ holding: 'golden', thrown: '11234WWW', goldThrown: '1' }), '1')
    expect(kept).toMatchObject({ kept: '111', gold: 'kept', thrown: '', goldThrown: null })
    expect(handOf(kept)).toBe(6)
  })

  test('has an address, and comes back from it', () => {
    const turn = draft({ holding: 'golden', gold: 'kept', kept: '44W', thrown: '11355' })
    expect(draftFrom(new URL(addressOf(turn), 'http://x').search)).toEqual(turn)
  })

  test('leaves out what makes no sense in an address', () => {
    expect(draftFrom('?edition=junior&holding=weasel&kept=W9B&thrown=GGGGGGGGG')).toEqual({
      ...emptyDraft('junior'),
      kept: 'WB',
      thrown: 'GGGG',
    })
    expect(draftFrom('?edition=poker')).toEqual(emptyDraft('classic'))
  })
})

test('a position links to its odds', () => {
  const turn = { kept: '44', total: 8, hand: 6, golden: false, roll: '1133WW', golden_roll: null, weasel_used: true }
  const state = { edition: 'deluxe', to_move: 1, legal: ['keep:1'], turn, table: { held: [null, 'weasel'] } }
  const link = oddsLink(state as unknown as GameState)
  expect(draftFrom(new URL(link, 'http://x').search)).toMatchObject({ kept: '44', thrown: '1133WW', holding: null })
  expect(oddsLink({ ...state, legal: ['return:hen'] } as unknown as GameState)).toBe('')
})
