// Keeps the app at hand, so that it opens without a network: rules and examples work there, a table says
// "reconnecting" calmly, and what only the server can work out says so.
// The build puts in FILES, which is every file of the app but the puzzles, and VERSION, the hash of them
// all (vite.config.ts): a file that changes makes a new version. Puzzles are kept when they were opened
// once. What is under api/ is never kept.
// LARGE is what tables in the page need, Python and all puzzles, with the bytes of each: it is kept when
// somebody asks for it, and from then on every new version brings its own along, or does not come at all.
const VERSION = '__VERSION__'
/** The site may be under a path of its host; this file is right there. */
const SITE = new URL('./', location.href).pathname
const FILES = ['__FILES__'].map((name) => SITE + name)
const SHELL = `shell-${VERSION}`
const LARGE = ['__LARGE__'].map(([name, bytes]) => ({ path: SITE + name, bytes }))
const OFFLINE = `offline-${'__LARGE_VERSION__'}`
/** Is put into that cache last: with it, the cache is whole. */
const WHOLE = `${SITE}offline`

self.addEventListener('install', (event) => {
  self.skipWaiting()
  // All or nothing: if one file cannot be had, the worker before this one stays.
  event.waitUntil(bring())
})

async function bring() {
  const shell = await caches.open(SHELL)
  await shell.addAll([SITE, ...FILES])
  if (await caches.match(WHOLE)) await keepAll(() => undefined)
}

/** Keep everything that is large, and say how many bytes of it there are. */
async function keepAll(tell) {
  const offline = await caches.open(OFFLINE)
  let loaded = 0
  for (const { path, bytes } of LARGE) {
    if (!(await offline.match(path))) await offline.add(path)
    loaded += bytes
    tell(loaded)
  }
  await offline.put(WHOLE, new Response('whole'))
}

/** What a page asks: whether everything is kept, to keep it, or to remove it. The answers go to its port. */
self.addEventListener('message', (event) => {
  const [port] = event.ports
  event.waitUntil(
    asked(event.data, (loaded) => port?.postMessage({ loaded })).then(
      (kept) => port?.postMessage({ kept, bytes: LARGE.reduce((sum, { bytes }) => sum + bytes, 0) }),
      (error) => port?.postMessage({ failed: String(error) }),
    ),
  )
})

async function asked(what, tell) {
  if (what === 'keep') await keepAll(tell)
  if (what === 'remove') for (const name of await caches.keys()) if (name.startsWith('offline-')) await caches.delete(name)
  return (await (await caches.open(OFFLINE)).match(WHOLE)) !== undefined
}

self.addEventListener('activate', (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()))
})

/** The files of the version before this one stay too: a page that is still open may ask for them. */
async function tidy() {
  const names = await caches.keys()
  const shells = names.filter((name) => name.startsWith('shell-') && name !== SHELL)
  const large = names.filter((name) => name.startsWith('offline-') && name !== OFFLINE)
  await Promise.all([...shells.slice(0, -1), ...large].map((name) => caches.delete(name)))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith(`${SITE}api/`)) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (url.pathname.startsWith(`${SITE}python/`)) event.respondWith(caches.match(request).then((known) => known ?? fetch(request)))
  else if (url.pathname.startsWith(`${SITE}assets/`) || FILES.includes(url.pathname)) event.respondWith(kept(request))
})

/** Every address shows the same page. The server's is asked for first, and may be a newer one. */
async function page(request) {
  try {
    return await fetch(request)
  } catch {
    const shell = await caches.open(SHELL)
    return (await shell.match(SITE)) ?? Response.error()
  }
}

/** This version's file, or that of the one before; what neither has the server may have, and it is kept from then on. */
async function kept(request) {
  const shell = await caches.open(SHELL)
  const known = (await shell.match(request)) ?? (await caches.match(request))
  if (known) return known
  const fetched = await fetch(request)
  if (fetched.ok) await shell.put(request, fetched.clone()).catch(() => undefined)
  return fetched
}

// Somebody's turn, while no page of theirs is connected.
self.addEventListener('push', (event) => {
  const { table, text } = event.data?.json() ?? {}
  if (!/^[a-z-]{1,40}$/.test(table)) return
  event.waitUntil(
    Promise.all([
      self.registration.showNotification('Heckmeck', {
        body: text,
        tag: table,
        icon: `${SITE}icon-192.png`,
        data: { table },
      }),
      self.navigator.setAppBadge?.(1),
    ]),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(`${SITE}t/${event.notification.data.table}`))
})

/** Show the table: in the page that has it open already, or in a new one. */
async function show(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find((page) => new URL(page.url).pathname === path)
  return open ? open.focus() : self.clients.openWindow(path)
}
