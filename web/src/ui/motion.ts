/**
 * Things move as on a real table: what lay in one place and now lies in another travels there.
 *
 * Pieces carry `data-piece`. `before` notes where they are, `after` lets those that moved travel
 * from there. A piece that was nowhere before comes from its source, `data-from` naming the
 * element with that `data-source`. Nothing waits for it: the page is as it should be at once, and a
 * piece that is moved again on its way goes on from where it is.
 */
import { settings } from '../device/settings.svelte'

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

/** How a kind of piece gets from one place to another. */
interface Gait {
  time: number
  easing: string
  frames: (way: Way) => Keyframe[]
}
interface Way {
  dx: number
  dy: number
  scale: number
}

const SLIDE = 'cubic-bezier(.3,.1,.2,1)'
const DROP = 'cubic-bezier(.2,.9,.3,1.2)'

/** A moment on the way: which part of it is done, how high above the table, how turned. */
function on({ dx, dy, scale }: Way, part: number, height = 0, degrees = 0, grown = 0): Keyframe {
  const left = 1 - part
  const size = scale * left + part + grown
  return {
    offset: part,
    transform: `translate(${dx * left}px, ${dy * left - height}px) rotate(${degrees}deg) scale(${size})`,
  }
}
const arrived: Keyframe = { offset: 1, transform: 'none' }
/** Hops that take the way in equal parts, leaning to one side and to the other. */
const hops = (number: number, height: number, degrees: number) => (way: Way) => [
  ...Array.from({ length: number }, (_, i) => [
    on(way, i / number),
    on(way, (i + 0.5) / number, height, i % 2 ? degrees : -degrees),
  ]).flat(),
  arrived,
]
const rolls = (way: Way) => [on(way, 0, 0, way.dx > 0 ? 360 : -360), on(way, 0.5, 8, way.dx > 0 ? 180 : -180), arrived]

const slides: Gait = { time: 480, easing: SLIDE, frames: (way) => [on(way, 0), on(way, 0.6, 14, 0, 0.06), arrived] }
const flat: Gait = { time: 600, easing: SLIDE, frames: (way) => [on(way, 0), on(way, 0.3, 10, -4, 0.06), on(way, 0.8, 6, 3, 0.04), arrived] }
const rolling: Gait = { time: 600, easing: SLIDE, frames: rolls }
const GAITS: readonly [piece: string, gait: Gait][] = [
  ['die-', { time: 320, easing: SLIDE, frames: (way) => [on(way, 0), on(way, 0.5, 18, 6, 0.08), arrived] }],
  ['fig-hen', { time: 600, easing: 'linear', frames: hops(4, 3, 9) }],
  ['fig-raven', { time: 600, easing: SLIDE, frames: (way) => [on(way, 0), on(way, 0.5, 46, way.dx > 0 ? -12 : 12, 0.12), arrived] }],
  ['fig-weasel', { time: 600, easing: 'linear', frames: hops(2, 22, 10) }],
  ['fig-', rolling],
  ['plate-', { time: 320, easing: DROP, frames: (way) => [on(way, 0, 40, 20), on(way, 0.7, 12, 8, 0.06), arrived] }],
  ['snail', { time: 900, easing: 'linear', frames: hops(6, 1, 2) }],
]

function gaitOf(node: Element, from: Element): Gait {
  // Two speeds: as on a real table, and one quick slide.
  if (settings.speed === 'fast') return slides
  const piece = node.getAttribute('data-piece') ?? ''
  const robbed = from.hasAttribute('data-stacked') && node.hasAttribute('data-stacked')
  return robbed ? flat : (GAITS.find(([kind]) => piece.startsWith(kind))?.[1] ?? slides)
}

function travel({ node, rect, side }: Place, from: Place): void {
  const [dx, dy] = [from.rect.left - rect.left, from.rect.top - rect.top]
  if (from.node === node && side !== from.side) turn(node)
  if (Math.hypot(dx, dy) < 2) return
  const { time: normal, easing, frames } = gaitOf(node, from.node)
  const time = duration(normal)
  if (time === 0) return fade(node)
  raise(node, time)
  node.animate(frames({ dx, dy, scale: from.rect.width / rect.width }), { duration: time, easing, composite: 'add' })
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

/** The winner's hat drops on their plate. */
export function land(node: Element): void {
  const time = duration(600)
  if (time === 0) return
  node.animate(
    [
      { translate: '0 -90px', rotate: '-24deg', opacity: 0 },
      { translate: '0 0', rotate: '6deg', opacity: 1, offset: 0.7 },
      { translate: '0 -6px', rotate: '-3deg', offset: 0.85 },
      { translate: '0 0', rotate: '0deg' },
    ],
    { duration: time, easing: 'ease-out', fill: 'backwards' },
  )
}

/** What moved from seat to seat: the plate of whoever lost it wobbles. */
export function wobble(root: ParentNode, seat: number): void {
  nudge(root.querySelector(`[data-seat="${seat}"] .plate`), 3)
}

/** A number that has just changed. */
export function pop(node: Element): void {
  const time = duration(160)
  if (time > 0) node.animate([{ scale: '1.14' }, { scale: '1' }], { duration: time, easing: 'ease-out' })
}
