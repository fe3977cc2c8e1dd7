/**
 * Where on its host the site is: at the top, or under a path such as `/heckmeck/` (`--root-path`).
 *
 * Inside the app an address is a path of the site (`/t/abc`), whatever it is under.
 */

/** What is built is in `assets/`, right under the site's own path; while the pages are worked on it is not. */
const ROOT = import.meta.env.PROD ? new URL('..', import.meta.url).pathname : '/'

/** The path on this host for a path of the site. */
export function at(path: string): string {
  return ROOT + path.slice(1)
}

/** The path of the site for one on this host. */
export function within(path: string): string {
  return path.startsWith(ROOT) ? path.slice(ROOT.length - 1) : path
}

/** The whole address of a path of the site, to be given to others. */
export function linkTo(path: string): string {
  return location.origin + at(path)
}

/** The address of a WebSocket at a path of the site. */
export function socketAt(path: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${at(path)}`
}
