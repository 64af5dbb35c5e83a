import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'

/** Unread turns, as of a revision. */
export interface Unread {
  /** Position up to which the branch has read. */
  readonly from: number
  readonly turns: readonly Turn[]
  /** More unread turns may follow. */
  readonly isFull: boolean
  /** Passed to the commit, so that content erased meanwhile does not return. */
  readonly revision: number
}

/** How far a branch may read. */
export interface Reach {
  /** The ending session, whose rest is read; `null` if none ends. */
  readonly endingSession: string | null
  /** Position of the last turn to read; if each round is recalled, the end of the round. */
  readonly upTo: number
}

export const TO_THE_LAST: Reach = { endingSession: null, upTo: Number.POSITIVE_INFINITY }

/** A branch, or the recall of each round, with its own progress. */
export interface Reading {
  readonly kind: string
}

/**
 * Reads the next turns, in order of arrival.
 *
 * @param most maximum number of turns
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
