import { competitionInhibition } from '@keepsake/papers'
import type { ForgettingTalk } from '../../forgetting/forgetting-talk.ts'
import { measureTalkSignals, type SignalsOf } from '../../forgetting/measure-talk-signals.ts'
import { comparedPolicies, type PolicySetting } from '../../forgetting/policies.ts'
import { policySystem } from '../../forgetting/policy-system.ts'
import { rankByWords, type RankMemories } from '../../forgetting/rank-by-words.ts'
import { loadLocomoTalks } from '../../forgetting/read-locomo-talks.ts'
import { scoreForgetting, type SessionScore } from '../../forgetting/score-forgetting.ts'
import { estimate, scorePeople } from '../../forgetting/summarise-scores.ts'
import type { MeasuredFigure, ItemResult, PaperRequest, Reproduction } from '../registry/paper.ts'
import { scaleFigure } from './measured-figure.ts'

/** The policies of MOOM's Figure 3: its own, its own without inhibition, and the Ebbinghaus curve. */
const COMPARED = ['competition-inhibition', 'competition-alone', 'ebbinghaus-of-nine']
/** Capacities in percent of the mean talk, so that every talk has the same capacity. */
const CAPACITIES = [5, 10, 20, 30, 50]
/** The capacity for Figure 6. The paper does not give it. */
const FIGURE_6_CAPACITY = 20
/** The values of MOOM's parameters in Figure 6. */
const ALPHAS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
const GAMMAS = [0.1, 0.5, 1, 2, 5]
const KS = [1, 3, 5, 7, 9, 11, 13, 15]
const SEED = 1

/** A policy with a capacity, and the place of its figure in the table. */
interface Trial {
  readonly row: string
  readonly column: string
  readonly setting: PolicySetting
  readonly capacity: number
}

/** Measures something similar to MOOM's Figure 3: the share of questions that can still be answered, by capacity. */
export const keptByCapacity: Reproduction['measure'] = (request) =>
  measureTrials(
    request,
    comparedPolicies()
      .filter(({ policy }) => COMPARED.includes(policy.name))
      .flatMap((setting) =>
        CAPACITIES.map((capacity) => ({
          row: setting.policy.name,
          column: `${capacity}% of the talk`,
          setting,
          capacity,
        })),
      ),
  )

/** Measures something similar to MOOM's Figure 6: the same share at one capacity, with other values of α and β, γ, and k. */
export const forgettingParameters: Reproduction['measure'] = (request) => {
  const trial = (row: string, setting: PolicySetting): Trial => {
    return { row, column: `kept at ${FIGURE_6_CAPACITY}%`, setting, capacity: FIGURE_6_CAPACITY }
  }
  return measureTrials(request, [
    ...ALPHAS.map((alpha) => {
      const beta = Math.round((1 - alpha) * 10) / 10
      return trial(`α ${alpha}, β ${beta}`, moomWith({ alpha, beta }))
    }),
    ...GAMMAS.map((gamma) => trial(`γ ${gamma}`, moomWith({ gamma }))),
    ...KS.map((k) => trial(`k ${k}`, moomWith({}, k))),
  ])
}

/** MOOM's policy with these parameters. Each round strengthens the first k retrieved memories and weakens the next k. */
function moomWith(options: Parameters<typeof competitionInhibition>[0], k = 9): PolicySetting {
  return { preset: 'moom', policy: competitionInhibition(options), first: k, second: k, strengthWeight: 0 }
}

async function measureTrials({ path, limit }: PaperRequest, trials: readonly Trial[]): Promise<ItemResult> {
  const { talks: all, dataHash } = await loadLocomoTalks(path)
  const talks = all.slice(0, limit)
  const resources = { talks, signals: measureTalkSignals(talks), rank: rankByWords() }
  const figures: MeasuredFigure[] = []
  for (const trial of trials) figures.push(await measureTrial(trial, resources))
  return { figures, size: talks.length, dataHash, reader: null, runs: [], remarks: [] }
}

interface TrialResources {
  readonly talks: readonly ForgettingTalk[]
  readonly signals: SignalsOf
  readonly rank: RankMemories
}

async function measureTrial(
  { row, column, setting, capacity }: Trial,
  { talks, signals, rank }: TrialResources,
): Promise<MeasuredFigure> {
  const units = talks.reduce((sum, talk) => sum + talk.units.length, 0)
  const memories = Math.max(1, Math.round(((units / Math.max(1, talks.length)) * capacity) / 100))
  const system = policySystem({ ...setting, retention: { when: 'capacity', memories }, signals, rank })
  const scores: SessionScore[] = []
  for (const talk of talks) scores.push(...(await scoreForgetting(system, talk)))
  const people = scorePeople(scores)
  const { recall } = estimate(people, SEED)
  return scaleFigure(
    { row, column, paperRow: null, unit: 'percent' },
    { value: recall?.value ?? null, interval: recall, count: people.length, judge: null },
  )
}
