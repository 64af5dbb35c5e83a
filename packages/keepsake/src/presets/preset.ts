// Defines what a preset is: a record of all choices that make a memory system.
import type { Extractor } from '../extraction/extractor.ts'
import type { ForgettingPolicy, Retention } from '../forget/policies/forgetting-policy.ts'
import type { MemoryForm } from '../memories/memory.ts'
import type { RetrievalRecipe } from '@keepsake/search'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { KeyTable } from '@keepsake/text'
import type { Compressor } from '../portrait/compressor.ts'
import type { Summariser } from '../story/summariser.ts'
import type { PairOrder } from '../turns/rounds.ts'
import type { Updater } from '../models/updater.ts'

/** Defines when a branch runs: after this number of rounds, or at the end of a session. */
export type Cadence = { readonly rounds: number } | 'session-end'

/** Stores each exchange word for word. */
export interface UtteranceBranch {
  readonly kind: 'utterances'
  /** `answer`: the agent's turn and the user's answer (LUFY). `reply`: the user's turn and the agent's reply (MemoryBank). */
  readonly order: PairOrder
  /** Number of exchanges stored at a time, so that one call rates them. Default 1. Exchanges that wait can be recalled. */
  readonly every?: number
  /** Whether arousal, surprise and importance are measured and stored. `true` when absent. */
  readonly isMeasured?: boolean
}

/** Extracts plain statements from exchanges and merges them into the known facts by the key table's classes. */
export interface FactBranch {
  readonly kind: 'facts'
  readonly every: Cadence
  /** Cuts sessions into segments of similar length, of at most the cadence's rounds. Default `false`: all have the cadence's rounds. */
  readonly isEven?: boolean
  /** Fallback extractor for a segment while the model's answer cannot be used. None when absent. */
  readonly standIn?: Extractor
  readonly extractor: Extractor
}

/** Summarises rounds in a hierarchy of levels, as in the paper MOOM. */
export interface StoryBranch {
  readonly kind: 'story'
  /** Number of rounds in a unit of level 1, and of lower units in a unit of each higher level: MOOM's θ₁, θ₂ and so on. */
  readonly thresholds: readonly number[]
  /** `rounds` (default): every θ₁ rounds are a unit of level 1. `segments`: the fact branch's segments are units of level 1. */
  readonly units?: 'rounds' | 'segments'
  /** Whether an utterance is forgotten once a summary covers it (MOOM, 3.1). Needs `units: 'rounds'`. Default `false`. */
  readonly takesIn?: boolean
}

/** Summarises each session when it ends. */
export interface SummaryBranch {
  readonly kind: 'summaries'
  /** The signals of a summary: the mean of its exchanges (default), or the strongest, as in LUFY's published code. */
  readonly signals?: 'mean' | 'strongest'
}

/** Compresses all memories into a portrait at the end of a session, as in the paper COMEDY. */
export interface PortraitBranch {
  readonly kind: 'portrait'
  readonly compressor: Compressor
  /** Number of new session memories, or of story segments, that another portrait needs. 1 when absent. */
  readonly every?: number
  /** Minimum number of turns that another portrait needs, so that short sessions cause fewer portraits. No minimum when absent. */
  readonly leastTurns?: number
}

export type Branch = UtteranceBranch | FactBranch | StoryBranch | SummaryBranch | PortraitBranch

/** Effects of a recall on the memories it returns. */
export interface RecallUse {
  /** Memories returned when the caller gives no limit. */
  readonly limit: number
  /** Number of top results that count as used. LUFY calls it R1, MOOM k. */
  readonly first: number
  /** Number of next results that are only counted. LUFY calls it R2. In MOOM these k results are weakened. */
  readonly second: number
  /** Whether a recall updates usage counters by default. */
  readonly reinforce: boolean
  /**
   * Whether each new round is itself a recall, as in MOOM (section 3.3). Its results are strengthened, and the weakest
   * memories over the capacity are then forgotten. `false` when absent.
   *
   * Each round costs one search, with at most one call of the embedding and the reranking model. No language model is called.
   */
  readonly eachRound?: boolean
  /** Whether recalls skip utterances whose words the prompt shows anyway, as in LUFY. Otherwise only the context skips them. */
  readonly passesOverShown?: boolean
}

