/** Family books on the server. The secret goes into a header, never into an address. */
import type { KnownBook } from '../device/books'
import { ask, post, Refused } from '../net/api'
import { askedUnit, type Reviewed } from '../net/coach'
import { at } from '../net/site'
import type { Book, BookMade, GamesAdded } from '../net/wire'

type Opener = Pick<KnownBook, 'id' | 'secret'>

function asking<T>({ id, secret }: Opener, path: string, init: RequestInit = {}): Promise<T> {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${secret}` }
  return ask(`/api/books/${id}${path}`, { ...init, headers })
}

export const makeBook = (name: string): Promise<BookMade> => ask('/api/books', post(JSON.stringify({ name })))
/** A book; `season` are the parameters of its address. */
export const getBook = (book: Opener, season: URLSearchParams): Promise<Book> => asking(book, `?${season}`)
export const renameBook = (book: Opener, name: string): Promise<null> => asking(book, '', post(JSON.stringify({ name })))
/** Show people who played under these names as one. */
export const callPeople = (book: Opener, names: readonly string[], to: string): Promise<null> =>
  asking(book, '/people', post(JSON.stringify({ names, to })))
export const deleteBook = (book: Opener): Promise<null> => asking(book, '', { method: 'DELETE' })
export const dropGame = (book: Opener, table: string, game: number): Promise<null> =>
  asking(book, `/games/${table}/${game}`, { method: 'DELETE' })
/** All games as a file. */
export async function exportBook({ id, secret }: Opener): Promise<Blob> {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(at(`/api/books/${id}/games.jsonl`), { headers }).catch(() => null)
  if (!response?.ok) throw new Refused(response ? 'unavailable' : 'offline', 'The file cannot be read right now.')
  return response.blob()
}
/** The server takes this many bytes at a time. */
const PIECE = 200_000

/** The lines of a file in pieces that can be sent. */
function* pieces(text: string): Generator<string> {
  let piece: string[] = []
  let size = 0
  for (const line of text.split('\n').filter((each) => each.trim())) {
    const bytes = new Blob([line]).size + 1
    if (piece.length > 0 && size + bytes > PIECE) {
      yield piece.join('\n')
      piece = []
      size = 0
    }
    piece.push(line)
    size += bytes
  }
  if (piece.length > 0) yield piece.join('\n')
}

/** Add the games of a file that the book does not have; where we are too fast for the server, wait. */
export async function addGames(book: Opener, text: string): Promise<GamesAdded> {
  const sum = { added: 0, known: 0, left_out: 0 }
  for (const piece of pieces(text)) {
    const { added, known, left_out } = await patiently(() => asking<GamesAdded>(book, '/games.jsonl', post(piece)))
    sum.added += added
    sum.known += known
    sum.left_out += left_out
  }
  return sum
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refused) || error.wait === null) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000 * (error.wait ?? 0)))
    }
  }
}
/** A game of a book, which may have lost its table. `game` is the table and the number, `boka-miru-tela.2`. */
export function getPageReview(book: Opener, game: string): Promise<Reviewed> {
  const [table, number] = game.split('.')
  const unit = askedUnit() ? `?unit=${askedUnit()}` : ''
  return asking(book, `/games/${table}/${number}/review${unit}`)
}
