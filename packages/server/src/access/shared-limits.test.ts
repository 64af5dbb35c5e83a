import { StoreError, type Keepsake } from 'keepsake'
import type { Records } from 'keepsake/store'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SharedLimits } from './limit-requests.ts'
import { testMemory } from '../testing/test-memory.ts'

let keepsake: Keepsake
let now = 0
beforeEach(async () => {
  keepsake = await testMemory()
  now = Date.UTC(2026, 4, 1)
})

const processes = (count: number, records: Records = keepsake.records) =>
  Array.from({ length: count }, () => new SharedLimits(records, { now: () => now }))

const allowedOf = async (limits: readonly SharedLimits[], asks: number, limit: number): Promise<number> => {
  const taken = await Promise.all(
    Array.from({ length: asks }, (_, index) => limits[index % limits.length]?.take('k1', limit)),
  )
  return taken.filter((allowance) => allowance?.isAllowed).length
}

describe('limits that several processes share', () => {
  it.each([1, 7, 99])('give out %i requests a minute in all, and not one more', async (limit) => {
    expect(await allowedOf(processes(3), limit * 3, limit)).toBe(limit)
  })

  it('leave no more than a hundredth a process unused, and write little', async () => {
    const put = vi.spyOn(keepsake.records, 'putRecord')
    const allowed = await allowedOf(processes(3), 2_500, 1_000)
    expect(allowed).toBeLessThanOrEqual(1_000)
    expect(allowed).toBeGreaterThanOrEqual(970)
    expect(put.mock.calls.length).toBeLessThanOrEqual(300)
  })

  it('count what requests bring, by all processes together', async () => {
    const limits = processes(3)
    const sizes = [400_000, 90_000, 250_000, 900_000, 10, 300_000, 120_000, 60_000]
    let sent = 0
    for (const [index, bytes] of sizes.entries()) {
      const allowance = await limits[index % limits.length]?.take('k1/bytes', 1_000_000, bytes)
      if (allowance?.isAllowed) sent += bytes
    }
    expect(sent).toBeLessThanOrEqual(1_000_000)
    expect(sent).toBeGreaterThanOrEqual(700_000)
  })

  it('begin anew with each minute', async () => {
    const limits = processes(2)
    expect(await allowedOf(limits, 10, 4)).toBe(4)
    now += 60_000
    expect(await allowedOf(limits, 10, 4)).toBe(4)
  })

  it('tell what is left', async () => {
    const [limits] = processes(1) as [SharedLimits]
    expect(await limits.take('k1', 500)).toEqual({ isAllowed: true, limit: 500, remaining: 499, reset: 60 })
    now += 15_000
    expect(await limits.take('k1', 500)).toEqual({ isAllowed: true, limit: 500, remaining: 498, reset: 45 })
  })

  it('count alone where the store cannot be written to', async () => {
    const full = new StoreError('store-full', 'The disk is full.')
    const records = {
      record: () => Promise.resolve(null),
      putRecord: () => Promise.reject(full),
    } as Partial<Records> as Records
    expect(await allowedOf(processes(1, records), 10, 4)).toBe(4)
  })
})
