import { hexOf, sha256 } from './sha256'

const utf8 = new TextEncoder()

/** What a player shows of their words before all are shown: the SHA-256 of the UTF-8. */
export const promiseOf = (words: string): string => hexOf(sha256(utf8.encode(words)))
