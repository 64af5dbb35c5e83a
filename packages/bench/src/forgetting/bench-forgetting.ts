import type { Retention } from 'keepsake'
import { resolveCapacities, type Capacity } from './capacities.ts'
import { measureCapacityCurves, type CapacityCurve } from './capacity-curves.ts'
import { engineSystem } from './engine-system.ts'
import { listEntrants, plainSystems, scoreTalks, type Entrant } from './entrants.ts'
import type { ForgettingSystem } from './forgetting-system.ts'
import type { ForgettingTalk, ForgettingTalks } from './forgetting-talk.ts'
import { holdOutImportance } from './hold-out-importance.ts'
import { measureTalkSignals } from './measure-talk-signals.ts'
import { OURS } from './policies.ts'
import { loadLocomoTalks } from './read-locomo-talks.ts'
import { loadLufyTalks } from './read-lufy-talks.ts'
import { agreementAmongPeople, type SessionScore } from './score-forgetting.ts'
import {
  averageRuns,
  estimate,
  estimateLead,
  estimateMean,
  mean,
  scorePeople,
  valuesOf,
  type Estimate,
  type ForgettingEstimates,
  type ForgettingFigures,
  type PersonScore,
} from './summarise-scores.ts'

/** LUFY 4.2: people remember about a tenth of a conversation. */
const KEEP = 0.1
const DEFAULT_SEED = 1
const DEFAULT_RANDOM_SEEDS = 20

export const FORGETTING_DATASETS = ['locomo', 'lufy'] as const
export type ForgettingDataset = (typeof FORGETTING_DATASETS)[number]

export interface BenchForgettingOptions {
  /** Default `lufy`. */
  readonly dataset?: ForgettingDataset
  /** The LUFY dataset's published tree, or LoCoMo's published file. */
  readonly path: string
  /**
   * `engine` runs each policy as a preset through the public API on a store of its own; `policies` runs the pure
   * policies with a plain retriever, some ten times as fast. Default `engine`.
   */
  readonly through?: 'engine' | 'policies'
  /** Share of all units so far that is kept. Default 0.1. */
  readonly keep?: number
  /** Seeds the intervals and chance. Default 1. */
  readonly seed?: number
  /** How many times chance is run. Default 20. */
  readonly randomSeeds?: number
  /** Also measure over a range of capacities: units held, or shares of the mean talk as in `10%`. Default none. */
  readonly capacities?: readonly Capacity[]
  readonly onProgress?: (done: number, total: number) => void
}

export interface ForgettingReport {
  readonly dataset: ForgettingDataset
  readonly dataHash: string
  readonly config: Readonly<Record<string, unknown>>
  /** Flat: `policies.<name>.<metric>`, and `people_agreement`. What the data tells nothing of is not there. */
  readonly metrics: Readonly<Record<string, number>>
  /** The same by policy; `null` where the data tells nothing of it. */
  readonly policies: Readonly<Record<string, ForgettingFigures>>
  readonly intervals: Readonly<Record<string, ForgettingEstimates>>
  /** Ours minus each other policy, paired by person. */
  readonly leads: Readonly<Record<string, ForgettingEstimates>>
  /** `null` where nobody marked anything. */
  readonly peopleAgreement: Estimate | null
  readonly byPerson: Readonly<Record<string, readonly PersonScore[]>>
  readonly bySession: Readonly<Record<string, readonly SessionScore[]>>
  readonly capacityCurves: readonly CapacityCurve[]
}

/**
 * Measures what policies keep of a data set's talks when nine tenths must go: are the questions people later asked
 * still answered, is what is kept what they asked about, is it what annotators marked. The rules are in
 * docs/benchmarks/forgetting.md.
 *
 * @throws DatasetError when the files are not the data set's
 * @throws RangeError when a capacity cannot be read
 * @example
 * const report = await benchForgetting({ dataset: 'lufy', path: 'data/lufy', capacities: ['10%', '20%'] })
 * report.policies['keepsake']?.recall
 */
