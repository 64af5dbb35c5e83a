import type { Memory } from '../memories/memory.ts'
import type { Engine } from '../work/engine.ts'
import type { AskedQuestion, FoundMemory } from './rank-memories.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'

function holdsAt(memory: Memory, at: number): boolean {
  return memory.validFrom <= at
}

/** What stands at the head of every recall, as the preset says: the newest of each form in each scope (a portrait). */
export async function standingMemories(
  engine: Engine,
  resolved: ResolvedScope,
  asked: AskedQuestion,
): Promise<FoundMemory[]> {
  const forms = engine.preset.always ?? []
  if (forms.length === 0) return []
  const cache = await engine.caches.get(resolved.owner)
  const at = asked.asOf ?? Number.POSITIVE_INFINITY
  const newest = new Map<string, Memory>()
  for (const memory of cache.memories({ scopes: new Set(resolved.scopes) })) {
    if (!forms.includes(memory.form) || memory.status !== 'live' || !holdsAt(memory, at)) continue
    const place = `${memory.scope}/${memory.form}`
    const known = newest.get(place)
    if (known === undefined || known.validFrom <= memory.validFrom) newest.set(place, memory)
  }
  return [...newest.values()].map((memory) => ({
    memory,
    score: 0,
    parts: {},
    turns: new Map(),
    pending: false,
  }))
}
