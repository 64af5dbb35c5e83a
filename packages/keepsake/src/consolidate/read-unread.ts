import type { Branch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'

/** What a branch has not read yet, as of an epoch. */
export interface Unread {
  /** Position up to which the branch has read. */
  readonly from: number
  readonly turns: readonly Turn[]
  /** There may be more than these. */
  readonly isFull: boolean
  /** To be passed to the commit: what was erased meanwhile must not come back. */
  readonly epoch: number
}

/** Reads the next turns of a branch, in order of arrival. @param most turns at a time: enough for bulk loading, few enough to give way often. */
export async function readUnread(
  engine: Engine,
  row: ScopeRow,
  branch: Branch,
  most: number,
): Promise<Unread> {
  const { owner, scope } = row
  const { epoch } = await engine.store.version(owner)
  const from = (await engine.store.progress(owner, scope)).branches[branch.kind] ?? 0
  const turns = await engine.store.turns({ owner, scopes: [scope], afterPosition: from, limit: most })
  return { from, turns, isFull: turns.length === most, epoch }
}
