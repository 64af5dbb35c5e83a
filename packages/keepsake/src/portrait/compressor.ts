import type { Memory } from '../memories/memory.ts'
import type { AskModel, LeftOut } from '../models/ask-model.ts'
import type { Turn } from '../turns/turn.ts'
import type { EmbeddedModel } from '@keepsake/text'

export interface CompressionInput {
  /** The last portrait's text, to be updated; `null` to compress everything again. */
  readonly previous: string | null
  /** Session memories, oldest first: the new ones when going on from `previous`, all of them otherwise. */
  readonly sessions: readonly Memory[]
  /** The talk of the session just ended, for compressors that read it itself (Resum). */
  readonly turns: readonly Turn[]
  /** Live facts, oldest first, for compressors that read the profile (LUFY's key summary); absent for others. */
  readonly profile?: readonly Memory[]
}

/** An outcome, not text: what would be compressed must not be kept (COMEDY, table 7). */
export const UNSAFE: unique symbol = Symbol('unsafe')
export type Unsafe = typeof UNSAFE

export interface CompressOptions {
  /** Bound to the scope; `null` where there is no language model. */
  readonly ask: AskModel | null
  readonly embedding: EmbeddedModel
  /** Called with the input that the portrait omits, if the compressor reports it. */
  readonly onLeftOut?: (leftOut: LeftOut) => void
  readonly abortSignal?: AbortSignal
}

/** Makes the compressed whole of what is remembered (COMEDY's task 2, Resum's recursive summary). */
export interface Compressor {
  /** Name and version, kept with each portrait. */
  readonly id: string
  /** `prompt/version` where a language model is asked. */
  readonly prompt: string | null
  /** `incremental` goes on from the last portrait and what is new; `whole` reads all session memories each time. */
  readonly mode: 'incremental' | 'whole'
  /** Whether it also reads the known facts. `false` when absent. */
  readonly readsProfile?: boolean
  /** @returns the portrait's text, `null` when nothing is worth saying, `UNSAFE` when it must not be kept. */
  compress(input: CompressionInput, options: CompressOptions): Promise<string | Unsafe | null>
}

/** All versions of the portrait, oldest first. Only the last one still holds. */
export function portraitVersions(memories: Iterable<Memory>): Memory[] {
  return [...memories]
    .filter((memory) => memory.form === 'portrait' && memory.status === 'live')
    .sort((a, b) => a.validFrom - b.validFrom || (a.id < b.id ? -1 : 1))
}
