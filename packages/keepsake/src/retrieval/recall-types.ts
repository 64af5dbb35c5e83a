// Defines the options and the result of recall().
import type { Memory, MemoryForm, MemoryType } from '../memories/memory.ts'
import type { MetadataFilter } from '../metadata/metadata-filter.ts'
import type { Metadata } from '@keepsake/text/names'
import type { Profile } from '../persona/profile.ts'
import type { CountTokens } from '@keepsake/text'
import type { Role } from '../turns/turn.ts'
import type { TimeSpan } from '../memories/time-span.ts'

/** Options of `recall()`. */
export interface RecallOptions {
  /**
   * Maximum number of memories, 1 to 1,000. When absent the preset decides; a question about a whole user, conversation or period returns
   * as many as the context holds.
   */
  readonly limit?: number
  /** Token budget of the composed context; 1,000 when absent. */
  readonly tokens?: number
  /** Only memories of these types. */
  readonly types?: readonly MemoryType[]
  /** Only memories of these forms; the preset's when absent. */
  readonly forms?: readonly MemoryForm[]
  /** Only memories, and turns not yet consolidated, whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** Only memories of turns that were said in this span. */
  readonly said?: TimeSpan
  /** Only facts that held at some time in this span, and messages that were said in it. */
  readonly during?: TimeSpan
  /** Only facts of these categories; see `openMemory({ categories })`. Messages have none. */
  readonly categories?: readonly string[]
  /** The time of the question, for "last week" and for recency. Now when absent. */
  readonly now?: Date | number | string
  /** Answer from what was known and valid at this time. */
  readonly asOf?: Date | number | string
  /** Whether this recall updates usage counters; as the preset says when absent. */
  readonly reinforce?: boolean
  /** The user's time zone, for times in the question. */
  readonly timeZone?: string
  /**
   * Texts that the reader of the context already has, such as the current conversation. Identical messages are left out of the context.
   * Spaces do not count.
   */
  readonly excludeTexts?: readonly string[]
  /** Counts the tokens of the context; the memory's own counter when absent. */
  readonly countTokens?: CountTokens
  /** `false` leaves out the profile at the head of the context. Otherwise the profile appears if the preset composes answers and `asOf` is absent. */
  readonly profile?: boolean
  /** `false` leaves the agent's blocks out of the context. */
  readonly blocks?: boolean
  /** Name of the user who asks, when several are remembered: "I" and "my" refer to them. */
  readonly speaker?: string
  readonly abortSignal?: AbortSignal
}

/** Lists every option, so that a misspelt one is refused. */
export const RECALL_OPTIONS = Object.keys({
  limit: true,
  tokens: true,
  types: true,
  forms: true,
  where: true,
  said: true,
  during: true,
  categories: true,
  now: true,
  asOf: true,
  reinforce: true,
  timeZone: true,
  excludeTexts: true,
  countTokens: true,
  profile: true,
  blocks: true,
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
  /** The speaker's time zone, if known. */
  readonly timeZone: string | null
  /** The supporting words. `null` when they may no longer be shown because a memory based on the turn was deleted. */
  readonly text: string | null
  /** The turn's metadata; `null` when its words may not be shown. */
  readonly metadata: Metadata | null
  /**
   * The turn's own score for the question, on the scale of `RecalledMemory.score`. It is 0 if the memory was found by its own words, as
   * facts are.
   */
  readonly score: number
  /** Set when a fact that the turn stated was corrected later. Its words say something that was never true. */
  readonly corrected?: true
}

/**
 * A recalled memory with its score. Its parts have the names of the recipe's parts. Later steps add `ended` (it no longer holds),
 * `property` (it states the property asked for), `stated` (the user's own value), `told` (gathered by time or subject), `leads`
 * (a follow-up), `relation` (about the end of a chain of relations), `reranked` and `cosine`.
 */
export interface RecalledMemory extends Score {
  readonly memory: Memory
  readonly evidence: readonly RecalledEvidence[]
  /** `true` for a turn that is not yet consolidated; its memory id is temporary. */
  readonly pending: boolean
}

/** Recalled memories as text: quoted, one per line, with their times. */
export interface RecallContext {
  readonly text: string
  /** Number of tokens of the text, by the memory's counter. */
  readonly tokens: number
  /** Number of memories in it. */
  readonly memories: number
  /** Their ids, in the order of the text. */
  readonly shown: readonly string[]
}

/**
 * Whether memory answers a question.
 *
 * - `yes`: the person asked about most likely said the answer. Words of others about them, questions and suppositions do not count.
 * - `maybe`: something near the question was found. Answer if it fits, and otherwise say that you do not know.
 * - `no`: nothing near the question was found. Say that you do not know.
 */
export type Answerable = 'yes' | 'maybe' | 'no'

/** The answer of a recall: memories, the context for a prompt, and how sure it is. */
export interface Recall {
  readonly question: string
  readonly memories: readonly RecalledMemory[]
  /** Sessions relevant to the question, best first, by the engine's session score. */
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  /** The text for a language model, within the token budget. */
  readonly context: RecallContext
  /** The profile lines at the head of the context. A line that was also found by the search appears only here. */
  readonly profile: Profile
  /** Probability that the memory covers the question, 0 to 1. */
  readonly confidence: number
  /** Whether memory answers the question; `null` for a text that asks nothing, such as “I got a new job”. */
  readonly answerable: Answerable | null
  readonly known: boolean
  /** Present when the embedding model could not be asked, or its vectors fit no stored one: the results are found by words alone. */
  readonly wordsOnly?: true
  readonly milliseconds: number
}

/** A score and its parts. */
export interface Score {
  /** On no fixed scale: higher is better, comparable within one search. */
  readonly score: number
  /** Weighted values by name, which add up to the score. A part of 0 may be absent. */
  readonly parts: Readonly<Record<string, number>>
}

export function scoreOf(parts: Readonly<Record<string, number>>): Score {
  let score = 0
  for (const name in parts) score += parts[name] ?? 0
  return { score, parts }
}

/** Returns a copy with one more part in its score. */
export function withPart<Scored extends Score>(scored: Scored, name: string, value: number): Scored {
  return { ...scored, ...scoreOf({ ...scored.parts, [name]: value }) }
}
