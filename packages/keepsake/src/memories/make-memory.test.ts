import { describe, expect, it } from 'vitest'
import { memoryOf } from './candidate.ts'
import { makeCandidate } from './memory-fixture.ts'

const SETTING = { session: 's3', sessionNumber: 3, round: 12, learnedAt: 900 }
const USE = { first: 0, second: 0, rounds: [], lastSession: 3, lastAt: 900 }

describe('a candidate as a memory', () => {
  it('is live, unpinned, without a past, and used last when it was learned', () => {
    const candidate = makeCandidate({ label: 'user-confirmed' })
    expect(memoryOf(candidate, SETTING)).toEqual({
      ...candidate,
      ...SETTING,
      sources: [],
      status: 'live',
      reason: null,
      pinned: false,
      past: [],
      use: USE,
      name: null,
      limit: null,
      metadata: null,
    })
  })

  it('is nobody’s word in particular unless grounding said whose', () => {
    expect(memoryOf(makeCandidate(), SETTING).label).toBe('other')
  })

  it('is quarantined when there is a reason not to believe it', () => {
    const reason = 'nobody said so'
    expect(memoryOf(makeCandidate(), SETTING, { reason })).toMatchObject({ status: 'quarantined', reason })
  })

  it('names the memories it was made from', () => {
    expect(memoryOf(makeCandidate(), SETTING, { sources: ['m1', 'm2'] }).sources).toEqual(['m1', 'm2'])
  })
})
