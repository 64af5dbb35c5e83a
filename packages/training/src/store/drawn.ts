import type { Memory, Operation, Turn } from 'keepsake'
import { applyOperation } from 'keepsake/store-kit'
import type { Voucher } from '../examples/example.ts'
import type { Life } from './life.ts'
import { Verdicts, type Verdict } from './verdicts.ts'

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
  /** Live facts at that moment, in the order they were learned. */
  readonly facts: readonly Memory[]
}

/** Walks the log and tells what was drawn from talk, as it was then. What the application did itself is not told. */
export function drawnOf(life: Life): Drawn[] {
  const verdicts = new Verdicts(life.operations)
  const turns = new Map(life.turns.map((turn) => [turn.id, turn]))
  const state = new Map<string, Memory>()
  return life.operations.flatMap((operation) => {
    const touched =
      operation.memory === null ? operation.touched.map(({ memory }) => memory) : [operation.memory]
    const known = state.get(operation.memory ?? '') ?? null
    const facts = operation.origin.step === 'api' ? [] : liveFacts(state)
    for (const id of touched) {
      const after = applyOperation(state.get(id), operation, id)
      if (after !== undefined) state.set(id, after)
    }
    const fact = state.get(operation.memory ?? '')
    const isOfFact = fact?.form === 'fact' && ['add', 'modify', 'delete'].includes(operation.kind)
    if (!isOfFact || operation.origin.step === 'api' || operation.payload === null) return []
    const told = toldBy(operation, known, turns)
    const verdict = verdicts.of(operation)
    const by = verdict?.byPerson === true ? 'person' : operation.origin.model === null ? 'rules' : 'model'
    return [{ operation, known, fact, told, verdict, by, facts }]
  })
}

function liveFacts(state: ReadonlyMap<string, Memory>): Memory[] {
  return [...state.values()]
    .filter(({ form, status, validUntil }) => form === 'fact' && status === 'live' && validUntil === null)
    .sort((one, other) => one.learnedAt - other.learnedAt)
}

function toldBy(
  { payload }: Operation,
  known: Memory | null,
  turns: ReadonlyMap<string, Turn>,
): Drawn['told'] {
  const before = new Set(known?.evidence.map(({ turn }) => turn))
  return (payload?.after.evidence ?? []).flatMap(({ turn: id, quote }) => {
    const turn = turns.get(id)
    return turn === undefined || before.has(id) ? [] : [{ turn, quote }]
  })
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
