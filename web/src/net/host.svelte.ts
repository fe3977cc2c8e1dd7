/** The worker that hosts tables in this page (`worker/python.ts`): it is started when it is first told something. */
import { mount, unmount } from 'svelte'
import Coming from '../ui/Coming.svelte'
import { isKept } from './offline'
import { thought } from './thought.svelte'

export type ToWorker =
  | { do: 'ask'; id: number; method: string; path: string; body: string }
  | { do: 'open'; line: string; table: string }
  | { do: 'send'; line: string; text: string }
  | { do: 'close'; line: string }

export type ToPage =
  | { do: 'loading'; loaded: number; total: number }
  | { do: 'ready' }
  | { do: 'failed'; why: string }
  | { do: 'answer'; id: number; text: string }
  /** How much of a review is done. */
  | { do: 'reviewing'; share: number }
  /** On a line: a message, that it is open (empty), or that it is closed (null). */
  | { do: 'say'; line: string; text: string | null }

let worker: Worker | null = null
let last = 0
const waiting = new Map<number, { done: (text: string) => void; failed: (error: Error) => void }>()
const lines = new Map<string, (text: string | null) => void>()

function running(): Worker {
  if (worker) return worker
  const started = new Worker(new URL('../../worker/python.ts', import.meta.url), { type: 'module', name: 'python' })
  // What one that was given up still says does not concern the one after it.
  started.onmessage = ({ data }: MessageEvent<ToPage>) => worker === started && hear(data)
  started.onerror = (event) => worker === started && broken(event.message)
  worker = started
  show(0)
  return started
}

export const tell = (message: ToWorker): void => running().postMessage(message)

function hear(message: ToPage): void {
  switch (message.do) {
    case 'loading':
      return show(Math.min(1, message.loaded / message.total))
    case 'ready':
      return show(null)
    case 'failed':
      return broken(message.why)
    case 'answer':
      waiting.get(message.id)?.done(message.text)
      waiting.delete(message.id)
      return
    case 'reviewing':
      thought.share = message.share
      return
    case 'say':
      lines.get(message.line)?.(message.text)
  }
}

/** It could not be loaded, or crashed: everybody hears so, and the next request starts a new one. */
function broken(why: string): void {
  worker?.terminate()
  worker = null
  show(null)
  for (const { failed } of waiting.values()) failed(new Error(why))
  waiting.clear()
  for (const heard of lines.values()) heard(null)
}

const progress = $state({ share: 0 })
let shown: object | null = null

/** Say how much of Python has come, until it is there. */
function show(share: number | null): void {
  progress.share = share ?? 0
  if (share === null) {
    if (shown) void unmount(shown)
    shown = null
  } else shown ??= mount(Coming, { target: document.body, props: { progress } })
}

/** Ask what a server would be asked over HTTP. */
export async function ask(path: string, init?: RequestInit): Promise<Response> {
  const id = (last += 1)
  const text = await new Promise<string>((done, failed) => {
    waiting.set(id, { done, failed })
    tell({ do: 'ask', id, method: init?.method ?? 'GET', path, body: String(init?.body ?? '') })
  })
  const end = text.indexOf('\n')
  const [outcome = '', ...type] = text.slice(0, end).split(' ')
  return new Response(text.slice(end + 1), { status: outcome === 'ok' ? 200 : 400, headers: { 'content-type': type.join(' ') } })
}

/** What this page can answer just as well as a server that cannot be reached; its tables stay on this device. */
const OURS = /^\/api\/(?:(?:bots|odds|position)$|(?:records|review)(?:\?|$))/

/** Answer instead of a server that cannot be reached, if everything for that is kept on this device; null if not. */
export async function instead(path: string, init?: RequestInit): Promise<Response | null> {
  const isOurs = OURS.test(path) || (path === '/api/tables' && init?.method === 'POST')
  return isOurs && (await isKept()) ? ask(path, init) : null
}

/** Save a file that only this page has. */
export async function save(path: string): Promise<void> {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await (await ask(path)).blob())
  link.download = path.split('/').at(-1) ?? ''
  link.click()
  URL.revokeObjectURL(link.href)
}

/** As much of a WebSocket as a table needs. */
export class Line {
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: (() => void) | null = null
  readyState: number = WebSocket.CONNECTING
  readonly #name = `line-${(last += 1)}`

  constructor(table: string) {
    lines.set(this.#name, (text) => this.#hear(text))
    tell({ do: 'open', line: this.#name, table })
  }

  send(text: string): void {
    tell({ do: 'send', line: this.#name, text })
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return
    tell({ do: 'close', line: this.#name })
    this.#hear(null)
  }

  #hear(text: string | null): void {
    this.readyState = text === null ? WebSocket.CLOSED : WebSocket.OPEN
    if (text === null) lines.delete(this.#name)
    if (text === null) this.onclose?.()
    else if (text === '') this.onopen?.()
    else this.onmessage?.({ data: text })
  }
}
