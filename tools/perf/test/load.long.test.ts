import { expect, it } from 'vitest'
import { server } from '../src/load/server.ts'
import { perf } from '../src/perf.ts'
import { runAlone, valueOf } from './run-alone.ts'

it('server and library are called the same way, without an error', async () => {
  const run = await runAlone(server, { users: 3, turns: 20, seconds: 1, connections: 4 })
  expect(run.summaries.map(({ system }) => system)).toEqual(['server', 'library'])
  for (const system of ['server', 'library'])
    for (const slice of ['full', 'steady']) {
      const of = (metric: string) => valueOf(run, system, metric, slice)
      expect(of('errors')).toBe(0)
      expect(of('calls')).toBeGreaterThan(0)
      // Work in the background belongs to the calls.
      expect(of('cpu_ms_per_call')).toBeGreaterThan(of('cpu_ms_afterwards_per_call'))
      expect(of('resident_bytes')).toBeGreaterThan(0)
    }
  const rates = ['server', 'library'].map((system) => valueOf(run, system, 'asked_per_second', 'steady'))
  expect(rates[0]).toBe(rates[1])
  expect(valueOf(run, 'server', 'memories', 'all')).toBeGreaterThan(0)
})

it('a memory of a size is filled, opened, recalled and written to', async () => {
  const run = await runAlone(perf, { sizes: [200], calls: 20 })
  for (const metric of ['recall_p50_ms', 'remember_p50_ms', 'recall_after_remember_p50_ms', 'open_ms'])
    expect([metric, valueOf(run, 'keepsake', metric, 'turns:200') > 0]).toEqual([metric, true])
  expect(valueOf(run, 'keepsake', 'bytes_per_turn_disk', 'turns:200')).toBeGreaterThan(100)
})
