import { readFileSync } from 'node:fs'
import {
  LUFY_METRICS,
  competitionInhibition,
  lufyForgetting as lufy,
  readFittedWeights,
  type LufyMetric,
} from '@keepsake/papers'
import type { Retention } from 'keepsake/preset'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { oneOf, seedOption, shareNumber, wholeNumber } from '../benchmark/options.ts'
import { meanUnits, parseCapacity, resolveCapacities } from './capacities.ts'
import { engineSystems, listEntrants, plainSystems, type Entrant } from './entrants.ts'
import { forgettingFigures, type PolicyRecord } from './forgetting-figures.ts'
import type { EngineModels } from './engine-run.ts'
import type { ForgettingSystem } from './forgetting-system.ts'
import type { ForgettingTalk, ForgettingTalks } from './forgetting-talk.ts'
import { holdOutImportance } from './hold-out-importance.ts'
import { measureTalkSignals } from './measure-talk-signals.ts'
import { COMPETITION, LUFY, type PolicySetting } from './policies.ts'
import { rankByWords } from './rank-by-words.ts'
import { loadLocomoTalks } from './read-locomo-talks.ts'
import { loadLufyTalks } from './read-lufy-talks.ts'
import { scoreForgetting, type SessionScore } from './score-forgetting.ts'
import { averageRuns, scorePeople } from './summarise-scores.ts'

/** People remember about a tenth of a conversation (LUFY paper, section 4.2). */
const KEPT_SHARE = 0.1

const capacity = z.union([z.number(), z.string()]).transform((given, context) => {
  const read = parseCapacity(String(given))
  if (read !== null) return read
  context.addIssue('It must be a number of units from 1, or a share above 0 % and at most 100 %, as in 10%.')
  return z.NEVER
})

/** An option with values that replace a constant of MOOM's policy, one at a time. */
function constantOption(what: string) {
  const error = 'It must be a number from 0 to 1,000.'
  return z
    .array(z.number({ error }).min(0, error).max(1_000, error))
    .default([])
    .meta({ value: '<list>', description: `also MOOM's policy with each of these for ${what}` })
}

const OPTIONS = z.object({
  dataset: oneOf(['locomo', 'lufy']).default('lufy').meta({ value: '<name>', description: 'the data set' }),
  path: z.string().meta({ value: '<path>', description: "the data set's file (locomo) or folder (lufy)" }),
  through: oneOf(['engine', 'policies']).default('engine').meta({
    value: '<what>',
    description: 'the whole engine, or the pure policies with a plain retriever, some ten times as fast',
  }),
  keep: shareNumber.default(KEPT_SHARE).meta({ value: '<share>', description: 'share that is kept' }),
  seed: seedOption,
  randomSeeds: wholeNumber(0, 1_000).default(20).meta({ description: 'how often chance is drawn' }),
  without: z
    .array(oneOf(Object.keys(LUFY_METRICS) as LufyMetric[]))
    .default([])
    .meta({
      value: '<metrics>',
      description: "also LUFY's policy without each of these metrics, one at a time: A, P, L, R1, R2",
    }),
  weights: z.string().optional().meta({
    value: '<file>',
    description: "also LUFY's policy with weights that keepsake train fit-importance wrote",
    standard: "the paper's alone",
  }),
  alpha: constantOption('α, weight of decay with age'),
  beta: constantOption('β, weight of retrievals'),
  gamma: constantOption('γ, how fast age counts'),
  k: z
    .array(wholeNumber(1, 100))
    .default([])
    .meta({ value: '<list>', description: "also MOOM's policy with each k: used, and suppressed" }),
  capacities: z.array(capacity).default([]).meta({
    value: '<list>',
    description:
      'also keep each of these numbers of memories, or shares of the mean talk as in 10%, and draw the curve',
  }),
})

/** Measures what policies keep when nine tenths are forgotten: questions answered, and marks kept. See docs/benchmarks/README.md. */
export const forgetting = defineBenchmark({
  name: 'forgetting',
  about: 'Measures what each forgetting policy keeps when nine tenths must go.',
  examples: [
    'forgetting --dataset lufy --path lufy-dataset --json',
    'forgetting --dataset locomo --path locomo10.json --through policies --capacities 5%,10%,20%',
    'forgetting --dataset lufy --path lufy-dataset --without A,P,L,R1,R2 --k 1,5 --alpha 0 --beta 0',
  ],
  options: OPTIONS,
  async *open({ dataset, path, capacities: requestedCapacities, weights, ...options }) {
    const { through, keep, seed, randomSeeds } = options
    const changed = changedPolicies({ ...options, weights })
    const { talks, dataHash, leftOut } = await loadTalks(dataset, path)
    const capacities = resolveCapacities(requestedCapacities, talks)
    const signals = measureTalkSignals(talks)
    const heldOut = dataset === 'locomo' ? holdOutImportance(talks, signals) : null
    const entrants = listEntrants({ signals, heldOut: heldOut?.signals ?? null, seed, randomSeeds, changed })
    const summarise = forgettingFigures({
      talks,
      policies: entrants.map(({ name }) => name),
      capacities,
      seed,
    })
    yield {
      dataset,
      dataHash,
      systems: entrants.map(({ name }) => name),
      config: {
        ...options,
        policies: entrants.map(({ settings }) => settings[0]?.policy.formula ?? null),
        capacities,
        ...describeTalks(talks),
        heldOutWeights: heldOut?.weights ?? null,
      },
      tasks: ['forgetting', 'forgetting-lead', ...(capacities.length > 0 ? CAPACITY_TASKS : [])],
      goesOn: 'until-finished',
      total: entrants.length * (1 + capacities.length),
      steps: policySteps(entrants, talks, { through, keep, capacities }),
      summarise,
      leftOut: () => leftOut,
    }
  },
})

