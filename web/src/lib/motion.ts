/**
 * Things move as on a real table: what lay in one place and now lies in another travels there.
 *
 * Pieces carry `data-piece`. `before` notes where they are, `after` lets those that moved travel
 * from there. A piece that was nowhere before comes from its source, `data-from` naming the
 * element with that `data-source`. Nothing waits for it: the page is as it should be at once, and a
 * piece that is moved again on its way goes on from where it is.
 */
import { settings } from './settings.svelte'

interface Place {
  node: Element
  rect: DOMRect
  side: string
}
type Places = Map<string, Place[]>

const FADE = 120
const still = matchMedia('(prefers-reduced-motion: reduce)')

/** How long something that takes `ms` takes with this device's settings; 0: do not move. */
export function duration(ms: number): number {
  if (settings.speed === 'off' || still.matches) return 0
  return settings.speed === 'fast' ? ms / 2 : ms
}

function places(root: ParentNode): Places {
  const found: Places = new Map()
  for (const node of root.querySelectorAll('[data-piece]')) {
    const key = node.getAttribute('data-piece') ?? ''
    const place = { node, rect: node.getBoundingClientRect(), side: node.getAttribute('data-side') ?? '' }
    if (place.rect.width === 0) continue
    found.set(key, [...(found.get(key) ?? []), place])
  }
  return found
}

let noted: Places = new Map()

/** Note where every piece is now. */
export function before(root: ParentNode): void {
  noted = places(root)
}

/** Let every piece that is elsewhere now travel there. */
export function after(root: ParentNode): void {
  const old = new Map([...noted.values()].flat().map((place) => [place.node, place]))
  for (const [key, now] of places(root)) {
    const gone = (noted.get(key) ?? []).filter(({ node }) => !node.isConnected)
    for (const place of now) {
      const from = old.get(place.node) ?? gone.shift() ?? null
      if (from) travel(place, from)
      else arrive(place, root)
    }
  }
}

function travel({ node, rect, side }: Place, from: Place): void {
  const [dx, dy] = [from.rect.left - rect.left, from.rect.top - rect.top]
  const scale = from.rect.width / rect.width
  if (from.node === node && side !== from.side) turn(node)
  if (Math.hypot(dx, dy) < 2) return
  const time = duration(480)
  if (time === 0) return fade(node)
  raise(node, time)
  const start = `translate(${dx}px, ${dy}px) scale(${scale})`
  const middle = `translate(${dx * 0.4}px, ${dy * 0.4 - 14}px) scale(${(scale + 1) / 2 + 0.06})`
  const options = { duration: time, easing: 'cubic-bezier(.3,.1,.2,1)', composite: 'accumulate' } as const
  node.animate([{ transform: start }, { transform: middle }, { transform: 'none' }], options)
}

/** What travels is above everything that lies; what leaves the tray is above what stays in it. */
function raise(node: Element, time: number): void {
  for (const element of [node, node.closest('.slot'), node.closest('.seat, .grill, .board, .tray')]) {
    const zIndex = element?.matches('.tray') ? 9 : 10
    element?.animate([{ zIndex }, { zIndex }], time)
  }
}

function arrive(place: Place, root: ParentNode): void {
  const from = place.node.getAttribute('data-from')
  const source = from ? root.querySelector(`[data-source="${from}"]`) : null
  const rect = source?.getBoundingClientRect()
  if (source && rect && rect.width > 0) travel(place, { node: source, rect, side: place.side })
}

function turn(node: Element): void {
  const time = duration(420)
  if (time === 0) return fade(node)
  node.animate([{ transform: 'rotateY(90deg)' }, { transform: 'none' }], {
    duration: time,
    easing: 'cubic-bezier(.2,.8,.2,1)',
  })
}

function fade(node: Element): void {
  if (settings.speed !== 'off') node.animate([{ opacity: 0.3 }, { opacity: 1 }], FADE)
}

/** A short shake: a dead throw, a player who is being robbed. */
export function nudge(node: Element | null, degrees = 0): void {
  const time = duration(240)
  if (!node || time === 0) return
  const [left, right] = degrees
    ? [`rotate(-${degrees}deg)`, `rotate(${degrees}deg)`]
    : ['translateX(-4px)', 'translateX(4px)']
  node.animate([{ transform: 'none' }, { transform: left }, { transform: right }, { transform: 'none' }], time)
}
