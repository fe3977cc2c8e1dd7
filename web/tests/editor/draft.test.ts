import { describe, expect, it } from 'vitest'
import { draftFrom, draftOfTurn, emptyTable, layOut, moveSpecialist, moveTile, placesOf, setSeats, setSpot, startOf, tilesOf, whereIs } from '../../src/editor/draft'
import { emptyDraft } from '../../src/odds/draft'
import { BOXES, EDITIONS } from '../../src/pieces/boxes'

describe('tiles', () => {
  it('are somewhere once, wherever they are moved', () => {
    let draft = startOf('classic', 3)
    for (const [from, to] of [['up', 1], [1, 2], [2, 'down'], ['down', 'up'], ['up', 'box'], ['box', 0]] as const) {
      draft = moveTile(draft, 24, from, to)
      expect(placesOf(draft, 24)).toEqual(to === 'box' ? [] : [to])
    }
    expect(draft.players[0]?.stack).toEqual([24])
    expect(draft.grill).not.toContain(24)
  })

  it('lie in stacks in the order in which they came', () => {
    let draft = startOf('classic')
    for (const tile of [30, 21, 25]) draft = moveTile(draft, tile, 'up', 1)
    expect(draft.players[1]?.stack).toEqual([30, 21, 25])
  })

  it('of junior are there twice, each with its own place', () => {
    const draft = moveTile(startOf('junior'), 4, 'up', 1)
    expect(tilesOf(draft).slice(0, 2)).toEqual([
      { tile: 4, place: 'up' },
      { tile: 4, place: 1 },
    ])
  })

  it('that are not on the table are laid out at once', () => {
    for (const edition of EDITIONS) {
      if (edition === 'barbecue') continue
      expect(layOut(emptyTable(edition)).grill).toEqual(BOXES[edition].slots)
    }
  })

  it('take their Specialist off the grill', () => {
    expect(moveTile(startOf('deluxe'), 21, 'up', 0).on_grill[21]).toBeUndefined()
  })
})

describe('Specialists', () => {
  it('are in one place', () => {
    let draft = startOf('deluxe')
    expect(whereIs(draft, 'hen')).toBe('tile:21')
    for (const place of ['seat:1', 'tile:30', 'out', 'seat:0']) {
      draft = moveSpecialist(draft, 'hen', place)
      expect(whereIs(draft, 'hen')).toBe(place)
    }
  })
})

describe('players', () => {
  it('who leave give back what they had', () => {
    const three = moveTile(startOf('classic', 3), 36, 'up', 2)
    const two = setSeats({ ...three, to_move: 2 }, 2)
    expect(two.grill).toContain(36)
    expect([two.players.length, two.to_move]).toEqual([2, 1])
    const board = setSpot(setSpot(startOf('barbecue', 3), 30, [2, 2]), 36, ['snail'])
    expect(setSeats(board, 2).spots).toEqual({ 36: ['snail'] })
  })
})

describe('positions from elsewhere', () => {
  it('come without what is as usual', () => {
    const draft = draftFrom({ edition: 'barbecue', players: [{ worms: 3 }, {}] })
    expect(draft.players[0]).toEqual({ stack: [], holds: null, bratworms: 0, worms: 3, snails: 0 })
    expect([draft.next, draft.kept, draft.grill]).toEqual(['decide', '', []])
  })

  it('have the dice of the odds', () => {
    const turn = { ...emptyDraft('deluxe', 'golden'), kept: '44', thrown: '1133WW', goldThrown: 'W' as const }
    const draft = draftOfTurn(turn)
    expect([draft.kept, draft.next, draft.golden, draft.players[0]?.holds]).toEqual(['44', '=1133WW+W', 'hand', 'golden'])
    expect(draft.on_grill[27]).toBeUndefined()
  })
})
