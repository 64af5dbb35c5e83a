import type { Memory, Operation, Turn } from 'keepsake'
import { applyOperation } from 'keepsake/store-kit'
import type { Voucher } from '../examples/example.ts'
import type { Life } from './life.ts'
import { ends, Verdicts, type Verdict } from './verdicts.ts'

/** Something that was drawn from talk: an operation on facts, where it was told, and what people made of it. */
export interface Drawn {
  readonly operation: Operation
  /** The fact as it was before; `null` for a new one. */
  readonly known: Memory | null
  /** The fact as it was after. */
  readonly fact: Memory
  /** Its own words in the talk, by turn: what it rests on now and did not before. */
  readonly told: readonly { readonly turn: Turn; readonly quote: string | null }[]
  readonly verdict: Verdict | null
  readonly by: Voucher
}

/** What was drawn from a life's talk, and what was known at any time. */
export interface DrawnLife {
  readonly drawn: readonly Drawn[]
  /** Facts that were live, and not over, before an operation; in the order they were learned. */
  readonly factsBefore: (sequence: number) => Memory[]
}

/** Walks the log and tells what was drawn from talk, as it was then. What the application did itself is not told. */
export function drawnOf(life: Life): DrawnLife {
  const verdicts = new Verdicts(life.operations)
  const turns = new Map(life.turns.map((turn) => [turn.id, turn]))
  const history = new FactHistory()
  const drawn = life.operations.flatMap((operation): Drawn[] => {
    const known = history.latest(operation.memory ?? '')
    history.follow(operation)
    const fact = history.latest(operation.memory ?? '')
    const isOfFact = fact?.form === 'fact' && ['add', 'modify', 'delete'].includes(operation.kind)
    if (!isOfFact || operation.origin.step === 'api' || operation.parent !== null) return []
    const told = toldBy(operation, known, turns)
    const verdict = verdicts.of(operation)
    const by = verdict?.byPerson === true ? 'person' : operation.origin.model === null ? 'rules' : 'model'
    return [{ operation, known, fact, told, verdict, by }]
  })
  return { drawn, factsBefore: (sequence) => history.factsBefore(sequence) }
}

/** Every state that each memory was in, by the operation that brought it there. */
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

function toldBy(
  { payload }: Operation,
  known: Memory | null,
  turns: ReadonlyMap<string, Turn>,
): Drawn['told'] {
  const before = new Set(known?.evidence.map(({ turn }) => turn))
  const { evidence, validUntil = null } = payload?.after ?? {}
  // A deletion keeps no words; it dates from the turn that told it.
  if (evidence === undefined && validUntil !== null)
    return [...turns.values()]
      .filter(({ role, at }) => role === 'user' && at === validUntil)
      .map((turn) => ({ turn, quote: null }))
  return (evidence ?? []).flatMap(({ turn: id, quote }) => {
    const turn = turns.get(id)
    return turn === undefined || before.has(id) ? [] : [{ turn, quote }]
  })
}

/** Whether it says something of the world, and not only on what a fact rests. */
export function saysSomething({ operation }: Drawn): boolean {
  return operation.payload?.after.text !== undefined || ends(operation)
}

/** Where something was told last. */
export function lastTurnOf({ told }: Drawn): Turn | undefined {
  return told.map(({ turn }) => turn).reduce<Turn | undefined>(later, undefined)
}

function later(one: Turn | undefined, other: Turn): Turn {
  return one !== undefined && one.position > other.position ? one : other
}

/** Who vouches for several together: the least sure of them, unless a person looked at one. */
export function vouchedBy(drawn: readonly Drawn[]): Voucher {
  const all = drawn.map(({ by }) => by)
  if (all.includes('person')) return 'person'
  return all.includes('rules') ? 'rules' : 'model'
}
