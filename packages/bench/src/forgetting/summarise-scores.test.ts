import { describe, expect, it } from 'vitest'
import type { SessionScore } from './score-forgetting.ts'
import { averageRuns, estimate, estimateLead, scorePeople } from './summarise-scores.ts'

const scoreOf = (person: string, recall: number | null, precision: number | null): SessionScore => ({
  talk: `LUFY/${person}`,
  person,
  session: 1,
  made: 30,
  kept: 3,
  recall,
  recall_all: null,
  precision,
  'hit@2': recall,
  agreement: 0.25,
})

describe('scorePeople', () => {
  it('takes the mean of a person’s sessions and the harmonic mean of those', () => {
    const [ana] = scorePeople([scoreOf('Ana', 0.2, 1), scoreOf('Ana', 0.6, 0.5)])
    // recall 0.4, precision 0.75: 2·0.4·0.75 / 1.15 = 0.52174
    expect(ana).toMatchObject({ person: 'Ana', recall: 0.4, precision: 0.75 })
    expect(ana?.f1).toBeCloseTo(0.52174, 5)
  })

  it('leaves sessions without a figure out of the mean', () => {
    const [ana] = scorePeople([scoreOf('Ana', 0.5, null), scoreOf('Ana', 0.5, 0.5)])
    expect(ana?.precision).toBe(0.5)
  })

  it('is zero where nothing was found', () => {
    expect(scorePeople([scoreOf('Ana', 0, 0)])[0]?.f1).toBe(0)
  })
})

describe('estimate', () => {
  const people = scorePeople([scoreOf('Ana', 0.2, 0.5), scoreOf('Bo', 0.4, 0.5), scoreOf('Cy', 0.9, 0.5)])

  it('counts every person alike, whatever they said', () => {
    const { recall } = estimate(people, 1)
    expect(recall?.value).toBeCloseTo(0.5, 12)
    expect(recall?.low).toBeGreaterThanOrEqual(0.2)
    expect(recall?.high).toBeLessThanOrEqual(0.9)
    expect(recall?.low).toBeLessThan(recall?.high ?? 0)
  })

  it('tells nothing of what nobody has a figure of', () => {
    expect(estimate(people, 1).recall_all).toBeNull()
    expect(estimateLead(people, people, 1).recall_all).toBeNull()
  })

  it('is the same for the same seed', () => {
    expect(estimate(people, 7)).toEqual(estimate(people, 7))
  })
})

describe('averageRuns', () => {
  it('takes the mean over runs, person by person', () => {
    const runs = [scorePeople([scoreOf('Ana', 0.2, 1)]), scorePeople([scoreOf('Ana', 0.4, 0)])]
    expect(averageRuns(runs)[0]).toMatchObject({ person: 'Ana', precision: 0.5 })
    expect(averageRuns(runs)[0]?.recall).toBeCloseTo(0.3, 12)
  })
})
