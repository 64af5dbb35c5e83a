// Computes LUFY's strength of memories from their normalised metrics.

/** LUFY's five metrics of one memory, normalised (`normaliseMetrics`) or with raw retrieval counts. */
export interface StrengthInputs {
  /** A: the emotional intensity of the user's message. */
  readonly arousal: number
  /** P: how unexpected the message is after the agent's turn. */
  readonly surprise: number
  /** L: how important the message will be later. */
  readonly importance: number
  /** R1: number of times retrieved first and used. */
  readonly first: number
  /** R2: number of times retrieved second and only counted. */
  readonly second: number
}

/** Weights of the metrics in the strength S. */
export type StrengthWeights = StrengthInputs

/** The weights of LUFY, table 2. Equation 2 and the table have different signs for R2. Here R2 lowers the strength, as section 3.3 intends. */
export const LUFY_WEIGHTS: StrengthWeights = {
  arousal: 2.76,
  surprise: -0.28,
  importance: 0.44,
  first: 1.02,
  second: -0.012,
}

/** Minimum of S. For S = 0, exp(−Δt/S) is undefined. For S < 0, it grows with time. */
export const STRENGTH_FLOOR = 0.1

/** LUFY's strength (equation 2): the weighted sum of the metrics, at least `STRENGTH_FLOOR`. Values that are not finite count as 0. */
export function lufyStrength(inputs: StrengthInputs, weights: StrengthWeights = LUFY_WEIGHTS): number {
  const sum =
    weights.arousal * finiteOrZero(inputs.arousal) +
    weights.surprise * finiteOrZero(inputs.surprise) +
    weights.importance * finiteOrZero(inputs.importance) +
    weights.first * finiteOrZero(inputs.first) +
    weights.second * finiteOrZero(inputs.second)
  return Math.max(STRENGTH_FLOOR, sum)
}

/** Computes Ebbinghaus' curve, exp(−Δt/S), from 0 to 1 (LUFY, equations 1 and 3). A negative Δt counts as 0. */
export function retained(elapsed: number, strength: number): number {
  return Math.exp(-Math.max(0, elapsed) / strength)
}

function finiteOrZero(value: number): number {
  return Number.isFinite(value) ? value : 0
}
