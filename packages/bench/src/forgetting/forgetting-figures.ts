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

/** Logged scores of a policy: at the end of each session, or under a capacity enforced after every unit. */
export interface PolicyRecord {
  readonly policy: string
  readonly capacity: number | null
  /** Means of one run, or of several. */
  readonly people: readonly PersonScore[]
  /** Every run. */
  readonly sessions: readonly (readonly SessionScore[])[]
}

export interface ForgettingFiguresOptions {
  readonly talks: readonly ForgettingTalk[]
  readonly policies: readonly string[]
  /** Capacities in units, rising. */
  readonly capacities: readonly number[]
  readonly seed: number
}

/**
 * The figures of each policy: `forgetting`, also by person; `capacity`, with the area under the curve divided by its range; our lead in
 * both, paired by person. Human agreement stands beside the policies.
 */
export function forgettingFigures({ talks, policies, capacities, seed }: ForgettingFiguresOptions) {
  const agreement = agreementOfPeople(talks, seed)
  return (log: readonly LogEntry[]): SystemFigures[] => {
    const records = log.flatMap((one) => (one.entry === 'step' ? [one.records as PolicyRecord] : []))
    const peopleOf = (policy: string, capacity: number | null): readonly PersonScore[] =>
      records.find((one) => one.policy === policy && one.capacity === capacity)?.people ?? []
    const areas = (policy: string): PersonScore[] =>
      areasByPerson(
        capacities,
        capacities.map((capacity) => peopleOf(policy, capacity)),
      )
    const tell =
      (task: 'forgetting' | 'capacity', slice: string, scores: (policy: string) => readonly PersonScore[]) =>
      (policy: string): Figure[] => [
        ...figuresOf(task, slice, estimate(scores(policy), seed), scores(policy).length),
        ...(policy === OURS
          ? []
          : figuresOf(
              `${task}-lead`,
              slice,
              estimateLead(scores(OURS), scores(policy), seed),
              scores(policy).length,
            )),
      ]
    const tables = [
      tell('forgetting', ALL, (policy) => peopleOf(policy, null)),
      ...(capacities.length === 0 ? [] : [tell('capacity', ALL, areas)]),
      ...capacities.map((capacity) =>
        tell('capacity', `capacity:${capacity}`, (policy) => peopleOf(policy, capacity)),
      ),
    ]
    const measured = policies.map((system) => ({
      system,
      figures: [...tables.flatMap((table) => table(system)), ...peopleOf(system, null).flatMap(ofPerson)],
    }))
    return agreement === null ? measured : [...measured, { system: 'people', figures: [agreement] }]
  }
}

/** A data set without labels for a figure gives none. */
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

/** `null` without any mark. */
function agreementOfPeople(talks: readonly ForgettingTalk[], seed: number): Figure | null {
  const people = [...Map.groupBy(talks, (talk) => talk.person).values()]
  const agreements = people.map((own) => mean(own.flatMap(agreementAmongPeople)))
  const estimated = estimateMean(agreements, seed)
  return estimated === null
    ? null
    : figureOf({ task: 'forgetting', slice: ALL, metric: 'agreement' }, estimated, people.length)
}

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

/**
 * Area under straight lines between points, over their range; the value itself for a single point; `null` without points and when a point
 * has no value.
 *
 * @param points x rising
 */
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
