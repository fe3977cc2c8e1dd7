/** Which rule is in question at a table: where its page of rules opens. */
import { endingNow } from '../narration/stop'
import type { GameState } from '../net/wire'

/** The anchor on the page of this game's rules. */
export function ruleInQuestion(state: GameState): string {
  const { legal, turn, over } = state
  const asks = (word: string) => legal.some((move) => move.startsWith(word))
  if (over) return 'end'
  if (asks('return:')) return 'specialists'
  if (asks('rob:')) return 'bratworms'
  if (asks('pinch:')) return 'take'
  if (asks('reroll')) return 'weasel'
  if (asks('roll:golden')) return 'golden'
  if (turn.kept === '' || turn.roll !== null) return 'turn'
  const ending = endingNow(state)
  if (ending === null || ending.ending === 'nothing') return 'fail'
  return ending.ending === 'steal_hen' ? 'hen' : 'take'
}
