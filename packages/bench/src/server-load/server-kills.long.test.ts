import { describe, expect, it } from 'vitest'
import { benchServerKills } from './bench-server-kills.ts'
import { KillLedger } from './kill-ledger.ts'

/** A hundred are run by `keepsake bench server --kills 100`. */
const KILLS = 25

describe('a server killed in the middle of requests', () => {
  it(`keeps what it acknowledged, once, and keeps what it erased erased, over ${KILLS} kills`, async () => {
    const { metrics, refusals } = await benchServerKills({ kills: KILLS })
    expect(refusals).toEqual({})
    expect(metrics).toMatchObject({
      kills: KILLS,
      lost: 0,
      doubled: 0,
      returned: 0,
      replayed_otherwise: 0,
      erased_in_files: 0,
      failed_starts: 0,
    })
    // Otherwise nothing was tried.
    expect(metrics.kills_mid_request).toBeGreaterThan(KILLS / 2)
    expect(metrics.cut_off_requests).toBeGreaterThanOrEqual(metrics.kills_mid_request)
    expect(metrics.acknowledged_writes).toBeGreaterThan(KILLS)
    expect(metrics.acknowledged_erasures).toBeGreaterThan(0)
    expect(metrics.kept_in_files).toBe(metrics.acknowledged_writes - metrics.acknowledged_erasures)
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
