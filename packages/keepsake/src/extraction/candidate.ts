import type { Evidence } from '../grounding/evidence.ts'
import type { MemoryForm, MemoryType, Signals } from '../operations/memory.ts'
import type { Turn } from '../turns/turn.ts'

/** What extraction proposes; not a memory until grounded and applied. */
export interface Candidate {
  readonly form: MemoryForm
  readonly type: MemoryType
  /** `user`, `agent`, or the name of the speaker or third person it is about. */
  readonly subject: string
  /** One plain sentence. Empty for utterances, whose words are their turns'. */
  readonly text: string
  readonly key: string | null
  readonly value: string | null
  /** Story level; 0 otherwise. */
  readonly level: number
  readonly evidence: readonly Evidence[]
  /** When it became so, milliseconds since 1970: the turn's time unless the words say otherwise. */
  readonly validFrom: number
  /** Set for what the words say is over ("I used to live in Paris"). */
  readonly validUntil: number | null
  readonly signals: Signals
}

/**
 * An explicit request or announcement in the talk that changes what is known: "forget that…",
 * "actually I moved to…", "I no longer…".
 */
export type Request =
  | {
      readonly kind: 'forget'
      /** What to drop, in the words of the request; `null` for "forget what I just said". */
      readonly about: string | null
      readonly evidence: Evidence
    }
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

/** A run of turns that a branch works on. */
export interface Segment {
  readonly scope: number
  readonly session: string
  readonly sessionNumber: number
  /** Round number of the segment's last round, counted from 1 within the scope. */
  readonly round: number
  readonly turns: readonly Turn[]
}

/** What a segment yields. */
export interface Extraction {
  readonly candidates: readonly Candidate[]
  readonly requests: readonly Request[]
}

/** A step that reads a segment. Rules answer at once, models later. */
export interface Extractor {
  /** Name and version, kept with each memory: `persona-rules/1`. */
  readonly id: string
  extract(segment: Segment, options?: { abortSignal?: AbortSignal }): Extraction | Promise<Extraction>
}
