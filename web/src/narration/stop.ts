/** What the stop button says. */
import type { Ending, GameState } from '../net/wire'
import { wormsOn } from '../pieces/boxes'
import { count, t } from './i18n.svelte'
import { specialistName } from './narrate'

export interface StopWords {
  title: string
  detail: string
  /** What lies beside the words. */
  piece: { kind: 'tile'; number: number } | { kind: 'plate' } | { kind: 'art'; name: string } | null
  fails: boolean
}

/** What stopping now would do; null where nobody is to decide about dice that are kept. */
export function endingNow(state: GameState): Ending | null {
  return state.prospects.stop?.ending ?? null
}

export function stopWords(state: GameState, ending: Ending, names: readonly string[]): StopWords {
  const name = (seat: number) => names[seat] ?? ''
  const worms = (number: number) => count('worms', wormsOn(number))
  const tile = (number: number) => ({ kind: 'tile', number }) as const
  const words = (title: string, detail: string, piece: StopWords['piece']): StopWords => ({
    title,
    detail,
    piece,
    fails: false,
  })
  switch (ending.ending) {
    case 'take_tile':
      return words(t('stop.take', { tile: ending.tile }), takeDetail(state, ending.tile), tile(ending.tile))
    case 'steal_tile':
      return words(
        t('stop.steal', { tile: ending.tile }),
        withBonus(state, t('stop.from', { name: name(ending.victim), worms: worms(ending.tile) })),
        tile(ending.tile),
      )
    case 'steal_hen':
      return words(t('stop.hen'), t('stop.hen.why', { name: name(ending.victim), tile: ending.tile }), {
        kind: 'art',
        name: 'hen',
      })
    case 'pinch_tile': {
      const [victim = 0, ...more] = ending.victims
      const detail = more.length
        ? t('stop.pinch.choose')
        : t('stop.from', { name: name(victim), worms: worms(ending.tile) })
      return words(t('stop.pinch', { tile: ending.tile }), detail, tile(ending.tile))
    }
    case 'occupy_spot':
      return words(t('stop.plate', { spot: ending.spot }), worms(ending.spot), { kind: 'plate' })
    case 'steal_spot':
      return words(
        t('stop.plate', { spot: ending.spot }),
        t('stop.plate.from', { name: name(ending.victim), worms: worms(ending.spot) }),
        { kind: 'plate' },
      )
    case 'close_spot':
      return words(
        t('stop.close', { spot: ending.spot }),
        t('stop.close.why', { worms: worms(ending.spot) }),
        { kind: 'plate' },
      )
    case 'take_snail':
      return words(
        t('stop.snail'),
        ending.spot === null ? t('stop.snail.pool') : t('stop.snail.spot', { spot: ending.spot }),
        { kind: 'art', name: 'snail' },
      )
    case 'end_game':
      return words(t('stop.end'), t('stop.end.why'), { kind: 'art', name: 'snail' })
    case 'nothing': {
      const title = state.prospects.stop?.safe ? t('stop.miss') : t('stop.fails')
      return { title, detail: t(`why.${ending.why}`), piece: null, fails: true }
    }
  }
}

function takeDetail(state: GameState, tile: number): string {
  const result = state.prospects.stop?.result ?? null
  const worms = count('worms', wormsOn(tile))
  const plain =
    result !== null && result !== tile ? t('stop.take.lower', { result, worms }) : worms
  return withBonus(state, plain)
}

/** What comes with the tile only the rules know: the raven has not always a Bratworm to give. */
function withBonus(state: GameState, detail: string): string {
  const bonus = state.prospects.stop?.bonus
  if (!bonus) return detail
  const gain = bonus === 'bratworm' ? count('bratworms', 1) : specialistName(bonus)
  return t('stop.and', { detail, gain })
}
