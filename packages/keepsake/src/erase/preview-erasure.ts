import { MEMORY_FORMS, type Memory, type MemoryForm } from '../memories/memory.ts'
import type { Engine } from '../work/engine.ts'
import { wholeMemories } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { isEverything, readTarget, withAllResting, type EraseTarget } from './erase-memories.ts'

const MOST_NAMED = 200

/** The effects of an erasure. */
export interface ErasePreview {
  /** Whether the whole user is erased: key, records and snapshot included. */
  readonly isPerson: boolean
  readonly turns: number
  readonly memories: number
  readonly forms: readonly { readonly form: MemoryForm; readonly count: number }[]
  /** Ids of up to 200 erased turns. They are only counted when the whole user is erased. */
  readonly turnIds: readonly string[]
  /** The memories that go, up to 200 of them, with what they say. */
  readonly items: readonly Memory[]
}

const NOTHING: ErasePreview = { isPerson: false, turns: 0, memories: 0, forms: [], turnIds: [], items: [] }

/**
 * Previews `erase` of the same target: the named turns and memories, and every memory that is or was ever based on these turns. Changes
 * nothing.
 *
 * @throws InvalidInputError for a target that names nothing; NotFoundError for an unknown memory, turn or session
 */
export async function previewErasure(
  engine: Engine,
  resolved: ResolvedScope | null,
  target: EraseTarget = { everything: true },
): Promise<ErasePreview> {
  const isWhole = isEverything(target)
  if (resolved === null) return NOTHING
  const { owner, scopes, rows } = resolved
  const state = await engine.users.load(owner)
  const named = isWhole ? null : await readTarget(engine, resolved, target)
  const ids = named && (await withAllResting(engine, owner, named.turns, named.memories))
  const gone = [...state.memories.values()].filter(
    ({ id, scope, status }) => status !== 'erased' && (ids === null ? scopes.includes(scope) : ids.has(id)),
  )
  const forms = MEMORY_FORMS.map((form) => ({
    form,
    count: gone.filter((memory) => memory.form === form).length,
  }))
  const turns = [...state.turns.values()].filter(({ scope }) => scopes.includes(scope))
  return {
    isPerson: isWhole && state.rows.length === rows.length,
    turns: named?.turns.size ?? turns.length,
    memories: gone.length,
    forms: forms.filter(({ count }) => count > 0),
    turnIds: [...(named?.turns ?? [])].slice(0, MOST_NAMED),
    items: await wholeMemories(engine, owner, gone.slice(0, MOST_NAMED)),
  }
}
