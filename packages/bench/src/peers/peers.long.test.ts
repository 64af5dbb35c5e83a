import { describe, expect, it } from 'vitest'
import { benchPeers } from './bench-peers.ts'
import { FACTS_PER_ROUND, peerQuestions, peerTalk, roundsFrom } from './peer-talk.ts'
import { renderPeers } from './render-peers.ts'

describe('the talk told to each system', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(peerTalk(1)(7)).toEqual(peerTalk(1)(7))
    expect(peerTalk(1)(7).user).not.toBe(peerTalk(2)(7).user)
  })

  it('tells no fact twice', () => {
    const texts = roundsFrom(peerTalk(1), 0, 4_000).flatMap(({ facts }) => facts.map(({ text }) => text))
    expect(new Set(texts).size).toBe(4_000 * FACTS_PER_ROUND)
  })

  it('has each fact in the user’s own words, and is asked about by them', () => {
    for (const { user, facts } of roundsFrom(peerTalk(1), 0, 20))
      for (const { quote } of facts) expect(user).toContain(quote)
    expect(peerQuestions(1, 20)()).toMatch(/^What did the user do with the \w+ \w+ and \w+\?$/)
  })
})

describe('Keepsake and Mem0 side by side', () => {
  it('are both measured and killed, hold what they were told, and stand in one table', async () => {
    const steps: string[] = []
    const report = await benchPeers({
      sizes: [96],
      calls: 3,
      unmeasured: 1,
      kills: 1,
      onProgress: (step) => steps.push(step),
    })
    const figures = report.metrics['96']
    // Two calls of sixteen rounds, three facts each.
    for (const peer of ['keepsake', 'keepsake-at-once', 'mem0'] as const) {
      expect(figures?.[peer]).toMatchObject({ facts: 96, calls: 3 })
      expect(figures?.[peer]?.disk_bytes).toBeGreaterThan(0)
      const killed = report.kills[peer]
      expect(killed).toMatchObject({ kills: 1, failedStarts: 0, lostFacts: 0 })
      expect(killed?.acknowledged).toBeGreaterThan(0)
      expect(killed?.facts).toBeGreaterThanOrEqual((killed?.acknowledged ?? 0) * FACTS_PER_ROUND)
    }
    // One prompt an add and none a search, whose two embeddings Mem0 asks for one by one.
    expect(figures?.mem0).toMatchObject({ model_calls_per_add: 1, model_calls_per_search: 0 })
    expect(figures?.keepsake?.model_calls_per_search).toBe(0)
    expect(steps).toEqual([
      '96 facts: keepsake',
      '96 facts: keepsake-at-once',
      '96 facts: mem0',
      '1 kills: keepsake',
      '1 kills: keepsake-at-once',
      '1 kills: mem0',
    ])
    expect(renderPeers(report)).toMatch(/\| add, p50 \/ p95 +\|.* ms \|/)
  }, 120_000)
})
