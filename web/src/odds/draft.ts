/** A turn that somebody sets up, with real dice or in thought. */
import type { TurnSetup } from '../net/coach'
import { at } from '../net/site'
import type { GameState } from '../net/wire'
import { asEdition, BOXES, facesOn, type Edition, type Face } from '../pieces/boxes'

/** The Specialists that change the dice or what they count. */
export const HOLDINGS = ['canned', 'weasel', 'golden'] as const
export type Holding = (typeof HOLDINGS)[number]
/** Where the golden die is; `out`: it is left out this turn. */
export const GOLD_PLACES = ['hand', 'kept', 'out'] as const
export type GoldPlace = (typeof GOLD_PLACES)[number]

export interface Draft {
  edition: Edition
  holding: Holding | null
  gold: GoldPlace
  kept: string
  thrown: string
  goldThrown: Face | null
}

export function emptyDraft(edition: Edition, holding: Holding | null = null): Draft {
  return { edition, holding, gold: 'hand', kept: '', thrown: '', goldThrown: null }
}

const faceOn = (sides: string, shown: string | null) => facesOn(sides).find((face) => face === shown) ?? null
const goldKept = (draft: Draft) => draft.holding === 'golden' && draft.gold === 'kept'
const goldInHand = (draft: Draft) => draft.holding === 'golden' && draft.gold === 'hand'

/** How many white dice are not kept. */
export function handOf(draft: Draft): number {
  return Math.max(0, BOXES[draft.edition].dice + (goldKept(draft) ? 1 : 0) - draft.kept.length)
}

/** How many dice of the throw are still to be told. */
export function missing(draft: Draft): number {
  const gold = goldInHand(draft) && draft.goldThrown === null ? 1 : 0
  return handOf(draft) - draft.thrown.length + gold
}

/** Whether something of a throw was told. */
export const hasThrow = (draft: Draft): boolean => draft.thrown !== '' || draft.goldThrown !== null

/** The turn as the server takes it; a throw that is not complete does not count yet. */
export function setupOf(draft: Draft): TurnSetup {
  const unused = draft.holding === 'golden' && draft.gold === 'out'
  const gold = goldInHand(draft) && draft.goldThrown ? `+${draft.goldThrown}` : ''
  const complete = hasThrow(draft) && missing(draft) === 0
  return {
    edition: draft.edition,
    holding: unused ? null : draft.holding,
    kept: draft.kept,
    hand: goldKept(draft) ? handOf(draft) : null,
    roll: complete ? draft.thrown + gold : null,
  }
}

/** The turn after keeping all dice of a face; the others are in hand again. */
export function afterKeep(draft: Draft, face: string): Draft {
  const white = [...draft.thrown].filter((die) => die === face).length
  const gold = draft.goldThrown === face
  return {
    ...draft,
    kept: draft.kept + face.repeat(white + (gold ? 1 : 0)),
    gold: gold ? 'kept' : draft.gold,
    thrown: '',
    goldThrown: null,
  }
}

const WORDS: (keyof Draft)[] = ['edition', 'holding', 'gold', 'kept', 'thrown', 'goldThrown']

/** The address of a turn. */
export function addressOf(draft: Draft): string {
  const blank = emptyDraft(draft.edition)
  const said = WORDS.filter((word) => word === 'edition' || draft[word] !== blank[word])
  return `/odds?${new URLSearchParams(said.map((word) => [word, draft[word] ?? ''])).toString()}`
}

/** The turn of an address; what makes no sense is left out. */
export function draftFrom(search: string): Draft {
  const asked = new URLSearchParams(search)
  const draft = emptyDraft(asEdition(asked.get('edition') ?? ''))
  const { sides, golden } = BOXES[draft.edition]
  const dice = (name: string) => [...(asked.get(name) ?? '')].filter((die) => sides.includes(die)).join('')
  if (golden) {
    draft.holding = HOLDINGS.find((holding) => holding === asked.get('holding')) ?? null
    draft.gold = GOLD_PLACES.find((place) => place === asked.get('gold')) ?? 'hand'
    if (goldInHand(draft)) draft.goldThrown = faceOn(golden, asked.get('goldThrown'))
  }
  draft.kept = dice('kept').slice(0, handOf(draft))
  draft.thrown = dice('thrown').slice(0, handOf(draft))
  return draft
}

/** Where to see the odds of a position; nothing where no throw or keep is to be decided. */
export function oddsLink(state: GameState): string {
  if (!state.legal.some((word) => /^(roll|keep)/.test(word))) return ''
  const { kept, hand, golden, roll, golden_roll, weasel_used } = state.turn
  const edition = asEdition(state.edition)
  const held = 'held' in state.table ? state.table.held[state.to_move] : null
  const holding = HOLDINGS.find((name) => name === held && !(name === 'weasel' && weasel_used)) ?? null
  const used = kept.length + hand > BOXES[edition].dice
  const gold: GoldPlace = golden || kept + (roll ?? '') === '' ? 'hand' : used ? 'kept' : 'out'
  const goldThrown = faceOn(BOXES[edition].golden, golden_roll)
  return at(addressOf({ edition, holding, gold, kept, thrown: roll ?? '', goldThrown }))
}
