// Defines extractors: the segment that they read, and the statements and requests that they return.
import type { Guidelines } from '../guidelines/guidelines.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Candidate, ProposedOperation } from '../memories/candidate.ts'
import type { GroundingLabel, Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import type { Turn } from '../turns/turn.ts'
import type { RuleBook } from '@keepsake/text'

/** A user's explicit words about known facts: a request to forget ("forget that …") or an end ("I no longer …"). */
export type Request =
  | ForgetRequest
  | {
      readonly kind: 'end'
      /** The value that ended, with its persona key if the rule has one. */
      readonly about: string
      readonly key: string | null
      readonly value: string | null
      /** Time of the turn. */
      readonly at: number
      readonly evidence: Evidence
    }

/** A request to forget something. */
export interface ForgetRequest {
  readonly kind: 'forget'
  /** What to forget, in the words of the request; `null` for "forget what I just said". */
  readonly about: string | null
  /** The words before `about` in its sentence. Only for requests that rules found. */
  readonly lead?: string
  /**
   * Why the request waits for the user's yes. `verb`: its verb may mean something else. `passage`: its words may not be
   * the user's own, or may be said to another person. `topic`: a classifier heard it, so its topic is guessed. Absent for sure requests.
   */
  readonly doubt?: 'verb' | 'passage' | 'topic'
  /** Whether only the verb shows that this is a request. Such a request counts only if memories contain its topic. */
  readonly isByVerb?: boolean
  /** The verb of a doubtful request. Set only if its turn has no other sentence and it names something definite. */
  readonly verb?: 'forget' | 'remove'
  readonly evidence: Evidence
}

/** Turns of a conversation that are extracted together. */
export interface Segment {
  readonly scope: number
  readonly session: string
  readonly sessionNumber: number
  /** Number of the segment's last round, counted from 1 within the scope. */
  readonly round: number
  readonly turns: readonly Turn[]
  /** The preceding turns of the session, for context only. */
  readonly before?: readonly Turn[]
  /** Requests to forget that rules find in these turns and the preceding ones. They are read from the turns when absent. */
  readonly asked?: readonly ForgetRequest[]
  /** Names of the users who speak: several in a group. None when absent. */
  readonly users?: readonly string[]
}

/** The result of an extractor for a segment. */
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

/** The input of an extractor besides the segment. */
export interface ExtractOptions {
  /** The language model of the scope; `null` without one. */
  readonly ask: AskModel | null
  /** Live facts for the segment, as `Extractor.related` requests them. They are numbered from 1. */
  readonly related: readonly Memory[]
  /** Number of live facts left out of a whole list. 0 when absent. */
  readonly leftOut?: number
  /** The application's guidelines. `ask` adds them to every prompt. An extractor that asks in another way must add them. */
  readonly guidelines?: Guidelines
  /** The memory's rules, including the application's; the built-in ones when absent. */
  readonly rules?: RuleBook
  readonly abortSignal?: AbortSignal
}

/** A budget of related memories in a prompt. */
export interface RelatedBudget {
  /** Maximum number of memories. */
  readonly most: number
  /** Maximum number of estimated tokens. */
  readonly tokens: number
}

/** Requests the list of all live facts that fit into a number of tokens (MMM). */
export interface WholeList {
  readonly list: 'whole'
  /** Maximum number of estimated tokens. Half of the model's window when absent. */
  readonly tokens?: number
}

/** Checks whether an extractor asks a language model. The others read by rules. */
export function isByModel({ prompt }: Extractor): boolean {
  return prompt !== undefined
}

/** A step that extracts facts from segments, by rules or by a model. */
export interface Extractor {
  /** Name and version, stored with each memory: `persona-rules/1`. */
  readonly id: string
  /** `prompt/version` of the prompt. Absent if no language model is asked. */
  readonly prompt?: string
  /** The related memories that the extractor needs: a budget or the whole list. None when absent. */
  readonly related?: RelatedBudget | WholeList
  /** Whether its statements cover whole topics, and not only values. `false` when absent. */
  readonly tellsMatters?: boolean
  extract(segment: Segment, options?: ExtractOptions): Extraction | Promise<Extraction>
}
