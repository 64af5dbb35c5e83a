import { createHash } from 'node:crypto'
import type { Memory, Metadata, ScopeRow } from 'keepsake'
import { entitiesOf, runOf } from './mem0-names.ts'

/** The field of a memory's metadata that this protocol keeps for itself. */
export const OWN_FIELD = '$mem0'

/** What this protocol keeps with a memory, beside the caller's own metadata. */
export interface OwnMetadata {
  readonly feedback?: string | null
  readonly feedback_reason?: string | null
  /** When the words of a note were changed last, in ISO 8601. */
  readonly updated_at?: string
  /** The message whose place a note took: the id that the client knows. */
  readonly replaces?: string
}

/** A memory's metadata, taken apart. */
export function splitMetadata({ metadata }: Pick<Memory, 'metadata'>): {
  readonly given: Metadata | null
  readonly own: OwnMetadata
} {
  if (metadata === null || !Object.hasOwn(metadata, OWN_FIELD)) return { given: metadata, own: {} }
  const { [OWN_FIELD]: own, ...given } = metadata
  return { given: Object.keys(given).length === 0 ? null : given, own: own as OwnMetadata }
}

/** Put together again. */
export function joinMetadata(given: Metadata | null, own: OwnMetadata): Metadata {
  return Object.keys(own).length === 0 ? { ...given } : { ...given, [OWN_FIELD]: { ...own } }
}

/** Names of notes that took a message's place. */
const IN_PLACE_OF = 'mem0:'

/** The name of the note that takes a message's place. */
export function nameInPlaceOf(id: string): string {
  return `${IN_PLACE_OF}${id}`
}

/** The id that Mem0's client knows a memory by: its own, or that of the message whose place it took. */
export function publicId({ id, name }: Memory): string {
  return name?.startsWith(IN_PLACE_OF) === true ? name.slice(IN_PLACE_OF.length) : id
}

/** What a filter can ask of a memory and is shown with it. */
function fieldsOf(memory: Memory, row: ScopeRow) {
  return {
    ...entitiesOf(row),
    run_id: runOf(memory.session),
    metadata: splitMetadata(memory).given,
    /** Keepsake makes none. */
    categories: [],
    created_at: isoTime(memory.learnedAt),
    updated_at: updatedAt(memory),
    /** Keepsake's form: `fact` is one statement, `utterance` what was said, `note` what was handed in as it is. */
    memory_type: memory.form,
  }
}

/** A memory as Mem0's clients read it. Snake case: they turn it into camel case themselves. */
export type Mem0Memory = ReturnType<typeof presentMemory>

export function presentMemory(memory: Memory, row: ScopeRow) {
  return {
    id: publicId(memory),
    memory: memory.text,
    hash: createHash('md5').update(memory.text).digest('hex'),
    /** When it ceased to be so: superseded, or until when it was said to hold. */
    expiration_date: memory.validUntil === null ? null : isoTime(memory.validUntil),
    ...fieldsOf(memory, row),
  }
}

/** Everything that a filter can ask of a memory. */
export function filterable(memory: Memory, row: ScopeRow): Metadata {
  const { feedback = null, feedback_reason = null } = splitMetadata(memory).own
  const texts = { keywords: memory.text, memory_ids: publicId(memory) }
  return { ...fieldsOf(memory, row), ...texts, feedback, feedback_reason }
}

function updatedAt(memory: Memory): string {
  const { updated_at: updated } = splitMetadata(memory).own
  return updated ?? isoTime(Math.max(memory.learnedAt, ...memory.past.map(({ validUntil }) => validUntil)))
}

export const isoTime = (at: number): string => new Date(at).toISOString()

/** Whether it is no longer so: another statement took its place, or its time is over. */
export function isOver({ validUntil }: Memory, now: number): boolean {
  return validUntil !== null && validUntil <= now
}
