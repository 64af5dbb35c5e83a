import { oncePerFact } from '../facts/fact-lookup.ts'
import type { Memory } from '../memories/memory.ts'
import { readDate } from '@keepsake/text'

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
/** Plans this close are treated as due. */
const SOON_MS = 14 * DAY_MS

/** Returns the start of a written date; `null` if it is not a calendar date. */
function momentOf(written: string): number | null {
  const read = readDate(written, null)
  if (read !== null) return read.from
  const parsed = Date.parse(`${written} UTC`)
  return Number.isNaN(parsed) ? null : parsed
}

/** Returns the first future day that a statement names; infinite if there is none or the fact has ended. */
const dayOfPlan = oncePerFact(({ text, learnedAt, validUntil }: Memory): number => {
  if (validUntil !== null) return Number.POSITIVE_INFINITY
  const days = (text.match(DATE) ?? []).flatMap((written) => momentOf(written) ?? [])
  return Math.min(...days.filter((at) => at > learnedAt + DAY_MS))
})

/**
 * Checks whether a memory is a plan whose day has come or is near. Such plans often change without being mentioned.
 *
 * @param now time of the segment, milliseconds since 1970
 */
export function isDuePlan(memory: Memory, now: number): boolean {
  return dayOfPlan(memory) <= now + SOON_MS
}
