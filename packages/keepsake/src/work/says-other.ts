import type { Memory } from '../memories/memory.ts'

/** Whether a memory tells something else than before, or is told no more. */
export function saysOther(before: Memory, after: Memory): boolean {
  const { text, value, key, subject, status, validFrom, validUntil, evidence, past } = before
  return (
    text !== after.text ||
    value !== after.value ||
    key !== after.key ||
    subject !== after.subject ||
    status !== after.status ||
    validFrom !== after.validFrom ||
    validUntil !== after.validUntil ||
    evidence.length !== after.evidence.length ||
    past.length !== after.past.length
  )
}
