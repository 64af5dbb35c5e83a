import { sha1 } from '@noble/hashes/legacy.js'
import { scrypt as derive } from '@noble/hashes/scrypt.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from './globals.ts'

// Replaces `node:crypto` in a page: as much of it as the engine uses.

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

interface Cost {
  readonly N?: number
  readonly r?: number
  readonly p?: number
}

export function scryptSync(secret: Content, salt: Content, length: number, cost: Cost = {}) {
  const { N = 16_384, r = 8, p = 1 } = cost
  return Buffer.from(derive(bytesOf(secret), bytesOf(salt), { N, r, p, dkLen: length }))
}

export function scrypt(secret: Content, salt: Content, length: number, done: (e: null, b: unknown) => void) {
  done(null, scryptSync(secret, salt, length))
}
