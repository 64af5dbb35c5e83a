import { ALL, type Figure, type FigureTask, type SystemFigures } from '../log/figure.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { mean } from '../metrics/means.ts'
import type { ForgettingTalk } from './forgetting-talk.ts'
import { OURS } from './policies.ts'
import { agreementAmongPeople, type SessionScore } from './score-forgetting.ts'
import {
  estimate,
  estimateLead,
  estimateMean,
  FORGETTING_METRICS,
  perMetric,
  type Estimate,
  type ForgettingEstimates,
  type PersonScore,
} from './summarise-scores.ts'

/** The logged scores of a policy. */
export interface PolicyRecord {
  readonly policy: string
  /** The capacity, enforced after every unit. `null`: the policy forgot at the end of each session. */
  readonly capacity: number | null
  /** Means over the runs of the policy. */
  readonly people: readonly PersonScore[]
  /** The scores of each run. */
  readonly sessions: readonly (readonly SessionScore[])[]
}

export interface ForgettingFiguresOptions {
  readonly talks: readonly ForgettingTalk[]
  readonly policies: readonly string[]
  /** Capacities in units, rising. */
  readonly capacities: readonly number[]
  readonly seed: number
}

/** Figures of policies after forgetting, under capacities (with the area under their curve), our policy's lead, and people's agreement. */
export function forgettingFigures({ talks, policies, capacities, seed }: ForgettingFiguresOptions) {
  const agreement = agreementOfPeople(talks, seed)
  return (log: readonly LogEntry[]): SystemFigures[] => {
    const records = log.flatMap((entry) => (entry.entry === 'step' ? [entry.records as PolicyRecord] : []))
    const peopleOf = (policy: string, capacity: number | null): readonly PersonScore[] =>
      records.find((record) => record.policy === policy && record.capacity === capacity)?.people ?? []
    const areasOf = (policy: string): PersonScore[] => {
      const byCapacity = capacities.map((capacity) => peopleOf(policy, capacity))
      return areasByPerson(capacities, byCapacity)
    }
    type ScoresOf = (policy: string) => readonly PersonScore[]
    const scoresAndLead =
      (task: 'forgetting' | 'capacity', slice: string, scoresOf: ScoresOf) =>
      (policy: string): Figure[] => {
        const scores = scoresOf(policy)
        const figures = figuresOf(task, slice, estimate(scores, seed), scores.length)
        if (policy === OURS) return figures
        const lead = estimateLead(scoresOf(OURS), scores, seed)
        return [...figures, ...figuresOf(`${task}-lead`, slice, lead, scores.length)]
      }
    const tables = [scoresAndLead('forgetting', ALL, (policy) => peopleOf(policy, null))]
    if (capacities.length > 0) tables.push(scoresAndLead('capacity', ALL, areasOf))
    for (const capacity of capacities)
      tables.push(scoresAndLead('capacity', `capacity:${capacity}`, (policy) => peopleOf(policy, capacity)))
    const measured = policies.map((system) => ({
      system,
      figures: [...tables.flatMap((table) => table(system)), ...peopleOf(system, null).flatMap(ofPerson)],
    }))
    return agreement === null ? measured : [...measured, { system: 'people', figures: [agreement] }]
  }
}

/** Makes figures of the estimates. A metric for which the data has no labels gives no figure. */
function figuresOf(task: FigureTask, slice: string, estimates: ForgettingEstimates, count: number): Figure[] {
  return FORGETTING_METRICS.flatMap((metric) => {
    const estimated = estimates[metric]
    return estimated === null ? [] : [figureOf({ task, slice, metric }, estimated, count)]
  })
}

function figureOf(
  what: Pick<Figure, 'task' | 'metric' | 'slice'>,
  { value, low, high }: Estimate,
  count: number,
): Figure {
  return { ...what, value, interval: { low, high }, count, unit: 'share', judge: null }
}

function ofPerson({ person, ...scores }: PersonScore): Figure[] {
  return FORGETTING_METRICS.flatMap((metric): Figure[] => {
    const value = scores[metric]
    const slice = `person:${person}`
    return value === null
      ? []
      : [{ task: 'forgetting', metric, slice, value, interval: null, count: 1, unit: 'share', judge: null }]
  })
}

/** The agreement of annotators. `null`: nothing is marked. */
function agreementOfPeople(talks: readonly ForgettingTalk[], seed: number): Figure | null {
  const people = [...Map.groupBy(talks, (talk) => talk.person).values()]
  const agreements = people.map((own) => mean(own.flatMap(agreementAmongPeople)))
  const estimated = estimateMean(agreements, seed)
  return estimated === null
    ? null
    : figureOf({ task: 'forgetting', slice: ALL, metric: 'agreement' }, estimated, people.length)
}

/** For each person, the area under the curve of scores over capacities. */
function areasByPerson(
  capacities: readonly number[],
  byCapacity: readonly (readonly PersonScore[])[],
): PersonScore[] {
  const people = byCapacity[0]?.map(({ person }) => person) ?? []
  return people.map((person) => {
    const scores = byCapacity.map((own) => own.find((score) => score.person === person))
    return {
      person,
      ...perMetric((metric) =>
        areaUnder(capacities.map((capacity, i) => [capacity, scores[i]?.[metric] ?? null])),
      ),
    }
  })
}

/** The area under straight lines between points of rising x, divided by their range; `null` when a point has no value. */
export function areaUnder(points: readonly (readonly [x: number, y: number | null])[]): number | null {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return null
  if (first[0] === last[0]) return first[1]
  let area = 0
  let [before, height] = first
  for (const [x, y] of points) {
    if (y === null || height === null) return null
    area += ((x - before) * (y + height)) / 2
    before = x
    height = y
  }
  return area / (last[0] - first[0])
}
