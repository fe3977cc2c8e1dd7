/** The live table: what the server told, and what this device may do about it. */
import { addSecret, newSecret, noteDown, remember, secretsOf } from '../device/seats'
import { settings } from '../device/settings.svelte'
import { codeOf, getTable, Refused } from '../net/api'
import { askedUnit, type Unit } from '../net/coach'
import { isHere } from '../net/here'
import type {
  Answer,
  Emote,
  Fact,
  GameState,
  NumberedEntry,
  Hint,
  May,
  Played,
  Reason,
  SeatInfo,
  TableInfo,
  You,
} from '../net/wire'
import { Connection, NotDone, type Body, type Link } from './connection'
import { groupsOf, type Group, type Lying } from './dice'
import { extended, type Line } from './log'
import { OwnSalt } from './salt'

export type EmoteName = Emote['emote']

const PROTOCOL = 3
/** What a mistake loses at least, as the coach marks it. */
const MISTAKE: Record<Unit, number> = { win: 0.05, worms: 0.4 }
/** How long an emote is shown. */
const EMOTE_TIME = 4_000

/** What was kept in a turn: on the board, with the points of each face. */
export interface OnBoard {
  kept: string
  points: Readonly<Record<string, number>>
  total: number
  /** The face that the golden die was kept with. */
  golden: string | null
}
const NOTHING: OnBoard = { kept: '', points: {}, total: 0, golden: null }

/** How the turn before this one ended, to be seen until the next throw. */
export interface Aftermath {
  seat: number
  facts: Fact[]
  /** The last throw, and whether it was dead. */
  lying: Lying | null
  dead: boolean
  board: OnBoard
}

export interface Bubble {
  key: number
  emote: EmoteName
}

export interface Notice {
  code: Refused['code'] | 'version'
  message: string
  /** How many seconds a limit lasts, where that is known. */
  wait?: number | null
}

const dateIn = (text: string | null | undefined) => (text ? new Date(text) : null)

export class Table {
  readonly id: string
  link: Link = $state('connecting')
  /** Why there is nothing to see here at all. */
  lost: Notice | null = $state.raw(null)
  notice: Notice | null = $state.raw(null)
  info: TableInfo | null = $state.raw(null)
  state: GameState | null = $state.raw(null)
  you: You = $state.raw({ seats: [], host: false })
  lines: readonly Line[] = $state.raw([])
  lying: Lying | null = $state.raw(null)
  aftermath: Aftermath | null = $state.raw(null)
  /** Counts throws, so that equal dice tumble again. */
  throws = $state(0)
  /** The facts that came last, for the ear and for sounds. */
  news: readonly Fact[] = $state.raw([])
  bubbles: Readonly<Record<number, Bubble>> = $state.raw({})
  hint: Hint | null = $state.raw(null)
  /** What the moves are worth, for warnings; it is asked for as soon as there is a choice. */
  #weighed: Hint | null = null
  /** The same before the last move, which may be put back. */
  #weighedBefore: Hint | null = null
  /** A move that is a mistake, about which this device is asked. */
  doubt: { word: string; reason: Reason; unit: Unit } | null = $state.raw(null)
  /** The number of the last event. */
  n = $state(-1)
  /** When the time of the player to move is over, at a table that is not played at once. */
  due: Date | null = $state.raw(null)
  /** Counts the turns that have ended. */
  turns = $state(0)
  /** Whether anything was played in this game. */
  played = $state(false)
  /** The seat this device looks from: its own that is to move, or moved last. */
  bottom = $state(0)
  /** A move is on its way. */
  busy = $state(false)
  /** The dice entered so far, where people roll their own; the golden one is last. */
  entered = $state('')
  /** Whether the golden die joins the first roll. */
  withGolden = $state(false)
  /** What was kept this turn. */
  #board: OnBoard = $state.raw(NOTHING)
  /** The board as it was when the turn before ended. */
  #cleared: OnBoard = NOTHING
  /** A stop that brings nothing was pressed once. */
  unsure = $state(false)
  /** When a bot will play for the player to move, who is away, by this device's clock. */
  countdown: { seat: number; until: number } | null = $state.raw(null)
  /** The seats that have seen enough of the turn that a bot plays. */
  hurried: readonly number[] = $state.raw([])

  #bubble = 0
  /** The number of the event that made the state what it is, or of a later one. */
  since = $state(-1)
  readonly #connection: Connection
  readonly #salt = new OwnSalt()

