// Checks the operations on memories that a model proposes, as in the paper MMM.
import { isBlank } from '@keepsake/text'
import type { Candidate, ProposedOperation } from './candidate.ts'
import type { Evidence } from './evidence.ts'
import type { Memory } from './memory.ts'

export type ModifyProposal = Extract<ProposedOperation, { kind: 'modify' }>
export type DeleteProposal = Extract<ProposedOperation, { kind: 'delete' }>

/** A valid proposal with the memory that its number names. */
export type CheckedOperation =
  | { readonly kind: 'add'; readonly proposed: ProposedOperation; readonly candidate: Candidate }
  | {
      readonly kind: 'modify'
      readonly proposed: ModifyProposal
      readonly candidate: Candidate
      readonly target: Memory
    }
  | {
      readonly kind: 'delete'
      readonly proposed: DeleteProposal
      readonly target: Memory
      /** `null` when a requested deletion had no time. */
      readonly at: number | null
    }

/** The latest time that a `Date` can represent, in milliseconds since 1970. */
const MAX_TIME = 8.64e15

function isTime(time: number): boolean {
  return Number.isFinite(time) && Math.abs(time) <= MAX_TIME
}

/** Checks a proposal against the shown memories. Returns it, or why it is invalid, without words of the conversation. */
export function checkOperation(
  proposed: ProposedOperation,
  shown: readonly Memory[],
): CheckedOperation | string {
  if (proposed.kind === 'add') {
    const candidate = cleanCandidate(proposed.candidate)
    return findFault(candidate) ?? { kind: 'add', proposed, candidate }
  }
  const target = Number.isInteger(proposed.index) ? shown[proposed.index - 1] : undefined
  if (target === undefined) return 'it names a memory that was not shown'
  if (target.status !== 'live') return 'it names a memory that is not live any more'
  return proposed.kind === 'modify' ? checkModify(proposed, target) : checkDelete(proposed, target)
}

function checkModify(proposed: ModifyProposal, target: Memory): CheckedOperation | string {
  const candidate = cleanCandidate(proposed.candidate)
  const fault = findFault(candidate)
  if (fault !== null) return fault
  // With another subject, the model gave a wrong number. The statement is added, and the memory stays.
  if (candidate.subject !== target.subject) return { kind: 'add', proposed, candidate }
  return refuseTarget(target) ?? { kind: 'modify', proposed, candidate, target }
}

function checkDelete(proposed: DeleteProposal, target: Memory): CheckedOperation | string {
  if (proposed.evidence.length === 0) return 'it deletes a memory and gives no evidence'
  if (!proposed.evidence.every(isEvidence)) return 'its evidence is no text of a turn'
  // A requested deletion does not fail for an unparsed date or a pin.
  const at = isTime(proposed.at) ? cleanTime(proposed.at) : null
  if (proposed.why === 'asked') return { kind: 'delete', proposed, target, at }
  if (at === null) return 'it says since when something is over, and that is no time'
  return refuseTarget(target) ?? { kind: 'delete', proposed, target, at }
}

/** Returns why a model must not change this memory without a request. */
function refuseTarget(target: Memory): string | null {
  if (target.form !== 'fact') return 'it names a memory that is no plain statement'
  return target.pinned ? 'it would change a pinned memory' : null
}

function findFault(candidate: Candidate): string | null {
  const { text, subject, validFrom, validUntil, evidence } = candidate
  if (isBlank(text)) return 'it states nothing'
  if (isBlank(subject)) return 'it does not say whom it is about'
  if (!isTime(validFrom) || (validUntil !== null && !isTime(validUntil))) return 'it holds at no time'
  if (validUntil !== null && validUntil < validFrom) return 'it ends before it begins'
  return evidence.every(isEvidence) ? null : 'its evidence is no text of a turn'
}

/** Whether evidence names a turn and may be a quote of it. Turns are well-formed Unicode, so no turn contains an ill-formed quote. */
function isEvidence({ turn, quote }: Evidence): boolean {
  return turn !== '' && turn.isWellFormed() && (quote === null || quote.isWellFormed())
}

/** Normalises to one line of well-formed Unicode and whole milliseconds. The evidence array stays the same. */
function cleanCandidate(candidate: Candidate): Candidate {
  const { text, subject, key, value, validFrom, validUntil } = candidate
  const cleanValue = value === null ? null : cleanText(value)
  return {
    ...candidate,
    text: cleanText(text),
    subject: cleanText(subject),
    key: key === null ? null : cleanText(key),
    value: cleanValue === null || isBlank(cleanValue) ? null : cleanValue,
    validFrom: cleanTime(validFrom),
    validUntil: validUntil === null ? null : cleanTime(validUntil),
  }
}

/** Avoids negative zero, which JSON cannot represent. */
function cleanTime(time: number): number {
  return Math.trunc(time) + 0
}

function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
