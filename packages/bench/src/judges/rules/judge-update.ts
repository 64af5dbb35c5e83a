import type { UpdateInput, UpdateOutcome, Verdict } from '../judge.ts'
import { compareQuantities } from '../../text/compare-quantities.ts'
import { hasWord, readContent, type Content } from '../../text/read-content.ts'
import { explain, list, quote } from './explain.ts'
import { bestHeld, holdStatement } from './hold-statement.ts'
import { PART } from './thresholds.ts'
import { withoutUser } from './without-user.ts'

/**
 * HaluMem's update (its figure 16): `correct` when a memory holds the new statement whole and no other memory still holds
 * an old one; `other` when an old one stands beside it; `hallucinated` when a memory has the frame that old and new
 * share and a value of neither; `omitted` when the new statement is absent or lacks something.
 */
export function judgeUpdate(input: UpdateInput): Verdict<UpdateOutcome> {
  const updated = withoutUser(input.updated, input.user)
  const originals = input.originals.map((original) => withoutUser(original, input.user))
  const memories = input.memories.map((memory) => withoutUser(memory, input.user))
  const best = bestHeld(updated, memories)
  if (best === null) return { verdict: 'omitted', reason: 'nothing was retrieved' }
  const holdsNew = (memory: string): boolean => holdStatement(updated, memory).degree === 2
  const found = `${quote(best.passage)} ${explain(best.comparison)}`
  if (best.degree === 2) {
    const standing = memories.find(
      (memory) =>
        !holdsNew(memory) && originals.some((original) => holdStatement(original, memory).degree === 2),
    )
    if (standing === undefined) return { verdict: 'correct', reason: `the new statement stands: ${found}` }
    return {
      verdict: 'other',
      reason: `the old statement still stands beside the new one: ${quote(standing)}`,
    }
  }
  const third = memories.flatMap((memory) => thirdValue(memory, updated, originals) ?? []).at(0)
  if (third !== undefined) return { verdict: 'hallucinated', reason: third }
  return { verdict: 'omitted', reason: `the new statement is not there whole: ${found}` }
}

/**
 * Why a memory gives the frame a value that is neither old nor new; `null` when it does not. The frame is the words that
 * the new statement shares with an old one, the value the rest. The memory must have more than half of the frame, none of either
 * value, and in their place another number, or other words and no more of them than the longer value has.
 */
function thirdValue(memory: string, updated: string, originals: readonly string[]): string | null {
  const next = readContent(updated)
  const given = readContent(memory)
  for (const original of originals) {
    const last = readContent(original)
    const frame = told(next).filter((key) => hasWord(last, key))
    const shared = frame.filter((key) => hasWord(given, key))
    if (frame.length === 0 || shared.length / frame.length <= PART) continue
    if (given.quantities.length > 0 && isOtherNumber(next, last, given))
      return `${quote(memory)} has the frame (${list(shared)}) with a number that is neither the new nor the old one`
    const values = [told(next), told(last)].map((keys) => keys.filter((key) => !frame.includes(key)))
    if (values.flat().some((key) => hasWord(given, key))) continue
    const others = told(given).filter((key) => !hasWord(next, key) && !hasWord(last, key))
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

function told({ words }: Content): string[] {
  return [...words.values()].filter(({ isLeading }) => !isLeading).map(({ key }) => key)
}
