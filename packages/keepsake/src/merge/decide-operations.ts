import { compareValues } from '@keepsake/text'
import { samePolarity, sameStatement } from '../facts/compare-statements.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { Candidate, ProposedOperation, RejectedOperation } from '../memories/candidate.ts'
import { type CheckedOperation, checkOperation } from '../memories/check-operation.ts'
import { eachOnce } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { KnownFacts, type MergeDecision } from './known-facts.ts'
import { append, drop, end, keepAsPast, knownAlready, refine, repeat, replace } from './merge-verbs.ts'

type Modify = Extract<CheckedOperation, { kind: 'modify' }>
type Delete = Extract<CheckedOperation, { kind: 'delete' }>

/** The settled proposals for one memory: at most one of each. */
export interface SettledOperations {
  /** The deletion that the user requested. Nothing else remains then. */
  readonly drop: Delete | null
  readonly modify: Modify | null
  /** The deletion of a fact that has ended. */
  readonly end: Delete | null
  readonly rejected: readonly RejectedOperation[]
}

const DROPPED = 'the same answer drops that memory because the user asked for it'
const OUTDONE =
  'the same answer changes that memory to something that holds from later on, or was stated last'

/**
 * Settles the proposals of one answer for one memory. A requested deletion comes first; of several changes the latest
 * one stands; repetitions join their evidence.
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
  const isRepeat = (one: Modify): boolean =>
    one === latest || (latest !== null && sameStatement(one.candidate.text, latest.candidate.text))
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

function withEvidenceOf(modify: Modify, repeats: readonly Modify[]): Modify {
  if (repeats.length < 2) return modify
  const all = repeats.flatMap(({ candidate }) => candidate.evidence)
  return { ...modify, candidate: { ...modify.candidate, evidence: eachOnce(all) } }
}

/** Decisions of the rules on a model's answer. */
export interface DecidedOperations {
  /** In order of execution: known facts first, then new ones. */
  readonly decisions: readonly MergeDecision[]
  readonly rejected: readonly RejectedOperation[]
}

/**
 * The rule engine behind a model's operation codes (MMM). Pure: decides, applies nothing. Its rules:
 *
 * 1. A number must be that of a shown memory, 1 to n, which is still live. Other memories are never touched.
 * 2. A statement must say something, about a subject, at a time, and not end before it begins. Control characters become
 *    spaces, broken Unicode is mended. Evidence must be text that a turn can hold.
 * 3. `modify` keeps history: what was said becomes past, until the time from which the new statement holds. One that
 *    holds from earlier than what is known never takes its place, and becomes past itself. The same value of the same
 *    key in more words is no change in the world: its time stays. The same statement is `none`, with its evidence.
 *    One about another subject than the memory's is an `add`.
 * 4. `delete` needs evidence. `asked` deletes. `no-longer-so` ends: the statement was true and is over, so it stays
 *    with the time of its end, and the past can be asked about; where a preset says so (MMM) it deletes as well.
 * 5. A pinned memory, and one that is no plain statement, is neither changed nor ended by a model. When the user asked
 *    for it, both are dropped.
 * 6. For one memory an answer comes to one thing. `asked` goes before everything. Of several changes the one that holds
 *    from latest stands, of equals the last. A change goes before `no-longer-so`, since it says what is so instead;
 *    when it is only a statement from the past, both are done. What is repeated counts once.
 * 7. An `add` that says what a shown memory says, or said, or what an earlier `add` says, is `none`. One that says
 *    what the same answer drops, because the user asked for it, is rejected.
 *
 * Whatever is not let through is in `rejected`, with the reason.
 *
 * @param shown the memories that the model was shown, numbered from 1 by their place
 * @param statedAt when a statement was made, milliseconds since 1970. A change that was stated after the known fact, but is
 *   dated before it ("this month"), holds from when it was stated. Without this, only dates count.
 * @param over what becomes of a memory that is no longer so
 * @example
 * decideOperations([{ kind: 'modify', index: 1, candidate: livesInParis }], [livesInLyon]).decisions
 * // [{ kind: 'modify', memory: livesInLyon.id, change: { text: …, past: [{ text: … }] }, why: … }]
 */
export function decideOperations(
  proposed: readonly ProposedOperation[],
  shown: readonly Memory[],
  statedAt: (candidate: Candidate) => number = () => Number.NEGATIVE_INFINITY,
  over: 'end' | 'delete' = 'end',
): DecidedOperations {
  const answer = new Answer(shown, statedAt, over)
  const checked = proposed.flatMap((operation): CheckedOperation[] => {
    const result = checkOperation(operation, shown)
    if (typeof result !== 'string') return [result]
    answer.reject(operation, result)
    return []
  })
  const targets = new Set(
    checked.flatMap((operation) => (operation.kind === 'add' ? [] : [operation.target.id])),
  )
  for (const id of targets)
    answer.meetKnown(
      id,
      checked.filter((operation) => operation.kind !== 'add' && operation.target.id === id),
    )
  for (const operation of checked)
    if (operation.kind === 'add') answer.meetNew(operation.proposed, operation.candidate)
  return { decisions: answer.decisions, rejected: answer.rejected }
}

/** The relation of a new statement to the known one. */
type Meeting = 'same' | 'earlier' | 'more-exact' | 'later'

function meetingOf(fact: KnownFact, candidate: Candidate, time: number): Meeting {
  if (sameStatement(candidate.text, fact.text)) return 'same'
  if (candidate.validFrom < fact.validFrom) return 'earlier'
  return isMoreExact(fact, candidate, time) ? 'more-exact' : 'later'
}

