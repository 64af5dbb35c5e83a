import { describe, expect, it } from 'vitest'
import { seededDraw } from '../metrics/seeded-draw.ts'
import { needs, simulatePlacement, type CapacityPlan } from './place-scopes.ts'

const PLAN: CapacityPlan = {
  scopes: 100_000,
  memories: 1_000,
  callsPerDay: 0.864,
  peak: 3,
  diskBytes: 2_000,
  cacheBytes: 500,
  warmMs: 1,
  coldMs: 4,
  cached: 0.5,
  databases: 4,
  partitions: 64,
}

describe('what a plan needs', () => {
  it('is reckoned from costs a call and a memory', () => {
    const { calls_per_second, busy_processors, disk_bytes, cache_bytes } = needs(PLAN)
    expect(calls_per_second).toBeCloseTo(3)
    expect(busy_processors).toBeCloseTo(0.009)
    expect(disk_bytes).toBe(2e11)
    expect(cache_bytes).toBeCloseTo(100_000 * 0.864 * 0.5 * 1_000 * 500)
  })
})

describe('people placed by a hash', () => {
  it('load databases evenly where they talk alike, and less so the hotter the hottest are', () => {
    const even = simulatePlacement(PLAN, seededDraw(1), 50)
    const hot = simulatePlacement(PLAN, seededDraw(1), 1.16)
    expect(even.busiest_database).toBeLessThan(1.02)
    expect(hot.busiest_database).toBeGreaterThan(even.busiest_database)
    expect(hot.busiest_partition).toBeGreaterThan(hot.busiest_database)
    expect(hot.hot_share).toBeGreaterThan(even.hot_share)
  })
})
