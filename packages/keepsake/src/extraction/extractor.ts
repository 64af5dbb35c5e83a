import type { Evidence } from '../memories/evidence.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { GroundingLabel, Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import type { ProposedOperation } from '../memories/proposed-operation.ts'
import type { Turn } from '../turns/turn.ts'
import type { RuleBook } from '@keepsake/text'

/**
 * An explicit request or announcement in the talk that changes what is known: "forget that…",
 * "actually I moved to…", "I no longer…".
 */
export type Request =
  | ForgetRequest
  | {
      readonly kind: 'change'
      /** The new statement. */
      readonly candidate: Candidate
    }
  | {
      readonly kind: 'end'
      /** What is no longer so: persona key and value where the words tell them. */
      readonly about: string
      readonly key: string | null
      readonly value: string | null
      readonly at: number
      readonly evidence: Evidence
    }

/** Somebody asks to have something forgotten. */
export interface ForgetRequest {
  readonly kind: 'forget'
  /** What to drop, in the words of the request; `null` for "forget what I just said". */
  readonly about: string | null
  /** The words of its sentence before it, where rules heard it. */
  readonly lead?: string
  readonly evidence: Evidence
}

/** A run of turns that a branch works on. */
export interface Segment {
  readonly scope: number
  readonly session: string
  readonly sessionNumber: number
  /** Round number of the segment's last round, counted from 1 within the scope. */
  readonly round: number
  readonly turns: readonly Turn[]
  /** The last turns of the same session before these: they tell whom and what is meant, and are not drawn from again. */
  readonly before?: readonly Turn[]
  /**
   * What users ask to have forgotten in these turns and those right before them, read by rules when the segment was made.
   * Whoever needs it reads it from the turns when absent.
   */
  readonly asked?: readonly ForgetRequest[]
}

/** What a segment yields. */
export interface Extraction {
  readonly candidates: readonly Candidate[]
  readonly requests: readonly Request[]
  /** Whose word each statement rests on, as who wrote it down judged by what they quoted; `other` where they could not tell. */
  readonly words?: ReadonlyMap<Candidate, GroundingLabel>
  /** Operation codes on the related memories that were shown (MMM). */
  readonly operations?: readonly ProposedOperation[]
  /** The segment told in short, where the extractor writes it in the same go. */
  readonly summary?: { readonly text: string; readonly evidence: readonly Evidence[] } | null
}

export interface ExtractOptions {
  /** Bound to the scope; `null` where there is no language model. */
  readonly ask: AskModel | null
  /** Live facts that bear on the segment, numbered from 1 by their place here. As many as `Extractor.related` asks for. */
  readonly related: readonly Memory[]
  /** Live facts besides these that there was no room for, where all are wanted. 0 when absent. */
  readonly leftOut?: number
  /** The memory's rules, a caller's own among them; the shipped ones when absent. */
  readonly rules?: RuleBook
  readonly abortSignal?: AbortSignal
}

/** Room for related memories in a prompt. */
export interface RelatedBudget {
  readonly most: number
  /** Of their lines, estimated. */
  readonly tokens: number
}

/** All related memories there are, as far as a budget holds them (MMM). */
export interface WholeList {
  readonly list: 'whole'
  /** Of their lines, estimated. Half of what the model's window holds when absent. */
  readonly tokens?: number
}

/** A step that reads a segment. Rules answer at once, models later. */
export interface Extractor {
  /** Name and version, kept with each memory: `persona-rules/1`. */
  readonly id: string
  /** `prompt/version` where a language model is asked. */
  readonly prompt?: string
  /** The related memories it wants to be shown: so many, all that a segment may touch as far as they fit, or all there are. None when absent. */
  readonly related?: number | RelatedBudget | WholeList
  /** Its statements tell all that was told of one matter, with or without a key's value in it. `false` when absent. */
  readonly tellsMatters?: boolean
  /**
   * What the learned updater follows beside what was drawn: `changes` of known statements that no rule reads, or `everything`
   * that is told, so that statements are kept in the user's own words. Nothing when absent.
   */
  readonly follows?: 'changes' | 'everything'
  extract(segment: Segment, options?: ExtractOptions): Extraction | Promise<Extraction>
}
