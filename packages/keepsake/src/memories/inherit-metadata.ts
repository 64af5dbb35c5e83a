import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '../metadata/metadata.ts'
import type { Turn } from '../turns/turn.ts'
import type { Evidence } from './evidence.ts'
import type { Memory } from './memory.ts'
import type { MemoryChange } from './operation.ts'

type Turns = readonly Pick<Turn, 'id' | 'metadata'>[]

/**
 * What a memory is given of the metadata of the turns it rests on, field by field, later turns over earlier ones; `null` when
 * none of them has any. From then on it is the memory's own.
 */
export function inheritMetadata(evidence: readonly Evidence[], turns: Turns): Metadata | null {
  const ids = new Set(evidence.map(({ turn }) => turn))
  return turns.reduce<Metadata | null>(
    (all, { id, metadata }) => (ids.has(id) && metadata !== null ? { ...all, ...metadata } : all),
    null,
  )
}

/**
 * A change with the metadata of the turns it was told in: added to the memory's own while the memory still rests on what it
 * rested on, in its place where another statement takes the memory's.
 */
export function withMetadataTold(
  memory: Memory | undefined,
  change: MemoryChange,
  turns: Turns,
): MemoryChange {
  if (memory === undefined || change.evidence === undefined) return change
  const told = inheritMetadata(change.evidence, turns)
  const known = new Set(memory.evidence.map(({ turn }) => turn))
  const isSame = change.evidence.some(({ turn }) => known.has(turn))
  const metadata = isSame && memory.metadata !== null ? { ...memory.metadata, ...told } : told
  return isDeepStrictEqual(metadata, memory.metadata) ? change : { ...change, metadata }
}
