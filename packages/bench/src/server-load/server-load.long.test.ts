import { describe, expect, it } from 'vitest'
import { benchServer } from './bench-server.ts'
import { callDrawer } from './draw-calls.ts'
import { renderServer } from './render-server.ts'
import { runLoad } from './run-load.ts'

const PLAN = { scopes: 4, seconds: 0.5, recallShare: 0.8, rate: null, seed: 1, reinforce: true }

describe('the calls of a load run', () => {
  it('are the same for the same seed, in the share that was asked for', () => {
    const [one, other] = [callDrawer(1, 0.8), callDrawer(1, 0.8)]
    const calls = Array.from({ length: 2_000 }, () => one())
    expect(calls).toEqual(Array.from({ length: 2_000 }, () => other()))
    const recalls = calls.filter(({ kind }) => kind === 'recall').length
    expect(recalls / calls.length).toBeCloseTo(0.8, 1)
    expect(callDrawer(1, 0)()).toMatchObject({ kind: 'remember' })
  })
})

describe('a load run', () => {
  it('asks again once it is answered, each scope one call at a time', async () => {
    const busy = new Set<number>()
    const seen = new Set<number>()
    const figures = await runLoad(async (scope) => {
      expect(busy.has(scope)).toBe(false)
      busy.add(scope)
      seen.add(scope)
      await later(20)
      busy.delete(scope)
    }, PLAN)
    expect(seen.size).toBe(4)
    expect(figures).toMatchObject({ errors: 0 })
    expect(figures.all.count).toBeGreaterThan(20)
    expect(figures.all.p50_ms).toBeGreaterThanOrEqual(19)
  })

  it('asks at the rate that it is told, and counts the wait of calls that come while nothing is answered', async () => {
    const stalledUntil = performance.now() + 400
    const figures = await runLoad(async () => later(Math.max(0, stalledUntil - performance.now())), {
      ...PLAN,
      seconds: 1,
      rate: 200,
    })
    expect(figures.all.count).toBeGreaterThan(140)
    expect(figures.all.count).toBeLessThan(260)
    // Calls due during the stall waited 200 ms in the mean, and they are two fifths of all.
    expect(figures.all.p95_ms).toBeGreaterThan(250)
  })

  it('counts what failed by what it was, apart from the times', async () => {
    const figures = await runLoad(async (_scope, { kind }) => {
      await later(5)
      if (kind === 'remember') throw new Error('answered with 500')
    }, PLAN)
    expect(figures.errors).toBeGreaterThan(0)
    expect(figures.error_kinds).toEqual({ 'answered with 500': figures.errors })
    expect(figures.remember.count).toBe(0)
    expect(figures.all.count).toBe(figures.recall.count)
  })
})

describe('a server beside the library', () => {
  it('are asked the same, without an error, and stand in one table', async () => {
    const report = await benchServer({ scopes: 3, memories: 20, seconds: 1, settings: ['normal'] })
    const { server, library } = report.metrics.normal ?? {}
    for (const run of [server?.full, server?.steady, library?.full, library?.steady]) {
      expect(run).toMatchObject({ errors: 0 })
      expect(run?.all.count).toBeGreaterThan(0)
      expect(run?.cpu_ms_per_call).toBeGreaterThan(0)
    }
    expect(server?.steady.rate).toBe(library?.steady.rate)
    expect(server?.full.resident.mb.length).toBeGreaterThan(1)
    expect(report.filled.memories).toBeGreaterThanOrEqual(60)
    expect(renderServer(report)).toMatch(/\| answered a second \|( [\d.,]+ \|){4}/)
  }, 120_000)
})

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
