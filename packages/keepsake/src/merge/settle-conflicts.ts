import { sameStatement } from '../facts/compare-statements.ts'
import { eachOnce } from '../memories/evidence.ts'
import type { CheckedOperation } from '../memories/check-operation.ts'
import type { RejectedOperation } from '../memories/proposed-operation.ts'

type Modify = Extract<CheckedOperation, { kind: 'modify' }>
type Delete = Extract<CheckedOperation, { kind: 'delete' }>

/** The settled proposals for one memory: at most one of each. */
export interface SettledOperations {
  /** The deletion that the user requested. Nothing else remains then. */
  readonly drop: Delete | null
  readonly modify: Modify | null
  /** It is over. */
  readonly end: Delete | null
  readonly rejected: readonly RejectedOperation[]
}

const DROPPED = 'the same answer drops that memory because the user asked for it'
const OUTDONE = 'the same answer changes that memory to something that holds from later on, or was told last'

/**
 * Settles what one answer proposes for one memory: being asked to drop it comes before everything; of several changes
 * the one that holds from latest (of equals, the last told) stands; one told twice counts once, with the evidence of both.
 */
export function settleConflicts(operations: readonly CheckedOperation[]): SettledOperations {
  const modifies = operations.filter((operation) => operation.kind === 'modify')
  const deletes = operations.filter((operation) => operation.kind === 'delete')
  const drop = deletes.find(({ proposed }) => proposed.why === 'asked') ?? null
  if (drop !== null) {
    const rejected = modifies.map(({ proposed }) => ({ operation: proposed, reason: DROPPED }))
    return { drop, modify: null, end: null, rejected }
  }
  const latest = latestOf(modifies, ({ candidate }) => candidate.validFrom)
  const isRepeat = (one: Modify): boolean => one === latest || says(one, latest)
  const modify = latest === null ? null : withEvidenceOf(latest, modifies.filter(isRepeat))
  const rejected = modifies
    .filter((one) => !isRepeat(one))
    .map(({ proposed }) => ({ operation: proposed, reason: OUTDONE }))
  return { drop: null, modify, end: deletes.at(-1) ?? null, rejected }
}

/** The one with the greatest time; of equals, the last. */
function latestOf<One>(all: readonly One[], timeOf: (one: One) => number): One | null {
  return all.reduce<One | null>(
    (best, one) => (best === null || timeOf(one) >= timeOf(best) ? one : best),
    null,
  )
}

function says(one: Modify, other: Modify | null): boolean {
  return other !== null && sameStatement(one.candidate.text, other.candidate.text)
}

function withEvidenceOf(modify: Modify, repeats: readonly Modify[]): Modify {
  if (repeats.length < 2) return modify
  const all = repeats.flatMap(({ candidate }) => candidate.evidence)
  return { ...modify, candidate: { ...modify.candidate, evidence: eachOnce(all) } }
}
