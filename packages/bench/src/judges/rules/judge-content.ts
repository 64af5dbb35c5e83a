import type { Verdict } from '../judge.ts'
import { explain } from './explain.ts'
import { holdStatement } from './hold-statement.ts'

/** MMM's content: the same when each holds the other whole. What one adds makes them differ. */
export function judgeContent(given: {
  readonly expected: string
  readonly actual: string
}): Verdict<boolean> {
  const forth = holdStatement(given.expected, given.actual)
  const back = holdStatement(given.actual, given.expected)
  const reason = [
    `actual ${forth.comparison === null ? 'is compared as it is written' : explain(forth.comparison)}`,
    `expected ${back.comparison === null ? 'is compared as it is written' : explain(back.comparison)}`,
  ].join(' | ')
  return { verdict: forth.degree === 2 && back.degree === 2, reason }
}
