/** Quick emotes and who plays them. */
import type { EmoteName } from './store.svelte'

export const EMOTES: Record<EmoteName, string> = {
  cheer: 'worm',
  clap: 'weasel',
  laugh: 'bratworm',
  gasp: 'raven',
  think: 'hen',
  hurry: 'snail',
  sorry: 'canned',
  cry: 'apple',
  worm: 'worm5',
}

export const EMOTE_NAMES = Object.keys(EMOTES) as EmoteName[]
