/** A table's WebSocket that comes back by itself. */
import { isHere } from '../net/here'
import type { Line } from '../net/host.svelte'
import { socketAt } from '../net/site'
import type { Answer, Request, Refusal } from '../net/wire'

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** A request without its id, which the connection gives it. */
export type Body = Without<Request, 'id'>

export type Link =
  | 'connecting' // never been there yet
  | 'open'
  | 'reconnecting' // was there, and will be again
  | 'stopped' // we left

/** A request was refused, or (`null`) the connection broke before it was answered. */
export class NotDone extends Error {
  constructor(readonly refusal: Refusal | null) {
    super(refusal?.message ?? 'The connection broke.')
  }
}

interface Waiting {
  done: (answer: Answer) => void
  failed: (error: NotDone) => void
  /** A move is sent again after a reconnection: under one id it is played once. */
  again: string | null
}

interface Handlers {
  /** What to greet with: the last event seen and the secrets of this device. */
  hello: () => { last: number; secrets: string[] }
  answer: (answer: Answer) => void
  link: (link: Link) => void
  /** It could not even be opened; return whether to try again. */
  unreachable: () => Promise<boolean>
}

const FIRST_RETRY = 300
const LAST_RETRY = 5_000
const PING_EVERY = 20_000
const PATIENCE = 8_000

let lastId = 0
const newId = () => `${Date.now().toString(36)}-${(lastId += 1).toString(36)}`

export class Connection {
  #socket: WebSocket | Line | null = null
  #waiting = new Map<string, Waiting>()
  #retry = FIRST_RETRY
  #timer = 0
  #pings = 0
  #link: Link = 'connecting'
  readonly #table: string
  readonly #handlers: Handlers

  constructor(table: string, handlers: Handlers) {
    this.#table = table
    this.#handlers = handlers
    addEventListener('online', this.#hurry)
    addEventListener('offline', this.#giveUp)
    document.addEventListener('visibilitychange', this.#hurry)
    this.#open()
  }

  /** Ask for something; resolves with the answer to it. */
  request(body: Body): Promise<Answer> {
    const id = newId()
    const text = JSON.stringify({ ...body, id })
    const isMove = body.do === 'move'
    return new Promise((done, failed) => {
      if (this.#link === 'open') this.#socket?.send(text)
      else if (!isMove) return failed(new NotDone(null))
      this.#waiting.set(id, { done, failed, again: isMove ? text : null })
    })
  }

  /** Greet again: this device has a new secret to show. */
  greet(): void {
    this.#socket?.send(JSON.stringify({ do: 'hello', id: newId(), ...this.#handlers.hello() }))
  }

  stop(): void {
    removeEventListener('online', this.#hurry)
    removeEventListener('offline', this.#giveUp)
    document.removeEventListener('visibilitychange', this.#hurry)
    clearTimeout(this.#timer)
    clearInterval(this.#pings)
    this.#say('stopped')
    this.#socket?.close()
    this.#breakOff(() => false)
  }

  #open(): void {
    const table = this.#table
    if (!isHere(table)) this.#listen(new WebSocket(socketAt(`/api/tables/${table}/live`)))
    else
      import('../net/host.svelte').then(
        ({ Line }) => this.#link === 'stopped' || this.#listen(new Line(table)),
        () => this.#lost(false),
      )
  }

  #listen(socket: WebSocket | Line): void {
    let opened = false
    this.#socket = socket
    socket.onopen = () => {
      opened = true
      this.greet()
    }
    socket.onmessage = (event: { data: unknown }) => this.#hear(JSON.parse(String(event.data)) as Answer)
    socket.onclose = () => {
      if (this.#socket === socket) void this.#lost(opened)
    }
  }

  #hear(answer: Answer): void {
    if (answer.type === 'welcome') {
      this.#retry = FIRST_RETRY
      this.#say('open')
      this.#keepAwake()
    }
    this.#handlers.answer(answer)
    if (answer.type === 'welcome') this.#sendAgain()
    const id = 'id' in answer ? answer.id : null
    const waiting = id === null ? undefined : this.#waiting.get(id)
    if (!waiting || id === null) return
    this.#waiting.delete(id)
    if (answer.type === 'refused') waiting.failed(new NotDone(answer))
    else waiting.done(answer)
  }

  #sendAgain(): void {
    for (const { again } of this.#waiting.values()) if (again) this.#socket?.send(again)
  }

  async #lost(opened: boolean): Promise<void> {
    if (this.#link === 'stopped') return
    clearInterval(this.#pings)
    this.#breakOff((waiting) => waiting.again !== null)
    if (this.#link === 'open') this.#say('reconnecting')
    if (!opened && !(await this.#handlers.unreachable())) return this.stop()
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => this.#open(), this.#retry)
    this.#retry = Math.min(LAST_RETRY, this.#retry * 2)
  }

  #breakOff(keep: (waiting: Waiting) => boolean): void {
    for (const [id, waiting] of this.#waiting) {
      if (keep(waiting)) continue
      this.#waiting.delete(id)
      waiting.failed(new NotDone(null))
    }
  }

  /** The network is back, or somebody looks at the page again: no need to wait longer. */
  #hurry = (): void => {
    if (document.hidden) return
    if (this.#link === 'open') this.#ping()
    else if (this.#socket?.readyState === WebSocket.CLOSED) {
      clearTimeout(this.#timer)
      this.#retry = FIRST_RETRY
      this.#open()
    }
  }

  /** Nothing comes through any more; a socket may take minutes to find that out by itself. */
  #giveUp = (): void => {
    // A table on this device needs no network.
    if (this.#link !== 'open' || isHere(this.#table)) return
    const socket = this.#socket
    this.#socket = null
    socket?.close()
    void this.#lost(true)
  }

  #keepAwake(): void {
    clearInterval(this.#pings)
    this.#pings = window.setInterval(() => this.#ping(), PING_EVERY)
  }

  /** A connection that does not answer is dead, whatever the browser thinks. */
  #ping(): void {
    const socket = this.#socket
    const tooLate = setTimeout(() => {
      if (this.#socket === socket) this.#giveUp()
    }, PATIENCE)
    this.request({ do: 'ping' }).then(
      () => clearTimeout(tooLate),
      () => clearTimeout(tooLate),
    )
  }

  #say(link: Link): void {
    if (this.#link === link) return
    this.#link = link
    this.#handlers.link(link)
  }
}
