import { KeepsakeError } from 'keepsake'
import type { BenchConversation, DatasetQuestion } from '../../datasets/conversation.ts'
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

/** Tools and settings of a run. All compared systems share them. */
export interface RunTools {
  readonly reader: Reader
  readonly judge: Judge
  /** Compares texts by words and embeddings. */
  readonly matcher: GreedyMatcher
  /** Computes BERTScore, which compares texts token by token. `null`: it is not computed. */
  readonly tokens: ContextualMatcher | null
  readonly language: 'en' | 'zh'
  readonly tasks: ReadonlySet<TaskName>
  /** Token budget of a question's context. */
  readonly contextTokens: number
  readonly protocol: Protocol
  /** Number of memories retrieved for a question. */
  readonly memoriesWanted: number
  /** Whether systems with their own replies give them, instead of the reader. */
  readonly ownAnswers: boolean
}

/** The measurement of one conversation: its tools and its state. */
export interface ConversationRun extends RunTools {
  readonly conversation: BenchConversation
  readonly memory: SystemMemory
  /** The memories that each session left, read right after it. Systems that do not list them have no entry. */
  readonly left: Map<string, readonly SystemMemoryItem[]>
  /** Outcomes of updates that the data expects, by their text. */
  readonly updates: Map<string, UpdateOutcome>
  readonly write: (entry: LogEntry) => void
}

/** Returns the fields that all log entries of a conversation share. */
export function entryOf({ conversation }: Pick<ConversationRun, 'conversation'>): {
  conversation: string
  person: string
} {
  return { conversation: conversation.name, person: conversation.person }
}

/** Returns the fields that all log entries of a question share. */
export function questionEntryOf(run: ConversationRun, { id: question, category, text }: DatasetQuestion) {
  return { ...entryOf(run), question, category, text }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Runs a step of the system, whose failure must not end the run. @returns its result and duration, or why it failed */
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

/** Asks judge or reader. If the answer is unusable, it logs a failure and returns `null`. If the model cannot be reached, it throws, so that the run can be resumed. */
export async function askTool<T>(
  run: Pick<ConversationRun, 'conversation' | 'write'>,
  where: string,
  step: () => Promise<T>,
): Promise<T | null> {
  try {
    return await step()
  } catch (error) {
    if (!isUnusable(error)) throw error
    run.write({ entry: 'failure', ...entryOf(run), where, message: messageOf(error) })
    return null
  }
}

function isUnusable(error: unknown): boolean {
  if (!(error instanceof JudgeError || error instanceof ReaderError)) return false
  return error.cause instanceof KeepsakeError && error.cause.code === 'model-answer'
}
