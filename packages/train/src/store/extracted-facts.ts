import type { Memory, Operation, Turn } from 'keepsake'
import { applyOperation } from 'keepsake/store'
import type { Voucher } from '../examples/example.ts'
import type { Life } from './life.ts'
import { ends, Verdicts, type Verdict } from './verdicts.ts'

/** A fact that rules or a model extracted from talk: the logged operation, its evidence, and later corrections. */
export interface ExtractedFact {
  readonly operation: Operation
  /** The fact before the operation, or `null` for a new fact. */
  readonly before: Memory | null
  /** The fact after the operation. */
  readonly fact: Memory
  /** The turns that this operation added as evidence, and the words that it quoted. */
  readonly evidence: readonly { readonly turn: Turn; readonly quote: string | null }[]
  /** The user's later verdict on the operation, or `null` for an operation that only adds evidence. */
  readonly verdict: Verdict | null
  /** The verdict on the statement. An operation that only adds evidence has the verdict on the statement that it repeats. */
  readonly statementVerdict: Verdict | null
  readonly by: Voucher
}

/** All extracted facts of a scope, and the facts that were known at any time. */
export interface ExtractedFacts {
  readonly extracted: readonly ExtractedFact[]
  /** Returns the facts that were live and current before an operation, in the order in which they were learned. */
  readonly factsBefore: (sequence: number) => Memory[]
}

/** Reads the extracted facts of the log, as they were at that time. Changes by the application are left out. */
export function extractedFactsOf(life: Life): ExtractedFacts {
  const verdicts = new Verdicts(life.operations)
  const turns = new Map(life.turns.map((turn) => [turn.id, turn]))
  const history = new FactHistory()
  const verdictByFact = new Map<string, Verdict>()
  const extracted = life.operations.flatMap((operation): ExtractedFact[] => {
    const earlier = history.latest(operation.memory ?? '')
    history.apply(operation)
    const fact = history.latest(operation.memory ?? '')
    const changesFact = fact?.form === 'fact' && ['add', 'modify', 'delete'].includes(operation.kind)
    const isByApplication = operation.origin.step === 'api'
    // An operation with a parent only follows from another one.
    if (!changesFact || isByApplication || operation.parent !== null) return []
    const evidence = evidenceOf(operation, earlier, turns)
    const verdict = verdicts.of(operation, fact)
    if (verdict !== null) verdictByFact.set(fact.id, verdict)
    const statementVerdict = verdicts.isUndone(operation) ? verdict : (verdictByFact.get(fact.id) ?? null)
    const extractor = operation.origin.model === null ? 'rules' : 'model'
    const by = verdict?.byPerson === true ? 'person' : extractor
    return [{ operation, before: earlier, fact, evidence, verdict, statementVerdict, by }]
  })
  return { extracted, factsBefore: (sequence) => history.factsBefore(sequence) }
}

/** The states that each memory had, oldest first. */
class FactHistory {
  readonly #states = new Map<string, { readonly since: number; readonly memory: Memory }[]>()

  latest(id: string): Memory | null {
    return this.#states.get(id)?.at(-1)?.memory ?? null
  }

  apply(operation: Operation): void {
    const { memory: id, touched, sequence: since } = operation
    const changedIds = id === null ? touched.map(({ memory }) => memory) : [id]
    for (const changed of changedIds) {
      const memory = applyOperation(this.latest(changed) ?? undefined, operation, changed)
      if (memory === undefined) continue
      this.#states.set(changed, [...(this.#states.get(changed) ?? []), { since, memory }])
    }
  }

  factsBefore(sequence: number): Memory[] {
    return [...this.#states.values()]
      .flatMap((states) => states.findLast(({ since }) => since < sequence)?.memory ?? [])
      .filter(({ form, status, validUntil }) => form === 'fact' && status === 'live' && validUntil === null)
      .sort((one, other) => one.learnedAt - other.learnedAt)
  }
}

function evidenceOf(
  { payload }: Operation,
  earlier: Memory | null,
  turns: ReadonlyMap<string, Turn>,
): ExtractedFact['evidence'] {
  const earlierTurns = new Set(earlier?.evidence.map(({ turn }) => turn))
  const { evidence, validUntil = null } = payload?.after ?? {}
  // A deletion has no evidence, but its end is the time of the turn that caused it.
  if (evidence === undefined && validUntil !== null)
    return [...turns.values()]
      .filter(({ role, at }) => role === 'user' && at === validUntil)
      .map((turn) => ({ turn, quote: null }))
  return (evidence ?? []).flatMap(({ turn: id, quote }) => {
    const turn = turns.get(id)
    return turn === undefined || earlierTurns.has(id) ? [] : [{ turn, quote }]
  })
}

/** Reports whether an operation changes the statement, and not only its evidence. */
export function changesStatement({ operation }: ExtractedFact): boolean {
  return operation.payload?.after.text !== undefined || ends(operation)
}

/** Returns the latest turn of a fact's evidence. */
export function lastTurnOf({ evidence }: ExtractedFact): Turn | undefined {
  return evidence.map(({ turn }) => turn).reduce<Turn | undefined>(later, undefined)
}

function later(one: Turn | undefined, other: Turn): Turn {
  return one !== undefined && one.position > other.position ? one : other
}

/** Returns who vouches for several facts together: a person if one checked any of them, otherwise the least reliable voucher. */
export function vouchedBy(extracted: readonly ExtractedFact[]): Voucher {
  const vouchers = extracted.map(({ by }) => by)
  if (vouchers.includes('person')) return 'person'
  return vouchers.includes('rules') ? 'rules' : 'model'
}
