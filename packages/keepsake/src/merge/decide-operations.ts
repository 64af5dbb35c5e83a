// Decides what the operations of a model (add, modify, delete) do to the memories that the model was shown.
import { compareValues } from '@keepsake/text'
import { samePolarity, sameStatement } from '../facts/compare-statements.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { Candidate, ProposedOperation, RejectedOperation } from '../memories/candidate.ts'
import { type CheckedOperation, checkOperation } from '../memories/check-operation.ts'
import { eachOnce } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { decideExpiry } from './end-facts.ts'
import {
  addFact,
  addPastVersion,
  confirmFact,
  deleteFact,
  MergeState,
  refineFact,
  repeatFact,
  supersedeFact,
  type MergeDecision,
} from './merge-decisions.ts'

type Modify = Extract<CheckedOperation, { kind: 'modify' }>
type Delete = Extract<CheckedOperation, { kind: 'delete' }>

/** Decisions of the rules on a model's answer. */
export interface DecidedOperations {
  /** In order of execution: known facts first, then new ones. */
  readonly decisions: readonly MergeDecision[]
  readonly rejected: readonly RejectedOperation[]
}

/**
 * Decides by rules on the operations that a model proposes, as in the paper MMM. Returns decisions and applies none. The rules:
 *
 * 1. A number must be that of a shown memory, 1 to n, which is still live. Other memories never change.
 * 2. A statement has a text, a subject and a time, and does not end before it begins. Control characters become spaces,
 *    and broken Unicode is repaired. Evidence must be text that a turn can contain.
 * 3. `modify` keeps history. The old statement becomes a past version when the new one begins. A new statement that is
 *    older becomes a past version itself. More words for the same value of the same key keep its start. The same
 *    statement only adds evidence. A statement about another subject is an `add`.
 * 4. `delete` needs evidence. With `asked` the memory is deleted. With `no-longer-so` it expires, or is deleted in presets
 *    with `over: 'delete'` (MMM).
 * 5. A model changes and ends only plain statements that are not pinned. A user's request deletes the others too.
 * 6. One answer changes a memory once. `asked` comes first. Of several changes, the one with the latest start counts.
 *    Of equal starts, the last counts. Then `no-longer-so` is rejected, unless the change only adds a past version.
 * 7. An `add` only adds evidence if a shown memory or an earlier `add` says the same, now or in the past. It is rejected
 *    if the same answer deletes this statement because the user asked for it.
 *
 * @param shown the memories that the model was shown, numbered from 1 by their place
 * @param statedAt returns the time of a statement in milliseconds since 1970. A change that is newer than the known fact
 *   but dated before it ("this month") is valid from the time of its statement. Without this, only dates count.
 * @param expiry whether a memory that is no longer true ends or is deleted
 * @returns the decisions, and what was rejected with the reason
 * @example
 * decideOperations([{ kind: 'modify', index: 1, candidate: livesInParis }], [livesInLyon]).decisions
 * // [{ kind: 'modify', memory: livesInLyon.id, change: { text: …, past: [{ text: … }] } }]
 */
export function decideOperations(
  proposed: readonly ProposedOperation[],
  shown: readonly Memory[],
  statedAt: (candidate: Candidate) => number = () => Number.NEGATIVE_INFINITY,
  expiry: 'end' | 'delete' = 'end',
): DecidedOperations {
  const rules = new OperationRules(shown, statedAt, expiry)
  const checked = proposed.flatMap((operation): CheckedOperation[] => {
    const result = checkOperation(operation, shown)
    if (typeof result !== 'string') return [result]
    rules.reject(operation, result)
    return []
  })
  const onMemories = checked.filter((operation) => operation.kind !== 'add')
  for (const [id, operations] of Map.groupBy(onMemories, ({ target }) => target.id))
    rules.changeFact(id, operations)
  for (const operation of checked)
    if (operation.kind === 'add') rules.addStatement(operation.proposed, operation.candidate)
  return { decisions: rules.decisions, rejected: rules.rejected }
}

/** Decides on the operations of one answer. Each decision considers the earlier ones. */
class OperationRules {
  readonly rejected: RejectedOperation[] = []
  readonly #shown: ReadonlyMap<string, Memory>
  readonly #state: MergeState
  /** The facts that the user asked to delete. */
  readonly #deleted: KnownFact[] = []
  readonly #statedAt: (candidate: Candidate) => number
  readonly #expiry: 'end' | 'delete'

  constructor(
    shown: readonly Memory[],
    statedAt: (candidate: Candidate) => number,
    expiry: 'end' | 'delete',
  ) {
    this.#statedAt = statedAt
    this.#expiry = expiry
    this.#shown = new Map(shown.map((memory) => [memory.id, memory]))
    this.#state = new MergeState(shown.filter(({ status }) => status === 'live'))
  }

  get decisions(): readonly MergeDecision[] {
    return this.#state.decisions
  }

  reject(operation: ProposedOperation, reason: string): void {
    this.rejected.push({ operation, reason })
  }

  /** Decides on all operations on one memory. */
  changeFact(id: string, operations: readonly (Modify | Delete)[]): void {
    const modifies = operations.filter((operation) => operation.kind === 'modify')
    const deletes = operations.filter((operation) => operation.kind === 'delete')
    const request = deletes.find(({ proposed }) => proposed.why === 'asked')
    if (request !== undefined) {
      this.#deleteOnRequest(id, request)
      for (const { proposed } of modifies)
        this.reject(proposed, 'the same answer drops that memory because the user asked for it')
      return
    }
    const statement = this.#latestStatement(modifies)
    const end = deletes.at(-1)
    const fact = this.#state.facts.get(id)
    if (fact === undefined) return
    if (statement === null) {
      if (end !== undefined) this.#expire(fact, end)
      return
    }
    const candidate = this.#withTimeOfStatement(fact, statement)
    const statedAt = this.#timeOf(candidate)
    const relation = compareToKnown(fact, candidate, statedAt)
    this.#state.decide(DECIDE_BY[relation](fact, candidate, statedAt))
    const changed = this.#state.facts.get(id) ?? fact
    if (end === undefined || relation === 'later' || isOver(changed, statedAt)) return
    if (relation === 'earlier') this.#expire(changed, end)
    else this.reject(end.proposed, 'the same answer says that it is still so')
  }

