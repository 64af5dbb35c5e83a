import type { Extractor } from '../extraction/candidate.ts'
import type { ForgettingPolicy, Retention } from '../forgetting/forgetting-policy.ts'
import type { MemoryForm } from '../operations/memory.ts'
import type { RetrievalRecipe } from '../retrieval/retrieval-recipe.ts'
import type { KeyTable } from '../persona/key-table.ts'
import type { Summariser } from '../story/summariser.ts'
import type { PairOrder } from '../segmentation/pair-turns.ts'

/** When a branch works: after every so many rounds, or when the session ends. */
export type Cadence = { readonly rounds: number } | 'session-end'

/** Keeps each round as it was said. */
export interface UtteranceBranch {
  readonly kind: 'utterances'
  /** `answer`: the agent's turn and the user's answer (LUFY). `reply`: the user's turn and the agent's reply (MemoryBank). */
  readonly order: PairOrder
}

/** Draws plain statements from rounds and merges them with what is known by the key table's classes. */
export interface FactBranch {
  readonly kind: 'facts'
  readonly every: Cadence
  readonly extractor: Extractor
}

/** Packs rounds into MOOM's hierarchy: thresholds θ₁, θ₂, … */
export interface StoryBranch {
  readonly kind: 'story'
  readonly thresholds: readonly number[]
}

/** Summarises each session when it ends. */
export interface SummaryBranch {
  readonly kind: 'summaries'
}

export type Branch = UtteranceBranch | FactBranch | StoryBranch | SummaryBranch

/** What a recall does to the memories it returns. */
export interface RecallUse {
  /** Memories handed out when the caller names no limit. */
  readonly limit: number
  /** How many of the first count as used: LUFY's R1, MOOM's k. */
  readonly first: number
  /** How many of the next are only counted: LUFY's R2, MOOM's next k. */
  readonly second: number
  /** Whether a recall reinforces unless the caller says otherwise. */
  readonly reinforce: boolean
}

/** How memories are ranked for a question. */
export type Ranking =
  | { readonly kind: 'hybrid'; readonly recipe: RetrievalRecipe }
  | {
      readonly kind: 'cosine'
      /** Below this cosine a memory is not returned. LUFY's 0.8 is for its embedder; see presets/cosine-thresholds.ts. */
      readonly threshold: number
      /** Times what the policy says the memory is worth (0 to 1), added to the cosine: LUFY's α. */
      readonly importance: number
    }

/**
 * A named set of choices, one a step of the way through: a memory system, written down. Its file reads like
 * the paper's own summary.
 */
export interface Preset {
  readonly name: string
  /** What it is, in a sentence. */
  readonly summary: string
  /** Where it is published; `null` for our own. */
  readonly source: string | null
  readonly branches: readonly Branch[]
  /** Whether candidates must be supported by their evidence before they are believed. */
  readonly grounding: boolean
  readonly keyTable: KeyTable
  readonly summariser: Summariser
  /** A silence longer than this, in milliseconds, ends a session that the caller did not name. */
  readonly sessionGap: number
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  /** Forms that are never forgotten (LUFY's profile: facts). */
  readonly exempt: readonly MemoryForm[]
  readonly ranking: Ranking
  /** Forms that recall searches. */
  readonly recalls: readonly MemoryForm[]
  readonly use: RecallUse
}
