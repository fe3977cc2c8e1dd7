/** Python and what it needs, which this device can keep for moments without a network. */
import { at } from './site'

interface Told {
  loaded?: number
  kept?: boolean
  bytes?: number
  failed?: string
}

/** What is kept on this device: nothing or everything, and how much that is. */
export interface Kept {
  kept: boolean
  bytes: number
}

/** The service worker; fails if the browser refuses it, or if one of the files that it brings does not come. */
async function keeper(): Promise<ServiceWorker> {
  const { active, waiting, installing } = await navigator.serviceWorker.register(at('/worker.js'))
  const coming = waiting ?? installing
  if (active) return active
  return new Promise((done, failed) => {
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'activated') done(coming)
      else if (coming.state === 'redundant') failed(new Error('A file could not be kept.'))
    })
  })
}

/** Ask the service worker; it says how many bytes are there until it is done. */
async function ask(what: 'look' | 'keep' | 'remove', progress: (loaded: number) => void = () => undefined): Promise<Kept> {
  const worker = await keeper()
  const { port1, port2 } = new MessageChannel()
  return new Promise((done, failed) => {
    port1.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.loaded !== undefined) return progress(data.loaded)
      port1.close()
      if (data.kept === undefined) failed(new Error(data.failed))
      else done({ kept: data.kept, bytes: data.bytes ?? 0 })
    }
    worker.postMessage(what, [port2])
  })
}

export const lookUp = (): Promise<Kept> => ask('look')
export const removeAll = (): Promise<Kept> => ask('remove')

/** Keep everything; the browser is asked not to clear it away when it needs room. */
export async function keepAll(progress: (loaded: number) => void): Promise<Kept> {
  const kept = await ask('keep', progress)
  await navigator.storage?.persist?.()
  return kept
}

/** Whether tables in the page work without a network. */
export async function isKept(): Promise<boolean> {
  return 'caches' in globalThis && (await caches.match(new URL('../offline', import.meta.url))) !== undefined
}
