/** The family books that this device knows, with the secrets that open them. */
import { read, write } from './storage'

export interface KnownBook {
  id: string
  secret: string
  name: string
}

const KEY = 'heckmeck.books'
const MOST = 20

function isBook(value: unknown): value is KnownBook {
  const book = value as Partial<KnownBook> | null
  return [book?.id, book?.secret, book?.name].every((part) => typeof part === 'string')
}

/** The book used last comes first. */
export function knownBooks(): KnownBook[] {
  const isList = (value: unknown): value is unknown[] => Array.isArray(value)
  return read<unknown[]>(KEY, [], isList).filter(isBook)
}

export function knownBook(id: string): KnownBook | null {
  return knownBooks().find((book) => book.id === id) ?? null
}

export function rememberBook(book: KnownBook): void {
  write(KEY, [book, ...knownBooks().filter(({ id }) => id !== book.id)].slice(0, MOST))
}

export function forgetBook(id: string): void {
  write(
    KEY,
    knownBooks().filter((book) => book.id !== id),
  )
}

/** The path of a book's page, with its secret after the `#`, which browsers do not send. */
export const bookPath = ({ id, secret }: KnownBook): string => `/book/${id}#${secret}`
