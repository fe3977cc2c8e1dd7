import { beforeAll, describe, expect, test } from 'vitest'
import type { Unit } from '../../src/net/coach'
import { pretend, speakNow } from '../browser'

beforeAll(async () => {
  pretend()
  await speakNow('en')
})

async function shown(unit: Unit, ...worths: number[]): Promise<string[]> {
  const { weighed } = await import('../../src/ui/weighing')
  const moves = worths.map((worth, place) => ({ move: `keep:${place}`, worth, fail: 0 }))
  return weighed(moves, unit).map(({ text, best }) => (best ? `${text}!` : text))
}

describe('the chance to win', () => {
  test('choices that differ look different', async () => {
    expect(await shown('win', 0.274, 0.272, 0.269, 0.265)).toEqual(['27.4%!', '27.2%', '26.9%', '26.5%'])
  })

  test('choices that are equal look equal, and are all best', async () => {
    expect(await shown('win', 0.27054, 0.27046, 0.26)).toEqual(['27.1%!', '27.1%!', '26.0%'])
  })

  test('what is a step worse than the best of them is worse', async () => {
    expect(await shown('win', 0.2704, 0.2698, 0.2692)).toEqual(['27.0%!', '27.0%!', '26.9%'])
  })
})

describe('worms', () => {
  test('choices that differ look different', async () => {
    expect(await shown('worms', 1.044, 1.03, -0.2)).toEqual(['1.04!', '1.03', '\u22120.20'])
  })

  test('choices that are equal look equal', async () => {
    expect(await shown('worms', 0.8051, 0.8049)).toEqual(['0.81!', '0.81!'])
  })
})
