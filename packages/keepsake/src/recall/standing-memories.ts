import type { Memory } from '../memories/memory.ts'
import { matchesMetadata } from '../metadata/metadata-filter.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'

/** What stands at the head of every recall, as the preset says: the newest of each form in each scope (a portrait). */
export function standingMemories({ engine, resolved, asked }: Asking, cache: UserState): FoundMemory[] {
  const forms = engine.preset.always ?? []
  if (forms.length === 0) return []
  const at = asked.asOf ?? Number.POSITIVE_INFINITY
  const newest = new Map<string, Memory>()
  for (const memory of cache.listMemories({ scopes: new Set(resolved.scopes), forms, statuses: ['live'] })) {
    if (memory.validFrom > at) continue
    if (asked.where !== null && !matchesMetadata(asked.where, memory.metadata)) continue
    const place = `${memory.scope}/${memory.form}`
    const known = newest.get(place)
    if (known === undefined || known.validFrom <= memory.validFrom) newest.set(place, memory)
  }
  const found = { score: 0, parts: {}, turns: new Map<string, number>(), pending: false }
  return [...newest.values()].map((memory) => ({ ...found, memory }))
}