  /** Decides on a statement that names no memory. */
  addStatement(proposed: ProposedOperation, candidate: Candidate): void {
    const isRepeated = ({ subject, text }: Pick<KnownFact, 'subject' | 'text'>): boolean =>
      subject === candidate.subject && sameStatement(text, candidate.text)
    if (this.#deleted.some(isRepeated)) {
      this.reject(proposed, 'the same answer drops that statement because the user asked for it')
      return
    }
    const facts = this.#state.facts
      .about(candidate.subject)
      .filter(({ id }) => (this.#shown.get(id)?.form ?? 'fact') === 'fact')
    const same = facts.find(isRepeated)
    if (same !== undefined) {
      const decision = repeatFact(same, candidate, this.#timeOf(candidate))
      if (same.pinned && decision.kind !== 'confirm') this.reject(proposed, 'it would change a pinned memory')
      else this.#state.decide(decision)
      return
    }
    const formerlySame = facts.find((fact) => {
      if (candidate.validFrom > fact.validFrom) return false
      const versions = [...fact.past, this.#shown.get(fact.id) ?? fact]
      return versions.some(({ text }) => isRepeated({ ...fact, text }))
    })
    this.#state.decide(
      formerlySame === undefined
        ? addFact(`new:${this.decisions.length}`, candidate)
        : confirmFact(formerlySame, []),
    )
  }

  /** Chooses the changed statement with the latest start, adds the evidence of its repetitions, and rejects the others. */
  #latestStatement(modifies: readonly Modify[]): Candidate | null {
    const candidates = modifies.map(({ candidate }) => candidate)
    const latest = candidates.toSorted((a, b) => a.validFrom - b.validFrom).at(-1)
    if (latest === undefined) return null
    const isRepetition = (candidate: Candidate): boolean =>
      candidate === latest || sameStatement(candidate.text, latest.text)
    for (const { proposed, candidate } of modifies)
      if (!isRepetition(candidate))
        this.reject(
          proposed,
          'the same answer changes that memory to something that holds from later on, or was stated last',
        )
    const repetitions = candidates.filter(isRepetition)
    if (repetitions.length < 2) return latest
    return { ...latest, evidence: eachOnce(repetitions.flatMap(({ evidence }) => evidence)) }
  }

  /** Returns the time of a statement. Without one, returns infinity, so that all ends count as past. */
  #timeOf(candidate: Candidate): number {
    const statedAt = this.#statedAt(candidate)
    return statedAt === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : statedAt
  }

  /** Dates a change from the time of its statement, if the statement is newer than the known fact but its date is older. */
  #withTimeOfStatement(fact: KnownFact, candidate: Candidate): Candidate {
    const statedAt = this.#statedAt(candidate)
    const learnedAt = this.#shown.get(fact.id)?.learnedAt ?? Number.POSITIVE_INFINITY
    const isNewer = statedAt > Math.max(learnedAt, fact.validFrom)
    if (!isNewer || candidate.validFrom >= fact.validFrom) return candidate
    const validUntil = candidate.validUntil === null ? null : Math.max(statedAt, candidate.validUntil)
    return { ...candidate, validFrom: statedAt, validUntil }
  }

  #expire(fact: KnownFact, { at, proposed }: Delete): void {
    this.#state.decide(decideExpiry(fact, at ?? fact.validFrom, proposed.evidence, this.#expiry))
  }

  #deleteOnRequest(id: string, { at, proposed }: Delete): void {
    const fact = this.#state.facts.get(id)
    if (fact === undefined) return
    this.#deleted.push(fact)
    const end = fact.validUntil ?? Math.max(at ?? fact.validFrom, fact.validFrom)
    this.#state.decide(deleteFact(fact, end, 'the user asked to drop it', proposed.evidence))
  }
}

/** The relation of a changed statement to the known one. */
type Relation = 'same' | 'earlier' | 'more-exact' | 'later'

const DECIDE_BY: Record<
  Relation,
  (fact: KnownFact, candidate: Candidate, statedAt: number) => MergeDecision
> = {
  same: repeatFact,
  earlier: addPastVersion,
  'more-exact': refineFact,
  later: supersedeFact,
}

function compareToKnown(fact: KnownFact, candidate: Candidate, statedAt: number): Relation {
  if (sameStatement(candidate.text, fact.text)) return 'same'
  if (candidate.validFrom < fact.validFrom) return 'earlier'
  return isMoreExact(fact, candidate, statedAt) ? 'more-exact' : 'later'
}

/** Checks whether a statement names the same value of the same key, in other or in more words. So nothing has changed. */
function isMoreExact(fact: KnownFact, candidate: Candidate, statedAt: number): boolean {
  if (fact.key === null || fact.key !== candidate.key) return false
  if (fact.value === null || candidate.value === null) return false
  if (isOver(fact, statedAt) || isOver(candidate, statedAt)) return false
  const relation = compareValues(candidate.value, fact.value)
  return (relation === 'same' || relation === 'says-more') && samePolarity(candidate.text, fact.text)
}
