/** A position that somebody sets up, as the server takes it; whether it is possible, only the server says. */
import type { Draft as TurnDraft } from '../odds/draft'
import type { Draft as Sent, GameState, Specialist } from '../net/wire'
import { BOXES, type Edition } from '../pieces/boxes'

/** Where a tile can be; `box`: not on the table. */
export type Place = 'up' | 'down' | 'box' | number
export type Content = (number | 'snail')[]

export interface Player {
  stack: number[]
  holds: Specialist | null
  bratworms: number
  worms: number
  snails: number
}

export interface Draft {
  edition: Edition
  players: Player[]
  to_move: number
  options: { flip_always?: boolean; flip_returned?: boolean }
  grill: number[]
  face_down: number[]
  on_grill: Record<string, Specialist>
  spots: Record<string, Content>
  kept: string
  golden: 'hand' | 'kept' | null
  weasel_used: boolean
  /** What comes next: `decide`, `dice`, a roll (`=1134W`), a question, or `over`. */
  next: string
}

const nobody = (): Player => ({ stack: [], holds: null, bratworms: 0, worms: 0, snails: 0 })

/** A table with nothing on it. */
export function emptyTable(edition: Edition, seats = 2): Draft {
  return {
    edition,
    players: Array.from({ length: seats }, nobody),
    to_move: 0,
    options: {},
    grill: [],
    face_down: [],
    on_grill: {},
    spots: {},
    kept: '',
    golden: null,
    weasel_used: false,
    next: 'decide',
  }
}

/** A game about to begin. */
export function startOf(edition: Edition, seats = 2): Draft {
  const empty = emptyTable(edition, seats)
  if (edition === 'barbecue') return empty
  return { ...empty, grill: [...BOXES[edition].slots], on_grill: { ...BOXES[edition].standing } as Draft['on_grill'] }
}

/** What a server sent, in which everything that is as usual may be missing. */
export function draftFrom(sent: Sent): Draft {
  const edition = sent.edition as Edition
  const players = sent.players.map((player) => ({ ...nobody(), ...player }) as Player)
  return { ...emptyTable(edition), ...sent, edition, players } as Draft
}

/** The position of a state that somebody looks at. */
export function draftOf(state: GameState): Draft {
  const { table, turn } = state
  const edition = state.edition as Edition
  const draft = emptyTable(edition, state.seats)
  draft.to_move = state.to_move
  draft.options = { ...state.options }
  draft.kept = turn.kept
  draft.weasel_used = turn.weasel_used
  draft.golden = turn.golden ? 'hand' : turn.kept.length + turn.hand > BOXES[edition].dice ? 'kept' : null
  draft.next = nextIn(state)
  if ('spots' in table) {
    draft.spots = { ...table.spots } as Draft['spots']
    draft.players = draft.players.map((player, seat) => ({ ...player, worms: table.worms[seat] ?? 0, snails: table.snails[seat] ?? 0 }))
    return draft
  }
  draft.grill = [...table.grill]
  draft.face_down = [...table.face_down]
  draft.players = draft.players.map((player, seat) => ({ ...player, stack: [...(table.stacks[seat] ?? [])] }))
  if ('held' in table) {
    draft.on_grill = { ...table.on_grill } as Draft['on_grill']
    draft.players = draft.players.map((player, seat) => ({
      ...player,
      holds: table.held[seat] ?? null,
      bratworms: table.bratworms[seat] ?? 0,
    }))
  }
  return draft
}

function nextIn({ awaits, legal, turn, table, to_move }: GameState): string {
  if (awaits === 'nobody') return 'over'
  if (awaits === 'dice') return 'dice'
  if (turn.roll !== null) return `=${turn.roll}${turn.golden_roll ? `+${turn.golden_roll}` : ''}`
  const [kind = '', of = ''] = (legal[0] ?? '').split(':')
  if (kind === 'rob' || kind === 'pinch') return kind
  if (kind !== 'return') return 'decide'
  const held = 'held' in table ? table.held[to_move] : null
  return legal.find((word) => word !== `return:${held}`) ?? `return:${of}`
}

/** The first turn of a game for two, with the dice of a turn whose odds somebody looked at. */
export function draftOfTurn({ edition, holding, gold, kept, thrown, goldThrown }: TurnDraft): Draft {
  const draft = startOf(edition)
  draft.kept = kept
  if (holding) giveTo(draft, holding, 0)
  const begun = kept !== '' || thrown !== ''
  if (holding === 'golden' && begun && gold !== 'out') draft.golden = gold
  if (thrown || goldThrown) draft.next = `=${thrown}${goldThrown ? `+${goldThrown}` : ''}`
  return draft
}

