/**
 * SHA-256 and HMAC-SHA256 (FIPS 180-4, RFC 2104).
 *
 * Browsers have both, but only for pages from a secure address, and a server at home is
 * reached by a plain one.
 */
const BLOCK = 64

const isPrime = (n: number) => {
  for (let i = 2; i * i <= n; i += 1) if (n % i === 0) return false
  return true
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n += 1) if (isPrime(n)) found.push(n)
  return found
}

/** The first 32 bits behind the point. */
const fraction = (x: number) => ((x - Math.floor(x)) * 2 ** 32) >>> 0

const START = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))

const turned = (x: number, by: number) => (x >>> by) | (x << (32 - by))

/** The message with its end mark and its length in bits, in whole blocks. */
function padded(message: Uint8Array): DataView {
  const size = Math.ceil((message.length + 9) / BLOCK) * BLOCK
  const bytes = new Uint8Array(size)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(size - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(size - 4, (message.length << 3) >>> 0)
  return view
}

/** The words of one block, and those that follow from them. */
function schedule(view: DataView, at: number): Uint32Array {
  const words = new Uint32Array(64)
  const word = (i: number) => words[i] ?? 0
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + 4 * i)
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [word(i - 15), word(i - 2)]
    const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    words[i] = word(i - 16) + s0 + word(i - 7) + s1
  }
  return words
}

export function sha256(message: Uint8Array): Uint8Array {
  const view = padded(message)
  const hash = START.slice()
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    const words = schedule(view, at)
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
    for (let i = 0; i < 64; i += 1) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] ?? 0) + (words[i] ?? 0)) | 0
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
    }
    for (const [i, x] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] ?? 0) + x
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [i, x] of hash.entries()) digest.setUint32(4 * i, x)
  return new Uint8Array(digest.buffer)
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const short = key.length > BLOCK ? sha256(key) : key
  const pad = (with_: number) => Uint8Array.from({ length: BLOCK }, (_, i) => (short[i] ?? 0) ^ with_)
  return sha256(join(pad(0x5c), sha256(join(pad(0x36), message))))
}

function join(one: Uint8Array, two: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + two.length)
  both.set(one)
  both.set(two, one.length)
  return both
}

export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
