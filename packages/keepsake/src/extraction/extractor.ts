import type { Guidelines } from '../guidelines/guidelines.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Candidate, ProposedOperation } from '../memories/candidate.ts'
import type { GroundingLabel, Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import type { Turn } from '../turns/turn.ts'
import type { RuleBook } from '@keepsake/text'

/** What a user says explicitly about known facts: a request to forget ("forget that …") or an end ("I no longer …"). */
export type Request =
  | ForgetRequest
  | {
      readonly kind: 'end'
      /** The value that ended, with its persona key if the words have one. */
      readonly about: string
      readonly key: string | null
      readonly value: string | null
      readonly at: number
      readonly evidence: Evidence
    }

/** A request to forget something. */
export interface ForgetRequest {
  readonly kind: 'forget'
  /** What to forget, in the words of the request; `null` for "forget what I just said". */
  readonly about: string | null
  /** The words before `about` in its sentence, if rules found the request. */
  readonly lead?: string
  /** Why it waits for the user's yes: its verb may mean something else (`verb`), or the text may not be the user's own (`passage`). */
  readonly doubt?: 'verb' | 'passage'
  /** Whether only its verb suggests it. Then it is a request only if memories contain what it names. */
  readonly isByVerb?: boolean
  /** Of a doubtful request that is all its turn says and names something definite: its verb. */
  readonly verb?: 'forget' | 'remove'
  readonly evidence: Evidence
}

/** Turns of a conversation that are extracted together. */
export interface Segment {
  readonly scope: number
  readonly session: string
  readonly sessionNumber: number
  /** Round number of the segment's last round, counted from 1 within the scope. */
  readonly round: number
  readonly turns: readonly Turn[]
  /** The preceding turns of the session, for context only. */
  readonly before?: readonly Turn[]
  /** Requests to forget that rules find in these turns and the preceding ones. They are read from the turns when absent. */
  readonly asked?: readonly ForgetRequest[]
}

/** What an extractor found in a segment. */
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

/** What an extractor may use besides the segment. */
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

/** A budget of related memories in a prompt. */
export interface RelatedBudget {
  /** Maximum number of memories. */
  readonly most: number
  /** Maximum number of estimated tokens of their lines. */
  readonly tokens: number
}

/** The list of all live facts, as far as they fit into a number of tokens (MMM). */
export interface WholeList {
  readonly list: 'whole'
  /** Estimated tokens of their lines. Half of the model's window when absent. */
  readonly tokens?: number
}

/** Checks whether an extractor asks a language model. The others read by rules. */
export function isByModel({ prompt }: Extractor): boolean {
  return prompt !== undefined
}

/** A step that extracts facts from segments, by rules or by a model. */
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
