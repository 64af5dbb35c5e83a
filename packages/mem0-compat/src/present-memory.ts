import { createHash } from 'node:crypto'
import type { Memory, Metadata, ScopeRow } from 'keepsake'
import { entitiesOf, runOf } from './mem0-names.ts'

/** The metadata field that this protocol reserves. */
export const OWN_FIELD = '$mem0'

/** Metadata that this protocol stores in addition to the caller's. */
export interface OwnMetadata {
  readonly feedback?: string | null
  readonly feedback_reason?: string | null
  /** The last change of a note's text, in ISO 8601. */
  readonly updated_at?: string
  /** The id of the message that this note replaced, as the client knows it. */
  readonly replaces?: string
}

/** Splits metadata into the caller's and this protocol's. */
export function splitMetadata({ metadata }: Pick<Memory, 'metadata'>): {
  readonly callerMetadata: Metadata | null
  readonly ownMetadata: OwnMetadata
} {
  if (metadata === null || !Object.hasOwn(metadata, OWN_FIELD))
    return { callerMetadata: metadata, ownMetadata: {} }
  const { [OWN_FIELD]: own, ...callerMetadata } = metadata
  const isEmpty = Object.keys(callerMetadata).length === 0
  return { callerMetadata: isEmpty ? null : callerMetadata, ownMetadata: own as OwnMetadata }
}

export function joinMetadata(callerMetadata: Metadata | null, own: OwnMetadata): Metadata {
  return Object.keys(own).length === 0
    ? { ...callerMetadata }
    : { ...callerMetadata, [OWN_FIELD]: { ...own } }
}

/** The prefix of names of notes that replaced a message. */
const REPLACEMENT_PREFIX = 'mem0:'

/** Returns the name of the note that replaces a message. */
export function nameInPlaceOf(id: string): string {
  return `${REPLACEMENT_PREFIX}${id}`
}

/** Returns the id that Mem0's client knows: the id of the memory, or of the message that it replaced. */
export function publicId({ id, name }: Memory): string {
  return name?.startsWith(REPLACEMENT_PREFIX) === true ? name.slice(REPLACEMENT_PREFIX.length) : id
}

/** Returns the fields of a memory that both answers and filters have. */
function fieldsOf(memory: Memory, row: ScopeRow) {
  return {
    ...entitiesOf(row),
    run_id: runOf(memory.session),
    metadata: splitMetadata(memory).callerMetadata,
    categories: categoriesOf(memory),
    created_at: isoTime(memory.learnedAt),
    updated_at: updatedAt(memory),
    /** Keepsake's form: `fact` is one statement, `utterance` a message, `note` an unchanged addition. */
    memory_type: memory.form,
  }
}

function categoriesOf({ form, metadata }: Memory): string[] {
  const category = form === 'fact' ? metadata?.['category'] : undefined
  return typeof category === 'string' ? [category] : []
}

/** A memory in Mem0's format, with names in snake case. */
export type Mem0Memory = ReturnType<typeof presentMemory>

export function presentMemory(memory: Memory, row: ScopeRow) {
  return {
    id: publicId(memory),
    memory: memory.text,
    hash: createHash('md5').update(memory.text).digest('hex'),
    /** The time at which the memory was superseded, or its stated end. */
    expiration_date: memory.validUntil === null ? null : isoTime(memory.validUntil),
    ...fieldsOf(memory, row),
  }
}

/** Returns the fields of a memory that filters can use. */
export function filterable(memory: Memory, row: ScopeRow): Metadata {
  const { feedback = null, feedback_reason = null } = splitMetadata(memory).ownMetadata
  const texts = { keywords: memory.text, memory_ids: publicId(memory) }
  return { ...fieldsOf(memory, row), ...texts, feedback, feedback_reason }
}

function updatedAt(memory: Memory): string {
  const { updated_at: updated } = splitMetadata(memory).ownMetadata
  return updated ?? isoTime(Math.max(memory.learnedAt, ...memory.past.map(({ validUntil }) => validUntil)))
}

export const isoTime = (at: number): string => new Date(at).toISOString()

/** Whether a memory is superseded or past its stated end. */
export function hasEnded({ validUntil }: Memory, now: number): boolean {
  return validUntil !== null && validUntil <= now
}
