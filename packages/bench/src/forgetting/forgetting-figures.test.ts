import { describe, expect, it } from 'vitest'
import { areaUnder, measureCapacityCurves } from './capacity-curves.ts'
import { listEntrants } from './entrants.ts'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'

describe('areaUnder', () => {
  it('is the mean height of straight lines between points', () => {
    // from 2 to 4: mean 0.5; from 4 to 8: mean 0.8; (2·0.5 + 4·0.8) / 6 = 0.7
    expect(
      areaUnder([
        [2, 0.4],
        [4, 0.6],
        [8, 1],
      ]),
    ).toBeCloseTo(0.7, 12)
  })

  it('is the height itself of a single point, and nothing of none', () => {
    expect(areaUnder([[5, 0.3]])).toBe(0.3)
    expect(areaUnder([])).toBeNull()
  })

  it('tells nothing of a curve with a gap', () => {
    expect(
      areaUnder([
        [2, 0.4],
        [4, null],
        [8, 1],
      ]),
    ).toBeNull()
  })
})

function unitOf(id: string, session: number): TalkUnit {
  const turns = [{ id, role: 'user' as const, speaker: 'Ana', text: `word${id}`, at: session, zone: 'UTC' }]
  return { id, session, turns, marked: [] }
}

/** Four units in two sessions; the first unit of each is asked about. */
const talkOf = (person: string): ForgettingTalk => ({
  name: person,
  person,
  sessions: 2,
  units: [unitOf('a', 1), unitOf('b', 1), unitOf('c', 2), unitOf('d', 2)],
  questions: [
    { text: 'worda', session: 1, correct: new Set(['a']) },
    { text: 'wordc', session: 2, correct: new Set(['c']) },
  ],
  evidence: 'named',
  countsFrom: 1,
})

describe('measureCapacityCurves', () => {
  const signals = () => ({ arousal: null, surprise: null, importance: null })
  const entrants = listEntrants({ signals, heldOut: null, seed: 1, randomSeeds: 2 })

  it('measures every policy at every capacity, by person, with the share of the mean talk', async () => {
    const talks = [talkOf('Ana'), talkOf('Bo')]
    const curves = await measureCapacityCurves({ talks, entrants, capacities: [1, 2, 4], seed: 1 })
    expect(curves.map((curve) => curve.policy)).toEqual(entrants.map((entrant) => entrant.name))
    const first = curves.find((curve) => curve.policy === 'first-in-first-out')
    expect(first?.points.map(({ capacity, share }) => [capacity, share])).toEqual([
      [1, 0.25],
      [2, 0.5],
      [4, 1],
    ])
    // Holding 1: b, then d; nothing asked for. Holding 2: a and b (1/1, 1/2), then c and d (1/2, 1/2).
    expect(first?.points.map((point) => point.recall)).toEqual([0, 0.75, 1])
    expect(first?.points.map((point) => point.precision)).toEqual([0, 0.5, 0.5])
    // (0 + 0.75)/2 · 1 + (0.75 + 1)/2 · 2 = 2.125, over the range of 3
    expect(first?.area.recall).toBeCloseTo(2.125 / 3, 12)
    expect(first?.areaIntervals.recall).toEqual({ value: 2.125 / 3, low: 2.125 / 3, high: 2.125 / 3 })
  })

  it('makes no number up where nobody marked anything', async () => {
    const curves = await measureCapacityCurves({
      talks: [talkOf('Ana')],
      entrants,
      capacities: [2],
      seed: 1,
    })
    for (const { points, area, areaIntervals } of curves) {
      expect([points[0]?.agreement, area.agreement, areaIntervals.agreement]).toEqual([null, null, null])
    }
  })

  it('is the same for all where everything fits, and leads over no one', async () => {
    const curves = await measureCapacityCurves({
      talks: [talkOf('Ana')],
      entrants,
      capacities: [4],
      seed: 1,
    })
    expect(new Set(curves.map((curve) => curve.area.f1)).size).toBe(1)
    for (const { policy, points, areaLead } of curves) {
      const leads = [areaLead, ...points.map(({ lead }) => lead)].map((lead) => lead?.f1 ?? null)
      const none = policy === 'keepsake' ? null : { value: 0, low: 0, high: 0 }
      expect(leads).toEqual([none, none])
    }
  })
})
