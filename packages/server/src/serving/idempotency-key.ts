import { createHash } from 'node:crypto'
import type { HonoRequest } from 'hono'
import type { Grant } from '../access/access.ts'
import { Problem } from '../problem.ts'

export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** Longest key taken, as the engine's names. */
export const LONGEST_KEY = 255

/** The key under which a request may come again; `null`: it has none. @throws Problem 422 for one that is empty or too long. */
export function readIdempotencyKey(request: HonoRequest): string | null {
  const key = request.header(IDEMPOTENCY_HEADER)
  if (key === undefined) return null
  if (key.trim() !== '' && key.length <= LONGEST_KEY) return key
  const field = `header.${IDEMPOTENCY_HEADER}`
  const problem = `must be 1 to ${LONGEST_KEY} characters long`
  throw new Problem(422, 'invalid-input', `The request cannot be taken: ${field} ${problem}.`, {
    fields: [{ field, problem }],
  })
}

/** The id that the engine takes for a request's turns: after a crash, the same request stores none of them twice. */
export function requestIdFor(grant: Grant, request: HonoRequest): string | null {
  const key = readIdempotencyKey(request)
  return key === null ? null : `request-${hashOf([grant.id, key]).slice(0, 32)}`
}

/** Why a request under a key cannot run now. */
export function idempotencyRefusal(kind: 'conflict' | 'busy'): Problem {
  if (kind === 'busy') {
    const detail = 'The same request is still under way. Ask again in a moment.'
    return new Problem(409, 'idempotency-busy', detail, { retryAfter: 1 })
  }
  return new Problem(
    409,
    'idempotency-conflict',
    'Another request was made under this Idempotency-Key. Nothing was changed: give each request a key of its own.',
    { fields: [{ field: `header.${IDEMPOTENCY_HEADER}`, problem: 'belongs to another request' }] },
  )
}

/** One text of all that tells a request from others. */
export function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
