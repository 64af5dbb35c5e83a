// Reads the turns that a branch has not read, and counts the failures of the model in a pass.
import type { ModelError } from '@keepsake/text'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { isModelUnavailable } from '../work/jobs.ts'

/** The range of turns that a branch reads in a pass. */
export interface Reach {
  /** The session that ends and is read completely; `null` if no session ends. */
  readonly endingSession: string | null
  /** Position of the last turn to read. In presets that recall each round, this is the end of the round. */
  readonly upTo: number
  readonly outage?: Outage
}

/** Counts the requests of a pass that did not reach the model. After two of them, the model is not asked again in this pass. */
export class Outage {
  #failures = 0
  #error: ModelError | null = null

  /** Counts an error if the model was unavailable. @returns whether it was */
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

/** The range of all unread turns, if no session ends. */
export const TO_THE_LAST: Reach = { endingSession: null, upTo: Number.POSITIVE_INFINITY }

interface UnreadTurns {
  /** Position up to which the branch has read. */
  readonly from: number
  readonly turns: readonly Turn[]
  /** Whether more unread turns may follow. */
  readonly isFull: boolean
  /** The user's revision, which the commit names. So content that is erased meanwhile is not stored again. */
  readonly revision: number
}

/** Returns the next turns that a branch has not read, in order of arrival, within a range. */
export async function readUnread(
  engine: Engine,
  row: ScopeRow,
  { kind: branch }: { readonly kind: string },
  { limit, upTo = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly upTo?: number },
): Promise<UnreadTurns> {
  const state = await engine.users.load(row.owner)
  const from = state.progress(row.scope).branches[branch] ?? 0
  const turns = state.turnsAfter(row.scope, from, { upTo, limit })
  return { from, turns, isFull: turns.length === limit, revision: state.revision }
}
