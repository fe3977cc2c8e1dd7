/**
 * Where on its host the site is: at the top, or under a path such as `/heckmeck/` (`--root-path`).
 *
 * Inside the app an address is a path of the site (`/t/abc`), whatever it is under.
 */

/** What is built is in `assets/`, right under the site's own path; while the pages are worked on it is not. */
const ROOT = import.meta.env.PROD ? new URL('..', import.meta.url).pathname : '/'

/**
 * A site without a server says so in its page (`heckmeck site`), and where a server is, if there is one.
 * Whatever serves it has one page only, so the path of the site is behind the # there.
 */
const alone = globalThis.document?.querySelector<HTMLMetaElement>('meta[name=heckmeck-site]') ?? null
export const isAlone = alone !== null
export const serverElsewhere: string | null = alone?.content || null

const isFile = (path: string) => path.startsWith('/api/') || /^\/[^/?]+\./.test(path)

/** The path on this host for a path of the site. */
export function at(path: string): string {
  return isAlone && !isFile(path) ? `${ROOT}#${path}` : ROOT + path.slice(1)
}

/** The path of the site for an address on this host, with what follows it; null: it is not of the site. */
export function within(address: URL | Location | HTMLAnchorElement): string | null {
  if (address.origin !== location.origin || !address.pathname.startsWith(ROOT)) return null
  const path = address.pathname.slice(ROOT.length - 1)
  if (!isAlone || isFile(path) && path !== '/index.html') return path + address.search + address.hash
  return address.hash.startsWith('#/') ? address.hash.slice(1) : '/'
}

/** Where in the site this page is. */
export function whereabouts(): { path: string; search: string; hash: string } {
  const { pathname, search, hash } = new URL(within(location) ?? '/', location.origin)
  return { path: pathname, search, hash }
}

/** The whole address of a path of the site, to be given to others. */
export function linkTo(path: string): string {
  return location.origin + at(path)
}

/** The address of a WebSocket at a path of the site. */
export function socketAt(path: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${at(path)}`
}
