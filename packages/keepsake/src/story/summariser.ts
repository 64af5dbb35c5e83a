import type { Evidence } from '../memories/evidence.ts'
import type { EmbeddingModel } from '@keepsake/text'
import type { AskModel, LeftOut } from '../models/ask-model.ts'
import type { SummarySource } from '../prompts/render-summary-sources.ts'

/** A summary and what each part of it rests on. Extractive ones quote: `text` is the quotes joined by spaces. */
export interface Summary {
  readonly text: string
  readonly evidence: readonly Evidence[]
}

export interface SummariseOptions {
  /** Longest summary, in characters. COMEDY's session memory is as long as it takes. */
  readonly maxCharacters: number
  /** Makes likeness finer; without it sentences are compared by their words. */
  readonly embedding?: EmbeddingModel
  /** Bound to the scope; absent or `null` where there is no language model. */
  readonly ask?: AskModel | null
  /** The text of the latest summaries, as context. Empty at the start. */
  readonly before?: string
  /** Called with the input that the summary omits, if the summariser reports it. */
  readonly onLeftOut?: (leftOut: LeftOut) => void
  readonly abortSignal?: AbortSignal
}

/** The port behind which summaries are made: extractive by default, or by a language model. */
export interface Summariser {
  /** Name and version, kept with each memory. */
  readonly id: string
  /** `prompt/version` where a language model is asked. */
  readonly prompt?: string
  /**
   * What a summary of summaries is made of: `quotes`, the sentences that the lower ones kept (the default), or
   * `texts`, the lower ones' own words.
   */
  readonly reads?: 'quotes' | 'texts'
  /** @returns `null` when nothing is worth keeping, `unsafe` when it must not be kept (COMEDY, task 1). */
  summarise(sources: readonly SummarySource[], options: SummariseOptions): Promise<Summary | 'unsafe' | null>
}
