/**
 * Names that are written from right to left, in sentences that are not.
 *
 * Without help such a name turns around what stands beside it: numbers, a comma, the next name. So it
 * is put between Unicode's isolates, in plain text as it is, and `<Said>` makes a `<bdi>` of them.
 */

const [OPEN, CLOSE] = ['\u2068', '\u2069'] as const
/** Hebrew, Arabic and their relatives; every other name is written the way the page is. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** The name for a sentence; isolated once, however often this is asked for. */
export function isolated(name: string): string {
  if (!RIGHT_TO_LEFT.test(name) || name.includes(OPEN)) return name
  return `${OPEN}${name}${CLOSE}`
}

export interface Piece {
  text: string
  isolated: boolean
}

/** A sentence in pieces: what is between isolates, and what is not. */
export function piecesOf(sentence: string): Piece[] {
  return sentence
    .split(/[\u2068\u2069]/)
    .map((text, index) => ({ text, isolated: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
