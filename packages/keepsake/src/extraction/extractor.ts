import type { Guidelines } from '../guidelines/guidelines.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Candidate, ProposedOperation } from '../memories/candidate.ts'
import type { GroundingLabel, Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import type { Turn } from '../turns/turn.ts'
import type { RuleBook } from '@keepsake/text'

/** An explicit request or announcement that changes known facts: "forget that…", "I no longer…". */
export type Request =
  | ForgetRequest
  | {
      readonly kind: 'end'
      /** The expired fact, with persona key and value if the words have them. */
      readonly about: string
      readonly key: string | null
      readonly value: string | null
      readonly at: number
      readonly evidence: Evidence
    }

export interface ForgetRequest {
  readonly kind: 'forget'
  /** What to drop, in the words of the request; `null` for "forget what I just said". */
  readonly about: string | null
  /** The words before it in its sentence, if rules found it. */
  readonly lead?: string
  /** Why it waits for a yes: its verb may mean something else than memory, or the text around it may not be the user's own. */
  readonly doubt?: 'verb' | 'passage'
  /** Whether it was read by its verb alone: it is no request unless memories hold what it names. */
  readonly isByVerb?: boolean
  readonly evidence: Evidence
}

export interface Segment {
  readonly scope: number
  readonly session: string
  readonly sessionNumber: number
  /** Round number of the segment's last round, counted from 1 within the scope. */
  readonly round: number
  readonly turns: readonly Turn[]
  /** The preceding turns of the session, for context only. */
  readonly before?: readonly Turn[]
  /** Requests to forget in these turns and the preceding ones, found by rules. Read from the turns when absent. */
  readonly asked?: readonly ForgetRequest[]
}

export interface Extraction {
  readonly candidates: readonly Candidate[]
  readonly requests: readonly Request[]
  /** The attribution of each statement by the extractor; `other` where unclear. */
  readonly words?: ReadonlyMap<Candidate, GroundingLabel>
  /** Operation codes on the related memories that were shown (MMM). */
  readonly operations?: readonly ProposedOperation[]
  /** A summary of the segment, if the extractor writes one. */
  readonly summary?: { readonly text: string; readonly evidence: readonly Evidence[] } | null
}

export interface ExtractOptions {
  /** Bound to the scope; `null` without a language model. */
  readonly ask: AskModel | null
  /** Live facts relevant to the segment, numbered from 1, as `Extractor.related` asks for. */
  readonly related: readonly Memory[]
  /** Number of live facts left out of a whole list. 0 when absent. */
  readonly leftOut?: number
  /** What to keep and never keep. `ask` adds it to every prompt; an extractor that asks in another way passes it on. */
  readonly guidelines?: Guidelines
  /** The memory's rules, including the application's; the built-in ones when absent. */
  readonly rules?: RuleBook
  readonly abortSignal?: AbortSignal
}

/** Room for related memories in a prompt. */
export interface RelatedBudget {
  readonly most: number
  /** Of their lines, estimated. */
  readonly tokens: number
}

/** All related memories within a budget (MMM). */
export interface WholeList {
  readonly list: 'whole'
  /** Estimated tokens of their lines. Half of the model's window when absent. */
  readonly tokens?: number
}

/** A step that extracts from a segment, by rules or a model. */
export interface Extractor {
  /** Name and version, kept with each memory: `persona-rules/1`. */
  readonly id: string
  /** `prompt/version` where a language model is asked. */
  readonly prompt?: string
  /** The related memories to show: a number, a budget or the whole list. None when absent. */
  readonly related?: number | RelatedBudget | WholeList
  /** Its statements cover whole topics, not only values. `false` when absent. */
  readonly tellsMatters?: boolean
  /**
   * What the update classifier adds: `changes` of known statements that no rule reads, or `everything` the user
   * states, verbatim. Nothing when absent.
   */
  readonly follows?: 'changes' | 'everything'
  extract(segment: Segment, options?: ExtractOptions): Extraction | Promise<Extraction>
}
