// Defines the facts that extraction proposes, and makes memories from them.
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
  | 'searchWords'
  | 'key'
  | 'value'
  | 'level'
  | 'evidence'
  | 'validFrom'
  | 'validUntil'
  | 'signals'
>

/** A proposed fact, in one plain sentence. It becomes a memory after it is grounded and applied. It has an end only if the words state one. */
export interface Candidate extends CandidateField {
  /** Whose statement it is, set by grounding. */
  readonly label?: GroundingLabel
  /** The application's category, stored as metadata; `null` for none. Absent if the application has no categories. */
  readonly category?: string | null
  /** Why a value for its key was refused. The memory stores it as its reason. */
  readonly refused?: string | null
}

/** Makes a candidate with default values: an event of the user without a key. */
export function candidateOf(fields: Partial<Candidate>): Candidate {
  const { form, type, subject, text, searchWords, key, value, level } = BLANK
  const { evidence, validFrom, validUntil, signals } = BLANK
  const statement = { form, type, subject, text, searchWords, key, value, level }
  return { ...statement, evidence, validFrom, validUntil, signals, ...fields }
}

/** The session and round in which a memory is made. */
export interface Setting {
  readonly session: string
  readonly sessionNumber: number
  readonly round: number
  /** Time of the last evidence turn. */
  readonly learnedAt: number
}

export type NewMemory = Omit<Memory, 'id' | 'scope' | 'origin'>

/** Fields of a memory beyond its statement. A `reason` quarantines it. */
type MemoryExtras = Partial<Pick<Memory, 'reason' | 'sources' | 'name' | 'limit' | 'metadata'>>

/** Makes a memory from a candidate, without an id. */
export function memoryOf(candidate: Candidate, setting: Setting, extras: MemoryExtras = {}): NewMemory {
  const { session, sessionNumber, round, learnedAt } = setting
  const { reason = null, sources = [], name = null, limit = null, metadata = null } = extras
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

/** An operation that a model proposes, as in the paper MMM: an action, the number of a shown memory, and a statement. It is unchecked. */
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
      /** `asked`: the user asked to forget the memory. `no-longer-so`: a statement of the user makes it untrue. */
      readonly why: 'asked' | 'no-longer-so'
      /** End of validity, in milliseconds since 1970. */
      readonly at: number
      readonly evidence: readonly Evidence[]
      /** The statement of the same answer that replaces the memory. The deletion is accepted only if this statement is. */
      readonly successor?: Candidate
    }

export interface RejectedOperation {
  readonly operation: ProposedOperation
  /** The reason in one sentence, without words of the conversation. */
  readonly reason: string
}

type Turns = readonly Pick<Turn, 'id' | 'metadata'>[]

/** Merges the metadata of a memory's evidence turns. Fields of later turns win. `null` if no turn has metadata. */
export function inheritMetadata(evidence: readonly Evidence[], turns: Turns): Metadata | null {
  const ids = new Set(evidence.map(({ turn }) => turn))
  return turns.reduce<Metadata | null>(
    (merged, { id, metadata }) => (ids.has(id) && metadata !== null ? { ...merged, ...metadata } : merged),
    null,
  )
}

/** Adds the metadata of the evidence turns to a change. The memory's own stays unless all evidence is replaced. Later ones win. */
export function withTurnMetadata(
  memory: Memory | undefined,
  change: MemoryChange,
  turns: Turns,
): MemoryChange {
  if (memory === undefined || change.evidence === undefined) return change
  const inherited = inheritMetadata(change.evidence, turns)
  const known = new Set(memory.evidence.map(({ turn }) => turn))
  const keepsEvidence = change.evidence.some(({ turn }) => known.has(turn))
  const kept = keepsEvidence ? memory.metadata : null
  const merged = { ...kept, ...inherited, ...change.metadata }
  const metadata = Object.keys(merged).length === 0 ? (kept ?? inherited) : merged
  return isDeepStrictEqual(metadata, memory.metadata) ? change : { ...change, metadata }
}
