import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'

/** What has not been read yet, as of a revision. */
export interface Unread {
  /** Position up to which it was read. */
  readonly from: number
  readonly turns: readonly Turn[]
  /** There may be more than these. */
  readonly isFull: boolean
  /** To be passed to the commit: what was erased meanwhile must not come back. */
  readonly revision: number
}

/** How far a branch may read. */
export interface Reach {
  /** The session that ends: what is left of it is read. `null` while none does. */
  readonly endingSession: string | null
  /** Position of the last turn that there is to be read; where each round is recalled, that of the round. */
  readonly upTo: number
}

/** As far as there are turns, while no session ends. */
export const TO_THE_LAST: Reach = { endingSession: null, upTo: Number.POSITIVE_INFINITY }

/** What keeps count of how far it has read a scope: a branch, or the recall of each round. */
export interface Reading {
  readonly kind: string
}

/**
 * Reads the next turns, in order of arrival.
 *
 * @param most turns at a time: enough for bulk loading, few enough to give way often
 * @param upTo see {@link Reach}
 */
export async function readUnread(
  engine: Engine,
  row: ScopeRow,
  { kind }: Reading,
  { most, upTo = Number.POSITIVE_INFINITY }: { readonly most: number; readonly upTo?: number },
): Promise<Unread> {
  const state = await engine.users.load(row.owner)
  const from = state.progress(row.scope).branches[kind] ?? 0
  const turns = state.turnsAfter(row.scope, from, { upTo, limit: most })
  return { from, turns, isFull: turns.length === most, revision: state.revision }
}
