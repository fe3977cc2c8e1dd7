// Keeps the pages at hand, so that the app opens without a network and says "reconnecting" calmly.
// Files in /assets have a hash in their name and never change; a page is asked for first and
// remembered for the day when nobody answers. What is under /api is never kept.
const SHELL = 'shell-1'

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add('/')))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api/')) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(kept(request))
  else if (request.mode === 'navigate') event.respondWith(page(request))
})

/** Every address shows the same page, so the one that came last stands for all. */
async function page(request) {
  const shell = await caches.open(SHELL)
  try {
    const response = await fetch(request)
    if (response.ok) await shell.put('/', response.clone())
    return response
  } catch {
    return (await shell.match('/')) ?? Response.error()
  }
}

async function kept(request) {
  const shell = await caches.open(SHELL)
  const found = await shell.match(request)
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await shell.put(request, response.clone())
  return response
}
