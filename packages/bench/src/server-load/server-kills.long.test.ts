import { describe, expect, it } from 'vitest'
import { runAlone } from '../benchmark/testing/run-alone.ts'
import { findFigure } from '../results/plain-figures.ts'
import { KillLedger } from './kill-ledger.ts'
import { server } from './server.ts'

/** A hundred are run by `keepsake bench server --kills 100`. */
const KILLS = 25

describe('a server killed in the middle of requests', () => {
  it(`keeps what it acknowledged, once, and keeps what it erased erased, over ${KILLS} kills`, async () => {
    const { log, summaries, fault } = await runAlone(server, { kills: KILLS })
    expect(fault).toBeNull()
    expect(log).toMatchObject([{ records: {} }])
    const figures = summaries[0]?.figures ?? []
    const of = (metric: string) => findFigure(figures, 'server-kills', metric)?.value ?? Number.NaN
    expect(of('kills')).toBe(KILLS)
    const shouldBeNone = [
      'lost',
      'doubled',
      'returned',
      'replayed_otherwise',
      'erased_in_files',
      'failed_starts',
    ]
    for (const metric of shouldBeNone) expect([metric, of(metric)]).toEqual([metric, 0])
    expect(of('refused')).toBe(0)
    // Otherwise nothing was tried.
    expect(of('kills_mid_request')).toBeGreaterThan(KILLS / 2)
    expect(of('cut_off_requests')).toBeGreaterThanOrEqual(of('kills_mid_request'))
    expect(of('acknowledged_writes')).toBeGreaterThan(KILLS)
    expect(of('acknowledged_erasures')).toBeGreaterThan(0)
    expect(of('kept_in_files')).toBe(of('acknowledged_writes') - of('acknowledged_erasures'))
  }, 300_000)
})

describe('what was acknowledged, compared with what is there', () => {
  const write = (text: string, user = 'ana') => ({ user, text, key: text, turn: `${text}/0` })

  it('finds what is lost, doubled and back, of that person alone', () => {
    const ledger = new KillLedger()
    for (const text of ['a', 'b', 'c', 'd']) ledger.keep(write(text))
    ledger.keep(write('e', 'ben'))
    ledger.erase(write('d'))
    expect(ledger.compare('ana', ['a', 'b', 'b', 'd'])).toEqual({ lost: 1, doubled: 1, returned: 1 })
    expect(ledger.compare('ben', ['e'])).toEqual({ lost: 0, doubled: 0, returned: 0 })
    expect(ledger.standing).toEqual(['a', 'b', 'c', 'e'])
  })

  it('asks nothing of what is being erased, and of what was not acknowledged only that it is there once', () => {
    const ledger = new KillLedger()
    ledger.keep(write('a'))
    ledger.beginErasing(write('a'))
    expect(ledger.compare('ana', [])).toEqual({ lost: 0, doubled: 0, returned: 0 })
    expect(ledger.compare('ana', ['a', 'new', 'new'])).toEqual({ lost: 0, doubled: 1, returned: 0 })
  })
})
