import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { oneOf, seedOption, shareNumber, wholeNumber } from '../benchmark/options.ts'
import { listEntrants, systemsOf, type Entrant } from './entrants.ts'
import { forgettingFigures, type PolicyRecord } from './forgetting-figures.ts'
import type { EngineModels } from './engine-run.ts'
import type { ForgettingTalk, ForgettingTalks } from './forgetting-talk.ts'
import { holdOutImportance } from './hold-out-importance.ts'
import { measureTalkSignals } from './measure-talk-signals.ts'
import { rankByWords } from './rank-by-words.ts'
import { loadLocomoTalks } from './read-locomo-talks.ts'
import { loadLufyTalks } from './read-lufy-talks.ts'
import { scoreForgetting, type SessionScore } from './score-forgetting.ts'
import { averageRuns, scorePeople } from './summarise-scores.ts'

/** The share that is kept. People remember about a tenth of a conversation (LUFY paper, section 4.2). */
const KEPT_SHARE = 0.1

const OPTIONS = z.object({
  dataset: oneOf(['locomo', 'lufy']).default('lufy').meta({ value: '<name>', description: 'the data set' }),
  path: z
    .string()
    .meta({ value: '<path>', description: 'the file (locomo) or folder (lufy) of the data set' }),
  keep: shareNumber
    .default(KEPT_SHARE)
    .meta({ value: '<share>', description: 'share of memories that stays' }),
  seed: seedOption,
  randomSeeds: wholeNumber(0, 1_000)
    .default(20)
    .meta({ description: 'number of random draws for the comparison with chance' }),
})

/** Measures what policies keep when nine tenths are forgotten: questions answered, and marks kept. See docs/benchmarks/README.md. */
export const forgetting = defineBenchmark({
  name: 'forgetting',
  about: 'Measures which memories each forgetting policy keeps if nine tenths must be forgotten.',
  examples: [
    'forgetting --dataset lufy --path lufy-dataset --json',
    'forgetting --dataset locomo --path locomo10.json --keep 0.2',
  ],
  options: OPTIONS,
  async *open({ dataset, path, ...options }) {
    const { keep, seed, randomSeeds } = options
    const { talks, dataHash, leftOut } = await loadTalks(dataset, path)
    const signals = measureTalkSignals(talks)
    // The weights of our policy were fitted on LoCoMo. For a fair result it also runs with weights fitted without the measured talk.
    const heldOut = dataset === 'locomo' ? holdOutImportance(talks, signals) : null
    const entrants = listEntrants({ signals, heldOut: heldOut?.signals ?? null, seed, randomSeeds })
    const policies = entrants.map(({ name }) => name)
    yield {
      dataset,
      dataHash,
      systems: policies,
      config: {
        ...options,
        policies: entrants.map(({ settings: [setting] }) => setting?.policy.formula ?? null),
        ...describeTalks(talks),
        heldOutWeights: heldOut?.weights ?? null,
      },
      tasks: ['forgetting', 'forgetting-lead'],
      resumes: 'until-finished',
      total: entrants.length,
      steps: policySteps(entrants, talks, { keep }),
      summarise: forgettingFigures({ talks, policies, seed }),
      leftOut: () => leftOut,
    }
  },
})

function loadTalks(dataset: 'locomo' | 'lufy', path: string): Promise<ForgettingTalks> {
  return dataset === 'locomo' ? loadLocomoTalks(path) : loadLufyTalks(path)
}

function describeTalks(talks: readonly ForgettingTalk[]) {
  const units = talks.reduce((sum, talk) => sum + talk.units.length, 0)
  return {
    people: new Set(talks.map((talk) => talk.person)).size,
    talks: talks.length,
    units,
    meanUnits: units / Math.max(1, talks.length),
    questions: talks.reduce((sum, talk) => sum + talk.questions.length, 0),
  }
}

/** Makes one step for each policy. It runs the policy on all talks, with forgetting at the end of sessions. */
export function* policySteps(
  entrants: readonly Entrant[],
  talks: readonly ForgettingTalk[],
  { keep, models }: { readonly keep: number; readonly models?: EngineModels },
): Generator<Step> {
  const rank = rankByWords()
  for (const entrant of entrants) {
    const { name } = entrant
    yield {
      name,
      async measure() {
        const sessions: SessionScore[][] = []
        for (const system of systemsOf(entrant, { when: 'session-end', keep }, { rank, models })) {
          const scores: SessionScore[] = []
          for (const talk of talks) scores.push(...(await scoreForgetting(system, talk)))
          sessions.push(scores)
        }
        const people = averageRuns(sessions.map(scorePeople))
        return [stepEntry(name, [], { policy: name, people, sessions } satisfies PolicyRecord)]
      },
    }
  }
}
