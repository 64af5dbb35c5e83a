// Replaces the functions of `node:crypto` that the engine uses, in a page.
import { sha1 } from '@noble/hashes/legacy.js'
import { scrypt as nobleScrypt } from '@noble/hashes/scrypt.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from './globals.ts'

type Content = string | Uint8Array
const HASHES = { sha1, sha256, sha512 }

const bytesOf = (content: Content): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

export function createHash(name: keyof typeof HASHES) {
  const hasher = HASHES[name].create()
  const hash = {
    update(content: Content) {
      hasher.update(bytesOf(content))
      return hash
    },
    digest(encoding?: 'hex') {
      const bytes = Buffer.from(hasher.digest())
      return encoding === undefined ? bytes : bytes.toString(encoding)
    },
  }
  return hash
}

export function hash(name: keyof typeof HASHES, content: Content, encoding: 'hex' | 'buffer' = 'hex') {
  return createHash(name)
    .update(content)
    .digest(encoding === 'buffer' ? undefined : encoding)
}

export const randomUUID = (): string => globalThis.crypto.randomUUID()
export const randomBytes = (length: number) =>
  Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(length)))

/** Options of scrypt, with Node's names and default values. */
interface Cost {
  readonly N?: number
  readonly r?: number
  readonly p?: number
}

export function scryptSync(secret: Content, salt: Content, length: number, cost: Cost = {}) {
  const { N = 16_384, r = 8, p = 1 } = cost
  return Buffer.from(nobleScrypt(bytesOf(secret), bytesOf(salt), { N, r, p, dkLen: length }))
}

export function scrypt(
  secret: Content,
  salt: Content,
  length: number,
  callback: (error: null, key: unknown) => void,
) {
  callback(null, scryptSync(secret, salt, length))
}
