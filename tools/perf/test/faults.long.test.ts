import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededDraw } from '@keepsake/bench/parts'
import { describe, expect, it } from 'vitest'
import { FAULTS, faults } from '../src/faults/faults.ts'
import { killServer } from '../src/faults/kill-server.ts'
import { runAlone, valueOf } from './run-alone.ts'

/** `npm run perf -- faults` runs five hundred. */
const TRIALS_A_FAULT = 1
const KILLS = 4

describe('a memory while things go wrong', () => {
  it(`keeps what it acknowledged, once, each of ${FAULTS.length} faults once`, async () => {
    const trials = TRIALS_A_FAULT * FAULTS.length
    const run = await runAlone(faults, { trials })
    expect(run.summaries[0]?.remarks).toEqual([])
    expect(run.fault).toBeNull()
    const of = (metric: string, slice = 'all') => valueOf(run, 'keepsake', metric, slice)
    expect(of('trials')).toBe(trials)
    expect(of('broken')).toBe(0)
    // Otherwise nothing was tried.
    for (const { name } of FAULTS)
      expect([name, of('trials', `fault:${name}`)]).toEqual([name, TRIALS_A_FAULT])
    for (const metric of ['acknowledged', 'kills', 'cuts', 'repeated', 'jumps', 'chats'])
      expect([metric, of(metric) > 0]).toEqual([metric, true])
  }, 600_000)
})

describe('a server killed in the middle of requests', () => {
  it(`keeps what it acknowledged, once, and what it erased erased, over ${KILLS} kills of one file`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keepsake-kills-'))
    try {
      const { tried, broken } = await killServer({ folder, seed: 1, draw: seededDraw(1) }, KILLS)
      expect(broken).toEqual([])
      // Otherwise nothing was tried.
      expect(tried['kills_mid_request']).toBeGreaterThan(KILLS / 2)
      expect(tried['cut_off_requests']).toBeGreaterThanOrEqual(tried['kills_mid_request'] ?? 0)
      expect(tried['acknowledged']).toBeGreaterThan(KILLS / 2)
      expect(tried['erasures']).toBeGreaterThan(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }, 900_000)
})
