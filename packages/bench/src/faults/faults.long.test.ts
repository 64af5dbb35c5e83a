import { describe, expect, it } from 'vitest'
import { runAlone } from '../benchmark/testing/run-alone.ts'
import { findFigure } from '../results/plain-figures.ts'
import { FAULTS } from './all-faults.ts'
import { faults } from './faults.ts'

/** Five hundred are run by `keepsake bench faults`. */
const TRIALS_A_FAULT = 1

describe('a memory while things go wrong', () => {
  it(`keeps what it acknowledged, once, each of ${FAULTS.length} faults once`, async () => {
    const trials = TRIALS_A_FAULT * FAULTS.length
    const { summaries, fault } = await runAlone(faults, { trials })
    const [summary] = summaries
    expect(summary?.remarks).toEqual([])
    expect(fault).toBeNull()
    const of = (metric: string, slice = 'all') =>
      findFigure(summary?.figures ?? [], 'faults', metric, slice)?.value ?? Number.NaN
    expect(of('trials')).toBe(trials)
    expect(of('broken')).toBe(0)
    // Otherwise nothing was tried.
    for (const { name } of FAULTS)
      expect([name, of('trials', `fault:${name}`)]).toEqual([name, TRIALS_A_FAULT])
    for (const metric of ['acknowledged', 'kills', 'cuts', 'repeated', 'jumps', 'chats'])
      expect([metric, of(metric) > 0]).toEqual([metric, true])
  }, 600_000)
})
