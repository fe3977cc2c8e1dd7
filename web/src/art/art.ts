/** Puts our drawings into the page once, so that every `<use href="#worm">` finds them. */
import drawings from '@drawing/art.svg?raw'

export function hangUp(): void {
  const parsed = new DOMParser().parseFromString(drawings, 'image/svg+xml')
  const sheet = document.importNode(parsed.documentElement, true)
  sheet.setAttribute('class', 'drawings')
  sheet.setAttribute('aria-hidden', 'true')
  document.body.prepend(sheet)
}
