// Describes what extraction proposes, and makes memories of it.
import { BLANK, type GroundingLabel, type Memory } from './memory.ts'
import type { Evidence } from './evidence.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '@keepsake/text/names'
import type { Turn } from '../turns/turn.ts'
import type { MemoryChange } from './operation.ts'

/** Fields that a proposed fact and its memory share. */
type CandidateField = Pick<
  Memory,
  | 'form'
  | 'type'
  | 'subject'
  | 'text'
  | 'key'
  | 'value'
  | 'level'
  | 'evidence'
  | 'validFrom'
  | 'validUntil'
  | 'signals'
>

/**
 * A proposed fact, which becomes a memory once grounded and applied. Its text is one plain sentence, empty for
 * utterances. It has an end only if the words say so ("I used to live in Paris", "until Friday").
 */
export interface Candidate extends CandidateField {
  /** Whose statement it is, set by grounding. */
  readonly label?: GroundingLabel
  /** The application's category, kept as metadata; `null` for none. Absent where there are no categories. */
  readonly category?: string | null
  /** Why a value for its key was not taken, which the memory keeps as its reason. */
  readonly refused?: string | null
}

/** Makes a candidate with default values: an event of the user without a key. */
export function candidateOf(given: Partial<Candidate>): Candidate {
  const { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals } = BLANK
  const nothing = { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals }
  return { ...nothing, ...given }
}

/** The session and round in which a memory is made. */
export interface Setting {
  readonly session: string
  readonly sessionNumber: number
  readonly round: number
  /** Time of the last turn it rests on. */
  readonly learnedAt: number
}

export type NewMemory = Omit<Memory, 'id' | 'scope' | 'origin'>

/** Fields of a memory beyond its statement. A `reason` quarantines it. */
type MemoryExtras = Partial<Pick<Memory, 'reason' | 'sources' | 'name' | 'limit' | 'metadata'>>

/** Makes a memory of a candidate, without an id. */
export function memoryOf(candidate: Candidate, setting: Setting, given: MemoryExtras = {}): NewMemory {
  const { session, sessionNumber, round, learnedAt } = setting
  const { reason = null, sources = [], name = null, limit = null, metadata = null } = given
  const { category = null, refused = null, ...statement } = candidate
  return {
    ...statement,
    label: candidate.label ?? 'other',
    sources,
    status: reason === null ? 'live' : 'quarantined',
    reason: reason ?? refused,
    pinned: false,
    learnedAt,
    past: [],
    session,
    sessionNumber,
    round,
    use: { first: 0, second: 0, rounds: [], lastSession: sessionNumber, lastAt: learnedAt },
    name,
    limit,
    metadata: category === null ? metadata : { ...metadata, category },
  }
}

/**
 * An operation code of a model's answer (MMM): an action, the number of a shown memory, and a new statement. Neither
 * validated nor grounded yet.
 */
export type ProposedOperation =
  | { readonly kind: 'add'; readonly candidate: Candidate }
  | {
      readonly kind: 'modify'
      /** Number of a memory as shown, from 1. */
      readonly index: number
      readonly candidate: Candidate
    }
  | {
      readonly kind: 'delete'
      readonly index: number
      /** `asked`: the user asked to drop it. `no-longer-so`: what was said makes it untrue. */
      readonly why: 'asked' | 'no-longer-so'
      /** End of validity, in milliseconds since 1970. */
      readonly at: number
      readonly evidence: readonly Evidence[]
      /** The statement that replaces it in the same answer; the expiry is accepted when this is. */
      readonly successor?: Candidate
    }

export interface RejectedOperation {
  readonly operation: ProposedOperation
  /** The reason in one sentence, without words of the conversation. */
  readonly reason: string
}

type Turns = readonly Pick<Turn, 'id' | 'metadata'>[]

/** Merges the metadata of the turns that a memory rests on, later turns over earlier ones; `null` if there is none. */
export function inheritMetadata(evidence: readonly Evidence[], turns: Turns): Metadata | null {
  const ids = new Set(evidence.map(({ turn }) => turn))
  return turns.reduce<Metadata | null>(
    (merged, { id, metadata }) => (ids.has(id) && metadata !== null ? { ...merged, ...metadata } : merged),
    null,
  )
}

/** Adds the metadata of its turns to a change: merged with the memory's own, or in its place if the evidence is replaced. What the change sets itself goes first. */
export function withTurnMetadata(
  memory: Memory | undefined,
  change: MemoryChange,
  turns: Turns,
): MemoryChange {
  if (memory === undefined || change.evidence === undefined) return change
  const inherited = inheritMetadata(change.evidence, turns)
  const known = new Set(memory.evidence.map(({ turn }) => turn))
  const isSame = change.evidence.some(({ turn }) => known.has(turn))
  const kept = isSame ? memory.metadata : null
  const given = { ...kept, ...inherited, ...change.metadata }
  const metadata = Object.keys(given).length === 0 ? (kept ?? inherited) : given
  return isDeepStrictEqual(metadata, memory.metadata) ? change : { ...change, metadata }
}