/** What is to be opened in the editor: a link cannot carry it before the server has put it into words. */
let waiting: Draft | null = null
export function hand(draft: Draft): void {
  waiting = draft
}
export function take(): Draft | null {
  const draft = waiting
  waiting = null
  return draft
}

// --- changes: each takes a draft and returns another ---

const copy = (draft: Draft): Draft => structuredClone(draft)

function without<T>(list: readonly T[], item: T): T[] {
  const at = list.lastIndexOf(item)
  return at < 0 ? [...list] : list.toSpliced(at, 1)
}

/** Where every copy of a tile is, as far as it is on the table. */
export function placesOf(draft: Draft, tile: number): Place[] {
  const is = (other: number) => other === tile
  return [
    ...draft.grill.filter(is).map((): Place => 'up'),
    ...draft.face_down.filter(is).map((): Place => 'down'),
    ...draft.players.flatMap(({ stack }, seat) => stack.filter(is).map((): Place => seat)),
  ]
}

/** Every tile of the box with its place; of equal tiles, each has its own. */
export function tilesOf(draft: Draft): { tile: number; place: Place }[] {
  const seen = new Map<number, number>()
  return BOXES[draft.edition].slots.map((tile) => {
    const nth = seen.get(tile) ?? 0
    seen.set(tile, nth + 1)
    return { tile, place: placesOf(draft, tile)[nth] ?? 'box' }
  })
}

export function moveTile(draft: Draft, tile: number, from: Place, to: Place): Draft {
  const after = copy(draft)
  if (from === 'up') {
    after.grill = without(after.grill, tile)
    delete after.on_grill[tile]
  } else if (from === 'down') after.face_down = without(after.face_down, tile)
  else if (from !== 'box') {
    const owner = after.players[from]
    if (owner) owner.stack = without(owner.stack, tile)
  }
  if (to === 'up') after.grill = [...after.grill, tile].sort((a, b) => a - b)
  else if (to === 'down') after.face_down = [...after.face_down, tile].sort((a, b) => a - b)
  else if (to !== 'box') after.players[to]?.stack.push(tile)
  return after
}

/** All tiles that are not on the table, onto the grill. */
export function layOut(draft: Draft): Draft {
  return tilesOf(draft).reduce((now, { tile, place }) => (place === 'box' ? moveTile(now, tile, 'box', 'up') : now), draft)
}

/** Where a Specialist is: `tile:21`, `seat:0`, or `out` of the game. */
export function whereIs(draft: Draft, who: Specialist): string {
  const tile = Object.keys(draft.on_grill).find((key) => draft.on_grill[key] === who)
  if (tile !== undefined) return `tile:${tile}`
  const seat = draft.players.findIndex(({ holds }) => holds === who)
  return seat < 0 ? 'out' : `seat:${seat}`
}

function giveTo(draft: Draft, who: Specialist, seat: number): void {
  for (const tile of Object.keys(draft.on_grill)) if (draft.on_grill[tile] === who) delete draft.on_grill[tile]
  for (const player of draft.players) if (player.holds === who) player.holds = null
  const player = draft.players[seat]
  if (player) player.holds = who
}

export function moveSpecialist(draft: Draft, who: Specialist, to: string): Draft {
  const after = copy(draft)
  const [kind, of = ''] = to.split(':')
  giveTo(after, who, kind === 'seat' ? Number(of) : -1)
  if (kind === 'tile') after.on_grill[of] = who
  return after
}

export function setSpot(draft: Draft, spot: number, content: Content): Draft {
  const after = copy(draft)
  if (content.length > 0) after.spots[spot] = content
  else delete after.spots[spot]
  return after
}

export function setPlayer(draft: Draft, seat: number, news: Partial<Player>): Draft {
  const players = draft.players.map((player, at) => (at === seat ? { ...player, ...news } : player))
  return { ...draft, players }
}

/** More or fewer players; what those who leave had goes back to the middle. */
export function setSeats(draft: Draft, seats: number): Draft {
  const after = copy(draft)
  const left = after.players.slice(seats).flatMap(({ stack }) => stack)
  after.players = Array.from({ length: seats }, (_, seat) => after.players[seat] ?? nobody())
  after.grill = [...after.grill, ...left].sort((a, b) => a - b)
  for (const [spot, content] of Object.entries(after.spots)) {
    if (content.some((who) => who !== 'snail' && who >= seats)) delete after.spots[spot]
  }
  after.to_move = Math.min(after.to_move, seats - 1)
  return after
}
