import type { ModelError } from '@keepsake/text'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { isModelUnavailable } from '../work/jobs.ts'
/** How far a branch reads in a pass. */
export interface Reach {
  /** The session that ends and is read to its end; `null` if none does. */
  readonly endingSession: string | null
  /** Position of the last turn to read. If each round is recalled, this is the end of the round. */
  readonly upTo: number
  /** Counts requests that could not reach the model. */
  readonly outage?: Outage
}

/**
 * Counts the requests of one pass that could not reach the model. One failure may be due to the request; after the second,
 * the model counts as away and is not asked again.
 */
export class Outage {
  #failures = 0
  #error: ModelError | null = null

  /** Counts an error. @returns whether it says that the model is away */
  note(error: unknown): error is ModelError {
    if (!isModelUnavailable(error)) return false
    this.#failures += 1
    this.#error = error
    return true
  }

  get isCertain(): boolean {
    return this.#failures > 1
  }

  throwIfCertain(): void {
    if (this.isCertain && this.#error !== null) throw this.#error
  }
}

/** All turns, with no session that ends. */
export const TO_THE_LAST: Reach = { endingSession: null, upTo: Number.POSITIVE_INFINITY }

/** Turns that a branch has not read. */
interface UnreadTurns {
  /** Position up to which the branch has read. */
  readonly from: number
  readonly turns: readonly Turn[]
  /** Whether more unread turns may follow. */
  readonly isFull: boolean
  /** The user's revision, for the commit: content that is erased meanwhile must not return. */
  readonly revision: number
}

/**
 * Returns the next turns that a branch has not read, in order of arrival.
 *
 * @param kind the name under which the progress is stored
 * @param most maximum number of turns
 */
export async function readUnread(
  engine: Engine,
  row: ScopeRow,
  { kind: branch }: { readonly kind: string },
  { most, upTo = Number.POSITIVE_INFINITY }: { readonly most: number; readonly upTo?: number },
): Promise<UnreadTurns> {
  const state = await engine.users.load(row.owner)
  const from = state.progress(row.scope).branches[branch] ?? 0
  const turns = state.turnsAfter(row.scope, from, { upTo, limit: most })
  return { from, turns, isFull: turns.length === most, revision: state.revision }
}
