/**
 * A host in this page: tables on this device, without a server. It answers the same requests with the same
 * messages; `host.ts` is loaded when the first one is asked, and Python with it.
 */

/** Whether a table is on this device; only its page knows it. */
export const isHere = (table: string): boolean => table.startsWith('here-')

/** Ask this page what a server would be asked over HTTP; fails like `fetch` if Python cannot be loaded. */
export const askHere = (path: string, init?: RequestInit): Promise<Response> =>
  import('./host.svelte').then((host) => host.ask(path, init))
