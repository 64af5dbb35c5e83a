import { describe, expect, it } from 'vitest'
import { runAlone } from '../benchmark/testing/run-alone.ts'
import { headlineTable } from '../reports/headline-table.ts'
import { findFigure } from '../results/plain-figures.ts'
import { FACTS_PER_ROUND, peerQuestions, peerTalk, roundsFrom } from './peer-talk.ts'
import { peers } from './peers.ts'

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
  it('are both measured, hold what they were told, and stand in one table', async () => {
    const { summaries, steps } = await runAlone(peers, { sizes: [96], calls: 3 })
    expect(summaries.map(({ system }) => system)).toEqual(['keepsake', 'keepsake-at-once', 'mem0'])
    const [, ...rows] = headlineTable(summaries)
    const at = (title: string) => rows.find(([first]) => first === title)?.slice(1)
    for (const { system, figures } of summaries) {
      const measured = (metric: string) => findFigure(figures, 'side-by-side', metric, 'facts:96')?.value ?? 0
      // Two calls of sixteen rounds, three facts each.
      expect([measured('facts'), measured('calls')]).toEqual([96, 3])
      expect(measured('disk_bytes')).toBeGreaterThan(0)
      // None a search, whose two embeddings Mem0 asks for one by one; and one prompt an add.
      expect(measured('model_calls_per_search')).toBe(0)
      if (system === 'mem0') expect(measured('model_calls_per_add')).toBe(1)
    }
    expect(steps).toEqual(['96 facts: keepsake', '96 facts: keepsake-at-once', '96 facts: mem0'])
    expect(at('Side by side: add p50, facts 96')).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/ ms$/)),
    )
  })
})
