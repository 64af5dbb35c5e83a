// The forgetting policy of the paper MOOM.
import type { Memory } from 'keepsake'
import type { ForgettingMoment, ForgettingPolicy, Strength } from 'keepsake/preset'

export interface CompetitionInhibitionOptions {
  /** Weight of decay with age. MOOM: 0.1. */
  readonly alpha?: number
  /** Weight of retrievals. MOOM: 0.9. */
  readonly beta?: number
  /** Decay rate per round of age. MOOM: 1. */
  readonly gamma?: number
  /** Avoids division by zero for a retrieval in this round. MOOM: "very small". */
  readonly epsilon?: number
}

/** MOOM leaves ε open (“a very small value”). With a millionth, a retrieval in this round outweighs all others. */
const DEFAULT_EPSILON = 1e-6
/** Factor of a suppressed memory's score, for this round only (MOOM, section 3.3). */
const SUPPRESSION = 0.5

/**
 * MOOM's policy “competition–inhibition” (equation 3): S = α / (exp(γ(r_c − b)) + 1 − ε) + β Σ 1/(r_c − r + ε). r_c is the
 * current round, b the round of creation, and r runs over the rounds of retrieval. The first part is decay with age, the
 * second is reinforcement. S is halved for the memories that a retrieval in this round suppressed (`use.secondAt`).
 *
 * Rounds after the current one (turns that came out of order) count as the current one.
 */
export function competitionInhibition(options: CompetitionInhibitionOptions = {}): ForgettingPolicy {
  const { alpha = 0.1, beta = 0.9, gamma = 1, epsilon = DEFAULT_EPSILON } = options
  const constants = { alpha, beta, gamma, epsilon }
  return {
    name: 'competition-inhibition',
    formula: `${alpha} / (exp(${gamma}·age) + 1 − ε) + ${beta} Σ 1/(rounds since retrieval + ε)`,
    strengths: (memories, moment) => memories.map((memory) => strengthOf(memory, moment, constants)),
  }
}

function strengthOf(
  memory: Memory,
  moment: ForgettingMoment,
  { alpha, beta, gamma, epsilon }: Required<CompetitionInhibitionOptions>,
): Strength {
  const age = Math.max(0, moment.round - memory.round)
  const decay = alpha * ageTerm(gamma * age, epsilon)
  let reinforcement = 0
  for (const round of memory.use.rounds) reinforcement += beta / (Math.max(0, moment.round - round) + epsilon)
  const isSuppressed = memory.use.secondAt === moment.round
  const value = (decay + reinforcement) * (isSuppressed ? SUPPRESSION : 1)
  const parts = {
    age,
    retrievals: memory.use.rounds.length,
    decay,
    reinforcement,
    suppressed: isSuppressed ? 1 : 0,
  }
  return { value, parts }
}

/** Computes 1 / (exp(x) + 1 − ε) as exp(−x) / (1 + (1 − ε) exp(−x)). From x = 710 on, exp(x) overflows, but exp(−x) becomes 0. */
function ageTerm(x: number, epsilon: number): number {
  const shrunk = Math.exp(-x)
  return shrunk / (1 + (1 - epsilon) * shrunk)
}
