import { inOrder } from '../facts/placed-fact.ts'
import type { StandingFacts } from '../facts/standing-facts.ts'
import type { Memory } from '../memories/memory.ts'
import { findTerms, readDate } from '@keepsake/text'
import { followedBy } from '../facts/followed-facts.ts'
import { isShown } from './known-of-scope.ts'
import { WordedFacts } from './worded-facts.ts'

/** Days and months as statements write them: `2026-03-05`, `2026-03`, `2026年3月5日`, `March 5, 2026`, `5 March 2026`, `March 2026`. */
const DATE = new RegExp(
  [
    String.raw`\d{4}-\d{2}(?:-\d{2})?`,
    String.raw`\d{4}年\d{1,2}月(?:\d{1,2}日)?`,
    String.raw`(?:\d{1,2} )?(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{1,2},)? \d{4}`,
  ].join('|'),
  'giu',
)
const DAY_MS = 86_400_000
/** What is so near is spoken of as if it had come. */
const SOON_MS = 14 * DAY_MS

/** First moment of what a text dates by words or figures; `null` where that is no date of the calendar. */
function momentOf(written: string): number | null {
  const read = readDate(written, null)
  if (read !== null) return read.from
  const parsed = Date.parse(`${written} UTC`)
  return Number.isNaN(parsed) ? null : parsed
}

/** The days that a statement names, milliseconds since 1970. */
function daysOf({ text }: Memory): readonly number[] {
  return (text.match(DATE) ?? []).flatMap((written) => momentOf(written) ?? [])
}

/** The first day that a statement names and that had not come when it was told; infinite where there is none, or it is over. */
function dayOfPlan(memory: Memory): number {
  const { learnedAt, validUntil } = memory
  if (validUntil !== null) return Number.POSITIVE_INFINITY
  return Math.min(...daysOf(memory).filter((at) => at > learnedAt + DAY_MS))
}

/**
 * Whether it is a plan whose day has come since it was told, or is about to: by now it came true, fell through or was moved, and
 * whoever tells of that seldom says again what was planned.
 *
 * @param now milliseconds since 1970, of the talk that is read
 */
export function isDuePlan(memory: Memory, now: number): boolean {
  return dayOfPlan(memory) <= now + SOON_MS
}

const plansByWords = followedBy(
  () =>
    new WordedFacts(
      ({ text }) => text,
      (fact) => isShown(fact) && dayOfPlan(fact) < Number.POSITIVE_INFINITY,
    ),
)

/** Plans that are due and share a word with a statement, in the order of becoming known. */
export function duePlansSharing(facts: StandingFacts, statement: string, now: number): Memory[] {
  const plans = plansByWords(facts)
  const words = new Set(findTerms(statement).flatMap((term) => plans.numberOf(term) ?? []))
  return inOrder(plans.saying(words).flatMap((place) => plans.at(place) ?? [])).filter((plan) =>
    isDuePlan(plan, now),
  )
}
