/** A game in one sentence: what a player gave away, how lucky they were, and what even luck would bring. */
import { count, t } from '../narration/i18n.svelte'
import type { Review } from '../net/coach'

type Totals = Review['players'][number]

/** Points of win chance, as whole numbers. */
const points = (chance: number): number => Math.round(Math.abs(chance) * 100)

/** Null for a game that is not over, or that is not measured in chances to win. */
export function storyOf({ given_away, luck, adjusted }: Totals, name: string, isYou: boolean): string | null {
  if (adjusted === null || adjusted === undefined) return null
  const kind = points(luck) === 0 ? 'even' : luck > 0 ? 'good' : 'bad'
  const blanks = {
    name,
    given: count('story.points', points(given_away)),
    luck: count('story.points', points(luck)),
    even: Math.round(Math.min(1, Math.max(0, adjusted)) * 100),
  }
  return isYou ? t(`story.${kind}.you`, blanks) : t(`story.${kind}`, blanks)
}
