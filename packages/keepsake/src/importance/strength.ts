/** LUFY's five metrics of one memory: the first three normalised (normalise-signals.ts), the last two counted. */
export interface StrengthInputs {
  /** A, how strongly the user's words are felt. */
  readonly arousal: number
  /** P, how unexpected they are given the agent's turn. */
  readonly surprise: number
  /** L, how much they are judged to matter later. */
  readonly importance: number
  /** R1, times retrieved first and used. */
  readonly first: number
  /** R2, times retrieved second and only counted. */
  readonly second: number
}

/** What each metric contributes to the strength S. */
export type StrengthWeights = StrengthInputs

/**
 * LUFY, table 2. Its equation 2 subtracts w_R2 · R2 while its table gives w_R2 = −0.012; the paper's intent, said
 * in 3.3, is that R2 weakens, so R2 has a negative weight here that is added.
 */
export const LUFY_WEIGHTS: StrengthWeights = {
  arousal: 2.76,
  surprise: -0.28,
  importance: 0.44,
  first: 1.02,
  second: -0.012,
}

/** S never falls below this: at zero or below, exp(−Δt/S) is undefined or grows with time. */
export const STRENGTH_FLOOR = 0.1

/**
 * LUFY's strength, equation 2: the weighted sum of the five metrics, at least `STRENGTH_FLOOR`. Metrics that are
 * not finite count as 0.
 *
 * @example
 * lufyStrength({ arousal: 0.5, surprise: 0.5, importance: 0.5, first: 1, second: 0 }) // 2.48
 */
export function lufyStrength(inputs: StrengthInputs, weights: StrengthWeights = LUFY_WEIGHTS): number {
  const sum =
    weights.arousal * finite(inputs.arousal) +
    weights.surprise * finite(inputs.surprise) +
    weights.importance * finite(inputs.importance) +
    weights.first * finite(inputs.first) +
    weights.second * finite(inputs.second)
  return Math.max(STRENGTH_FLOOR, sum)
}

/**
 * Ebbinghaus' curve as MemoryBank and LUFY use it (LUFY, equations 1 and 3): exp(−Δt/S), between 0 and 1.
 *
 * @param elapsed Δt, in whatever unit the caller counts; negative (a clock set back) counts as 0
 * @param strength S, above 0
 */
export function retained(elapsed: number, strength: number): number {
  return Math.exp(-Math.max(0, elapsed) / strength)
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}
