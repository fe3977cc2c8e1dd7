/** Moves in words, told from the position in which they were chosen. */
import { count, t } from '../narration/i18n.svelte'
import { moveWords } from '../narration/moves'
import { diceWords } from '../narration/narrate'
import { endingNow, stopWords } from '../narration/stop'
import type { GameState } from '../net/wire'

/** A move that somebody could choose; `you` is the reader's seat, from whom it may take something. */
export function choiceWords(state: GameState, move: string, names: readonly string[], you?: number): string {
  const [kind = '', of = ''] = move.split(':')
  const { hand, golden, roll, golden_roll } = state.turn
  switch (kind) {
    case 'keep': {
      const thrown = [...(roll ?? ''), ...(golden_roll ?? '')]
      return t('review.keep', { dice: diceWords(of, thrown.filter((face) => face === of).length) })
    }
    case 'stop': {
      const ending = endingNow(state)
      return ending ? stopWords(state, ending, names).title : t('move.stop')
    }
    case 'roll':
      if (of) return t('review.golden')
      return count('review.roll', hand + (golden ? 1 : 0))
    case 'rob':
    case 'pinch':
      if (Number(of) === you) return t(`review.${kind}.you`)
      return t(`review.${kind}`, { name: names[Number(of)] ?? '' })
    default:
      return moveWords(move)
  }
}

/** The dice that a move sets aside, to be shown beside the words. */
export function diceOf(state: GameState, move: string): { face: string; golden: boolean }[] {
  if (!move.startsWith('keep:')) return []
  const face = move.slice('keep:'.length)
  const white = [...(state.turn.roll ?? '')].filter((die) => die === face)
  const gold = state.turn.golden_roll === face ? [{ face, golden: true }] : []
  return [...white.map(() => ({ face, golden: false })), ...gold]
}
