/** Loads the editor and its words: a step of its own, so that the first load does not have to list their files. */
import { settings } from '../device/settings.svelte'

export async function load() {
  const [page, words] = await Promise.all([import('./Editor.svelte'), import('./words.svelte')])
  await words.learn(settings.language)
  return page
}
