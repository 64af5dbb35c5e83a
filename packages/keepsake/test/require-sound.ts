import { expect } from 'vitest'
import type { Memory, Operation, ScopedMemory, Turn } from 'keepsake'
import { projectLog, type UsageCount } from 'keepsake/store'
import { countUse } from '../src/memories/apply-operation.ts'
const EVERY_STATUS = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const
const SHOWS = /[^\p{C}\p{Z}]/u

interface Progress {
  readonly scope: number
  readonly branch: string
  readonly position: number
}

/** A person's rows, in all scopes, as they stand in the store. */
export interface Rows {
  readonly turns: readonly Turn[]
  readonly operations: readonly Operation[]
  readonly memories: readonly Memory[]
  /** How far each branch has read. */
  readonly progress: readonly Progress[]
  /** What recalls counted beside the log. */
  readonly usage: readonly UsageCount[]
}

/** Reads the rows again where the worker changed a memory meanwhile. */
async function rowsOf(scope: ScopedMemory): Promise<Rows> {
  const lastChange = async () => (await scope.log({ newestFirst: true, limit: 1 }))[0]?.sequence
  for (;;) {
    const before = await lastChange()
    const rows = await readRows(scope)
    if ((await lastChange()) === before) return rows
  }
}

async function readRows(scope: ScopedMemory): Promise<Rows> {
  const rows: ({ row: string } & Turn & Operation & Progress & UsageCount)[] = []
  for await (const line of scope.export()) rows.push(JSON.parse(line))
  return {
    turns: rows.filter(({ row }) => row === 'turn'),
    operations: rows.filter(({ row }) => row === 'operation'),
    memories: await scope.memories({ statuses: EVERY_STATUS }),
    progress: rows.filter(({ row }) => row === 'progress'),
    usage: rows.filter(({ row }) => row === 'usage'),
  }
}

/** As the log has it: the words of utterances and raw units are their turns' and not stored twice. */
function asLogged(memory: Memory): Memory {
  const isOfTurns = memory.form === 'utterance' || (memory.form === 'story' && memory.origin.model === null)
  return isOfTurns ? { ...memory, text: '' } : memory
}

/**
 * What must hold of a person's memory (all of it: the scope names a user only) whatever a model answered: the log yields the memories, all they rest on was
 * said, no turn is kept twice, and nothing that is believed says nothing.
 */
export async function requireSound(scope: ScopedMemory): Promise<Rows> {
  const rows = await rowsOf(scope)
  const { turns, operations, memories, usage } = rows
  const tallies = new Map(usage.map(({ memory, tally }) => [memory, tally]))
  const projected = projectLog(operations)
  expect(projected.size).toBe(memories.length)
  // An export numbers the person's scopes anew.
  for (const memory of memories) {
    const logged = projected.get(memory.id)
    const tally = tallies.get(memory.id)
    const use = logged === undefined || tally === undefined ? logged?.use : countUse(logged.use, tally)
    expect({ ...logged, use, scope: memory.scope }).toEqual(asLogged(memory))
  }
  const said = new Map(turns.map((turn) => [turn.id, turn.text]))
  expect(said.size).toBe(turns.length)
  for (const memory of memories.filter(({ status }) => status === 'live')) {
    for (const { turn, quote } of memory.evidence) {
      expect(said.has(turn), `${memory.form} rests on ${turn}`).toBe(true)
      if (quote !== null) expect(said.get(turn)).toContain(quote)
    }
    if (memory.form !== 'fact') continue
    expect(memory.text).toMatch(SHOWS)
    expect(memory.evidence).not.toEqual([])
  }
  const kept = memories.filter(({ form, status }) => form === 'utterance' && status === 'live')
  const ofTurns = kept.flatMap((memory) => memory.evidence.map(({ turn }) => turn))
  expect(new Set(ofTurns).size).toBe(ofTurns.length)
  return rows
}

/** What is believed, in words. */
export async function factsOf(scope: ScopedMemory): Promise<string[]> {
  return (await scope.memories({ forms: ['fact'] })).map((memory) => memory.text).sort()
}
