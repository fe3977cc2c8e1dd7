/** What a browser has and Node has not, as far as words and settings need it. */
import { vi } from 'vitest'
import type { Language } from '../src/device/settings.svelte'

export function pretend(): void {
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('document', { documentElement: {}, querySelector: () => null })
}

/** Let the pages speak a language. */
export async function speakNow(language: Language): Promise<void> {
  const { choose } = await import('../src/device/settings.svelte')
  const { speak } = await import('../src/narration/i18n.svelte')
  choose('language', language)
  await speak(language)
}
