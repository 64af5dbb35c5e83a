import type { Memory, MemoryForm, MemoryType } from '../memories/memory.ts'
import type { MetadataFilter } from '../metadata/metadata-filter.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Profile } from '../persona/profile.ts'
import type { CountTokens } from '@keepsake/text'
import type { Role } from '../turns/turn.ts'
import type { Score } from './score.ts'

export interface RecallOptions {
  /**
   * Memories to return at most, 1 to 1,000; the preset's own number when absent, and of a question for the whole of a person,
   * a talk or a time as many as stand in the context.
   */
  readonly limit?: number
  /** Token budget of the composed context; 1,000 when absent. */
  readonly tokens?: number
  /** Only memories of these types. */
  readonly types?: readonly MemoryType[]
  /** Only memories of these forms; what the preset recalls when absent. */
  readonly forms?: readonly MemoryForm[]
  /** Only memories, and turns not yet consolidated, whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** The moment of asking, for "last week" in the question and for recency. The clock when absent. */
  readonly now?: Date | number | string
  /** Answer from what was known and true at this time. */
  readonly asOf?: Date | number | string
  /** Whether this recall strengthens what it returns; as the preset says when absent. */
  readonly reinforce?: boolean
  /** The asker's time zone, for times in the question. */
  readonly timeZone?: string
  /**
   * Texts that whoever reads the context sees anyway, such as the talk that goes on: what was said in these very words is left
   * out of it. Spaces do not count.
   */
  readonly shown?: readonly string[]
  /** Counts the tokens of the context; the memory's own counter when absent. */
  readonly countTokens?: CountTokens
  /** `false`: the profile does not stand ahead of what was found. It does where the preset tells contexts as answers, and `asOf` names no other time. */
  readonly profile?: boolean
  /** Name of the person who asks, when several people are remembered: "I" and "my" mean them. */
  readonly speaker?: string
  readonly abortSignal?: AbortSignal
}

/** Each of them, so that one that is misspelt does not go unnoticed. */
export const RECALL_OPTIONS = Object.keys({
  limit: true,
  tokens: true,
  types: true,
  forms: true,
  where: true,
  now: true,
  asOf: true,
  reinforce: true,
  timeZone: true,
  shown: true,
  countTokens: true,
  profile: true,
  speaker: true,
  abortSignal: true,
} satisfies Readonly<Record<keyof RecallOptions, true>>)

/** A turn that supports a recalled memory, best first. */
export interface RecalledEvidence {
  readonly turn: string
  readonly session: string
  readonly role: Role
  readonly speaker: string | null
  readonly at: number
  /** The speaker's time zone, where it is known. */
  readonly timeZone: string | null
  /** The supporting words. `null` when they may no longer be shown: something resting on the turn was deleted. */
  readonly text: string | null
  /** What the application keeps with the turn; `null` where its words may not be shown. */
  readonly metadata: Metadata | null
  /**
   * The turn's own score for the question, on the scale of `RecalledMemory.score`. 0 where the memory was found by words of its own, as facts are,
   * and not by this turn: it proves the memory all the same.
   */
  readonly score: number
}

/**
 * A memory recalled, with its score. The parts go by the names of the recipe's, and `ended`, `reranked` or `cosine` where
 * one of these changed it.
 */
export interface RecalledMemory extends Score {
  readonly memory: Memory
  readonly evidence: readonly RecalledEvidence[]
  /** `true` for a turn that was not yet consolidated; its memory's id is not lasting. */
  readonly pending: boolean
}

/** Recalled memories as text: quoted, a line each, with their times. */
export interface RecallContext {
  readonly text: string
  /** What the text costs, by the counter of the memory that was asked. */
  readonly tokens: number
  /** How many memories stand in it. */
  readonly memories: number
  /** Their ids, in the order they stand in it. */
  readonly shown: readonly string[]
}

export interface Recall {
  readonly question: string
  readonly memories: readonly RecalledMemory[]
  /** Sessions that bear on the question, best first, by the engine's own score of a session. */
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  /** What to hand to a language model, within the token budget. */
  readonly context: RecallContext
  /** The profile's lines that stand ahead in the context; one whose words were found as well is told there alone. */
  readonly profile: Profile
  /** Probability that what was asked was ever said, 0 to 1. */
  readonly confidence: number
  /** `false`: better say "I don't know this" than answer. */
  readonly known: boolean
  /** Present where the person is too large to be read whole: the best of the candidates that the store found, ranked as ever. */
  readonly approximate?: true
  readonly milliseconds: number
}
