/** The words of puzzles, of one's own games and of the check of the dice: what imports this waits for them, and most pages do without. */
import { alsoSpeak, type Key } from './i18n.svelte'

const FILES = import.meta.glob<Partial<Record<Key, string>>>('@narration/study/*.json', { import: 'default' })

await alsoSpeak(async (language) => {
  const [, load] = Object.entries(FILES).find(([path]) => path.endsWith(`/${language}.json`)) ?? []
  if (!load) throw new Error(`There is no file study/${language}.json.`)
  return load()
})
