import type { Memory, Operation, Turn } from 'keepsake'
import { applyOperation } from 'keepsake/store'
import type { Voucher } from '../examples/example.ts'
import type { Life } from './life.ts'
import { ends, Verdicts, type Verdict } from './verdicts.ts'

/** An extracted fact: the operation, its evidence, and later corrections. */
export interface Drawn {
  readonly operation: Operation
  /** The fact before; `null` for a new one. */
  readonly known: Memory | null
  /** The fact after. */
  readonly fact: Memory
  /** New evidence in its own words, by turn. */
  readonly evidence: readonly { readonly turn: Turn; readonly quote: string | null }[]
  readonly verdict: Verdict | null
  /** The same; for one that only adds evidence, the verdict on the statement that it repeats. */
  readonly stated: Verdict | null
  readonly by: Voucher
}

/** All extracted facts of a life, and the known facts at any time. */
export interface DrawnLife {
  readonly drawn: readonly Drawn[]
  /** Facts that were live and current before an operation, in the order they were learned. */
  readonly factsBefore: (sequence: number) => Memory[]
}

/** Walks the log for extracted facts, as they were then. Changes by the application are left out. */
export function drawnOf(life: Life): DrawnLife {
  const verdicts = new Verdicts(life.operations)
  const turns = new Map(life.turns.map((turn) => [turn.id, turn]))
  const history = new FactHistory()
  const statedOf = new Map<string, Verdict>()
  const drawn = life.operations.flatMap((operation): Drawn[] => {
    const earlier = history.latest(operation.memory ?? '')
    history.follow(operation)
    const fact = history.latest(operation.memory ?? '')
    const isOfFact = fact?.form === 'fact' && ['add', 'modify', 'delete'].includes(operation.kind)
    if (!isOfFact || operation.origin.step === 'api' || operation.parent !== null) return []
    const evidence = evidenceOf(operation, earlier, turns)
    const verdict = verdicts.of(operation, fact)
    if (verdict !== null) statedOf.set(fact.id, verdict)
    const stated = verdicts.isUndone(operation) ? verdict : (statedOf.get(fact.id) ?? null)
    const by = verdict?.byPerson === true ? 'person' : operation.origin.model === null ? 'rules' : 'model'
    return [{ operation, known: earlier, fact, evidence, verdict, stated, by }]
  })
  return { drawn, factsBefore: (sequence) => history.factsBefore(sequence) }
}

/** The states of each memory by operation. */
class FactHistory {
  readonly #states = new Map<string, { readonly since: number; readonly memory: Memory }[]>()

  latest(id: string): Memory | null {
    return this.#states.get(id)?.at(-1)?.memory ?? null
  }

  follow(operation: Operation): void {
    const { memory: id, touched, sequence: since } = operation
    for (const one of id === null ? touched.map(({ memory }) => memory) : [id]) {
      const memory = applyOperation(this.latest(one) ?? undefined, operation, one)
      if (memory !== undefined) this.#states.set(one, [...(this.#states.get(one) ?? []), { since, memory }])
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
  known: Memory | null,
  turns: ReadonlyMap<string, Turn>,
): Drawn['evidence'] {
  const before = new Set(known?.evidence.map(({ turn }) => turn))
  const { evidence, validUntil = null } = payload?.after ?? {}
  // A deletion keeps no words; it dates from the turn that caused it.
  if (evidence === undefined && validUntil !== null)
    return [...turns.values()]
      .filter(({ role, at }) => role === 'user' && at === validUntil)
      .map((turn) => ({ turn, quote: null }))
  return (evidence ?? []).flatMap(({ turn: id, quote }) => {
    const turn = turns.get(id)
    return turn === undefined || before.has(id) ? [] : [{ turn, quote }]
  })
}

/** Whether it changes the statement, and not only its evidence. */
export function saysSomething({ operation }: Drawn): boolean {
  return operation.payload?.after.text !== undefined || ends(operation)
}

/** The latest turn of its evidence. */
export function lastTurnOf({ evidence }: Drawn): Turn | undefined {
  return evidence.map(({ turn }) => turn).reduce<Turn | undefined>(later, undefined)
}

function later(one: Turn | undefined, other: Turn): Turn {
  return one !== undefined && one.position > other.position ? one : other
}

/** The voucher of several: the least certain, unless a person checked one. */
export function vouchedBy(drawn: readonly Drawn[]): Voucher {
  const all = drawn.map(({ by }) => by)
  if (all.includes('person')) return 'person'
  return all.includes('rules') ? 'rules' : 'model'
}
