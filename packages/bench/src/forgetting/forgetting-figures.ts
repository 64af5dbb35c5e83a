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
  type Estimate,
  type ForgettingEstimates,
  type PersonScore,
} from './summarise-scores.ts'

/** The logged scores of a policy. */
export interface PolicyRecord {
  readonly policy: string
  /** Means over the runs of the policy. */
  readonly people: readonly PersonScore[]
  /** The scores of each run. */
  readonly sessions: readonly (readonly SessionScore[])[]
}

export interface ForgettingFiguresOptions {
  readonly talks: readonly ForgettingTalk[]
  readonly policies: readonly string[]
  readonly seed: number
}

/** Returns a function that makes figures of the log: each policy's scores, our policy's lead over it, and the agreement of annotators. */
export function forgettingFigures({ talks, policies, seed }: ForgettingFiguresOptions) {
  const agreement = agreementOfPeople(talks, seed)
  return (log: readonly LogEntry[]): SystemFigures[] => {
    const records = log.flatMap((entry) => (entry.entry === 'step' ? [entry.records as PolicyRecord] : []))
    const scoresOf = (policy: string): readonly PersonScore[] =>
      records.find((record) => record.policy === policy)?.people ?? []
    const measured = policies.map((system) => {
      const scores = scoresOf(system)
      const figures = figuresOf('forgetting', estimate(scores, seed), scores.length)
      if (system !== OURS) {
        const lead = estimateLead(scoresOf(OURS), scores, seed)
        figures.push(...figuresOf('forgetting-lead', lead, scores.length))
      }
      return { system, figures: [...figures, ...scores.flatMap(personFigures)] }
    })
    return agreement === null ? measured : [...measured, { system: 'people', figures: [agreement] }]
  }
}

/** Makes figures of the estimates. A metric for which the data has no labels gives no figure. */
function figuresOf(task: FigureTask, estimates: ForgettingEstimates, count: number): Figure[] {
  return FORGETTING_METRICS.flatMap((metric) => {
    const estimated = estimates[metric]
    return estimated === null ? [] : [figureOf({ task, metric }, estimated, count)]
  })
}

function figureOf(
  what: Pick<Figure, 'task' | 'metric'>,
  { value, low, high }: Estimate,
  count: number,
): Figure {
  return { ...what, slice: ALL, value, interval: { low, high }, count, unit: 'share', judge: null }
}

/** Makes the figures of one person. */
function personFigures({ person, ...scores }: PersonScore): Figure[] {
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
  const agreements = people.map((talksOfPerson) => mean(talksOfPerson.flatMap(agreementAmongPeople)))
  const estimated = estimateMean(agreements, seed)
  return estimated === null
    ? null
    : figureOf({ task: 'forgetting', metric: 'agreement' }, estimated, people.length)
}
