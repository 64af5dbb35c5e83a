import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { runAlone } from '../benchmark/testing/run-alone.ts'
import { renderMarkdown } from '../reports/index.ts'
import { findFigure } from '../results/plain-figures.ts'
import { Asker } from './ask-server.ts'
import { callDrawer } from './draw-calls.ts'
import { runLoad } from './run-load.ts'
import { server } from './server.ts'

const PLAN = {
  scopes: 4,
  connections: 4,
  pooled: false,
  seconds: 0.5,
  recallShare: 0.8,
  rate: null,
  seed: 1,
  reinforce: true,
}

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
    const { figures } = await runLoad(async (scope) => {
      expect(busy.has(scope)).toBe(false)
      busy.add(scope)
      seen.add(scope)
      await later(20)
      busy.delete(scope)
    }, PLAN)
    expect(seen.size).toBe(4)
    expect(figures).toMatchObject({ errors: 0 })
    expect(figures['calls']).toBeGreaterThan(20)
    expect(figures['p50_ms']).toBeGreaterThanOrEqual(19)
  })

  it('asks at the rate that it is told, and counts the wait of calls that come while nothing is answered', async () => {
    const stalledUntil = performance.now() + 400
    const { figures } = await runLoad(async () => later(Math.max(0, stalledUntil - performance.now())), {
      ...PLAN,
      seconds: 1,
      rate: 200,
    })
    expect(figures['calls']).toBeGreaterThan(140)
    expect(figures['calls']).toBeLessThan(260)
    // Calls due during the stall waited 200 ms in the mean, and they are two fifths of all.
    expect(figures['p95_ms']).toBeGreaterThan(250)
  })

  it('counts what failed by what it was, apart from the times', async () => {
    const { figures, errors } = await runLoad(async (_scope, { kind }) => {
      await later(5)
      if (kind === 'remember') throw new Error('answered with 500')
    }, PLAN)
    expect(figures['errors']).toBeGreaterThan(0)
    expect(errors).toEqual({ 'answered with 500': figures['errors'] })
    expect(figures['remembers']).toBe(0)
    expect(figures['calls']).toBe(figures['recalls'])
  })
})

describe('whoever asks a server', () => {
  it('has asked for everybody beforehand, and then no more than is counted', async () => {
    let asked = 0
    const listening = createServer((incoming, outgoing) => {
      asked += 1
      incoming
        .resume()
        .once('end', () => outgoing.writeHead(incoming.url?.endsWith('turns') ? 201 : 200).end())
    }).listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const { port } = listening.address() as AddressInfo
    try {
      // So few calls that none of the answers is read.
      const plan = { ...PLAN, seconds: 0.2, rate: 50 }
      const asker = await Asker.start({ url: `http://127.0.0.1:${port}`, key: 'none', plan })
      expect(asked).toBe(PLAN.scopes)
      const { record } = await asker.run()
      expect(record.figures).toMatchObject({ errors: 0, calls: asked - PLAN.scopes })
    } finally {
      listening.close()
    }
  })
})

describe('a server beside the library', () => {
  it('are asked the same, without an error, and stand in one table', async () => {
    const { log, summaries } = await runAlone(server, {
      scopes: 3,
      memories: 20,
      seconds: 1,
      settings: ['normal'],
    })
    expect(summaries.map(({ system }) => system)).toEqual(['server', 'library'])
    const of = (system: string, metric: string, slice: string) =>
      findFigure(summaries.find((one) => one.system === system)?.figures ?? [], 'load', metric, slice)
        ?.value ?? Number.NaN
    for (const system of ['server', 'library'])
      for (const slice of ['normal:full', 'normal:steady']) {
        expect(of(system, 'errors', slice)).toBe(0)
        expect(of(system, 'calls', slice)).toBeGreaterThan(0)
        // What is left to be done after the last answer belongs to the calls.
        const afterwards = of(system, 'cpu_ms_afterwards_per_call', slice)
        expect(afterwards).toBeGreaterThanOrEqual(0)
        expect(of(system, 'cpu_ms_per_call', slice)).toBeGreaterThan(afterwards)
      }
    const rates = ['server', 'library'].map((system) => of(system, 'asked_per_second', 'normal:steady'))
    expect(rates[0]).toBe(rates[1])
    // At the beginning, on the way and at the end.
    const { server: noted } = (log[1]?.entry === 'step' ? log[1].records : {}) as {
      server?: { full: { residentBytes: number[] } }
    }
    expect(noted?.full.residentBytes.length).toBeGreaterThan(2)
    expect(of('server', 'memories', 'all')).toBeGreaterThanOrEqual(60)
    const runs = summaries.map((summary) => ({
      label: summary.system,
      source: 'server.json',
      summary,
      log: null,
      logFile: null,
    }))
    expect(renderMarkdown(runs)).toMatch(/\| requests per second \|( [\d.,]+ \|){2}/)
  }, 120_000)
})

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
