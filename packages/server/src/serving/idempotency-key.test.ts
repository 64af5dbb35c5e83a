import { HonoRequest } from 'hono/request'
import { describe, expect, it } from 'vitest'
import { UNLOCKED } from '../access/grant.ts'
import { requestIdFor } from './idempotency-key.ts'

const requestWith = (key?: string) =>
  new HonoRequest(
    new Request('http://memory.test/', key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  )

describe('requestIdFor', () => {
  it('is the same for the same key of the same caller, so that a request repeated after a crash stores nothing twice', () => {
    const id = requestIdFor(UNLOCKED, requestWith('monday'))
    expect(id).toMatch(/^request-[0-9a-f]{32}$/)
    expect(requestIdFor(UNLOCKED, requestWith('monday'))).toBe(id)
    expect(requestIdFor(UNLOCKED, requestWith('tuesday'))).not.toBe(id)
    expect(requestIdFor({ ...UNLOCKED, id: 'other' }, requestWith('monday'))).not.toBe(id)
  })

  it('is none without a key, and refuses one that is no key', () => {
    expect(requestIdFor(UNLOCKED, requestWith())).toBeNull()
    expect(() => requestIdFor(UNLOCKED, requestWith('x'.repeat(256)))).toThrow(/idempotency-key/)
  })
})
