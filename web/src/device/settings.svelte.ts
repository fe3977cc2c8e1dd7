/** What a person chose on this device. */
import languages from '@narration/languages.json'
import { read, write } from './storage'

export const THEMES = ['dark', 'light'] as const
export const SPEEDS = ['normal', 'fast', 'off'] as const
export const WORTHS = ['win', 'worms'] as const

export type Theme = (typeof THEMES)[number]
export type Speed = (typeof SPEEDS)[number]
/** What choices are weighed in: the chance to win where it is known, or worms. */
export type Worth = (typeof WORTHS)[number]
/** The languages there are; Python reads the same list. */
export type Language = keyof typeof languages
export const LANGUAGES = (Object.keys(languages) as Language[]).sort()

export interface Settings {
  theme: Theme
  speed: Speed
  language: Language
  sound: boolean
  /** Whether a sound and a vibration say that it is this person's turn. */
  alert: boolean
  worth: Worth
  /** Whether to ask before a move that is a mistake, against bots. */
  warn: boolean
  /** Whether a first turn was explained on this device. */
  coached: boolean
  /** The name to sit down with; empty until one was typed. */
  name: string
}

/** What a language calls itself. */
export const nameOf = (language: Language): string => languages[language].name
/** The little words that change before some sounds: word, what it becomes, a pattern of small letters without accents. */
export const euphonyOf = (language: Language): readonly string[][] => languages[language].euphony

const KEY = 'heckmeck.settings'
const oneOf = <T>(choices: readonly T[], value: unknown): T | undefined =>
  choices.find((choice) => choice === value)

function preferredLanguage(): Language {
  for (const tag of navigator.languages) {
    const language = oneOf(LANGUAGES, tag.slice(0, 2).toLowerCase())
    if (language) return language
  }
  return 'en'
}

function preferredTheme(): Theme {
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

function load(): Settings {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null
  const saved = read(KEY, {}, isObject)
  return {
    theme: oneOf(THEMES, saved.theme) ?? preferredTheme(),
    speed: oneOf(SPEEDS, saved.speed) ?? 'normal',
    language: oneOf(LANGUAGES, saved.language) ?? preferredLanguage(),
    sound: saved.sound === true,
    coached: saved.coached === true,
    alert: saved.alert === true,
    worth: oneOf(WORTHS, saved.worth) ?? 'win',
    warn: saved.warn === true,
    name: typeof saved.name === 'string' ? saved.name.slice(0, 24) : '',
  }
}

export const settings: Settings = $state(load())

/** Change a setting and remember it. What was never chosen keeps following the device. */
export function choose<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value
  const isObject = (saved: unknown): saved is object => typeof saved === 'object' && saved !== null
  write(KEY, { ...read(KEY, {}, isObject), [key]: value })
}
