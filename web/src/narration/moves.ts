/** Moves in a few words. */
import { t } from './i18n.svelte'
import { faceName, specialistName } from './narrate'

/** A move, as a choice among others; `names` are the players', by seat. */
export function moveWords(word: string, names: readonly string[] = []): string {
  const [kind = '', of = ''] = word.split(':')
  switch (kind) {
    case 'keep':
      return t('move.keep', { face: faceName(of) })
    case 'return':
      return t('move.return', { specialist: specialistName(of) })
    case 'roll':
      return of ? t('move.golden') : t('move.roll')
    case 'rob':
    case 'pinch':
      return t('move.from', { name: names[Number(of)] ?? t('seat.number', { number: Number(of) + 1 }) })
    case 'stop':
    case 'reroll':
    case 'bust':
      return t(`move.${kind}`)
    default:
      return word
  }
}
