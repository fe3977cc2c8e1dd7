/** Every text is there in all languages, with the same blanks, and none is there for nothing. */
import languages from '@narration/languages.json'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KINDS } from '../../src/games/history'
import { GOLD_PLACES } from '../../src/odds/draft'
import { EDITIONS } from '../../src/pieces/boxes'
import { MISTAKES } from '../../src/review/marks'
import { EMOTE_NAMES } from '../../src/table/emotes'

const LANGUAGES = Object.keys(languages)
const SOURCES = 'src'

const messages = new Map(
  LANGUAGES.map((language) => [language, read(`src/narration/messages/${language}.json`)] as const),
)
const english = messages.get('en') ?? {}

function read(path: string): Record<string, string> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
}

function sources(kind = /\.(svelte|ts)$/): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => kind.test(path) && !path.endsWith('.d.ts'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
}

const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
const text = sources().join('\n')
/** Whatever stands between quotes may be a key. */
const literals = new Set([...text.matchAll(/(['"`])([a-z_]+(?:\.[a-z_]+)*)\1/g)].map((found) => found[2]))
/** A template with a literal beginning stands for every key that begins so. */
const beginnings = new Set([...text.matchAll(/`([a-z_]+(?:\.[a-z_]+)*\.)\$\{/g)].map((found) => found[1] ?? ''))

function isUsed(key: string): boolean {
  const stem = key.replace(/\.(one|other)$/, '')
  return literals.has(key) || literals.has(stem) || [...beginnings].some((begin) => key.startsWith(begin))
}

describe.each(LANGUAGES)('%s', (language) => {
  const own = messages.get(language) ?? {}

  it('has every key', () => {
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(english).toSorted())
  })

  it('has the same blanks in every message', () => {
    const different = Object.keys(english).filter(
      (key) => blanks(own[key] ?? '').join() !== blanks(english[key] ?? '').join(),
    )
    expect(different).toEqual([])
  })

  it('says something everywhere', () => {
    expect(Object.keys(own).filter((key) => !own[key]?.trim())).toEqual([])
  })

  it.each(['messages', 'table', 'news', 'study'])('has every key of the narration: %s', (folder) => {
    const narration = `../src/heckmeck/narration/${folder}`
    const keys = Object.keys(read(`${narration}/${language}.json`)).toSorted()
    expect(keys).toEqual(Object.keys(read(`${narration}/en.json`)).toSorted())
  })

  it('says nothing again that the terminal says too', () => {
    const narration = '../src/heckmeck/narration'
    const said = { ...read(`${narration}/table/${language}.json`), ...read(`${narration}/news/${language}.json`) }
    expect(Object.keys(own).filter((key) => key in said)).toEqual([])
  })
})

/** Parts of keys that are not written out, and all that they can be: what is not listed fails. */
const DONE = ['started', 'sat', 'left', 'went_away', 'came_back', 'stood_in', 'emoted', 'undone']
const DECISIVE = ['score', 'shared', 'highest_tile', 'highest_plate']
const PARTS: Record<string, readonly string[]> = {
  'tempo.{}': ['now', 'hours', 'days'],
  'tempo.{}.why': ['now', 'hours', 'days'],
  'bot.{}': ['champion', 'fox', 'rooster', 'chick', 'random'],
  'edition.{}': EDITIONS,
  'edition.short.{}': EDITIONS,
  'emote.{}': EMOTE_NAMES,
  'end.why.{}': DECISIVE,
  'games.kind.{}': KINDS,
  'home.facts.{}': EDITIONS,
  'home.line.{}': EDITIONS,
  'home.status.{}': ['waiting', 'over', 'closed'],
  'item.{}': ['tiles', 'bratworms', 'apple', 'worms', 'snails'],
  'log.{}': [...DONE, 'reopened', 'closed'],
  'log.{}.you': DONE,
  'move.{}': ['stop', 'reroll', 'bust'],
  'odds.gold.{}': GOLD_PLACES,
  'odds.moves.why.{}': ['win', 'worms'],
  'review.{}': ['rob', 'pinch'],
  'review.{}.you': ['rob', 'pinch'],
  'review.mark.{}': [...MISTAKES, 'sharp'],
  'specialist.{}': ['apple', 'canned', 'golden', 'hen', 'raven', 'weasel'],
  'speed.{}': ['normal', 'fast', 'off'],
  'story.{}': ['good', 'bad', 'even'],
  'story.{}.you': ['good', 'bad', 'even'],
  'theme.{}': ['dark', 'light'],
  'why.{}': ['no_worm', 'too_low', 'spot_closed', 'no_plate', 'dead_throw'],
}

/** A call with a key: a text, a template, or one of two texts. */
const ASKING = /(?<![.\w#])(t|count)\(\s*((['])([a-z][\w.]*)'|`[^`]*`|[^'`(),]+\? '([\w.]+)' : '([\w.]+)')/g

/** Every key that is asked for with `t` or `count`, as it is written there. */
function* askedFor(): Generator<string> {
  for (const [, ask, first = '', , whole, yes, no] of text.matchAll(ASKING)) {
    const forms = (key: string) => (ask === 'count' ? [`${key}.one`, `${key}.other`] : [key])
    for (const key of [whole, yes, no]) if (key) yield* forms(key)
    if (first.startsWith('`')) yield* forms(first.slice(1, -1).replace(/\$\{[^`]*\}/, '{}'))
  }
}

describe('the keys that the pages ask for', () => {
  const narration = '../src/heckmeck/narration'
  const shared = ['table', 'news', 'study'].map((folder) => read(`${narration}/${folder}/en.json`))
  const said: Record<string, string> = Object.assign({}, ...shared, english)
  // `count` itself puts the stem and the form together.
  const asked = new Set([...askedFor()].filter((key) => key !== '{}.{}' && key !== '{}'))

  it('are found in every way of asking', () => {
    const ways = ['lobby.start', 'hand.one', 'hand.other', 'review.mark.{}', 'act.warming', 'act.bot']
    expect(ways.filter((key) => !asked.has(key))).toEqual([])
  })

  it('have listed parts', () => {
    expect([...asked].filter((key) => key.includes('{}') && !(key in PARTS))).toEqual([])
  })

  it('are there', () => {
    const all = [...asked].flatMap((key) => (PARTS[key] ?? ['']).map((part) => key.replace('{}', part)))
    expect(all.filter((key) => !(key in said))).toEqual([])
  })

  it('come in both forms where they are counted', () => {
    const stems = Object.keys(said).flatMap((key) => /^(.*)\.one$/.exec(key)?.[1] ?? [])
    expect(stems.filter((stem) => !(`${stem}.other` in said))).toEqual([])
  })
})

it('leaves colons to the messages, which know the space before them', () => {
  const markup = sources(/\.svelte$/).join('\n').replace(/<(script|style)[^]*?<\/\1>/g, '')
  const put = [...markup.matchAll(/.*\}:(?:<| \{|").*/g), ...text.matchAll(/.*`[^`\n]*\}: \$\{.*/g)]
  expect(put.map(([line]) => line)).toEqual([])
})

it('has no key that nobody uses', () => {
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([])
})

it('has no key of study that neither the pages nor the terminal use', () => {
  const terminal = readFileSync('../src/heckmeck/cli/puzzles.py', 'utf8')
  const keys = Object.keys(read('../src/heckmeck/narration/study/en.json'))
  const inTerminal = (key: string) => terminal.includes(`"${key.replace(/\.(one|other)$/, '')}"`)
  expect(keys.filter((key) => !isUsed(key) && !inTerminal(key))).toEqual([])
})
