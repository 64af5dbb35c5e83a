import type { ContentInput, Verdict } from '../judge.ts'
import { explain } from './explain.ts'
import { holdStatement } from './hold-statement.ts'

/** MMM's content: the same when each holds the other whole. Anything that one adds makes them differ. */
export function judgeContent(given: ContentInput): Verdict<boolean> {
  const forth = holdStatement(given.expected, given.actual)
  const back = holdStatement(given.actual, given.expected)
  const reason = `actual ${explain(forth.comparison)} | expected ${explain(back.comparison)}`
  return { verdict: forth.degree === 2 && back.degree === 2, reason }
}