export async function benchForgetting(options: BenchForgettingOptions): Promise<ForgettingReport> {
  const { dataset = 'lufy', through = 'engine', keep = KEEP, seed = DEFAULT_SEED } = options
  const randomSeeds = options.randomSeeds ?? DEFAULT_RANDOM_SEEDS
  const { talks, dataHash, leftOut } = await loadTalks(dataset, options.path)
  const capacities = resolveCapacities(options.capacities ?? [], talks)
  const signals = measureTalkSignals(talks)
  const heldOut = dataset === 'locomo' ? holdOutImportance(talks, signals) : null
  const entrants = listEntrants({ signals, heldOut: heldOut?.signals ?? null, seed, randomSeeds })
  const runs = entrants.reduce((sum, { settings }) => sum + settings.length, 0)
  const progress = countProgress(talks.length * runs * (1 + capacities.length), options.onProgress)

  const bySession: Record<string, SessionScore[]> = {}
  const byPerson: Record<string, PersonScore[]> = {}
  for (const entrant of entrants) {
    const scores: SessionScore[][] = []
    for (const system of systemsOf(entrant, through, { when: 'session-end', keep })) {
      scores.push(await scoreTalks(system, talks, progress))
    }
    byPerson[entrant.name] = averageRuns(scores.map(scorePeople))
    if (entrant.kind !== 'chance') bySession[entrant.name] = scores.flat()
  }
  return {
    dataset,
    dataHash,
    config: {
      through,
      keep,
      seed,
      randomSeeds,
      capacities,
      ...describeTalks(talks),
      leftOut,
      heldOutWeights: heldOut?.weights ?? null,
    },
    ...summarise(byPerson, talks, seed),
    bySession,
    capacityCurves: await measureCapacityCurves({ talks, entrants, capacities, seed, progress }),
  }
}

function loadTalks(dataset: ForgettingDataset, path: string): Promise<ForgettingTalks> {
  switch (dataset) {
    case 'locomo':
      return loadLocomoTalks(path)
    case 'lufy':
      return loadLufyTalks(path)
  }
}

function describeTalks(talks: readonly ForgettingTalk[]) {
  return {
    people: new Set(talks.map((talk) => talk.person)).size,
    talks: talks.length,
    units: talks.reduce((sum, talk) => sum + talk.units.length, 0),
    questions: talks.reduce((sum, talk) => sum + talk.questions.length, 0),
  }
}

/** Chance always runs with the plain retriever: it does not go by what is retrieved. */
function systemsOf(
  entrant: Entrant,
  through: 'engine' | 'policies',
  retention: Retention,
): ForgettingSystem[] {
  if (through === 'policies' || entrant.kind === 'chance') return plainSystems(entrant, retention)
  const importance = entrant.kind === 'held-out' ? entrant.signals : undefined
  return entrant.settings.map((setting) => engineSystem(setting, retention, importance))
}

function summarise(
  byPerson: Readonly<Record<string, readonly PersonScore[]>>,
  talks: readonly ForgettingTalk[],
  seed: number,
) {
  const intervals: Record<string, ForgettingEstimates> = {}
  const leads: Record<string, ForgettingEstimates> = {}
  const policies: Record<string, ForgettingFigures> = {}
  const ours = byPerson[OURS] ?? []
  for (const [name, people] of Object.entries(byPerson)) {
    const figures = estimate(people, seed)
    intervals[name] = figures
    policies[name] = valuesOf(figures)
    if (name !== OURS) leads[name] = estimateLead(ours, people, seed)
  }
  const people = Map.groupBy(talks, (talk) => talk.person)
  const agreements = [...people.values()].map((own) => mean(own.flatMap(agreementAmongPeople)))
  const peopleAgreement = estimateMean(agreements, seed)
  const metrics = flatten(policies)
  if (peopleAgreement !== null) metrics['people_agreement'] = peopleAgreement.value
  return { metrics, policies, intervals, leads, peopleAgreement, byPerson }
}

function flatten(policies: Readonly<Record<string, ForgettingFigures>>): Record<string, number> {
  const entries = Object.entries(policies).flatMap(([name, figures]) =>
    Object.entries(figures).flatMap(([metric, value]): [string, number][] =>
      value === null ? [] : [[`policies.${name}.${metric}`, value]],
    ),
  )
  return Object.fromEntries(entries)
}

function countProgress(total: number, onProgress?: (done: number, total: number) => void): () => void {
  let done = 0
  return () => onProgress?.(++done, total)
}
