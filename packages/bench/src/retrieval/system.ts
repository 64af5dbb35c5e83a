import type { BenchConversation, DatasetQuestion } from '../datasets/conversation.ts'

/** What a system answers to a question: turns, best first, and how sure it is. */
export interface SystemRecall {
  readonly turns: readonly { readonly id: string; readonly score: number }[]
  /** Sessions by the system's own score, best first; absent when it has none, then the best turn's rank counts. */
  readonly sessions?: readonly string[]
  /** Probability that what was asked was ever said; NaN when the system gives none. */
  readonly confidence: number
}

/** One conversation's memory, filled. */
export interface FilledMemory {
  recall(question: DatasetQuestion, limit: number): Promise<SystemRecall>
  close(): Promise<void>
}

/** A memory system under test. */
export interface RetrievalSystem {
  readonly name: string
  /** What the result's `config` says of it. */
  readonly config: Readonly<Record<string, unknown>>
  /** Remembers a whole conversation in a memory of its own. */
  ingest(conversation: BenchConversation): Promise<FilledMemory>
}
