import { KNOWN_FROM } from '../retrieval/measure-confidence.ts'
import type { Answered } from './compose-answer.ts'

/**
 * Share of the budget that is spent, the more the surer it is: `nothing` up to `NOTHING_TO`, from there up to `unknown` where it only
 * just is not called known, and from `unsure` where it only just is up to `sure` at `SURE_FROM`; and tokens that are spent in any case
 * where the budget has them, of which the unknown ones follow the share. What is most likely not known is not drowned in what merely
 * sounds alike: the nearest few lines are shown, so that a reader can see that it is none of them.
 */
const SPENT = { nothing: 0.06, unknown: 0.12, unsure: 0.3, sure: 0.8 } as const
/** Up to this confidence nothing is known, as far as can be told. */
const NOTHING_TO = 0.2
/** From this confidence on all of it is spent. */
export const SURE_FROM = 0.6
const LEAST_SPENT = { unknown: 120, known: 300 } as const

/** How sure a recall is, from 0 where it only just calls something known to 1 from where all is spent. */
export function suretyOf(confidence: number): number {
  return between(confidence, KNOWN_FROM, SURE_FROM)
}

/** Where a value lies between two, from 0 to 1. */
function between(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, value - low) / (high - low))
}

/** What is spent of a budget. A question of two states spends as what is known does, unless nothing tells of either. */
export function tokensSpent(
  tokens: number,
  { confidence, known, isWide }: Pick<Answered, 'confidence' | 'known' | 'isWide'>,
): number {
  const { nothing, unknown, unsure, sure } = SPENT
  const isSpent = known || (isWide && confidence > NOTHING_TO)
  const doubt = between(confidence, NOTHING_TO, KNOWN_FROM)
  const share = isSpent
    ? unsure + (sure - unsure) * suretyOf(confidence)
    : nothing + (unknown - nothing) * doubt
  const least = isSpent ? LEAST_SPENT.known : LEAST_SPENT.unknown * (share / unknown)
  return Math.min(tokens, Math.max(Math.round(least), Math.round(tokens * share)))
}
