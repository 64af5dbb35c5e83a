import { MEMORY_FORMS, type Memory, type MemoryForm } from '../memories/memory.ts'
import type { Engine } from '../work/engine.ts'
import { TurnReader } from '../work/read-memories.ts'
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
  return isWhole ? previewAll(engine, resolved) : previewTarget(engine, resolved, target)
}

async function previewAll(engine: Engine, resolved: ResolvedScope): Promise<ErasePreview> {
  const { owner, scopes, rows } = resolved
  const [allRows, counts, first] = await Promise.all([
    engine.store.listScopes(rows[0]),
    engine.store.stats({ userId: owner, scopes }),
    engine.store.listMemories({ userId: owner, scopes, limit: MOST_NAMED }),
  ])
  const gone = counts.kinds.filter(({ status }) => status !== 'erased')
  const countOf = (form: MemoryForm): number =>
    gone.reduce((sum, { form: counted, count }) => sum + (counted === form ? count : 0), 0)
  const items = first.flatMap(({ memory }) => (memory.status === 'erased' ? [] : [memory]))
  return {
    isPerson: allRows.length === rows.length,
    turns: counts.turns,
    memories: gone.reduce((sum, { count }) => sum + count, 0),
    forms: formsOf(countOf),
    turnIds: [],
    items: await new TurnReader(engine, owner).withTexts(items),
  }
}

async function previewTarget(
  engine: Engine,
  resolved: ResolvedScope,
  target: EraseTarget,
): Promise<ErasePreview> {
  const { owner } = resolved
  const named = await readTarget(engine, resolved, target)
  const ids = await withAllResting(engine, owner, named.turns, named.memories)
  const stored = ids.size === 0 ? [] : await engine.store.listMemories({ userId: owner, ids: [...ids] })
  const gone = stored.flatMap(({ memory }) => (memory.status === 'erased' ? [] : [memory]))
  return {
    isPerson: false,
    turns: named.turns.size,
    memories: gone.length,
    forms: formsOf((form) => gone.filter((memory) => memory.form === form).length),
    turnIds: [...named.turns].slice(0, MOST_NAMED),
    items: await new TurnReader(engine, owner).withTexts(gone.slice(0, MOST_NAMED)),
  }
}

function formsOf(countOf: (form: MemoryForm) => number): ErasePreview['forms'] {
  return MEMORY_FORMS.map((form) => ({ form, count: countOf(form) })).filter(({ count }) => count > 0)
}
