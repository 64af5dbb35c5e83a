import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../log/log-entry.ts'
import { findFigure } from '../results/plain-figures.ts'
import { listEntrants } from './entrants.ts'
import { policySteps } from './forgetting.ts'
import { areaUnder, forgettingFigures } from './forgetting-figures.ts'
import type { ForgettingTalk } from './forgetting-talk.ts'
import { talkOf, unitOf } from './testing/sample-talk.ts'

describe('areaUnder', () => {
  it('is the mean height of straight lines between points', () => {
    // from 2 to 4: mean 0.5; from 4 to 8: mean 0.8; (2·0.5 + 4·0.8) / 6 = 0.7
    const [first, second, third] = [[2, 0.4] as const, [4, 0.6] as const, [8, 1] as const]
    expect(areaUnder([first, second, third])).toBeCloseTo(0.7, 12)
    expect(areaUnder([first, [4, null], third])).toBeNull()
  })

  it('is the height itself of a single point, and nothing of none', () => {
    expect(areaUnder([[5, 0.3]])).toBe(0.3)
    expect(areaUnder([])).toBeNull()
  })
})

/** Four units in two sessions; the first unit of each is asked about. */
const askedTalk = (person: string): ForgettingTalk =>
  talkOf(
    person,
    ['a', 'b', 'c', 'd'].map((id, place) => unitOf(id, place < 2 ? 1 : 2, { text: `word${id}` })),
    [
      { text: 'worda', session: 1, correct: new Set(['a']) },
      { text: 'wordc', session: 2, correct: new Set(['c']) },
    ],
  )

describe('forgettingFigures', () => {
  const signals = () => ({ arousal: null, surprise: null, importance: null })
  const entrants = listEntrants({ signals, heldOut: null, seed: 1, randomSeeds: 2 })
  const policies = entrants.map(({ name }) => name)

  async function measure(talks: readonly ForgettingTalk[], capacities: readonly number[]) {
    const log: LogEntry[] = []
    const how = { through: 'policies', keep: 0.5, capacities } as const
    for (const step of policySteps(entrants, talks, how)) log.push(...(await step.measure(() => undefined)))
    return forgettingFigures({ talks, policies, capacities, seed: 1 })(log)
  }

  it('measures every policy at every capacity, by person, and the area over all of them', async () => {
    const results = await measure([askedTalk('Ana'), askedTalk('Bo')], [1, 2, 4])
    expect(results.map(({ system }) => system)).toEqual(policies)
    const { figures } = results.find(({ system }) => system === 'first-in-first-out') ?? { figures: [] }
    const at = (metric: string) =>
      [1, 2, 4].map((capacity) => findFigure(figures, 'capacity', metric, `capacity:${capacity}`)?.value)
    // Holding 1: b, then d; nothing asked for. Holding 2: a and b (1/1, 1/2), then c and d (1/2, 1/2).
    expect(at('recall')).toEqual([0, 0.75, 1])
    expect(at('precision')).toEqual([0, 0.5, 0.5])
    // (0 + 0.75)/2 · 1 + (0.75 + 1)/2 · 2 = 2.125, over the range of 3
    const area = 2.125 / 3
    expect(findFigure(figures, 'capacity', 'recall')).toMatchObject({
      value: expect.closeTo(area, 12),
      interval: { low: area, high: area },
      count: 2,
    })
    // At the end of each session, keeping half: b; then d.
    expect(findFigure(figures, 'forgetting', 'recall', 'person:Bo')?.value).toBe(
      findFigure(figures, 'forgetting', 'recall')?.value,
    )
  })

  it('makes no number up where nobody marked anything', async () => {
    const results = await measure([askedTalk('Ana')], [2])
    expect(results.map(({ system }) => system)).toEqual(policies)
    const metrics = new Set(results.flatMap(({ figures }) => figures.map(({ metric }) => metric)))
    expect(metrics).not.toContain('agreement')
    expect(metrics).toContain('recall')
  })

  it('is the same for all where everything fits, and leads over no one', async () => {
    const results = await measure([askedTalk('Ana')], [4])
    expect(new Set(results.map(({ figures }) => findFigure(figures, 'capacity', 'f1')?.value)).size).toBe(1)
    for (const { system, figures } of results) {
      const leads = ['all', 'capacity:4'].map((slice) => findFigure(figures, 'capacity-lead', 'f1', slice))
      const none = { value: 0, interval: { low: 0, high: 0 } }
      if (system === 'keepsake') expect(leads).toEqual([undefined, undefined])
      else expect(leads).toMatchObject([none, none])
    }
  })
})
