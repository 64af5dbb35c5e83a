import { scryptSync } from 'node:crypto'
import type { Metadata } from '@keepsake/text/names'

const ERASED = /^erased:([\w-]+):[\w-]+$/
/** Slow enough that a list of names cannot be tried cheaply, and quick enough for a request. */
const COST = { N: 1 << 10 }
const WHOLE = 'erased user'

/** What records hold in place of an erased user's name: the name can be checked against it, and not be read from it. */
export function digestName(salt: string, user: string): string {
  return `erased:${salt}:${scryptSync(user, Buffer.from(salt, 'base64url'), 16, COST).toString('base64url')}`
}

/** Whether a listed name is the digest of an erased one. */
export function isErasedName(listed: string): boolean {
  return ERASED.test(listed)
}

const MOST_MATCHES = 1_000
const matches = new Map<string, boolean>()

/**
 * Whether a list of users names a user, also one who was erased since and has returned under the same name.
 *
 * @example
 * namesUser(['ana'], 'ana') // true
 */
export function namesUser(listed: readonly string[], user: string): boolean {
  return listed.includes(user) || listed.some((name) => matchesDigest(name, user))
}

function matchesDigest(listed: string, user: string): boolean {
  const salt = ERASED.exec(listed)?.[1]
  if (salt === undefined) return false
  const pair = JSON.stringify([listed, user])
  const known = matches.get(pair)
  if (known !== undefined) return known
  const isSame = digestName(salt, user) === listed
  if (matches.size >= MOST_MATCHES) matches.clear()
  matches.set(pair, isSame)
  return isSame
}

/**
 * Replaces an erased user in a record that lists users, such as a key or a webhook. Its label goes where it listed no other user, and the
 * name leaves it otherwise.
 *
 * @returns `null` for a record that does not list the user
 */
export function hideUser(value: Metadata, user: string, erasedName: string): Metadata | null {
  const { users } = value
  if (!Array.isArray(users) || !users.includes(user)) return null
  const left = users.map((name) => (name === user ? erasedName : name))
  const isAlone = left.every((name) => typeof name === 'string' && isErasedName(name))
  const labels = ['name', 'description'].flatMap((field): [string, string][] => {
    const label = value[field]
    if (typeof label !== 'string') return []
    return [[field, isAlone ? WHOLE : label.replaceAll(user, WHOLE)]]
  })
  return { ...value, users: left, ...Object.fromEntries(labels) }
}
