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

/** When a branch works: after this many rounds, or when the session ends. */
export type Cadence = { readonly rounds: number } | 'session-end'

/** Keeps each exchange word for word. */
export interface UtteranceBranch {
  readonly kind: 'utterances'
  /** `answer`: the agent's turn and the user's answer (LUFY). `reply`: the user's turn and the agent's reply (MemoryBank). */
  readonly order: PairOrder
  /**
   * Exchanges stored at a time, so that a model can rate them in one call; fewer when the session ends. 1 when absent. Pending ones can
   * already be recalled.
   */
  readonly every?: number
  /** Whether arousal, surprise and importance are measured and stored. `true` when absent. */
  readonly isMeasured?: boolean
}

/** Extracts plain statements from exchanges and merges them into the known facts by the key table's classes. */
export interface FactBranch {
  readonly kind: 'facts'
  readonly every: Cadence
  /**
   * Cuts each session into segments of similar length, at most the cadence's rounds each, and none across sessions. A running session is
   * read once it is half as long again. `false` when absent: one segment per cadence, regardless of sessions.
   */
  readonly isEven?: boolean
  /** Fallback extractor for a segment while the model's answer cannot be used. None when absent. */
  readonly standIn?: Extractor
  readonly extractor: Extractor
}

/** Summarises rounds in MOOM's hierarchy: thresholds θ₁, θ₂, … */
export interface StoryBranch {
  readonly kind: 'story'
  readonly thresholds: readonly number[]
  /**
   * `rounds` (the default) makes a raw unit of every θ₁ rounds. `segments` uses the fact branch's segment summaries as units of level 1, at
   * no extra call; θ₁ is then not used.
   */
  readonly units?: 'rounds' | 'segments'
  /**
   * Whether an exchange's utterance is forgotten once a summary covers it (MOOM's raw information flow, 3.1). `false` when absent. Needs
   * `units: 'rounds'`.
   */
  readonly takesIn?: boolean
}

/** Summarises each session when it ends. */
export interface SummaryBranch {
  readonly kind: 'summaries'
  /**
   * What a summary has of its session's exchanges: their mean signals (when absent), or the `strongest` of each: the greatest
   * arousal, importance and number of retrievals, and the least surprise, as LUFY's published code takes them.
   */
  readonly signals?: 'mean' | 'strongest'
}

/** Compresses all memories into a portrait when a session ends (COMEDY's task 2). */
export interface PortraitBranch {
  readonly kind: 'portrait'
  readonly compressor: Compressor
  /** Number of new session memories (or story segments) needed for another portrait. 1 when absent. */
  readonly every?: number
  /** Minimum number of turns these are based on, so that short sessions do not cause more portraits. No minimum when absent. */
  readonly leastTurns?: number
}

export type Branch = UtteranceBranch | FactBranch | StoryBranch | SummaryBranch | PortraitBranch

/** Effects of a recall on the memories it returns. */
export interface RecallUse {
  /** Memories returned when the caller gives no limit. */
  readonly limit: number
  /** Number of top results that count as used: LUFY's R1, MOOM's k. */
  readonly first: number
  /** Number of next results that are only counted: LUFY's R2, MOOM's next k. */
  readonly second: number
  /** Whether a recall updates usage counters by default. */
  readonly reinforce: boolean
  /**
   * Whether each new round is itself a recall of the memories under the policy, as in MOOM (3.3). Its results are reinforced, and a
   * capacity then forgets the weakest.
   *
   * Costs one search per round, with at most one call of the embedding and the reranking model, and no language model. `false` when absent.
   */
  readonly eachRound?: boolean
  /**
   * `true` skips memories whose content is already shown, even in part, so that the first result is the one that is used (LUFY gives its
   * reply one). Otherwise only the context leaves them out, when all of their content is shown.
   */
  readonly passesOverShown?: boolean
}

/** Alternative inputs of a reply, instead of the recalled memories and the latest turns. */
export type ReplyForm =
  /** The running session, as far as the model's window holds it (COMEDY, Resum). */
  | { readonly kind: 'whole-session' }
  /** Every memory, as far as half of the model's window holds them (MMM). */
  | { readonly kind: 'whole-list' }
  /** The pinned summary, the first recalled memory, and this many of the latest turns, the one to answer included (LUFY, figure 4). */
  | { readonly kind: 'key-summary'; readonly turns: number }

