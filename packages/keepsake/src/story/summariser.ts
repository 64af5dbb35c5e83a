// Defines the port of summarisers.
import type { Evidence } from '../memories/evidence.ts'
import type { EmbeddingModel } from '@keepsake/text'
import type { AskModel, LeftOut } from '../models/ask-model.ts'
import type { SummarySource } from '../prompts/render-summary-sources.ts'

/** A summary with its evidence. The text of an extractive summary consists of its quotes, joined by spaces. */
export interface Summary {
  readonly text: string
  readonly evidence: readonly Evidence[]
}

/** Limits and context of a summary. */
export interface SummariseOptions {
  /** Maximum characters of the summary. COMEDY's session memory ignores it. */
  readonly maxCharacters: number
  /** Compares sentences by meaning; without it they are compared by their words. */
  readonly embedding?: EmbeddingModel
  /** Asks the language model for the scope; absent or `null` without a model. */
  readonly ask?: AskModel | null
  /** The text of the latest summaries, as context. Empty at the start. */
  readonly before?: string
  /** Called with the input that the summary omits, if the summariser reports it. */
  readonly onLeftOut?: (leftOut: LeftOut) => void
  readonly abortSignal?: AbortSignal
}

/** Writes summaries, by extraction or with a language model. */
export interface Summariser {
  /** Name and version, stored with each memory. */
  readonly id: string
  /** `prompt/version` if a language model is asked. */
  readonly prompt?: string
  /** The sources of a summary of summaries: the sentences that they quote (default), or their own texts. */
  readonly reads?: 'quotes' | 'texts'
  /** @returns `null` if nothing is worth storing, `unsafe` if it must not be stored (COMEDY, task 1) */
  summarise(sources: readonly SummarySource[], options: SummariseOptions): Promise<Summary | 'unsafe' | null>
}
