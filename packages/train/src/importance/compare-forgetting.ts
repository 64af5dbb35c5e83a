import {
  engineSystem,
  estimate,
  estimateLead,
  loadLufyTalks,
  LUFY,
  scoreForgetting,
  scorePeople,
  type ForgettingEstimates,
  type ForgettingTalk,
  type PersonScore,
} from '@keepsake/bench/parts'
import type { ForgettingPolicy } from 'keepsake/preset'
import { lufyForgetting as lufy } from '@keepsake/papers'
import type { CrossValidation } from './cross-validate.ts'

/** How well questions can be answered after the policy of the LUFY paper has forgotten nine tenths of the pairs. */
export interface ForgettingComparison {
  /** Results with weights that were fitted, for each person, on the other people. */
  readonly fitted: ForgettingEstimates
  /** Results with the paper's weights and the shipped maps. */
  readonly paper: ForgettingEstimates
  /** Fitted minus paper. */
  readonly lead: ForgettingEstimates
}

/** At the end of a session a tenth of the pairs is kept, as in the paper. */
const KEEP = { when: 'session-end', keep: 0.1 } as const

/** Asks LUFY's questions after forgetting by the whole engine, with weights fitted on the other people. */
export async function compareForgetting(
  directory: string,
  { folds, by }: CrossValidation,
  seed = 1,
): Promise<ForgettingComparison> {
  if (by !== 'person') throw new RangeError('Questions are asked about people: the marks must be of several.')
  const { talks } = await loadLufyTalks(directory)
  const policyByPerson = new Map(folds.map(({ heldOut, weights }) => [heldOut, lufy({ weights })]))
  const fitted = await scoresOf(talks, ({ person }) => policyByPerson.get(person) ?? null)
  const paper = await scoresOf(talks, () => lufy())
  return {
    fitted: estimate(fitted, seed),
    paper: estimate(paper, seed),
    lead: estimateLead(fitted, paper, seed),
  }
}

async function scoresOf(
  talks: readonly ForgettingTalk[],
  policyFor: (talk: ForgettingTalk) => ForgettingPolicy | null,
): Promise<PersonScore[]> {
  const scores = []
  for (const talk of talks) {
    const policy = policyFor(talk)
    if (policy !== null)
      scores.push(...(await scoreForgetting(engineSystem({ ...LUFY, policy }, KEEP), talk)))
  }
  return scorePeople(scores)
}
