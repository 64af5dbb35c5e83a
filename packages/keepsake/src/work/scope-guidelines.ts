// Reads and writes the guidelines of scopes.
import type { TextGate } from '@keepsake/text'
import {
  GUIDELINES,
  NO_GUIDELINES,
  USER_PART,
  partOf,
  type Guidelines,
  type ScopeGuidelines,
  type StoredGuidelines,
} from '../guidelines/guidelines.ts'
import { type AskModel, type ModelTask, askGuided } from '../models/ask-model.ts'
import { eventScope, type ScopeRow, type StoredScopeKey } from '../scopes/scope.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from './engine.ts'
import { isScopeOf } from './scope-handle.ts'

/** Reads the guidelines stored for a user: one record, which is erased with the user. */
async function readStored(store: Pick<Store, 'getRecord'>, { owner }: ScopeRow) {
  const record = await store.getRecord(GUIDELINES, String(owner))
  return { stored: (record?.value ?? {}) as unknown as StoredGuidelines, version: record?.version ?? null }
}

/** Joins the guidelines that apply to a scope: the memory's, the user's, and those of the scope's agent or app. */
export async function guidelinesOf(
  { store, guidelines }: Pick<Engine, 'store' | 'guidelines'>,
  row: ScopeRow | null,
): Promise<ScopeGuidelines> {
  if (row === null) return { ...guidelines, own: NO_GUIDELINES }
  const { stored } = await readStored(store, row)
  const own = stored[partOf(row)] ?? NO_GUIDELINES
  const all = [guidelines, stored[USER_PART] ?? NO_GUIDELINES, own]
  return {
    keep: [...new Set(all.flatMap(({ keep }) => keep))],
    never: [...new Set(all.flatMap(({ never }) => never))],
    own,
  }
}

/** Returns the guidelines of a key, also of an agent or app without a scope. */
export async function findGuidelines(engine: Engine, key: StoredScopeKey): Promise<ScopeGuidelines> {
  const { rows } = await engine.users.find(key)
  const [first] = rows
  const row = rows.find((candidate) => isScopeOf(candidate, key)) ?? (first && { ...first, ...key, scope: 0 })
  return guidelinesOf(engine, row ?? null)
}

/** Replaces the guidelines of a scope. For a scope without agent and app, these are the user's. */
export async function writeGuidelines(
  { store, textGate }: { readonly store: Store; readonly textGate: TextGate },
  row: ScopeRow,
  guidelines: Guidelines,
): Promise<void> {
  const own = await textGate.admitAll(guidelines)
  const key = String(row.owner)
  for (;;) {
    const { stored, version } = await readStored(store, row)
    const entries = new Map(Object.entries(stored).filter(([part]) => part !== partOf(row)))
    if (own.keep.length + own.never.length > 0) entries.set(partOf(row), { ...own })
    const value = Object.fromEntries(entries)
    const record = { collection: GUIDELINES, key, owner: row.owner, value: value as never, expect: version }
    if ((await store.putRecord(record)) !== null) return
  }
}

/** Returns the model that writes memories of a scope; `null` without one. `ask` adds the guidelines to prompts, `checking` does not. */
export async function openWriter(
  engine: Engine,
  row: ScopeRow,
  task: ModelTask,
): Promise<{
  readonly ask: AskModel | null
  readonly checking: AskModel | null
  readonly never: readonly string[]
}> {
  const checking = engine.language?.for(eventScope(row), task) ?? null
  const guidelines = await guidelinesOf(engine, row)
  return {
    ask: checking === null ? null : askGuided(checking, guidelines),
    checking,
    never: guidelines.never,
  }
}
