import { competitionInhibition } from '@keepsake/papers'
import { resolveCapacities, type Capacity } from '../../forgetting/capacities.ts'
import type { ForgettingTalk } from '../../forgetting/forgetting-talk.ts'
import { measureTalkSignals, type SignalsOf } from '../../forgetting/measure-talk-signals.ts'
import { comparedPolicies, type PolicySetting } from '../../forgetting/policies.ts'
import { policySystem } from '../../forgetting/policy-system.ts'
import { rankByWords, type RankMemories } from '../../forgetting/rank-by-words.ts'
import { loadLocomoTalks } from '../../forgetting/read-locomo-talks.ts'
import { scoreForgetting, type SessionScore } from '../../forgetting/score-forgetting.ts'
import { estimate, scorePeople } from '../../forgetting/summarise-scores.ts'
import type { HereFigure, Measured, PaperAsked, Reproduction } from '../registry/paper.ts'
import { hereFigure } from './here-figure.ts'

/** MOOM's Figure 3: its own policy, without suppression, and with the Ebbinghaus curve instead. */
const COMPARED = ['competition-inhibition', 'competition-alone', 'ebbinghaus-of-nine']
const CAPACITIES: readonly Capacity[] = ['5%', '10%', '20%', '30%', '50%']
/** The capacity of Figure 6, which the paper does not give. */
const OF_FIGURE_6: Capacity = '20%'
const ALPHAS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
const GAMMAS = [0.1, 0.5, 1, 2, 5]
const KS = [1, 3, 5, 7, 9, 11, 13, 15]
const SEED = 1

/** A policy under a capacity, and its figure's place. */
interface Trial {
  readonly row: string
  readonly column: string
  readonly setting: PolicySetting
  readonly capacity: Capacity
}

/** The kind of MOOM's Figure 3: questions still answerable, by capacity. */
export const keptByCapacity: Reproduction['measure'] = (asked) =>
  measureTrials(
    asked,
    comparedPolicies()
      .filter(({ policy }) => COMPARED.includes(policy.name))
      .flatMap((setting) =>
        CAPACITIES.map((capacity) => ({
          row: setting.policy.name,
          column: `${capacity} of the talk`,
          setting,
          capacity,
        })),
      ),
  )

/** The kind of MOOM's Figure 6: the same at one capacity, with other α and β, γ, and k. */
export const forgettingParameters: Reproduction['measure'] = (asked) => {
  const trial = (row: string, setting: PolicySetting): Trial => {
    return { row, column: `kept at ${OF_FIGURE_6}`, setting, capacity: OF_FIGURE_6 }
  }
  return measureTrials(asked, [
    ...ALPHAS.map((alpha) => {
      const beta = Math.round((1 - alpha) * 10) / 10
      return trial(`α ${alpha}, β ${beta}`, moomWith({ alpha, beta }))
    }),
    ...GAMMAS.map((gamma) => trial(`γ ${gamma}`, moomWith({ gamma }))),
    ...KS.map((k) => trial(`k ${k}`, moomWith({}, k))),
  ])
}

function moomWith(options: Parameters<typeof competitionInhibition>[0], k = 9): PolicySetting {
  return { preset: 'moom', policy: competitionInhibition(options), first: k, second: k, strengthWeight: 0 }
}

async function measureTrials({ path, limit }: PaperAsked, trials: readonly Trial[]): Promise<Measured> {
  const { talks: all, dataHash } = await loadLocomoTalks(path)
  const talks = all.slice(0, limit)
  const world = { talks, signals: measureTalkSignals(talks), rank: rankByWords() }
  const figures: HereFigure[] = []
  for (const trial of trials) figures.push(await measureTrial(trial, world))
  return { figures, size: talks.length, dataHash, reader: null, runs: [], remarks: [] }
}

interface World {
  readonly talks: readonly ForgettingTalk[]
  readonly signals: SignalsOf
  readonly rank: RankMemories
}

async function measureTrial({ row, column, setting, capacity }: Trial, world: World): Promise<HereFigure> {
  const { talks, signals, rank } = world
  const [memories = 1] = resolveCapacities([capacity], talks)
  const system = policySystem({ ...setting, retention: { when: 'capacity', memories }, signals, rank })
  const scores: SessionScore[] = []
  for (const talk of talks) scores.push(...(await scoreForgetting(system, talk)))
  const people = scorePeople(scores)
  const { recall } = estimate(people, SEED)
  return hereFigure(
    { row, column, beside: null, unit: 'percent' },
    { value: recall?.value ?? null, interval: recall, count: people.length, judge: null },
  )
}
