import { KeepsakeError } from 'keepsake'
import type { BenchConversation } from '../../datasets/conversation.ts'
import type { Judge, UpdateOutcome } from '../../judges/judge.ts'
import { JudgeError } from '../../judges/judge-error.ts'
import type { ContextualMatcher } from '../../metrics/contextual-matching.ts'
import type { GreedyMatcher } from '../../metrics/greedy-matching.ts'
import type { Reader } from '../../readers/reader.ts'
import { ReaderError } from '../../readers/reader-error.ts'
import type { SystemMemory, SystemMemoryItem } from '../../systems/memory-system.ts'
import type { Protocol } from '../protocol.ts'
import type { TaskName } from '../../log/figure.ts'
import type { LogEntry } from '../../log/log-entry.ts'

/** What every system of a run is measured with: the same for all that are compared. */
export interface MeasuredWith {
  readonly reader: Reader
  readonly judge: Judge
  /** For likeness of texts, with an embedder that is the same for every system. */
  readonly matcher: GreedyMatcher
  /** For BERTScore; `null`: it is not computed. */
  readonly tokens: ContextualMatcher | null
  readonly language: 'en' | 'zh'
  readonly tasks: ReadonlySet<TaskName>
  readonly contextTokens: number
  /** By whose conditions. */
  readonly protocol: Protocol
  /** Memories retrieved for a question. */
  readonly memoriesWanted: number
  /** Whether a system that has replies of its own gives them, instead of the reader. */
  readonly ownAnswers: boolean
}

/** One conversation being measured: what is asked, of whom, and what came of it so far. */
export interface Measuring extends MeasuredWith {
  readonly conversation: BenchConversation
  readonly memory: SystemMemory
  /** What each session left, right after it; a session that the system cannot tell of is absent. */
  readonly left: Map<string, readonly SystemMemoryItem[]>
  /** How each gold update ended, by its text. */
  readonly updates: Map<string, UpdateOutcome>
  readonly write: (entry: LogEntry) => void
}

/** What every entry of a conversation begins with. */
export function entryOf({ conversation }: Pick<Measuring, 'conversation'>): {
  conversation: string
  person: string
} {
  return { conversation: conversation.name, person: conversation.person }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A step that may fail and must not end the run: what it gave and how long it took, or why it failed. */
export async function attempt<T>(
  step: () => Promise<T>,
): Promise<
  | { readonly value: T; readonly milliseconds: number; readonly failure: null }
  | { readonly value: null; readonly milliseconds: number; readonly failure: string }
> {
  const start = performance.now()
  try {
    const value = await step()
    return { value, milliseconds: performance.now() - start, failure: null }
  } catch (error) {
    return { value: null, milliseconds: performance.now() - start, failure: messageOf(error) }
  }
}

/**
 * Asks the judge or the reader. What they answer with something that is no verdict is logged and left out, `null`: that is no
 * fault of the system's, and asking again would give the same.
 *
 * @throws when they cannot be reached: the run ends there, and goes on when they can
 */
export async function askOutside<T>(
  measuring: Pick<Measuring, 'conversation' | 'write'>,
  where: string,
  step: () => Promise<T>,
): Promise<T | null> {
  try {
    return await step()
  } catch (error) {
    if (!isUnusable(error)) throw error
    measuring.write({ entry: 'failure', ...entryOf(measuring), where, message: messageOf(error) })
    return null
  }
}

function isUnusable(error: unknown): boolean {
  if (!(error instanceof JudgeError || error instanceof ReaderError)) return false
  return error.cause instanceof KeepsakeError && error.cause.code === 'model-answer'
}