/** The ranking of memories for a question. */
export type Ranking =
  | {
      readonly kind: 'hybrid'
      readonly recipe: RetrievalRecipe
      /** Number of top results that a reranking model reorders, when there is one. None when absent. */
      readonly rerank?: number
      /** `true` appends memories that the search did not find, newest first, up to the limit (MMM, whose list is read whole). */
      readonly fillsUp?: boolean
    }
  | {
      readonly kind: 'cosine'
      /**
       * Minimum cosine of a returned memory, or one per language of the question. `calibrated` suits the embedding model
       * (retrieval/cosine-thresholds.ts). LUFY's 0.8 is for its own model.
       */
      readonly threshold: number | Readonly<Record<PromptLanguage, number>> | 'calibrated'
      /** Weight of the policy's strength (0 to 1) that is added to the cosine: LUFY's α. */
      readonly importance: number
    }
  /** The language model picks the relevant ones from the top candidates (MemoChat). */
  | { readonly kind: 'chosen'; readonly recipe: RetrievalRecipe; readonly from: number }
  /** Nothing is searched for: the context is the portrait and the turns it does not cover yet (COMEDY, Resum). */
  | { readonly kind: 'whole' }

/** A named configuration: one choice per step of the pipeline. Its file reads like the paper's own summary. */
export interface Preset {
  readonly name: string
  readonly summary: string
  /** The publication; `null` for our own. */
  readonly source: string | null
  readonly branches: readonly Branch[]
  /**
   * How a proposed fact is checked. `rules`: its evidence must support it, and undecided ones are quarantined. `model`: a language model
   * decides those. `off` accepts everything, to reproduce a paper.
   */
  readonly grounding: 'off' | 'rules' | 'model'
  /** Keeps how the user asks to be talked to from now on, and puts it ahead of every context. Not kept when absent. */
  readonly keepsInstructions?: boolean
  readonly keyTable: KeyTable
  /**
   * What happens to a memory that a model reports as no longer valid: it expires and stays with its end date (`end`, the default), or is
   * deleted (`delete`, as in MMM).
   */
  readonly over?: 'end' | 'delete'
  readonly summariser: Summariser
  /** A silence longer than this, in milliseconds, ends a session that the caller did not name. */
  readonly sessionGap: number
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  /** Forms that the policy never forgets (LUFY's profile: facts). */
  readonly exempt: readonly MemoryForm[]
  /**
   * Whether a capacity also limits exempt facts, with a limit (`Retention.facts`) and a policy of their own
   * (`fadingFacts`). `false` when absent: they are kept forever, as in the published systems.
   */
  readonly boundsFacts?: boolean
  readonly ranking: Ranking
  /** Forms that recall searches. */
  readonly recalls: readonly MemoryForm[]
  /** Forms at the head of every recall, newest version, without a search. */
  readonly always?: readonly MemoryForm[]
  /** Rates an utterance's importance: the engine's own model (the default), or the language model (LUFY). */
  readonly importance?: 'signal' | 'model'
  readonly use: RecallUse
  /** The input of a reply; recalled memories and the latest turns when absent. */
  readonly reply?: ReplyForm
  /**
   * How a context is composed.
   * - `list`: the memories as stored, best first, as in the published systems.
   * - `answer`: the profile first, facts before messages, and fewer tokens at a low confidence. A question about a whole user, conversation
   * or period is answered with an overview.
   * - `statements`: the same, with the rest of the budget filled with more facts. It suits facts written by a language model, to be read
   * alone.
   */
  readonly context: 'list' | 'answer' | 'statements'
  /** `false` leaves former versions of a memory out of the context (MMM). The history and `asOf` still have them. */
  readonly tellsPast?: boolean
  /** Explains how this form differs from the system it is named after, in one sentence. */
  readonly notice?: string
}

/** In which form a preset is wanted. */
export interface PresetForm {
  /** Whether a language model extracts and summarises as published; otherwise rules and quotes do. */
  readonly model: boolean
  /** Keeps MMM's list in the language model's stead. */
  readonly updater?: Updater | undefined
}

export const BY_RULES: PresetForm = { model: false }
