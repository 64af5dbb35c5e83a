import { matchesMetadata } from '../metadata/metadata-filter.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import { searchableMemory } from './found-memory.ts'
import { pendingMemory } from './pending-memory.ts'

/** Judges a document by its id. */
export type Accepts = (id: string) => boolean

/**
 * What a question narrows to that the index knows nothing of: types, forms and metadata of the memory that a document stands
 * for. A turn that waits is not in memory with its metadata; those that are meant are read before.
 *
 * @returns how documents are judged by a cache; `undefined` where the question takes any
 */
export async function narrowRecall(
  { engine, resolved, asked }: Asking,
  known: UserState,
): Promise<((cache: UserState) => Accepts) | undefined> {
  const { types, forms, where } = asked
  if (types === null && forms === null && where === null) return undefined
  const waiting = new Set<string>()
  if (where !== null) {
    for (const scope of resolved.scopes) {
      const afterPosition = known.consolidatedTo(scope)
      const turns = await engine.store.turns({ owner: resolved.owner, scopes: [scope], afterPosition, where })
      for (const { id } of turns) waiting.add(id)
    }
  }
  return (cache) => (id) => {
    const { memory, pending } = searchableMemory(engine, cache, id) ?? {
      memory: pendingMemory(engine, undefined),
      pending: true,
    }
    if (types?.includes(memory.type) === false || forms?.includes(memory.form) === false) return false
    if (where === null) return true
    return pending ? waiting.has(id) : matchesMetadata(where, memory.metadata)
  }
}
