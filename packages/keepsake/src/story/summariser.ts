import type { Evidence } from '../grounding/evidence.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { Role } from '../turns/turn.ts'

/** Words to summarise: a whole turn, or the part of it that an earlier summary kept. */
export interface SummarySource {
  readonly turn: string
  /** As it stands in the turn. */
  readonly text: string
  readonly role: Role
  readonly speaker: string | null
}

/** A summary and what each part of it rests on. Extractive ones quote: `text` is the quotes joined by spaces. */
export interface Summary {
  readonly text: string
  readonly evidence: readonly Evidence[]
}

export interface SummariseOptions {
  /** Longest summary, in characters. */
  readonly maxCharacters: number
  /** Makes likeness finer; without it sentences are compared by their words. */
  readonly embedding?: EmbeddingModel
  readonly abortSignal?: AbortSignal
}

/** The port behind which summaries are made: extractive by default, a language model later. */
export interface Summariser {
  /** Name and version, kept with each memory. */
  readonly id: string
  /** @returns `null` when nothing is worth keeping. */
  summarise(sources: readonly SummarySource[], options: SummariseOptions): Promise<Summary | null>
}
