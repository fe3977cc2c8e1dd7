/** The dice that lie on the table at a moment. */
import type { Moment } from '../net/coach'
import type { Fact } from '../net/wire'

export interface Thrown {
  dice: string
  golden: string | null
  /** Nothing of it can be kept: such a throw is in no state, only in what happened. */
  dead: boolean
}

type Fell = Extract<Fact, { event: 'dice_fell' }>

export function thrownIn({ state, events }: Moment): Thrown | null {
  const { roll, golden_roll } = state.turn
  if (roll !== null) return { dice: roll, golden: golden_roll, dead: false }
  const fell = events.find((fact): fact is Fell => fact.event === 'dice_fell')
  return fell ? { dice: fell.dice, golden: fell.golden, dead: true } : null
}
