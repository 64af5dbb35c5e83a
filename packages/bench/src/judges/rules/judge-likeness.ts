import type { LikenessInput, Verdict } from '../judge.ts'
import { explain } from './explain.ts'
import { holdStatement } from './hold-statement.ts'

const HIGHEST = 5
/** A memory that lacks or changes a number, a date or a name does not capture what the label means. */
const MOST_WITHOUT_VALUE = 3
/** One that says the reverse is about the same thing, and no more. */
const MOST_REVERSED = 1

/** MemScore (MOOM, section 5.2) by overlap: the share of the label's content that the memory holds, from 0 to 5, rounded. */
export function judgeLikeness({ label, memory }: LikenessInput): Verdict<number> {
  const { degree, comparison } = holdStatement(label, memory)
  if (comparison === null) return { verdict: degree === 2 ? HIGHEST : 0, reason: explain(comparison) }
  const score = Math.round((comparison.share ?? 0) * HIGHEST)
  const most = comparison.contradicts ? MOST_REVERSED : comparison.lacksValue ? MOST_WITHOUT_VALUE : HIGHEST
  return { verdict: Math.min(score, most), reason: explain(comparison) }
}
