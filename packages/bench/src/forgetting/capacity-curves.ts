import type { AnnotatedTalk } from './annotated-talk.ts'
import type { SignalsOf } from './measure-talk-signals.ts'
import type { PolicySetting } from './policies.ts'
import { policySystem } from './policy-system.ts'
import { rankByWords } from './rank-by-words.ts'
import { scoreForgetting } from './score-forgetting.ts'
import { FORGETTING_METRICS, mean, scorePeople, type ForgettingMetric } from './summarise-scores.ts'

export interface CapacityPoint extends Readonly<Record<ForgettingMetric, number>> {
  /** Units held at most. */
  readonly capacity: number
}

/** One policy's figures against how much it may hold. */
export interface CapacityCurve {
  readonly policy: string
  readonly points: readonly CapacityPoint[]
  /** Area under each figure over the range of capacities, over the range's width: a mean figure, 0 to 1. */
  readonly area: Readonly<Record<ForgettingMetric, number>>
}

/**
 * Each policy under a capacity that is enforced after every unit (not at the session's end), for a range of
 * capacities: means over people of the figures after each session.
 *
 * @param capacities units held at most, rising
 */
export async function measureCapacityCurves(
  talks: readonly AnnotatedTalk[],
  settings: readonly PolicySetting[],
  signals: SignalsOf,
  capacities: readonly number[],
): Promise<CapacityCurve[]> {
  const curves: CapacityCurve[] = []
  const rank = rankByWords()
  for (const setting of settings) {
    const points: CapacityPoint[] = []
    for (const capacity of capacities) {
      const retention = { when: 'capacity', memories: capacity } as const
      const system = policySystem({ ...setting, retention, signals, rank })
      const scores = []
      for (const talk of talks) scores.push(...(await scoreForgetting(system, talk)))
      const people = scorePeople(scores)
      points.push({ capacity, ...perMetric((metric) => mean(people.map((person) => person[metric]))) })
    }
    curves.push({
      policy: setting.policy.name,
      points,
      area: perMetric((metric) => areaUnder(points.map((point) => [point.capacity, point[metric]]))),
    })
  }
  return curves
}

/** Area under straight lines between points, over their range; the value itself for a single point. */
export function areaUnder(points: readonly (readonly [x: number, y: number])[]): number {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return Number.NaN
  if (first[0] === last[0]) return first[1]
  let area = 0
  for (const [i, [x, y]] of points.entries()) {
    const next = points[i + 1]
    if (next !== undefined) area += ((next[0] - x) * (y + next[1])) / 2
  }
  return area / (last[0] - first[0])
}

function perMetric(of: (metric: ForgettingMetric) => number): Record<ForgettingMetric, number> {
  const values = new Map(FORGETTING_METRICS.map((metric) => [metric, of(metric)]))
  const valueOf = (metric: ForgettingMetric): number => values.get(metric) ?? Number.NaN
  return {
    recall: valueOf('recall'),
    precision: valueOf('precision'),
    f1: valueOf('f1'),
    'hit@2': valueOf('hit@2'),
    agreement: valueOf('agreement'),
  }
}
