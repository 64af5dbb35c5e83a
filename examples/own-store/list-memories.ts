import * as kit from 'keepsake/store-kit'
import type { KeptMemory, Person } from './state.ts'

/** What a query means, in the order that it names, from where it begins. */
export function listMemories(person: Person | undefined, query: kit.MemoryQuery): KeptMemory[] {
  const made = [...(person?.memories.values() ?? [])]
  const ordered = query.order === 'learned' ? made.toSorted(byLearning) : made
  const all = query.newestFirst === true ? ordered.toReversed() : ordered
  const { after } = query
  const from = after === undefined ? 0 : all.findIndex(({ memory }) => memory.id === after) + 1 || all.length
  return all.slice(from).filter((kept) => isMeant(kept, query))
}

function byLearning({ memory: one }: KeptMemory, { memory: other }: KeptMemory): number {
  return one.learnedAt - other.learnedAt || (one.id < other.id ? -1 : 1)
}

function isMeant({ memory, quoted }: KeptMemory, query: kit.MemoryQuery): boolean {
  const { ids, scopes, statuses, forms, types, names, where, evidenceTurns, session } = query
  const { holdsAt, learnedFrom = -Infinity, learnedTo = Infinity } = query
  return (
    (ids?.includes(memory.id) ?? true) &&
    (scopes?.includes(memory.scope) ?? true) &&
    (statuses?.includes(memory.status) ?? true) &&
    (forms?.includes(memory.form) ?? true) &&
    (types?.includes(memory.type) ?? true) &&
    (names === undefined || (memory.status === 'live' && names.includes(memory.name ?? ''))) &&
    memory.session === (session ?? memory.session) &&
    (evidenceTurns?.some((turn) => quoted.has(turn)) ?? true) &&
    (holdsAt === undefined || memory.validUntil === null || memory.validUntil > holdsAt) &&
    memory.learnedAt >= learnedFrom &&
    memory.learnedAt <= learnedTo &&
    (where === undefined || kit.matchesMetadata(where, memory.metadata))
  )
}
