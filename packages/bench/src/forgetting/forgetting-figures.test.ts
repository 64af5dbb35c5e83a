import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../log/log-entry.ts'
import { findFigure } from '../results/plain-figures.ts'
import { listEntrants } from './entrants.ts'
import { policySteps } from './forgetting.ts'
import { forgettingFigures } from './forgetting-figures.ts'
import type { ForgettingTalk } from './forgetting-talk.ts'
import { talkOf, unitOf } from './testing/sample-talk.ts'

/** Four units in two sessions. Questions are about the first unit of each. */
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

  async function measure(talks: readonly ForgettingTalk[], keep: number) {
    const log: LogEntry[] = []
    for (const step of policySteps(entrants, talks, { keep }))
      log.push(...(await step.measure(() => undefined)))
    return forgettingFigures({ talks, policies, seed: 1 })(log)
  }

  it('measures every policy, over people and by person', async () => {
    const results = await measure([askedTalk('Ana'), askedTalk('Bo')], 0.5)
    expect(results.map(({ system }) => system)).toEqual(policies)
    const { figures } = results.find(({ system }) => system === 'first-in-first-out') ?? { figures: [] }
    // Half is kept: b after the first session, c and d after the second. So 0 of 1 question, then 1 of 2.
    for (const slice of ['all', 'person:Bo'])
      expect(findFigure(figures, 'forgetting', 'recall', slice)?.value).toBe(0.25)
    expect(findFigure(figures, 'forgetting', 'recall')).toMatchObject({
      interval: { low: 0.25, high: 0.25 },
      count: 2,
    })
  })

  it('makes no number up where nobody marked anything', async () => {
    const results = await measure([askedTalk('Ana')], 0.5)
    const metrics = new Set(results.flatMap(({ figures }) => figures.map(({ metric }) => metric)))
    expect(metrics).not.toContain('agreement')
    expect(metrics).toContain('recall')
  })

  it('is the same for all where everything fits, and leads over no one', async () => {
    const results = await measure([askedTalk('Ana')], 1)
    expect(new Set(results.map(({ figures }) => findFigure(figures, 'forgetting', 'f1')?.value)).size).toBe(1)
    for (const { system, figures } of results) {
      const lead = findFigure(figures, 'forgetting-lead', 'f1')
      if (system === 'keepsake') expect(lead).toBeUndefined()
      else expect(lead).toMatchObject({ value: 0, interval: { low: 0, high: 0 } })
    }
  })
})
