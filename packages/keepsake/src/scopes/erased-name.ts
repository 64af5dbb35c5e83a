// Replaces the names of erased users in records.
import { scryptSync } from 'node:crypto'
import type { Metadata } from '@keepsake/text/names'

/** Matches the digest of a name: `erased:SALT:DIGEST`. */
const ERASED = /^erased:([\w-]+):[\w-]+$/
/** Cost of the digest: slow enough that trying a list of names is expensive, and fast enough for a request. */
const COST = { N: 1 << 10 }
const ERASED_LABEL = 'erased user'

/** Returns the digest that replaces an erased user's name. A name can be compared with it, but not read from it. */
export function digestName(salt: string, user: string): string {
  return `erased:${salt}:${scryptSync(user, Buffer.from(salt, 'base64url'), 16, COST).toString('base64url')}`
}

/** Checks whether a name in a list is the digest of an erased one. */
export function isErasedName(listed: string): boolean {
  return ERASED.test(listed)
}

const MAX_CACHED = 1_000
/** Results of comparisons, because each takes about a millisecond. */
const matches = new Map<string, boolean>()

/** Checks whether a list of users contains a user, by name or by the digest of an erased name. */
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
  if (matches.size >= MAX_CACHED) matches.clear()
  matches.set(pair, isSame)
  return isSame
}

/** Replaces an erased user in a record that lists users, with the label if it was the only one. `null`: not listed. */
export function hideUser(value: Metadata, user: string, erasedName: string): Metadata | null {
  const { users } = value
  if (!Array.isArray(users) || !users.includes(user)) return null
  const replaced = users.map((name) => (name === user ? erasedName : name))
  const areAllErased = replaced.every((name) => typeof name === 'string' && isErasedName(name))
  const labels = ['name', 'description'].flatMap((field): [string, string][] => {
    const label = value[field]
    if (typeof label !== 'string') return []
    return [[field, areAllErased ? ERASED_LABEL : label.replaceAll(user, ERASED_LABEL)]]
  })
  return { ...value, users: replaced, ...Object.fromEntries(labels) }
}
