// Projects the operation log: memories, and the turns that they ever quoted.
import { BLANK, type Memory, type Use } from './memory.ts'
import type { MemoryChange, NewOperation, Tally, MemoryRef } from './operation.ts'

/** Makes a memory from the fields in which it differs from a blank one. */
export function memoryFromBlank(id: string, scope: number, change: MemoryChange): Memory {
  return { ...BLANK, id, scope, ...change }
}

/** The tombstone of an erased memory, without its content. */
const ERASED: MemoryChange = { status: 'erased' }

/**
 * Applies an operation to a memory, which is `undefined` for an `add`. All memories of the log are made by this function.
 *
 * @returns the memory afterwards; `undefined` if the operation does not concern a known memory
 */
export function applyOperation(
  memory: Memory | undefined,
  operation: NewOperation,
  id: string,
): Memory | undefined {
  if (memory?.status === 'erased') return memory
  const { scope, payload } = operation
  if (operation.kind === 'erase') return memoryFromBlank(id, scope, ERASED)
  if (operation.kind === 'reinforce') {
    const touched = operation.touched.find((entry) => entry.memory === id)
    if (memory === undefined || touched === undefined) return memory
    const tally = tallyOf(touched, operation)
    const use = operation.undoes === null ? countUse(memory.use, tally) : discountUse(memory.use, tally)
    return { ...memory, use }
  }
  if (payload === null) return memory ?? memoryFromBlank(id, scope, ERASED)
  return memory === undefined ? memoryFromBlank(id, scope, payload.after) : { ...memory, ...payload.after }
}

/** Returns the present values of the fields that a change sets. */
export function fieldsBefore(memory: Memory, change: MemoryChange): MemoryChange {
  const keys = Object.keys(change) as (keyof MemoryChange)[]
  return Object.fromEntries(keys.map((key) => [key, memory[key]]))
}

/** Returns the fields in which a memory differs from a blank one. */
export function changeFromBlank(memory: Memory): MemoryChange {
  const differing = FIELDS.filter(([key, blankJson]) => !isBlank(memory[key], key, blankJson))
  return Object.fromEntries(differing.map(([key]) => [key, memory[key]]))
}

/** The fields of a memory, with the JSON of their blank values. */
const FIELDS = (Object.keys(BLANK) as (keyof typeof BLANK)[]).map(
  (key) => [key, JSON.stringify(BLANK[key])] as const,
)

/** Checks whether a field has its blank value. Objects are compared as JSON. */
function isBlank(value: unknown, key: keyof typeof BLANK, blankJson: string): boolean {
  const isPrimitive =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  return isPrimitive ? value === BLANK[key] : JSON.stringify(value) === blankJson
}

/** Makes all memories of a log, in order of creation. */
export function projectLog(operations: Iterable<NewOperation>): Map<string, Memory> {
  const memories = new Map<string, Memory>()
  for (const operation of operations) {
    const ids =
      operation.memory === null ? operation.touched.map((entry) => entry.memory) : [operation.memory]
    for (const id of ids) {
      const after = applyOperation(memories.get(id), operation, id)
      if (after !== undefined) memories.set(id, after)
    }
  }
  return memories
}

/** Returns all evidence turns of a memory, its past versions and its operations. Erasing one of them erases the memory. */
export function turnsQuoted(
  memory: Memory,
  operations: Iterable<Pick<NewOperation, 'payload'>>,
): Set<string> {
  const turns = new Set(turnsOf(memory))
  for (const { payload } of operations) {
    for (const turn of turnsOf(payload?.before ?? {})) turns.add(turn)
    for (const turn of turnsOf(payload?.after ?? {})) turns.add(turn)
  }
  return turns
}

function turnsOf({ evidence = [], past = [] }: MemoryChange): string[] {
  return [...evidence, ...past.flatMap((version) => version.evidence)].map((source) => source.turn)
}

/** Maximum number of stored retrieval rounds, about 6 kB. Older ones add less than 0.9 / 1,000 to the strength by the paper MOOM. */
export const MAX_ROUNDS = 1_000

/** The time of an operation, from which strengths are computed. */
export type TouchMoment = Pick<NewOperation, 'round' | 'sessionNumber' | 'at'>

/** Returns the usage that a recall adds to a memory. */
export function tallyOf({ rank, tally }: MemoryRef, { round, sessionNumber, at }: TouchMoment): Tally {
  if (tally !== undefined) return tally
  if (rank === 'second')
    return { first: 0, second: 1, rounds: [], secondAt: round, lastSession: 0, lastAt: 0 }
  return { first: 1, second: 0, rounds: [round], lastSession: sessionNumber, lastAt: at }
}

/** Combines two usages in order. */
export function joinTallies(tally: Tally, next: Tally): Tally {
  // A memory that is used in a round is not suppressed in that round.
  const isLifted = typeof tally.secondAt === 'number' && next.rounds.includes(tally.secondAt)
  // `null` says that the suppression was lifted, `undefined` that nothing changed.
  let { secondAt } = tally
  if (isLifted) secondAt = null
  if (next.secondAt !== undefined) secondAt = next.secondAt
  return {
    first: tally.first + next.first,
    second: tally.second + next.second,
    rounds: joinRounds(tally.rounds, next.rounds),
    ...(secondAt === undefined ? {} : { secondAt }),
    lastSession: Math.max(tally.lastSession, next.lastSession),
    lastAt: Math.max(tally.lastAt, next.lastAt),
  }
}

/** Joins two sets of rounds: several retrievals in one round count once. */
function joinRounds(rounds: readonly number[], next: readonly number[]): readonly number[] {
  if (next.length === 0) return rounds
  return [...new Set([...rounds, ...next])].slice(-MAX_ROUNDS)
}

/** Adds usage to the counters of a memory. */
export function countUse(use: Use, tally: Tally): Use {
  const { secondAt, ...otherFields } = use
  const isLifted = tally.secondAt === null || (secondAt !== undefined && tally.rounds.includes(secondAt))
  const suppressed = tally.secondAt ?? (isLifted ? undefined : secondAt)
  return {
    ...otherFields,
    first: use.first + tally.first,
    second: use.second + tally.second,
    rounds: joinRounds(use.rounds, tally.rounds),
    ...(suppressed === undefined ? {} : { secondAt: suppressed }),
    lastSession: Math.max(use.lastSession, tally.lastSession),
    lastAt: Math.max(use.lastAt, tally.lastAt),
  }
}

/** Subtracts usage from the counters of a memory. The time of the last use stays. */
export function discountUse(use: Use, tally: Tally): Use {
  const { secondAt: _lifted, ...otherFields } = use
  return {
    ...(tally.second > 0 ? otherFields : use),
    first: Math.max(0, use.first - tally.first),
    second: Math.max(0, use.second - tally.second),
    rounds: use.rounds.slice(0, use.rounds.length - tally.rounds.length),
  }
}
