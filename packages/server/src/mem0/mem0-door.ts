import type { MemoryForm } from 'keepsake'
import type { ServerDeps } from '../server-context.ts'
import type { Adding } from './add-messages.ts'
import type { Unawaited } from './mem0-events.ts'

/** What all handlers of this door share. */
export interface Mem0Door {
  readonly deps: ServerDeps
  /** Adds that are under way or were a moment ago, by all that their requests say. */
  readonly recent: Map<string, Adding>
  /** Adds that nobody waited for, by the id of their event, oldest first. */
  readonly unawaited: Map<string, Unawaited>
}

/** The forms that this door calls memories: those that are recalled. Stories, summaries and portraits are made of them. */
export function shownForms({ keepsake }: ServerDeps): readonly MemoryForm[] {
  return [...keepsake.preset.recalls, 'note']
}