  constructor(id: string) {
    this.id = id
    this.#connection = new Connection(id, {
      hello: () => ({ last: this.n, secrets: secretsOf(id) }),
      answer: (answer) => this.#hear(answer),
      link: (link) => (this.link = link),
      unreachable: () => this.#lookFor(),
    })
  }

  leave(): void {
    this.#connection.stop()
  }

  // --- what is so ---------------------------------------------------------------------------------

  /** Whether the table is on this device only: there is nobody to invite, and no server to ask. */
  get here(): boolean {
    return isHere(this.id)
  }

  /** Whether a seat of this device is to decide. */
  get myTurn(): boolean {
    const state = this.state
    return state?.awaits === 'player' && this.info?.status === 'playing' && this.decides(state.to_move)
  }

  /** Whether this device decides for a seat: it is its own, and no bot plays for it. */
  decides(seat: number): boolean {
    return this.you.seats.includes(seat) && !this.seat(seat)?.stand_in
  }

  /** The reader's seat; null where several people share this device, or somebody only watches. */
  get reader(): number | null {
    const [seat, ...more] = this.you.seats
    return seat === undefined || more.length > 0 ? null : seat
  }

  /** The seats of this device that a bot plays for. */
  get stoodIn(): number[] {
    return this.you.seats.filter((seat) => this.seat(seat)?.stand_in)
  }

  get watching(): boolean {
    return this.you.seats.length === 0
  }

  /** What the server lets this device do at the table as it is now. */
  get may(): May {
    return this.you.may ?? {}
  }

  /** The other seats, clockwise from this device's. */
  get others(): number[] {
    const count = this.info?.seats.length ?? 0
    return Array.from({ length: Math.max(0, count - 1) }, (_, i) => (this.bottom + 1 + i) % count)
  }

  seat(at: number): SeatInfo | null {
    return this.info?.seats[at] ?? null
  }

  /** What this device may play. While a move is on its way nothing else is sent. */
  get legal(): readonly string[] {
    return this.myTurn ? (this.state?.legal ?? []) : []
  }

  /** Whether the keep of this turn can still be taken back. */
  get canUndo(): boolean {
    return this.myTurn && this.state?.undo === true
  }

  /** The dice that this device may enter now; null: none. */
  get wanted(): { white: number; golden: boolean } | null {
    const { state, info } = this
    if (!state || !info?.setup.own_dice || info.status !== 'playing') return null
    if (!this.may.throw_for?.includes(state.to_move)) return null
    const { hand, golden, kept } = state.turn
    if (state.awaits === 'dice') return { white: hand, golden }
    // Nobody decides for another player that they roll on, nor for a bot that it begins.
    const rolls = this.legal.includes('roll') || (kept === '' && state.legal.includes('roll') && !this.playedByBot)
    return rolls ? { white: hand, golden: golden || (this.withGolden && state.legal.includes('roll:golden')) } : null
  }

  /** Whether a bot plays the seat to move. */
  get playedByBot(): boolean {
    const sitter = this.seat(this.state?.to_move ?? -1)
    return Boolean(sitter?.bot ?? sitter?.stand_in)
  }

  /** Whether dice that were entered here can be entered again. */
  get canCorrect(): boolean {
    return this.state?.correct === true && (this.may.throw_for?.length ?? 0) > 0
  }

  /** The dice in the tray. */
  get groups(): Group[] {
    return this.state && this.lying ? groupsOf(this.state.turn.kept, this.lying, this.legal, this.canUndo) : []
  }

  /** What lies on the board: of this turn or, until the next throw, of the one before. */
  get board(): OnBoard & { past: boolean } {
    const past = this.lying === null && this.#board.kept === '' ? this.aftermath : null
    return past ? { ...past.board, past: true } : { ...this.#board, past: false }
  }

  /** The player to move, who is away, and whom this device's players may have a bot play for. */
  get absent(): number | null {
    const { state, info, you } = this
    if (!state || state.over || info?.status !== 'playing' || (you.seats.length === 0 && !you.host)) return null
    const sitter = this.seat(state.to_move)
    const isAway = sitter?.away && !sitter.stand_in && !you.seats.includes(state.to_move)
    return isAway && (info.setup.tempo ?? 'now') === 'now' ? state.to_move : null
  }

  /** The bot whose turn this device may hurry; null if there is none, or that was done. */
  get hasty(): number | null {
    const { state, info, you } = this
    if (!state || state.over || info?.status !== 'playing' || this.link !== 'open') return null
    // Whoever presses something while a bot plays for them wants to play.
    if (you.seats.includes(state.to_move)) return null
    const sitter = this.seat(state.to_move)
    if (!sitter?.bot && !sitter?.stand_in) return null
    return you.seats.some((seat) => !this.hurried.includes(seat)) ? state.to_move : null
  }

  /** The people that a hurried turn still waits for. */
  get unhurried(): number[] {
    return (this.info?.seats ?? []).flatMap((sitter, seat) =>
      sitter && !sitter.bot && !sitter.away && !sitter.stand_in && !this.hurried.includes(seat) ? [seat] : [],
    )
  }

  /** Whether nobody sits here but this device's players and bots. */
  get onlyBots(): boolean {
    return this.info?.seats.every((seat, at) => seat?.bot ?? this.you.seats.includes(at)) ?? false
  }

  get hasBots(): boolean {
    return this.info?.seats.some((seat) => seat?.bot ?? seat?.stand_in) ?? false
  }

  // --- what this device asks for ------------------------------------------------------------------

  /** Ask for something that is no move. A refusal becomes a notice. */
  async ask(body: Body): Promise<Answer | null> {
    try {
      this.notice = null
      return await this.#connection.request(body)
    } catch (error) {
      if (!(error instanceof NotDone)) throw error
      this.#refused(error)
      return null
    }
  }

  /** Whether to ask before a mistake: only where no other person plays. */
  get warns(): boolean {
    return settings.warn && this.onlyBots && this.you.seats.length === 1
  }

  /** Play a word of the game; a mistake is asked about once. */
  async play(word: string): Promise<void> {
    if (this.busy || !this.legal.includes(word)) return
    const doubt = this.doubt?.word === word ? null : this.#doubtAbout(word)
    this.doubt = doubt
    if (doubt) return
    await this.#send({ do: 'move', at: this.n, move: word })
  }

  /** Why a move is a mistake, if this device wants to be warned and the answer is there already. */
  #doubtAbout(word: string): Table['doubt'] {
    const reason = this.warns ? this.#weighed?.reasons?.find(({ other }) => other === word) : undefined
    const unit = this.#weighed?.unit === 'win' ? 'win' : 'worms'
    if (!reason || reason.worth.better - reason.worth.other < MISTAKE[unit]) return null
    return { word, reason, unit }
  }

  /** Enter a die that fell; the last one sends them all. */
  enter(face: string): void {
    const { wanted } = this
    if (this.busy || !wanted) return
    this.entered += face
    if (this.entered.length < wanted.white + (wanted.golden ? 1 : 0)) return
    const [white, golden] = [this.entered.slice(0, wanted.white), this.entered.slice(wanted.white)]
    void this.#send({ do: 'move', at: this.n, move: `=${white}${golden && `+${golden}`}` }).then(() => (this.entered = ''))
  }

  /** Remove the die entered last, or all of them. */
  erase(all = false): void {
    this.entered = all ? '' : this.entered.slice(0, -1)
  }

  /** Take back the dice entered last, to enter them again. */
  async correct(): Promise<void> {
    if (!this.busy && this.canCorrect) await this.#send({ do: 'undo', at: this.n })
  }

  async #send(body: Body): Promise<void> {
    this.busy = true
    try {
      await this.ask(body)
    } finally {
      this.busy = false
    }
  }

  /** Whether stopping would bring nothing; then it takes two presses. */
  get stopsInVain(): boolean {
    return this.state?.prospects.stop?.ending.ending === 'nothing' && this.legal.includes('roll')
  }

  /** Stop; where that brings nothing, only if it was asked for twice. */
  async stop(): Promise<void> {
    if (this.stopsInVain && !this.unsure) {
      this.unsure = true
      return
    }
    await this.play('stop')
  }

  /** Put back what was kept, and keep another face instead if one is given. */
  async undo(instead: string | null = null): Promise<void> {
    if (this.busy || !this.canUndo) return
    this.busy = true
    let undone: Answer | null = null
    const before = this.#weighedBefore
    try {
      undone = await this.ask({ do: 'undo', at: this.n })
    } finally {
      this.busy = false
    }
    if (!undone || !instead) return
    this.#weighed ??= before
    await this.play(`keep:${instead}`)
  }

  /** Let the bot play the rest of its turn at once. That it is over already is no news. */
  hurry(): void {
    const turn = this.hasty
    if (turn !== null) void this.#tell({ do: 'hurry', turn })
  }

  async sit(name: string, seat: number | null = null): Promise<boolean> {
    const secret = newSecret()
    // Before it is asked for: an answer that gets lost must not cost the seat.
    addSecret(this.id, secret)
    return (await this.ask({ do: 'sit', name, seat, secret })) !== null
  }

  /** The lucky words of a seat of this device, as they were typed. */
  luckyWords(seat: number): string {
    return this.#salt.own(this.seat(seat)?.promise)
  }

  async chooseWords(seat: number, own: string): Promise<void> {
    await this.ask({ do: 'promise_salt', seat, promise: this.#salt.think(own) })
  }

  /** Let a bot play for this device's seats, until somebody is back. */
  async standUp(): Promise<void> {
    for (const seat of this.you.seats) if (this.decides(seat)) await this.ask({ do: 'leave', seat })
  }

  /** Take this device's seats back from bots. */
  async comeBack(): Promise<void> {
    for (const seat of this.stoodIn) await this.ask({ do: 'reclaim', seat })
  }

  /** Another game with everybody on their seats; against bots it begins at once. */
  async rematch(): Promise<void> {
    if ((await this.ask({ do: 'rematch' })) === null) return
    if (this.onlyBots) await this.ask({ do: 'start' })
  }

  /** Ask what the choices are worth, as long as there is a choice. That nobody can say is no news. */
  async askHint(): Promise<void> {
    const { warns } = this
    if ((!this.info?.setup.hints && !warns) || this.legal.length < 2) {
      this.hint = null
      return
    }
    try {
      const answer = await this.#connection.request({ do: 'hint', unit: askedUnit(), warn: warns })
      if (answer.type !== 'hint' || answer.n < this.since || !this.myTurn) return
      this.#weighed = answer
      if (this.info?.setup.hints) this.hint = answer
    } catch (error) {
      if (!(error instanceof NotDone)) throw error
    }
  }

  /** Show a secret that came with the link, and whatever else this device knows. */
  bring(secret: string): void {
    addSecret(this.id, secret)
    if (this.link === 'open') this.#connection.greet()
  }

  // --- what the server tells ----------------------------------------------------------------------

  #hear(answer: Answer): void {
    switch (answer.type) {
      case 'welcome':
        if (answer.protocol !== PROTOCOL) {
          this.lost = { code: 'version', message: 'This page and the server differ.' }
        }
        this.#salt.ask()
        this.you = answer.you
        this.info = answer.table
        this.due = dateIn(answer.due)
        if (answer.missed) this.#happen(answer.missed)
        // More happened than anybody could tell.
        else this.played = true
        this.n = answer.n
        this.#arrive(answer.state ?? null)
        break
      case 'entries':
        this.due = dateIn(answer.due)
        this.#happen(answer.entries)
        if (answer.table) this.info = answer.table
        // The table has moved on: whoever is quick can move again before the answer is here.
        if (answer.state) this.busy = false
        if (answer.state) this.#arrive(answer.state)
        if (this.info?.status === 'waiting') this.#arrive(null)
        break
      case 'refused':
        if (answer.table) this.info = answer.table
        if (answer.state) this.#arrive(answer.state)
        if (answer.n != null) this.n = answer.n
        break
      case 'countdown':
        this.countdown = { seat: answer.seat, until: Date.now() + answer.seconds * 1000 }
        break
      case 'you':
        this.you = answer.you
        break
    }
    this.#lookFrom()
    this.#remember()
    this.#mindSalt()
  }

  /** Promise salt for this device's seats, and show it when the table calls for it. */
  #mindSalt(): void {
    const { info, you } = this
    if (!info) return
    for (const promised of this.#salt.toPromise(info, you.seats)) void this.#tell({ do: 'promise_salt', ...promised })
    const shown = this.#salt.toShow(info, you.seats)
    if (shown.length > 0) noteDown(info)
    for (const salt of shown) void this.#tell({ do: 'show_salt', ...salt })
  }

  /** Ask for something that nobody waits for: a game begins without our salt, too. */
  async #tell(body: Body): Promise<void> {
    try {
      await this.#connection.request(body)
    } catch (error) {
      if (!(error instanceof NotDone)) throw error
    }
  }

  #lookFrom(): void {
    const { state, you } = this
    if (state && you.seats.includes(state.to_move)) this.bottom = state.to_move
    else if (!you.seats.includes(this.bottom)) this.bottom = you.seats[0] ?? 0
  }

  #happen(entries: readonly NumberedEntry[]): void {
    const news: Fact[] = []
    for (const entry of entries) {
      if (entry.n <= this.n) continue
      this.n = entry.n
      this.lines = extended(this.lines, entry)
      this.#follow(entry.what)
      if (entry.what.do === 'played') news.push(...entry.what.facts)
    }
    if (news.length > 0) this.news = news
  }

  #follow(what: NumberedEntry['what']): void {
    switch (what.do) {
      case 'played':
        this.played = true
        for (const fact of what.facts) this.#followFact(fact)
        this.#followTurn(what)
        break
      case 'undone':
        if (this.lying) this.lying = { ...this.lying, kept: null }
        break
      case 'hurried':
        this.hurried = [...this.hurried, ...what.seats]
        break
      case 'emoted':
        this.#show(what.seat, what.emote as EmoteName)
        break
      case 'started':
      case 'reopened':
        this.lying = this.aftermath = null
        this.played = (this.info?.moves ?? 0) > 0
        break
    }
  }

  #followFact(fact: Fact): void {
    switch (fact.event) {
      case 'dice_cast':
        this.lying = this.aftermath = null
        break
      case 'dice_fell':
        this.throws += 1
        this.lying = { dice: fact.dice, golden: fact.golden, kept: null, prospects: {} }
        break
      case 'dice_kept':
        if (this.lying) this.lying = { ...this.lying, kept: fact.face }
        this.#keep(fact)
        break
      case 'turn_started':
      case 'game_ended':
        this.turns += 1
        this.#cleared = this.#board
        this.#board = NOTHING
        this.hurried = []
        break
    }
  }

  #keep({ face, count, golden, total }: Extract<Fact, { event: 'dice_kept' }>): void {
    const { kept, points, total: before, golden: earlier } = this.#board
    this.#board = {
      kept: kept + face.repeat(count),
      points: { ...points, [face]: total - before },
      total,
      golden: golden ? face : earlier,
    }
  }

  /** Remember how a turn ended, for whoever looks up only now. */
  #followTurn({ seat, move, facts }: Played): void {
    const over = facts.some(({ event }) => event === 'turn_started' || event === 'game_ended')
    if (!over) return
    const dead = move === 'bust' || facts.some(({ event }) => event === 'throw_was_dead')
    const told = facts.filter(({ event }) => !['dice_fell', 'turn_started', 'game_ended'].includes(event))
    this.aftermath = { seat, facts: told, lying: this.lying, dead, board: this.#cleared }
    this.lying = null
  }

  /** Take the state as it is now; it may come without the events that led to it. */
  #arrive(state: GameState | null): void {
    this.state = state
    this.unsure = false
    this.entered = ''
    this.withGolden = false
    this.#weighedBefore = this.#weighed
    this.hint = this.#weighed = this.doubt = null
    this.since = this.n
    const turn = state?.turn
    if (state && turn) {
      const { kept, total } = turn
      const golden = kept.includes(this.#board.golden ?? ' ') ? this.#board.golden : null
      this.#board = { kept, total, points: state.points, golden }
    }
    if (state && turn && turn.roll !== null) {
      this.lying = { dice: turn.roll, golden: turn.golden_roll, kept: null, prospects: state.prospects }
    } else if (turn && (turn.kept === '' || state.awaits === 'dice')) this.lying = null
  }

  #show(seat: number, emote: EmoteName): void {
    const key = (this.#bubble += 1)
    this.bubbles = { ...this.bubbles, [seat]: { key, emote } }
    setTimeout(() => {
      if (this.bubbles[seat]?.key !== key) return
      this.bubbles = Object.fromEntries(
        Object.entries(this.bubbles).filter(([at]) => Number(at) !== seat),
      )
    }, EMOTE_TIME)
  }

  #refused(error: NotDone): void {
    const refusal = error.refusal
    // Somebody was faster, and the table shows already what is so now.
    if (refusal?.code === 'stale') return
    this.notice = refusal
      ? { code: codeOf(refusal.code, this.here), message: refusal.message, wait: refusal.wait ?? null }
      : { code: 'offline', message: error.message }
  }

  /** The socket could not be opened: ask over HTTP why. */
  async #lookFor(): Promise<boolean> {
    try {
      await getTable(this.id)
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (['offline', 'unavailable', 'too_fast', 'too_many', 'internal'].includes(error.code)) return true
      this.lost = { code: error.code, message: error.message }
      return false
    }
  }

  #remember(): void {
    const info = this.info
    if (!info || secretsOf(this.id).length === 0) return
    remember(this.id, {
      edition: info.setup.edition,
      players: info.seats.flatMap((seat, at) => (seat && !this.you.seats.includes(at) ? [seat.name] : [])),
      status: info.status,
      yourTurn: this.myTurn,
      seats: this.you.seats,
    })
  }
}
