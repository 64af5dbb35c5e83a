import type { Draw } from '../metrics/seeded-draw.ts'

/** What is known of a service, all of it to be replaced by one's own measurements. */
export interface CapacityPlan {
  /** People, each with a scope. */
  readonly scopes: number
  readonly memories: number
  /** Calls of one person a day, and how much busier the busiest hour is than the mean one. */
  readonly callsPerDay: number
  readonly peak: number
  /** Bytes on disk of one memory, indexes and log included; and in a cache. */
  readonly diskBytes: number
  readonly cacheBytes: number
  /** Processor time a call, in milliseconds, of a person who is in a cache; and what reading one in costs more. */
  readonly warmMs: number
  readonly coldMs: number
  /** Of the people who talk on a day, how many are in the caches. */
  readonly cached: number
  /** Databases, and parts that people are divided into by a hash, each of which lies on one of them. */
  readonly databases: number
  readonly partitions: number
}

const DAY_SECONDS = 86_400

/** What a plan needs in all. */
export function needs(plan: CapacityPlan) {
  const callsPerSecond = ((plan.scopes * plan.callsPerDay) / DAY_SECONDS) * plan.peak
  const callMs = plan.warmMs + (1 - plan.cached) * plan.coldMs
  return {
    calls_per_second: callsPerSecond,
    busy_processors: (callsPerSecond * callMs) / 1_000,
    disk_bytes: plan.scopes * plan.memories * plan.diskBytes,
    cache_bytes: plan.scopes * Math.min(1, plan.callsPerDay) * plan.cached * plan.memories * plan.cacheBytes,
  }
}

/** How evenly people's load falls on databases: the busiest one's share of its fair share, and the busiest partition's. */
export interface Placement {
  readonly busiest_database: number
  readonly busiest_partition: number
  /** Of all calls, those of the one in ten thousand who talk most. */
  readonly hot_share: number
}

/** People drawn for a placement: shares settle long before there are as many as in the plan. */
const DRAWN = 1_000_000
const HOT = 10_000

/**
 * Places people by a hash of each, as hash partitions do, and adds up their load. How much people talk is drawn by Pareto's law
 * with exponent `tail` (the smaller, the hotter the hottest; 1.16 gives a fifth of them four fifths of all).
 */
export function simulatePlacement(plan: CapacityPlan, draw: Draw, tail: number): Placement {
  const people = Math.min(DRAWN, plan.scopes)
  const partitions = new Float64Array(plan.partitions)
  const loads = new Float64Array(people)
  for (let person = 0; person < people; person += 1) {
    const load = (1 - draw.real(0, 1)) ** (-1 / tail)
    loads[person] = load
    const partition = draw.whole(0, plan.partitions - 1)
    partitions[partition] = (partitions[partition] ?? 0) + load
  }
  const databases = new Float64Array(plan.databases)
  for (const [partition, load] of partitions.entries())
    databases[partition % plan.databases] = (databases[partition % plan.databases] ?? 0) + load
  const all = loads.reduce((sum, load) => sum + load, 0)
  loads.sort()
  const hot = loads.subarray(people - Math.ceil(people / HOT)).reduce((sum, load) => sum + load, 0)
  return {
    busiest_database: overFairShare(databases, all),
    busiest_partition: overFairShare(partitions, all),
    hot_share: hot / all,
  }
}

function overFairShare(shares: Float64Array, all: number): number {
  return Math.max(...shares) / (all / shares.length)
}
