import type { ModelError } from '@keepsake/text'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { isModelAway } from '../work/report-failure.ts'

export interface Unread {
  readonly from: number
  readonly turns: readonly Turn[]
  /** More unread turns may follow. */
  readonly isFull: boolean
  /** Passed to the commit, so that content erased meanwhile does not return. */
  readonly revision: number
}

/** How far a branch may read. */
export interface Reach {
  readonly endingSession: string | null
  /** Position of the last turn to read; if each round is recalled, the end of the round. */
  readonly upTo: number
  /** Counts requests that found the model away. */
  readonly outage?: Outage
}

/** Whether the model is away in this pass. One failure may be due to what was asked; after the second it is not asked again. */
export class Outage {
  #failures = 0
  #error: ModelError | null = null

  /** @returns whether the error says that the model is away */
  note(error: unknown): error is ModelError {
    if (!isModelAway(error)) return false
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
