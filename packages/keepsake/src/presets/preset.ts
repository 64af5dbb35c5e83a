import type { Extractor } from '../extraction/extractor.ts'
import type { ForgettingPolicy, Retention } from '../forget/policies/forgetting-policy.ts'
import type { MemoryForm } from '../memories/memory.ts'
import type { RetrievalRecipe } from '@keepsake/search'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { KeyTable } from '@keepsake/text'
import type { Compressor } from '../portrait/compressor.ts'
import type { Summariser } from '../story/summariser.ts'
import type { PairOrder } from '../turns/pair-turns.ts'

/** When a branch works: after every so many rounds, or when the session ends. */
export type Cadence = { readonly rounds: number } | 'session-end'

/** Keeps each round as it was said. */
export interface UtteranceBranch {
  readonly kind: 'utterances'
  /** `answer`: the agent's turn and the user's answer (LUFY). `reply`: the user's turn and the agent's reply (MemoryBank). */
  readonly order: PairOrder
  /**
   * Rounds kept at a time, so that a model can rate them in one call; fewer when the session ends. 1 when absent. What
   * waits is recalled as it stands.
   */
  readonly every?: number
  /** Whether arousal, surprise and importance are measured and kept with each. `true` when absent. */
  readonly isMeasured?: boolean
}

/** Draws plain statements from rounds and merges them with what is known by the key table's classes. */
export interface FactBranch {
  readonly kind: 'facts'
  readonly every: Cadence
  /**
   * Cuts each session into segments of about the same length, at most as many rounds as the cadence says, and none across
   * two sessions. While a session goes on, it is read once there is half as much again. `false` when absent: then every so
   * many rounds, wherever sessions end.
   */
  readonly isEven?: boolean
  /** Reads a segment in a model's stead while the model's answer to it cannot be used. Nothing does when absent. */
  readonly standIn?: Extractor
  readonly extractor: Extractor
}

/** Packs rounds into MOOM's hierarchy: thresholds θ₁, θ₂, … */
export interface StoryBranch {
  readonly kind: 'story'
  readonly thresholds: readonly number[]
  /**
   * `rounds` (the default) makes a raw unit of every θ₁ rounds. `segments` takes what the fact branch told in short as
   * units of level 1, so that they cost no call of their own; θ₁ is then not used.
   */
  readonly units?: 'rounds' | 'segments'
  /**
   * Whether what an utterance branch keeps of a round is let go once a summary tells of it: until then it is searched as it was
   * said (MOOM's raw information flow, 3.1), from then on by the summary. `false` when absent. Needs `units: 'rounds'`.
   */
  readonly takesIn?: boolean
}

/** Summarises each session when it ends. */
export interface SummaryBranch {
  readonly kind: 'summaries'
}

/** Compresses all that is remembered into a portrait when a session ends (COMEDY's task 2). */
export interface PortraitBranch {
  readonly kind: 'portrait'
  readonly compressor: Compressor
  /** Session memories (or told segments of the story) that it takes to make another. 1 when absent. */
  readonly every?: number
  /** Turns that these must rest on, so that short sessions make no more of them than long ones. Any number when absent. */
  readonly leastTurns?: number
}

export type Branch = UtteranceBranch | FactBranch | StoryBranch | SummaryBranch | PortraitBranch

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
  /**
   * Whether each round that comes in is itself a recall, of what the policy judges, as MOOM publishes it (3.3): while the
   * round is consolidated its words are searched for, what they bring up is reinforced, and a capacity lets go what it has no room for.
   * Costs one search a round, with at most one call of the embedding and the reranking model; nothing is asked of a language model. `false` when absent.
   */
  readonly eachRound?: boolean
  /**
   * `true`: memories that tell what is shown anyway, a part of it even, are passed over and not counted, so that the first is the
   * one that is used (LUFY, whose reply is given one). Otherwise only the context leaves them out, where all of it is shown.
   */
  readonly passesOverShown?: boolean
}

