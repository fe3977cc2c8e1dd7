/**
 * Words that must fit into a place of a fixed size, whatever the language, the name or the text size.
 *
 * An element with the attachment `fit` has a size of its own and sizes its contents in `em`. Where
 * they do not fit, its font shrinks until they do; words break inside only if that is not enough.
 */

/** Nothing shrinks below this part of its size before words may break. */
const LEAST_WHOLE = 0.74
const LEAST = 0.3
const PRECISION = 0.02

const all = new Set<() => void>()
let watching = false

/** A change of the text size changes no place, so it is watched by itself. */
function watchTextSize(): void {
  if (watching) return
  watching = true
  const rem = document.body.appendChild(document.createElement('div'))
  rem.style.cssText = 'position:absolute;width:1rem;height:0;visibility:hidden'
  rem.setAttribute('aria-hidden', 'true')
  const again = () => all.forEach((refit) => refit())
  new ResizeObserver(again).observe(rem)
  void document.fonts.ready.then(again)
}

function holds(node: HTMLElement): boolean {
  return node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight
}

/** The largest part of the font size, from `least` to `most`, at which the contents fit; null if none. */
function search(node: HTMLElement, least: number, most: number): number | null {
  const holdsAt = (part: number) => {
    node.style.setProperty('--fit', part.toFixed(3))
    return holds(node)
  }
  if (holdsAt(most)) return most
  if (!holdsAt(least)) return null
  let [low, high] = [least, most]
  while (high - low > PRECISION) {
    const middle = (low + high) / 2
    if (holdsAt(middle)) low = middle
    else high = middle
  }
  return low
}

export function fit(node: HTMLElement): () => void {
  function refit(): void {
    if (node.clientWidth === 0) return
    node.classList.remove('breaks')
    let part = search(node, LEAST_WHOLE, 1)
    if (part === null) {
      node.classList.add('breaks')
      part = search(node, LEAST, LEAST_WHOLE) ?? LEAST
    }
    node.style.setProperty('--fit', part.toFixed(3))
  }
  watchTextSize()
  all.add(refit)
  const place = new ResizeObserver(refit)
  place.observe(node)
  const contents = new MutationObserver(refit)
  contents.observe(node, { childList: true, characterData: true, subtree: true })
  refit()
  return () => {
    all.delete(refit)
    place.disconnect()
    contents.disconnect()
  }
}
