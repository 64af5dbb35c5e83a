import { MEMORY_TYPES, type MemoryType } from '@keepsake/text'
import type { Metadata } from '../metadata/metadata.ts'
import type { Evidence } from './evidence.ts'

export { MEMORY_TYPES, type MemoryType }

/**
 * How a memory was made: `utterance` is a round (or a single turn) kept as it was said, `fact` one plain
 * statement, `summary` a session's, `story` a unit of the plot's hierarchy, `portrait` the compressed whole, `note` what the
 * application keeps and nobody said.
 */
export type MemoryForm = (typeof MEMORY_FORMS)[number]
export const MEMORY_FORMS = ['utterance', 'fact', 'summary', 'story', 'portrait', 'note'] as const

/**
 * `live` is recalled. `deleted` (no longer so, or asked to drop), `forgotten` (by the policy) and
 * `quarantined` (not believed, with the reason) are not, and can come back. `erased` is gone for good.
 */
export type MemoryStatus = (typeof MEMORY_STATUSES)[number]
export const MEMORY_STATUSES = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const

/** Whose word a memory rests on. Only the first two can be facts about the user. */
export type GroundingLabel = (typeof GROUNDING_LABELS)[number]
export const GROUNDING_LABELS = ['user-stated', 'user-confirmed', 'agent-stated', 'other'] as const

/** What was measured when the memory was made; raw, before normalisation. `null` where it does not apply. */
export interface Signals {
  /** EmoBank's scale, 1 to 5. */
  readonly arousal: number | null
  /** Perplexity of the user's words, from 1. */
  readonly surprise: number | null
  /** 1 (mundane) to 10 (extremely important). */
  readonly importance: number | null
}

/** What recalls did to a memory. */
export interface Use {
  /** Times it was retrieved among the first (used): LUFY's R1. */
  readonly first: number
  /** Times it was retrieved among the next (counted only): LUFY's R2. */
  readonly second: number
  /** Rounds at which it was retrieved among the first, each once: MOOM's R. The latest 1,000 are kept. */
  readonly rounds: readonly number[]
  /** Round at which it was last retrieved among the next: while that round lasts it is suppressed (MOOM 3.3). Absent when it never was. */
  readonly secondAt?: number
  /** Ordinal of the session in which it was last retrieved or made. */
  readonly lastSession: number
  /** Milliseconds since 1970 of the last retrieval or making. */
  readonly lastAt: number
}

/** A statement that a memory no longer makes, kept so that the past can be asked about. */
export interface PastVersion {
  readonly text: string
  readonly value: string | null
  readonly validFrom: number
  readonly validUntil: number
  readonly evidence: readonly Evidence[]
}

/** What made a memory or an operation. */
export interface Origin {
  readonly preset: string
  /** The step that proposed it, e.g. `persona-rules-en/1`, `pair/1`, `api`. */
  readonly step: string
  readonly promptVersion: string | null
  readonly model: string | null
}

/** One plain statement kept about a scope. A projection of the operation log. */
export interface Memory {
  readonly id: string
  readonly scope: number
  readonly form: MemoryForm
  readonly type: MemoryType
  /** Whom or what it is about: `user`, `agent`, or a name. */
  readonly subject: string
  readonly text: string
  /** The persona key (see persona/key-table.ts) and its value, for facts that fit the sheet. */
  readonly key: string | null
  readonly value: string | null
  /** Level in the story's hierarchy (1 = raw unit); 0 for everything else. */
  readonly level: number
  readonly label: GroundingLabel
  readonly evidence: readonly Evidence[]
  /** Ids of the memories it was made from: session memories of a portrait, lower units of a story's. */
  readonly sources: readonly string[]
  readonly status: MemoryStatus
  /** Why it is quarantined, deleted or forgotten. */
  readonly reason: string | null
  readonly pinned: boolean
  /** When Keepsake came to know it (the time of the last evidence turn). */
  readonly learnedAt: number
  readonly validFrom: number
  /** `null` while it is still so. */
  readonly validUntil: number | null
  readonly past: readonly PastVersion[]
  readonly session: string
  /** 1 for the scope's first session. */
  readonly sessionNumber: number
  /** The round in which it was made, counted from 1 within the scope. */
  readonly round: number
  readonly signals: Signals
  readonly use: Use
  readonly origin: Origin
  /** The application's own name for a note: no two live ones of a scope have the same. `null` for everything else. */
  readonly name: string | null
  /** What the application keeps with it. What was drawn from turns begins with theirs. */
  readonly metadata: Metadata | null
}

/** A memory of which nothing is said. */
export const BLANK: Omit<Memory, 'id' | 'scope'> = {
  form: 'fact',
  type: 'event',
  subject: 'user',
  text: '',
  key: null,
  value: null,
  level: 0,
  label: 'other',
  evidence: [],
  sources: [],
  status: 'live',
  reason: null,
  pinned: false,
  learnedAt: 0,
  validFrom: 0,
  validUntil: null,
  past: [],
  session: '',
  sessionNumber: 0,
  round: 0,
  signals: { arousal: null, surprise: null, importance: null },
  use: { first: 0, second: 0, rounds: [], lastSession: 0, lastAt: 0 },
  origin: { preset: '', step: '', promptVersion: null, model: null },
  name: null,
  metadata: null,
}
