/** Which page is shown, from the address. */
import { isHere } from './here'
import { at, whereabouts, within } from './site'

export type Route =
  | { page: 'home' }
  | { page: 'table'; id: string }
  | { page: 'embed'; id: string }
  | { page: 'book'; id: string }
  | { page: 'review' }
  | { page: 'learn'; edition: string }
  | { page: 'odds' }
  | { page: 'mistakes' }
  | { page: 'games' }
  | { page: 'puzzle'; edition: string; day: string }
  | { page: 'editor' }
  | { page: 'nowhere' }

function parse(path: string): Route {
  const [first = '', second = '', third = '', ...rest] = path.split('/').filter(Boolean)
  if (first === 'puzzle' && rest.length === 0) return { page: 'puzzle', edition: second || 'classic', day: third }
  if (third) return { page: 'nowhere' }
  if (first === '') return { page: 'home' }
  if (first === 't' && second) return { page: 'table', id: second }
  if (first === 'book' && second) return { page: 'book', id: second }
  if (first === 'embed' && second) return { page: 'embed', id: second }
  if (first === 'learn') return { page: 'learn', edition: second || 'classic' }
  if (second && first !== 'editor') return { page: 'nowhere' }
  if (first === 'review' || first === 'odds' || first === 'editor' || first === 'mistakes' || first === 'games') return { page: first }
  return { page: 'nowhere' }
}

function here(): Route {
  return parse(whereabouts().path)
}

let current: Route = $state.raw(here())

export const router = {
  get route(): Route {
    return current
  },
}

/** Go to a path of the site. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', at(path))
  else history.pushState(null, '', at(path))
  current = here()
  if (!replace) scrollTo(0, 0)
}

/** Take over clicks on our own links, and follow back and forward. */
export function startRouting(): void {
  addEventListener('popstate', () => (current = here()))
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (!link || !plain || event.defaultPrevented || link.target) return
    const path = within(link)
    if (path === null) return
    const table = /^\/api\/tables\/([^/]+)\//.exec(path)?.[1]
    if (link.hasAttribute('download')) {
      if (table === undefined || !isHere(table)) return
      event.preventDefault()
      void import('./host.svelte').then((host) => host.save(path))
    } else if (!path.startsWith('/api/')) {
      event.preventDefault()
      go(path)
    }
  })
}
