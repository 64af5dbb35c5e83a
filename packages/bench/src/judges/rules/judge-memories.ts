import type {
  ContentInput,
  Degree,
  IntegrityInput,
  LikenessInput,
  UpdateInput,
  UpdateOutcome,
  Verdict,
} from '../judge.ts'
import { readDay } from '../../text/day-mark.ts'
import { compareQuantities } from '../../text/compare-quantities.ts'
import { hasWord, readContent, type Content } from '../../text/read-content.ts'
import { explain, list, quote } from './explain.ts'
import { bestMatch, matchStatement, matchTogether, PART_SHARE } from './hold-statement.ts'

/**
 * Removes the user's name that begins a statement, since memories say “I” or “the user” instead. English subjects are recognised by their
 * capital and compared as such; only Chinese, which has none, needs the removal, so statements about other people look alike there.
 */
export function withoutUser(text: string, user: string | undefined): string {
  const isChinese = user !== undefined && /\p{Script=Han}/u.test(user)
  return isChinese && text.startsWith(user) ? text.slice(user.length) : text
}

/**
 * HaluMem's integrity (its figure 12): 2 when one memory, or several together, contain all of the gold memory, 1 for a part, 0 for nothing
 * or the reverse. Of disagreeing memories the best counts.
 */
export function judgeIntegrity({ expected, memories: left, user }: IntegrityInput): Verdict<Degree> {
  const wanted = withoutUser(expected, user)
  const memories = left.map((memory) => withoutUser(memory, user))
  const best = bestMatch(wanted, memories)
  if (best === null) return { verdict: 0, reason: 'there are no memories' }
  const reason = `best memory ${quote(best.passage)} ${explain(best.comparison)}`
  if (best.degree < 2 && matchTogether(wanted, memories))
    return { verdict: 2, reason: `several memories together hold it whole; ${reason}` }
  return { verdict: best.degree, reason }
}

/** MMM's content: the same when each fully contains the other. Additions make them differ. */
export function judgeContent(given: ContentInput): Verdict<boolean> {
  const forth = matchStatement(given.expected, given.actual)
  const back = matchStatement(given.actual, given.expected)
  const reason = `actual ${explain(forth.comparison)} | expected ${explain(back.comparison)}`
  return { verdict: forth.degree === 2 && back.degree === 2, reason }
}

const MAX_SCORE = 5
/** A memory that lacks or changes a number, date or name scores at most this. */
const MAX_WITHOUT_VALUE = 3
/** A memory that says the opposite scores at most this. */
const MAX_REVERSED = 1

/** MemScore (MOOM, section 5.2) by overlap: the share of the label's content in the memory, from 0 to 5, rounded. */
export function judgeLikeness({ label, memory }: LikenessInput): Verdict<number> {
  const { degree, comparison } = matchStatement(label, memory)
  if (comparison === null) return { verdict: degree === 2 ? MAX_SCORE : 0, reason: explain(comparison) }
  const score = Math.round((comparison.share ?? 0) * MAX_SCORE)
  const most = comparison.contradicts ? MAX_REVERSED : comparison.lacksValue ? MAX_WITHOUT_VALUE : MAX_SCORE
  return { verdict: Math.min(score, most), reason: explain(comparison) }
}

/**
 * HaluMem's update (its figure 16): `correct` when a memory fully contains the new statement and no other still contains an old one;
 * `other` when an old one remains (quoted talk of an earlier day does not count); `hallucinated` when a memory has the common frame with a
 * third value; `omitted` when the new statement is absent or incomplete.
 */
export function judgeUpdate(input: UpdateInput): Verdict<UpdateOutcome> {
  const without = (text: string): string => withoutUser(text, input.user)
  const [updated, originals, memories] = [
    without(input.updated),
    input.originals.map(without),
    input.memories.map((memory) => without(readDay(memory).text)),
  ]
  const days = input.memories.map((memory) => readDay(memory).day)
  const best = bestMatch(updated, memories)
  if (best === null) return { verdict: 'omitted', reason: 'nothing was retrieved' }
  const holdsNew = (memory: string): boolean => matchStatement(updated, memory).degree === 2
  const bestPassage = `${quote(best.passage)} ${explain(best.comparison)}`
  if (best.degree === 2) {
    const newDays = days.filter((_, place) => holdsNew(memories[place] ?? ''))
    const standing = memories.find(
      (memory, place) =>
        !holdsNew(memory) &&
        originals.some((original) => matchStatement(original, memory).degree === 2) &&
        !isSaidBefore(days[place] ?? null, newDays),
    )
    if (standing === undefined)
      return { verdict: 'correct', reason: `the new statement stands: ${bestPassage}` }
    return {
      verdict: 'other',
      reason: `the old statement still stands beside the new one: ${quote(standing)}`,
    }
  }
  const third = memories.flatMap((memory) => findThirdValue(memory, updated, originals) ?? []).at(0)
  if (third !== undefined) return { verdict: 'hallucinated', reason: third }
  return { verdict: 'omitted', reason: `the new statement is not there whole: ${bestPassage}` }
}

/** Whether quoted talk precedes what it is compared with. */
function isSaidBefore(day: string | null, others: readonly (string | null)[]): boolean {
  return day !== null && others.some((other) => other === null || other >= day)
}

/**
 * Explains why a memory gives the frame a third value; `null` when it does not. The frame is the words that new and old statement share,
 * the value the rest. The memory must have more than half of the frame, none of either value, and in their place another number, or other
 * words and no more than the longer value has.
 */
function findThirdValue(memory: string, updated: string, originals: readonly string[]): string | null {
  const next = readContent(updated)
  const given = readContent(memory)
  for (const original of originals) {
    const last = readContent(original)
    const frame = keysOf(next).filter((key) => hasWord(last, key))
    const shared = frame.filter((key) => hasWord(given, key))
    if (frame.length === 0 || shared.length / frame.length <= PART_SHARE) continue
    if (given.quantities.length > 0 && isOtherNumber(next, last, given))
      return `${quote(memory)} has the frame (${list(shared)}) with a number that is neither the new nor the old one`
    const values = [keysOf(next), keysOf(last)].map((keys) => keys.filter((key) => !frame.includes(key)))
    if (values.flat().some((key) => hasWord(given, key))) continue
    const others = keysOf(given).filter((key) => !hasWord(next, key) && !hasWord(last, key))
    const longest = Math.max(...values.map((keys) => keys.length))
    if (others.length > 0 && others.length <= longest)
      return `${quote(memory)} has the frame (${list(shared)}) with a value that is neither the new nor the old one: ${list(others)}`
  }
  return null
}

function isOtherNumber(next: Content, last: Content, given: Content): boolean {
  const isAnother = ({ quantities }: Content): boolean =>
    compareQuantities(quantities, given.quantities).conflicting.length > 0
  return isAnother(next) && (last.quantities.length === 0 || isAnother(last))
}

function keysOf({ words }: Content): string[] {
  return [...words.values()].filter(({ isLeading }) => !isLeading).map(({ key }) => key)
}