/** Alternative inputs of a reply, instead of the recalled memories and the latest turns. */
export type ReplyForm =
  /** The running session, up to the model's window (COMEDY, Resum). */
  | { readonly kind: 'whole-session' }
  /** All memories, up to half of the model's window (MMM). */
  | { readonly kind: 'whole-list' }
  /** The pinned summary, the first recalled memory, and this number of latest turns, including the one to answer (LUFY, figure 4). */
  | { readonly kind: 'key-summary'; readonly turns: number }

/** The ranking of memories for a question. */
export type Ranking =
  | {
      readonly kind: 'hybrid'
      readonly recipe: RetrievalRecipe
      /** Number of top results that a reranking model reorders, if the memory has one. None when absent. */
      readonly rerank?: number
      /** With `true`, other memories follow the results, newest first, up to the limit. MMM's list is read as a whole. */
      readonly fillsUp?: boolean
    }
  | {
      readonly kind: 'cosine'
      /** Minimum cosine, or one per language. `calibrated` suits the embedding model; LUFY's 0.8 is for its own. */
      readonly threshold: number | Readonly<Record<PromptLanguage, number>> | 'calibrated'
      /** Weight of the policy's strength (0 to 1) that is added to the cosine: LUFY's α. */
      readonly importance: number
    }
  /** The language model picks the relevant memories `from` the first results of a search (MemoChat). */
  | { readonly kind: 'chosen'; readonly recipe: RetrievalRecipe; readonly from: number }
  /** No search: the context consists of the portrait and the turns that it does not cover yet (COMEDY, Resum). */
  | { readonly kind: 'whole' }

/** A named configuration: one choice per step of the pipeline. */
export interface Preset {
  readonly name: string
  readonly summary: string
  /** The publication; `null` for our own. */
  readonly source: string | null
  readonly branches: readonly Branch[]
  /** The check of facts. `rules` quarantine undecided facts. `model`: a model decides on these. `off` accepts all, as papers do. */
  readonly grounding: 'off' | 'rules' | 'model'
  /** Whether standing instructions of the user are stored and begin every context. `false` when absent. */
  readonly keepsInstructions?: boolean
  readonly keyTable: KeyTable
  /** Whether a fact that is no longer true ends and stays in the history (default), or is deleted, as in MMM. */
  readonly over?: 'end' | 'delete'
  readonly summariser: Summariser
  /** A silence longer than this, in milliseconds, ends a session that the caller did not name. */
  readonly sessionGap: number
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  /** Forms that the policy never forgets. */
  readonly exempt: readonly MemoryForm[]
  /** Whether a capacity limits exempt facts too, by `Retention.facts` and `fadingFacts`. Default `false`: they stay. */
  readonly boundsFacts?: boolean
  readonly ranking: Ranking
  /** Forms that recall searches. */
  readonly recalls: readonly MemoryForm[]
  /** Forms whose newest memory begins every recall, without a search. */
  readonly always?: readonly MemoryForm[]
  /** The model that rates the importance of utterances: the engine's own (the default), or the language model, as in LUFY. */
  readonly importance?: 'signal' | 'model'
  readonly use: RecallUse
  /** The input of a reply; recalled memories and the latest turns when absent. */
  readonly reply?: ReplyForm
  /**
   * How a context is composed.
   * - `list`: the memories as stored, best first, as in the published systems.
   * - `answer`: the profile first, facts before messages, and fewer tokens at a low confidence. A question about a whole
   *   user, conversation or period gets an overview.
   * - `statements`: like `answer`, and the rest of the budget is filled with further facts. It suits facts that a language
   *   model wrote, which can be read without their context.
   */
  readonly context: 'list' | 'answer' | 'statements'
  /** With `false`, contexts show no past versions of a memory, as in MMM. The history and `asOf` still have them. */
  readonly tellsPast?: boolean
  /** Explains how this form differs from the system it is named after, in one sentence. */
  readonly notice?: string
}

/** The form of a preset: with or without a language model. */
export interface PresetForm {
  /** Whether a language model extracts and summarises. Otherwise rules extract, and summaries quote. */
  readonly model: boolean
  /** Decides on the operations on memories in place of the language model (preset `mmm`). */
  readonly updater?: Updater | undefined
}

/** The form without a language model. */
export const BY_RULES: PresetForm = { model: false }
