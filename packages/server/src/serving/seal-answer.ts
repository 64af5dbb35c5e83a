import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { StoredAnswer } from './request-store.ts'

/** An answer that only who brings its request’s key can read. */
export interface SealedAnswer {
  /** Base64: nonce, tag, and the answer, encrypted. */
  readonly sealed: string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts an answer by the key under which its request came, which the store does not hold: answers may quote a talk, also what was masked
 * before it was remembered, and a database, a journal or a backup holds none of it so.
 */
export function sealAnswer(answer: StoredAnswer, grant: string, key: string): SealedAnswer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(grant, key), nonce)
  const said = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), said]).toString('base64') }
}

/** @throws Error of Node's for what was sealed by another key. */
export function openAnswer({ sealed }: SealedAnswer, grant: string, key: string): StoredAnswer {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, secretOf(grant, key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const said = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return JSON.parse(said.toString('utf8')) as StoredAnswer
}

/** Another one than the name by which a request is found, which is a plain hash of its key. */
function secretOf(grant: string, key: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, grant, 'keepsake: answer of a request', 32))
}
