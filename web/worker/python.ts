/**
 * Hosts tables in the page: the core of the server, in the same Python, in a worker of its own.
 *
 * The page passes texts in and gets texts out (`src/net/host.svelte.ts`); the host is `heckmeck.page.host`.
 */
import type { loadPyodide as load, PyodideAPI } from 'pyodide'
import type { ToPage, ToWorker } from '../src/net/host.svelte'
import { database, listen } from './log'

declare const __PYTHON__: {
  /** The folder of the site that they are in; its name changes with them. */
  folder: string
  /** What is unpacked beside Python. */
  packages: string[]
  /** What Python's loader wants to know about packages. */
  lock: string
  /** How many bytes Python fetches with a count, for those who wait. */
  bytes: number
}

const PYTHON = __PYTHON__

/** `heckmeck.page.host.PageHost`. */
interface Host {
  ask: (method: string, path: string, body: string) => Promise<string>
  connect: (line: string, table: string) => Promise<void>
  receive: (line: string, text: string) => Promise<void>
  disconnect: (line: string) => void
  notice: (table: string, n: number) => Promise<void>
}

const tell = (message: ToPage) => postMessage(message)
const fetchAsItIs = globalThis.fetch
let loaded = 0

/** Where a file of Python is; this one is in the folder above them. */
const whereIs = (name: string) => new URL(`../${PYTHON.folder}/${name}`, location.href).href

/** The contents of a file, counted while they come, for the page to show. */
async function contents(name: string): Promise<Blob> {
  const response = await fetchAsItIs(whereIs(name))
  if (!response.ok || !response.body) throw new Error(`${name}: ${response.status}`)
  const chunks: BlobPart[] = []
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(chunks)
    chunks.push(value)
    loaded += value.byteLength
    tell({ do: 'loading', loaded, total: PYTHON.bytes })
  }
}

/** Is rejected when a file does not come; Python's loader would wait for it for ever. */
let miss: (error: unknown) => void
const missing = new Promise<never>((_, reject) => (miss = reject))

/** A file that is kept compressed: web servers differ in what they compress, and in the types they know. */
async function unpacked(name: string, type: string): Promise<Response> {
  try {
    const file = await contents(`${name}.pack`)
    return new Response(file.stream().pipeThrough(new DecompressionStream('gzip')), { headers: { 'content-type': type } })
  } catch (error) {
    miss(error)
    throw error
  }
}

const TYPES: Record<string, string> = { 'pyodide.asm.wasm': 'application/wasm', 'python_stdlib.zip': 'application/zip' }

/** Python's loader asks for its own files by name; everything else is not its business. */
globalThis.fetch = (input, init) => {
  const name = String(input instanceof Request ? input.url : input).split('/').at(-1) ?? ''
  const type = TYPES[name]
  return type ? unpacked(name, type) : fetchAsItIs(input, init)
}

async function start(): Promise<PyodideAPI> {
  const [loader, program] = (await Promise.all(
    ['pyodide.js', 'pyodide.asm.js'].map((name) => import(/* @vite-ignore */ whereIs(name))),
  )) as [{ loadPyodide: typeof load }, { default: unknown }]
  const ours = Promise.all(PYTHON.packages.map((name) => unpacked(name, 'application/zip').then((file) => file.arrayBuffer())))
  const options = { indexURL: whereIs(''), lockFileContents: PYTHON.lock, createPyodideModule: program.default }
  const python = await Promise.race([loader.loadPyodide(options as Parameters<typeof load>[0]), missing])
  const extractDir = python.runPython('import site; site.getsitepackages()[0]') as string
  for (const archive of await ours) python.unpackArchive(archive, 'zip', { extractDir })
  return python
}

async function boot(): Promise<Host> {
  const python = await start()
  // There is no NumPy here.
  python.runPython('from heckmeck.arrays import stand_in; stand_in()')
  const module = python.pyimport('heckmeck.page.host') as { PageHost: (database: unknown, send: unknown, progress: unknown) => Host }
  const say = (line: string, text: string | undefined) => tell({ do: 'say', line, text: text ?? null })
  const host = module.PageHost(database, say, (share: number) => tell({ do: 'reviewing', share }))
  listen((table, n) => void host.notice(table, n).catch(fail))
  tell({ do: 'ready' })
  return host
}

/** Python could not be loaded, or broke: the page starts another worker, and what was written is there. */
const fail = (error: unknown) => tell({ do: 'failed', why: String(error) })

const hosting = boot()
hosting.catch(fail)

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  hosting.then((host) => carryOut(host, data)).catch(fail)
}

async function carryOut(host: Host, data: ToWorker): Promise<void> {
  switch (data.do) {
    case 'ask':
      return tell({ do: 'answer', id: data.id, text: await host.ask(data.method, data.path, data.body) })
    case 'open':
      return host.connect(data.line, data.table)
    case 'send':
      return host.receive(data.line, data.text)
    case 'close':
      return host.disconnect(data.line)
  }
}
