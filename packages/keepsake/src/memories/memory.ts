// Defines memories: their forms, statuses, attributions and fields.
import { MEMORY_TYPES, type MemoryType, type Metadata } from '@keepsake/text/names'
import type { Evidence } from './evidence.ts'

export { MEMORY_TYPES, type MemoryType }

/**
 * How a memory was made. `utterance`: an exchange or a turn, word for word. `fact`: one plain statement. `summary`: the summary of a
 * session. `story`: a unit of the hierarchical summaries. `portrait`: a summary of everything. `note`: a text that the application stores.
 * `block`: a text that an agent stores under a name and edits; every context begins with it.
 */
export type MemoryForm = (typeof MEMORY_FORMS)[number]
/** Every form of a memory; see {@link MemoryForm}. */
export const MEMORY_FORMS = ['utterance', 'fact', 'summary', 'story', 'portrait', 'note', 'block'] as const

/** `live` can be recalled; `deleted`, `forgotten` and `quarantined` only after restoring; `erased` is final. */
export type MemoryStatus = (typeof MEMORY_STATUSES)[number]
/** Every status of a memory; see {@link MemoryStatus}. */
export const MEMORY_STATUSES = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const

/** Whose statement a memory is based on. Only the first two can be facts about the user. */
export type GroundingLabel = (typeof GROUNDING_LABELS)[number]
/** Every attribution; see `GroundingLabel`. */
export const GROUNDING_LABELS = ['user-stated', 'user-confirmed', 'agent-stated', 'other'] as const

/** Measurements at the time when the memory was made, without normalisation. `null` if a measurement does not apply. */
export interface Signals {
  /** EmoBank's scale, 1 to 5. */
  readonly arousal: number | null
  /** Perplexity of the user's words, from 1. */
  readonly surprise: number | null
  /** 1 (mundane) to 10 (extremely important). */
  readonly importance: number | null
}

/** Usage counters of a memory. */
export interface Use {
  /** Retrievals among the first results, which the reply used. The paper LUFY calls this number R1. */
  readonly first: number
  /** Retrievals among the next results, which are only counted (R2 of LUFY). */
  readonly second: number
  /** Distinct rounds in which it was retrieved among the first (R of the paper MOOM). The latest 1,000 are kept. */
  readonly rounds: readonly number[]
  /** Round in which it was last retrieved among the next. It is suppressed in that round (MOOM, section 3.3). Absent if it never was. */
  readonly secondAt?: number
  /** Number of the session in which it was last retrieved or made. */
  readonly lastSession: number
  /** Time of the last retrieval or creation, in milliseconds since 1970. */
  readonly lastAt: number
}

/** A former version of a memory, kept for questions about the past. */
export interface PastVersion {
  readonly text: string
  readonly value: string | null
  readonly validFrom: number
  readonly validUntil: number
  readonly evidence: readonly Evidence[]
}

export interface Origin {
  readonly preset: string
  /** The step that proposed it, e.g. `persona-rules-en/1`, `pair/1`, `api`. */
  readonly step: string
  readonly promptVersion: string | null
  readonly model: string | null
  /** The caller of the step `api`, if `openMemory({ actor })` names one. */
  readonly actor?: string
}

/** One plain statement about a scope. Derived from the operation log. */
export interface Memory {
  readonly id: string
  readonly scope: number
  readonly form: MemoryForm
  readonly type: MemoryType
  /** The subject of the statement: `user`, `agent`, or a name. */
  readonly subject: string
  readonly text: string
  /** Further words by which recall finds it, written by the model that extracted it. They are never shown to a model. */
  readonly searchWords: string
  /** The persona key (`keyTable()` of `@keepsake/text`) and its value, for facts that fit the sheet. */
  readonly key: string | null
  readonly value: string | null
  /** Level in the story's hierarchy (1 = raw unit); 0 for everything else. */
  readonly level: number
  readonly label: GroundingLabel
  readonly evidence: readonly Evidence[]
  /** Ids of the memories from which it was made: session memories for a portrait, lower units for a story. */
  readonly sources: readonly string[]
  readonly status: MemoryStatus
  /** Why it is quarantined, deleted or forgotten. For a live memory, why a value for its key was refused. */
  readonly reason: string | null
  readonly pinned: boolean
  /** Time at which Keepsake learned it: the time of the last evidence turn. */
  readonly learnedAt: number
  readonly validFrom: number
  /** Time at which it ends; may be in the future. `null` without a known end. */
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
  /** The name of a note or block, unique among the scope's live ones. `null` for everything else. */
  readonly name: string | null
  /** Maximum number of characters of a block's text. `null` for everything else. */
  readonly limit: number | null
  /** Metadata set by the application. An extracted memory starts with the metadata of its turns. */
  readonly metadata: Metadata | null
}

/** Whether a statement has ended at a time. A statement with an end in the future is current. */
export function isOver({ validUntil }: Pick<Memory, 'validUntil'>, time: number): boolean {
  return validUntil !== null && validUntil <= time
}

/** A memory with default values only. */
export const BLANK: Omit<Memory, 'id' | 'scope'> = {
  form: 'fact',
  type: 'event',
  subject: 'user',
  text: '',
  searchWords: '',
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
  limit: null,
  metadata: null,
}

/** Checks for a raw story unit, which holds turns that are not summarised yet. */
export function isRawUnit({ form, level, text }: Pick<Memory, 'form' | 'level' | 'text'>): boolean {
  return form === 'story' && level === 1 && text === ''
}