/** How a reply is made where it is given something else than what a recall hands out and the latest turns. */
export type ReplyForm =
  /** The running session as far as the model's window holds it (COMEDY, Resum). */
  | { readonly kind: 'whole-session' }
  /** Every memory, as far as half of the model's window holds them (MMM). */
  | { readonly kind: 'whole-list' }
  /** The key summary, the first of what was recalled, and so many of the latest turns, the one to answer among them (LUFY, figure 4). */
  | { readonly kind: 'key-summary'; readonly turns: number }

/** How memories are ranked for a question. */
export type Ranking =
  | {
      readonly kind: 'hybrid'
      readonly recipe: RetrievalRecipe
      /** How many of the first a reranking model puts in order anew, where there is one. None when absent. */
      readonly rerank?: number
      /** `true`: what the search does not find comes behind what it finds, the latest learned first, as far as the limit goes (MMM, whose list is read whole). */
      readonly fillsUp?: boolean
    }
  | {
      readonly kind: 'cosine'
      /**
       * Below this cosine a memory is not returned, by the language of the question where there are two. `calibrated`: as suits the model that embeds (retrieval/cosine-thresholds.ts);
       * LUFY's 0.8 is for its own.
       */
      readonly threshold: number | Readonly<Record<PromptLanguage, number>> | 'calibrated'
      /** Times what the policy says the memory is worth (0 to 1), added to the cosine: LUFY's α. */
      readonly importance: number
    }
  /** The language model picks those that bear on the question from the likeliest (MemoChat). */
  | { readonly kind: 'chosen'; readonly recipe: RetrievalRecipe; readonly from: number }
  /** Nothing is searched for: the portrait and the talk that is not yet in it are all there is (COMEDY, Resum). */
  | { readonly kind: 'whole' }

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
  /**
   * How a candidate comes to be believed. `rules`: it must be supported by its evidence, and what the rules cannot tell
   * is quarantined. `model`: a language model is asked where they cannot tell. `off` believes everything, to
   * reproduce a paper.
   */
  readonly grounding: 'off' | 'rules' | 'model'
  /** Keeps that somebody asked to have something forgotten, and when, without what. Nothing is left of it when absent. */
  readonly keepsRequests?: boolean
  readonly keyTable: KeyTable
  /**
   * What becomes of a memory of which a model's operation says that it is no longer so: it ends, and stays with its end
   * (`end`, the default), or goes (`delete`, as MMM has it).
   */
  readonly over?: 'end' | 'delete'
  readonly summariser: Summariser
  /** A silence longer than this, in milliseconds, ends a session that the caller did not name. */
  readonly sessionGap: number
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  /** Forms that the policy does not judge (LUFY's profile: facts). */
  readonly exempt: readonly MemoryForm[]
  /**
   * Whether a capacity bounds exempt facts as well, with room of their own (`Retention.facts`) and a policy of their own
   * (forget/policies/fading-facts.ts). `false` when absent: then they stay for good, as the published systems have it.
   */
  readonly boundsFacts?: boolean
  readonly ranking: Ranking
  /** Forms that recall searches. */
  readonly recalls: readonly MemoryForm[]
  /** Forms that stand at the head of every recall, newest version, without being searched for. */
  readonly always?: readonly MemoryForm[]
  /** Who rates an utterance's importance: the engine's model of it (the default), or the language model (LUFY). */
  readonly importance?: 'signal' | 'model'
  readonly use: RecallUse
  /** What a reply is given; what a recall hands out and the latest turns when absent. */
  readonly reply?: ReplyForm
  /**
   * How a context is composed. `list`: the memories as they stand, best first, as the published systems do. `answer`: the profile
   * ahead, statements before what was said, no more of the budget than the recall is sure of; and a question for the whole of a
   * person, a talk or a time is told of rather than searched for.
   * `statements`: the same, and what is left of the budget goes to more statements: a language model wrote them to be read alone,
   * and what it should not have taken for true is not among them.
   */
  readonly context: 'list' | 'answer' | 'statements'
  /** `false`: a context says what now stands, without what a memory said before (MMM). The history and `asOf` know that still. */
  readonly tellsPast?: boolean
  /** Where this form is not the system whose name it bears: what it is instead, in a sentence. */
  readonly notice?: string
}