/** The same value of the same key, in other words or in more: no change in the world. */
function isMoreExact(fact: KnownFact, candidate: Candidate, time: number): boolean {
  if (fact.key === null || fact.key !== candidate.key || fact.value === null || candidate.value === null)
    return false
  if (isOver(fact, time) || isOver(candidate, time)) return false
  const relation = compareValues(candidate.value, fact.value)
  return (relation === 'same' || relation === 'says-more') && samePolarity(candidate.text, fact.text)
}

const CHANGE_BY: Record<Meeting, (fact: KnownFact, candidate: Candidate, at: number) => MergeDecision> = {
  same: repeat,
  earlier: keepAsPast,
  'more-exact': refine,
  later: (fact, candidate) => replace(fact, candidate),
}

/** The decisions on an answer so far. */
class Answer {
  readonly rejected: RejectedOperation[] = []
  readonly #shown: ReadonlyMap<string, Memory>
  /** Live statements after the decisions so far. Added ones are under their refs. */
  readonly #facts: KnownFacts
  readonly #dropped: KnownFact[] = []
  readonly #statedAt: (candidate: Candidate) => number
  readonly #over: 'end' | 'delete'

  constructor(shown: readonly Memory[], statedAt: (candidate: Candidate) => number, over: 'end' | 'delete') {
    this.#statedAt = statedAt
    this.#over = over
    this.#shown = new Map(shown.map((memory) => [memory.id, memory]))
    this.#facts = new KnownFacts(shown.filter(({ status }) => status === 'live'))
  }

  get decisions(): readonly MergeDecision[] {
    return this.#facts.decisions
  }

  reject(operation: ProposedOperation, reason: string): void {
    this.rejected.push({ operation, reason })
  }

  /** Decides on all proposals for one memory. */
  meetKnown(id: string, operations: readonly CheckedOperation[]): void {
    const settled = settleConflicts(operations)
    const { modify, end: over } = settled
    this.rejected.push(...settled.rejected)
    const fact = this.#facts.get(id)
    if (fact === undefined) return
    if (settled.drop !== null) this.#drop(fact, settled.drop)
    if (modify === null && over !== null) this.#end(fact, over)
    if (modify === null) return
    const candidate = this.#fromStatement(fact, modify.candidate)
    const at = this.#timeOf(candidate)
    const meeting = meetingOf(fact, candidate, at)
    this.#facts.decide(CHANGE_BY[meeting](fact, candidate, at))
    const now = this.#facts.get(id) ?? fact
    if (over === null || meeting === 'later' || isOver(now, at)) return
    if (meeting === 'earlier') this.#end(now, over)
    else this.reject(over.proposed, 'the same answer says that it is still so')
  }

  /** When a statement was made; without it every end has come. */
  #timeOf(candidate: Candidate): number {
    const statedAt = this.#statedAt(candidate)
    return statedAt === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : statedAt
  }

  #fromStatement(fact: KnownFact, candidate: Candidate): Candidate {
    const statedAt = this.#statedAt(candidate)
    const known = this.#shown.get(fact.id)?.learnedAt ?? Number.POSITIVE_INFINITY
    const isLate = statedAt <= Math.max(known, fact.validFrom)
    if (isLate || candidate.validFrom >= fact.validFrom) return candidate
    const validUntil = candidate.validUntil === null ? null : Math.max(statedAt, candidate.validUntil)
    return { ...candidate, validFrom: Math.max(statedAt, fact.validFrom), validUntil }
  }

  /** Decides on a statement that names no memory. */
  meetNew(proposed: ProposedOperation, candidate: Candidate): void {
    const says = (one: { readonly subject: string; readonly text: string }): boolean =>
      one.subject === candidate.subject && sameStatement(one.text, candidate.text)
    if (this.#dropped.some(says)) {
      this.reject(proposed, 'the same answer drops that statement because the user asked for it')
      return
    }
    const facts = this.#facts.now.about(candidate.subject).filter((fact) => this.#isStatement(fact.id))
    const same = facts.find(says)
    if (same !== undefined) return this.#repeat(proposed, candidate, same)
    const pastFact = facts.find((fact) => {
      const before = [...fact.past, this.#shown.get(fact.id) ?? fact]
      return candidate.validFrom <= fact.validFrom && before.some(({ text }) => says({ ...fact, text }))
    })
    if (pastFact === undefined) this.#facts.decide(append(`new:${this.decisions.length}`, candidate, 'new'))
    else this.#facts.decide(knownAlready(pastFact, [], 'known already, as past'))
  }

  #repeat(proposed: ProposedOperation, candidate: Candidate, same: KnownFact): void {
    const decision = repeat(same, candidate, this.#timeOf(candidate))
    if (decision.kind === 'none' || !same.pinned) this.#facts.decide(decision)
    else this.reject(proposed, 'it would change a pinned memory')
  }

  #isStatement(id: string): boolean {
    return (this.#shown.get(id)?.form ?? 'fact') === 'fact'
  }

  #end(fact: KnownFact, { at, proposed }: Delete): void {
    if (this.#over === 'delete')
      return this.#facts.decide(drop(fact, Math.max(at ?? fact.validFrom, fact.validFrom), 'no longer so'))
    this.#facts.decide(end(fact, at ?? fact.validFrom, proposed.evidence))
  }

  #drop(fact: KnownFact, { at, proposed }: Delete): void {
    const until = fact.validUntil ?? Math.max(at ?? fact.validFrom, fact.validFrom)
    this.#dropped.push(fact)
    this.#facts.decide(drop(fact, until, 'the user asked to drop it', proposed.evidence))
  }
}
