// Defines the port of compressors, which write portraits.
import type { Memory } from '../memories/memory.ts'
import type { AskModel, LeftOut } from '../models/ask-model.ts'
import type { Turn } from '../turns/turn.ts'
import type { EmbeddedModel } from '@keepsake/text'

/** The input of a portrait. */
export interface CompressionInput {
  /** The text of the last portrait, which is updated; `null` to compress everything again. */
  readonly previous: string | null
  /** Session memories, oldest first. With `previous`, only those that are new since then. */
  readonly sessions: readonly Memory[]
  /** The turns of the session that ended, for compressors that read them (Resum). */
  readonly turns: readonly Turn[]
  /** Live facts, oldest first, for compressors with `readsProfile` (LUFY's key summary). */
  readonly profile?: readonly Memory[]
}

/** The outcome of a compressor if the text must not be stored (paper COMEDY, table 7). */
export const UNSAFE: unique symbol = Symbol('unsafe')
export type Unsafe = typeof UNSAFE

export interface CompressOptions {
  /** Asks the language model for the scope; `null` without a model. */
  readonly ask: AskModel | null
  readonly embedding: EmbeddedModel
  /** Called with the input that the portrait omits, if the compressor reports it. */
  readonly onLeftOut?: (leftOut: LeftOut) => void
  readonly abortSignal?: AbortSignal
}

/** Writes portraits: the whole memory of a user in one text, as in the papers COMEDY and Resum. */
export interface Compressor {
  /** Name and version, stored with each portrait. */
  readonly id: string
  /** `prompt/version` if a language model is asked. */
  readonly prompt: string | null
  /** `incremental` updates the last portrait with new session memories. `whole` reads all session memories each time. */
  readonly mode: 'incremental' | 'whole'
  /** Whether the compressor reads the known facts. `false` when absent. */
  readonly readsProfile?: boolean
  /** @returns the text of the portrait; `null` if there is nothing to write, `UNSAFE` if it must not be stored */
  compress(input: CompressionInput, options: CompressOptions): Promise<string | Unsafe | null>
}

/** Returns the live versions of the portrait, oldest first. The last one is current. */
export function portraitVersions(memories: Iterable<Memory>): Memory[] {
  return [...memories]
    .filter((memory) => memory.form === 'portrait' && memory.status === 'live')
    .sort((a, b) => a.validFrom - b.validFrom || (a.id < b.id ? -1 : 1))
}