const CAPACITY_TASKS = ['capacity', 'capacity-lead'] as const

function loadTalks(dataset: 'locomo' | 'lufy', path: string): Promise<ForgettingTalks> {
  return dataset === 'locomo' ? loadLocomoTalks(path) : loadLufyTalks(path)
}

function describeTalks(talks: readonly ForgettingTalk[]) {
  return {
    people: new Set(talks.map((talk) => talk.person)).size,
    talks: talks.length,
    units: talks.reduce((sum, talk) => sum + talk.units.length, 0),
    meanUnits: meanUnits(talks),
    questions: talks.reduce((sum, talk) => sum + talk.questions.length, 0),
  }
}

interface RunSettings {
  readonly through: 'engine' | 'policies'
  readonly keep: number
  readonly capacities: readonly number[]
  readonly models?: EngineModels
}

/** Steps that run every policy with forgetting at the end of sessions, then under each capacity, which is enforced after every unit. */
export function* policySteps(
  entrants: readonly Entrant[],
  talks: readonly ForgettingTalk[],
  { through, keep, capacities, models }: RunSettings,
): Generator<Step> {
  const rank = rankByWords()
  const plain = (entrant: Entrant, retention: Retention) => plainSystems(entrant, retention, rank)
  for (const entrant of entrants) {
    const retention = { when: 'session-end', keep } as const
    const isPlain = through === 'policies' || entrant.kind === 'chance'
    const systems = isPlain ? plain(entrant, retention) : engineSystems(entrant, retention, models)
    yield policyStep({ policy: entrant.name, capacity: null }, systems, talks)
  }
  for (const entrant of entrants)
    for (const memories of capacities)
      yield policyStep(
        { policy: entrant.name, capacity: memories },
        plain(entrant, { when: 'capacity', memories }),
        talks,
      )
}

function policyStep(
  what: Pick<PolicyRecord, 'policy' | 'capacity'>,
  systems: readonly ForgettingSystem[],
  talks: readonly ForgettingTalk[],
): Step {
  const { policy, capacity: units } = what
  const name = units === null ? policy : `${policy}, ${units} units`
  return {
    name,
    async measure() {
      const runs: SessionScore[][] = []
      for (const system of systems) {
        const scores: SessionScore[] = []
        for (const talk of talks) scores.push(...(await scoreForgetting(system, talk)))
        runs.push(scores)
      }
      const people = averageRuns(runs.map(scorePeople))
      return [stepEntry(name, [], { ...what, people, sessions: runs } satisfies PolicyRecord)]
    },
  }
}

/** Changes of the published policies, each in its own row. */
export type PolicyChanges = Pick<z.output<typeof OPTIONS>, 'without' | 'weights' | keyof Constants>
type Constants = Pick<z.output<typeof OPTIONS>, 'alpha' | 'beta' | 'gamma' | 'k'>

/** The published policies with one change each: `lufy-A`, `competition-inhibition α=0`. */
export function changedPolicies({ without, weights, ...constantOption }: PolicyChanges): PolicySetting[] {
  const ablated = without.map((metric) => ({ ...LUFY, policy: lufy({ without: [metric] }) }))
  const fitted =
    weights === undefined ? [] : [lufy({ weights: readFittedWeights(readFileSync(weights, 'utf8')) })]
  const named = fitted.map((policy) => ({ ...LUFY, policy: { ...policy, name: 'lufy-fitted' } }))
  return [...ablated, ...named, ...changedCompetition(constantOption)]
}

function changedCompetition({ alpha, beta, gamma, k }: Constants): PolicySetting[] {
  const changed = (sign: string, value: number, options: Parameters<typeof competitionInhibition>[0]) => {
    const policy = competitionInhibition(options)
    return { ...COMPETITION, policy: { ...policy, name: `${policy.name} ${sign}=${value}` } }
  }
  return [
    ...alpha.map((value) => changed('α', value, { alpha: value })),
    ...beta.map((value) => changed('β', value, { beta: value })),
    ...gamma.map((value) => changed('γ', value, { gamma: value })),
    ...k.map((value) => ({ ...changed('k', value, {}), first: value, second: value })),
  ]
}
