import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const ID_BYTES = 6
/** 256 bits: out of reach of guessing, so that a plain hash is enough to keep. */
const SECRET_BYTES = 32
const FORM = /^ks_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/

/** A key as its owner holds it, taken apart. */
export interface KeyToken {
  /** Public: it is listed, logged and revoked by. */
  readonly id: string
  readonly secret: string
}

/** Makes a new key. The whole of it is shown once and kept nowhere. */
export function makeToken(): KeyToken {
  return {
    id: randomBytes(ID_BYTES).toString('hex'),
    secret: randomBytes(SECRET_BYTES).toString('base64url'),
  }
}

/** `ks_<id>_<secret>`. */
export function writeToken({ id, secret }: KeyToken): string {
  return `ks_${id}_${secret}`
}

/** Takes a key apart; `null` when it is none of ours. */
export function readToken(text: string): KeyToken | null {
  const [, id, secret] = FORM.exec(text) ?? []
  return id === undefined || secret === undefined ? null : { id, secret }
}

/** What is kept of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

const NOBODYS = hashSecret('')

/** Compares in the same time whether or not such a key exists, and wherever the secrets differ. */
export function isSecret(secret: string, kept: Buffer | null): boolean {
  const same = timingSafeEqual(hashSecret(secret), kept?.length === NOBODYS.length ? kept : NOBODYS)
  return same && kept !== null
}
