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
import { bestMatch, matchStatement, matchTogether, PART_SHARE } from './match-statement.ts'

/** Removes the user's name from the start of a Chinese statement. English names are recognised by their capital. */
export function withoutUser(text: string, user: string | undefined): string {
  const isChinese = user !== undefined && /\p{Script=Han}/u.test(user)
  return isChinese && text.startsWith(user) ? text.slice(user.length) : text
}

/** Judges how far memories contain a gold memory: 2 all of it, 1 a part, 0 nothing or its opposite (HaluMem, figure 12). */
export function judgeIntegrity(input: IntegrityInput): Verdict<Degree> {
  const expected = withoutUser(input.expected, input.user)
  const memories = input.memories.map((memory) => withoutUser(memory, input.user))
  const best = bestMatch(expected, memories)
  if (best === null) return { verdict: 0, reason: 'there are no memories' }
  const reason = `best memory ${quote(best.passage)} ${explain(best.comparison)}`
  if (best.degree < 2 && matchTogether(expected, memories))
    return { verdict: 2, reason: `several memories together contain all of it; ${reason}` }
  return { verdict: best.degree, reason }
}

/** Reports whether two texts of an operation say the same (MMM). Each must contain the other fully, so additions make them differ. */
export function judgeContent({ expected, actual }: ContentInput): Verdict<boolean> {
  const inActual = matchStatement(expected, actual)
  const inExpected = matchStatement(actual, expected)
  const reason = `actual ${explain(inActual.comparison)} | expected ${explain(inExpected.comparison)}`
  return { verdict: inActual.degree === 2 && inExpected.degree === 2, reason }
}

const MAX_SCORE = 5
/** A memory that lacks or changes a number, date or name scores at most this. */
const MAX_WITHOUT_VALUE = 3
/** A memory that says the opposite scores at most this. */
const MAX_REVERSED = 1

/** Scores the share of a label's content in the memory, times 5 and rounded (MOOM's MemScore, section 5.2). */
export function judgeLikeness({ label, memory }: LikenessInput): Verdict<number> {
  const { degree, comparison } = matchStatement(label, memory)
  if (comparison === null) return { verdict: degree === 2 ? MAX_SCORE : 0, reason: explain(comparison) }
  let maxScore = comparison.lacksValue ? MAX_WITHOUT_VALUE : MAX_SCORE
  if (comparison.contradicts) maxScore = MAX_REVERSED
  const score = Math.round((comparison.share ?? 0) * MAX_SCORE)
  return { verdict: Math.min(score, maxScore), reason: explain(comparison) }
}

/**
 * Judges an update (HaluMem, figure 16).
 *
 * - `correct`: a memory fully contains the new statement, and no other memory still contains an old one.
 * - `other`: an old statement remains. Quoted talk of an earlier day does not count.
 * - `hallucinated`: a memory has what both statements share, with a third value.
 * - `omitted`: the new statement is absent or incomplete.
 */
export function judgeUpdate(input: UpdateInput): Verdict<UpdateOutcome> {
  const removeUser = (text: string): string => withoutUser(text, input.user)
  const updated = removeUser(input.updated)
  const originals = input.originals.map(removeUser)
  const memories = input.memories.map((memory) => removeUser(readDay(memory).text))
  const days = input.memories.map((memory) => readDay(memory).day)
  const best = bestMatch(updated, memories)
  if (best === null) return { verdict: 'omitted', reason: 'nothing was retrieved' }
  const hasNewStatement = (memory: string): boolean => matchStatement(updated, memory).degree === 2
  const bestPassage = `${quote(best.passage)} ${explain(best.comparison)}`
  if (best.degree === 2) {
    const newDays = days.filter((_, index) => hasNewStatement(memories[index] ?? ''))
    const hasOldStatement = (memory: string): boolean =>
      originals.some((original) => matchStatement(original, memory).degree === 2)
    const oldMemory = memories.find(
      (memory, index) =>
        !hasNewStatement(memory) && hasOldStatement(memory) && !isSaidBefore(days[index] ?? null, newDays),
    )
    if (oldMemory === undefined)
      return { verdict: 'correct', reason: `the new statement is present: ${bestPassage}` }
    return {
      verdict: 'other',
      reason: `the old statement is still present next to the new one: ${quote(oldMemory)}`,
    }
  }
  for (const memory of memories) {
    const thirdValue = findThirdValue(memory, updated, originals)
    if (thirdValue !== null) return { verdict: 'hallucinated', reason: thirdValue }
  }
  return { verdict: 'omitted', reason: `the new statement is absent or incomplete: ${bestPassage}` }
}

/** Reports whether a quoted message is not newer than a memory with the new statement. Statements have no day and count as newer. */
function isSaidBefore(day: string | null, newDays: readonly (string | null)[]): boolean {
  return day !== null && newDays.some((newDay) => newDay === null || newDay >= day)
}

/** Explains why a memory has a third value. It has most of the words that both statements share (the frame), but neither value. `null`: it has none. */
function findThirdValue(memory: string, updated: string, originals: readonly string[]): string | null {
  const newContent = readContent(updated)
  const memoryContent = readContent(memory)
  for (const original of originals) {
    const oldContent = readContent(original)
    const frame = keysOf(newContent).filter((key) => hasWord(oldContent, key))
    const shared = frame.filter((key) => hasWord(memoryContent, key))
    if (frame.length === 0 || shared.length / frame.length <= PART_SHARE) continue
    if (memoryContent.quantities.length > 0 && hasThirdNumber(newContent, oldContent, memoryContent))
      return `${quote(memory)} has the frame (${list(shared)}) with a number that is neither the new nor the old one`
    const newValue = keysOf(newContent).filter((key) => !frame.includes(key))
    const oldValue = keysOf(oldContent).filter((key) => !frame.includes(key))
    if ([...newValue, ...oldValue].some((key) => hasWord(memoryContent, key))) continue
    const others = keysOf(memoryContent).filter(
      (key) => !hasWord(newContent, key) && !hasWord(oldContent, key),
    )
    if (others.length > 0 && others.length <= Math.max(newValue.length, oldValue.length))
      return `${quote(memory)} has the frame (${list(shared)}) with a value that is neither the new nor the old one: ${list(others)}`
  }
  return null
}

function hasThirdNumber(newContent: Content, oldContent: Content, memory: Content): boolean {
  const conflictsWith = ({ quantities }: Content): boolean =>
    compareQuantities(quantities, memory.quantities).conflicting.length > 0
  return conflictsWith(newContent) && (oldContent.quantities.length === 0 || conflictsWith(oldContent))
}

function keysOf({ words }: Content): string[] {
  return [...words.values()].filter(({ isLeading }) => !isLeading).map(({ key }) => key)
}
