import type { Retention } from 'keepsake'
import { agreementAmongPeople, scoreForgetting, type SessionScore } from './score-forgetting.ts'
import { loadAnnotatedTalks, type AnnotatedTalk } from './annotated-talk.ts'
import { measureCapacityCurves, type CapacityCurve } from './capacity-curves.ts'
import type { ForgettingSystem } from './forgetting-system.ts'
import { engineSystem } from './engine-system.ts'
import { measureTalkSignals, type SignalsOf } from './measure-talk-signals.ts'
import { comparedPolicies, randomSetting, type PolicySetting } from './policies.ts'
import { policySystem } from './policy-system.ts'
import { rankByWords } from './rank-by-words.ts'
import {
  averageRuns,
  estimate,
  estimateLead,
  estimateMean,
  mean,
  scorePeople,
  type Estimate,
  type ForgettingMetric,
  type PersonScore,
} from './summarise-scores.ts'

/** LUFY 4.2: people remember about a tenth of a conversation. */
const KEEP = 0.1
const DEFAULT_SEED = 1
const DEFAULT_RANDOM_SEEDS = 20
const OURS = 'keepsake'

export interface BenchForgettingOptions {
  /** The LUFY dataset's published tree. */
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
  /** Also measure over a range of capacities. Default false. */
  readonly capacities?: readonly number[]
  readonly onProgress?: (done: number, total: number) => void
}

export interface ForgettingReport {
  readonly dataset: 'lufy'
  readonly dataHash: string
  readonly config: Readonly<Record<string, unknown>>
  /** Flat: `policies.<name>.<metric>`, and `people_agreement`. */
  readonly metrics: Readonly<Record<string, number>>
  /** The same by policy. */
  readonly policies: Readonly<Record<string, Record<ForgettingMetric, number>>>
  readonly intervals: Readonly<Record<string, Record<ForgettingMetric, Estimate>>>
  /** Ours minus each other policy, paired by person. */
  readonly leads: Readonly<Record<string, Record<ForgettingMetric, Estimate>>>
  readonly peopleAgreement: Estimate
  readonly byPerson: Readonly<Record<string, readonly PersonScore[]>>
  readonly bySession: Readonly<Record<string, readonly SessionScore[]>>
  readonly capacityCurves: readonly CapacityCurve[]
}

/**
 * Measures what policies keep of the LUFY dataset's talks when nine tenths must go: are the questions people later
 * asked still answered, is what is kept what they asked about, is it what annotators marked. The rules are in
 * docs/benchmarks/forgetting.md.
 *
 * @throws DatasetError when the files are not LUFY's
 * @example
 * const report = await benchForgetting({ path: 'data/lufy' })
 * report.policies['keepsake']?.recall
 */
export async function benchForgetting(options: BenchForgettingOptions): Promise<ForgettingReport> {
  const { path, through = 'engine', keep = KEEP, seed = DEFAULT_SEED } = options
  const randomSeeds = options.randomSeeds ?? DEFAULT_RANDOM_SEEDS
  const { talks, dataHash } = await loadAnnotatedTalks(path)
  const retention: Retention = { when: 'session-end', keep }
  const signals = measureTalkSignals(talks)
  const settings = comparedPolicies()
  const progress = countProgress(talks.length * (settings.length + randomSeeds), options.onProgress)

  const bySession: Record<string, SessionScore[]> = {}
  const byPerson: Record<string, PersonScore[]> = {}
  for (const setting of settings) {
    const system =
      through === 'engine' ? engineSystem(setting, retention) : plain(setting, retention, signals)
    const scores = await scoreTalks(system, talks, progress)
    bySession[system.name] = scores
    byPerson[system.name] = scorePeople(scores)
  }
  byPerson['random'] = await scoreChance(talks, retention, signals, seed, randomSeeds, progress)
  const curves = options.capacities ?? []
  return {
    dataset: 'lufy',
    dataHash,
    config: {
      through,
      keep,
      seed,
      randomSeeds,
      capacities: curves,
      people: new Set(talks.map((t) => t.person)).size,
    },
    ...summarise(byPerson, talks, seed),
    bySession,
    capacityCurves: curves.length === 0 ? [] : await measureCapacityCurves(talks, settings, signals, curves),
  }
}

/** A policy with the plain retriever. */
function plain(setting: PolicySetting, retention: Retention, signals: SignalsOf): ForgettingSystem {
  return policySystem({ ...setting, retention, signals, rank: rankByWords() })
}

async function scoreTalks(
  system: ForgettingSystem,
  talks: readonly AnnotatedTalk[],
  progress: () => void,
): Promise<SessionScore[]> {
  const scores: SessionScore[] = []
  for (const talk of talks) {
    scores.push(...(await scoreForgetting(system, talk)))
    progress()
  }
  return scores
}

async function scoreChance(
  talks: readonly AnnotatedTalk[],
  retention: Retention,
  signals: SignalsOf,
  seed: number,
  seeds: number,
  progress: () => void,
): Promise<PersonScore[]> {
  const runs: PersonScore[][] = []
  for (let s = 0; s < seeds; s++) {
    const system = plain(randomSetting(seed + s), retention, signals)
    runs.push(scorePeople(await scoreTalks(system, talks, progress)))
  }
  return averageRuns(runs)
}

function summarise(
  byPerson: Readonly<Record<string, readonly PersonScore[]>>,
  talks: readonly AnnotatedTalk[],
  seed: number,
) {
  const intervals: Record<string, Record<ForgettingMetric, Estimate>> = {}
  const leads: Record<string, Record<ForgettingMetric, Estimate>> = {}
  const policies: Record<string, Record<ForgettingMetric, number>> = {}
  const ours = byPerson[OURS] ?? []
  for (const [name, people] of Object.entries(byPerson)) {
    const figures = estimate(people, seed)
    intervals[name] = figures
    policies[name] = {
      recall: figures.recall.value,
      precision: figures.precision.value,
      f1: figures.f1.value,
      'hit@2': figures['hit@2'].value,
      agreement: figures.agreement.value,
    }
    if (name !== OURS) leads[name] = estimateLead(ours, people, seed)
  }
  const people = Map.groupBy(talks, (talk) => talk.person)
  const agreements = [...people.values()].map((own) => mean(own.flatMap(agreementAmongPeople)))
  const peopleAgreement = estimateMean(agreements, seed)
  return {
    metrics: { ...flatten(policies), people_agreement: peopleAgreement.value },
    policies,
    intervals,
    leads,
    peopleAgreement,
    byPerson,
  }
}

function flatten(
  policies: Readonly<Record<string, Record<ForgettingMetric, number>>>,
): Record<string, number> {
  const entries = Object.entries(policies).flatMap(([name, figures]) =>
    Object.entries(figures).map(([metric, value]): [string, number] => [`policies.${name}.${metric}`, value]),
  )
  return Object.fromEntries(entries)
}

function countProgress(total: number, onProgress?: (done: number, total: number) => void): () => void {
  let done = 0
  return () => onProgress?.(++done, total)
}
