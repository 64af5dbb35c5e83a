import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '@keepsake/text/names'
import type { Turn } from '../turns/turn.ts'
import type { Evidence } from './evidence.ts'
import type { Memory } from './memory.ts'
import type { MemoryChange } from './operation.ts'

type Turns = readonly Pick<Turn, 'id' | 'metadata'>[]

/** Merges the metadata of the turns that a memory rests on, later turns over earlier ones; `null` if there is none. */
export function inheritMetadata(evidence: readonly Evidence[], turns: Turns): Metadata | null {
  const ids = new Set(evidence.map(({ turn }) => turn))
  return turns.reduce<Metadata | null>(
    (merged, { id, metadata }) => (ids.has(id) && metadata !== null ? { ...merged, ...metadata } : merged),
    null,
  )
}

/** Adds the metadata of its turns to a change: merged with the memory's own, or in its place if the evidence is replaced. What the change sets itself goes first. */
export function withTurnMetadata(
  memory: Memory | undefined,
  change: MemoryChange,
  turns: Turns,
): MemoryChange {
  if (memory === undefined || change.evidence === undefined) return change
  const inherited = inheritMetadata(change.evidence, turns)
  const known = new Set(memory.evidence.map(({ turn }) => turn))
  const isSame = change.evidence.some(({ turn }) => known.has(turn))
  const kept = isSame ? memory.metadata : null
  const given = { ...kept, ...inherited, ...change.metadata }
  const metadata = Object.keys(given).length === 0 ? (kept ?? inherited) : given
  return isDeepStrictEqual(metadata, memory.metadata) ? change : { ...change, metadata }
}
