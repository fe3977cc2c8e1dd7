import { expect, it } from 'vitest'
import type { Prospect } from '../../src/net/wire'
import { groupsOf } from '../../src/table/dice'

const prospect = (total: number): Prospect => ({ total, ending: { ending: 'take_tile', tile: 21 }, result: total })

it('says what each face would bring, as the server told it', () => {
  const prospects = { 'keep:1': prospect(6), 'keep:3': prospect(11), 'keep:5': prospect(10) }
  const lying = { dice: '1335W', golden: null, kept: null, prospects }
  const groups = groupsOf('W', lying, Object.keys(prospects), false)
  expect(groups.map(({ face, can, prospect }) => [face, can, prospect?.total])).toEqual([
    ['1', 'keep', 6],
    ['3', 'keep', 11],
    ['5', 'keep', 10],
    ['W', 'kept', undefined],
  ])
})

it('says what another face would bring that could be kept instead', () => {
  const prospects = { 'keep:3': prospect(23), 'keep:4': prospect(24), 'keep:W': prospect(25) }
  const lying = { dice: '345W', golden: null, kept: 'W', prospects }
  const groups = groupsOf('5555W', lying, ['roll', 'stop'], true)
  expect(groups.map(({ face, can, prospect }) => [face, can, prospect?.total])).toEqual([
    ['3', 'swap', 23],
    ['4', 'swap', 24],
    ['5', 'kept', undefined],
  ])
})

it('leaves a trace of what somebody else kept', () => {
  const lying = { dice: '345W', golden: null, kept: 'W', prospects: {} }
  expect(groupsOf('5555W', lying, [], false).map(({ face, can }) => [face, can])).toEqual([
    ['3', 'rest'],
    ['4', 'rest'],
    ['5', 'kept'],
    ['W', 'taken'],
  ])
})

it('says nothing of what nobody told', () => {
  const lying = { dice: '345W', golden: null, kept: 'W', prospects: {} }
  const groups = groupsOf('5555W', lying, ['roll', 'stop'], true)
  expect(groups.map(({ face, can, prospect }) => [face, can, prospect])).toEqual([
    ['3', 'swap', null],
    ['4', 'swap', null],
    ['5', 'kept', null],
  ])
})

it('puts the golden die with the white ones of its face', () => {
  const lying = { dice: '114', golden: '1', kept: null, prospects: { 'keep:1': prospect(3) } }
  const [ones] = groupsOf('', lying, ['keep:1', 'keep:4'], false)
  expect(ones?.dice.map(({ golden }) => golden)).toEqual([false, false, true])
  expect(ones?.prospect?.total).toBe(3)
})
