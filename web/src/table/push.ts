/** Messages to this device when it is somebody's turn and the page is closed (Web Push). */
import { knownTables, remember } from '../device/seats'
import { settings } from '../device/settings.svelte'
import { getPush } from '../net/api'
import type { Table } from './store.svelte'

/** Whether this device can get messages from this server at all. */
export async function canPush(): Promise<boolean> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return false
  const [{ key }, worker] = await Promise.all([getPush(), navigator.serviceWorker.getRegistration()])
  return key !== null && worker !== undefined
}

export const isPushed = (id: string): boolean => knownTables().find((table) => table.id === id)?.push ?? false

/** Ask for messages; return whether the browser allows them. */
export async function startPush(table: Table): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { endpoint, p256dh, auth } = await subscribed()
  let done = true
  for (const seat of table.you.seats) {
    const answer = await table.ask({ do: 'subscribe', seat, endpoint, p256dh, auth, language: settings.language })
    done &&= answer !== null
  }
  remember(table.id, { push: done })
  return true
}

export async function stopPush(table: Table): Promise<void> {
  const worker = await navigator.serviceWorker.ready
  const endpoint = (await worker.pushManager.getSubscription())?.endpoint
  if (endpoint) for (const seat of table.you.seats) await table.ask({ do: 'unsubscribe', seat, endpoint })
  remember(table.id, { push: false })
}

interface Subscribed {
  endpoint: string
  p256dh: string
  auth: string
}

async function subscribed(): Promise<Subscribed> {
  const [{ key }, worker] = await Promise.all([getPush(), navigator.serviceWorker.ready])
  const options = { userVisibleOnly: true, applicationServerKey: key }
  let subscription: PushSubscription
  try {
    subscription = await worker.pushManager.subscribe(options)
  } catch (error) {
    // One for another key of this server is in the way.
    const old = await worker.pushManager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    subscription = await worker.pushManager.subscribe(options)
  }
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }
}
