// Converts between rows of the database and records of the model: terms, vectors, JSON and memories.
import { endianness } from 'node:os'
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { InvalidInputError } from '@keepsake/text'
import { changeFromBlank, MAX_ROUNDS, memoryFromBlank } from '../../memories/apply-operation.ts'
import type { Memory, Origin } from '../../memories/memory.ts'
import type { MemoryChange, NewOperation, Operation, Tally, MemoryRef } from '../../memories/operation.ts'
import type { Metadata } from '@keepsake/text/names'
import type { Turn } from '../../turns/turn.ts'
import type { NewDocument, StoredMemory, UsageCount } from '../store.ts'
import type { NewRow, Tables } from './tables.ts'

/** ASCII's unit separator, a control character that no analyser puts into a term. */
const SEPARATOR = '\u001f'

/** @throws InvalidInputError if the only term is empty or a term contains the separator, since terms could not be decoded. */
export function encodeTerms(terms: readonly string[]): string {
  const joined = terms.join(SEPARATOR)
  if (terms.length > 0 && joined.split(SEPARATOR).length !== terms.length)
    throw new InvalidInputError(
      'A term of a document holds the character U+001F. Analysers must not make such terms.',
    )
  if (terms.length === 1 && joined === '')
    throw new InvalidInputError('The only term of a document is empty. Analysers must not make such terms.')
  return joined
}

export function decodeTerms(text: string): string[] {
  return text === '' ? [] : text.split(SEPARATOR)
}

/** Encodes as little-endian Float32 on every machine, so that a file can be moved to another machine. */
export function encodeVector(vector: Float32Array | null): Buffer | null {
  if (vector === null) return null
  if (endianness() === 'LE') return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  return Buffer.from(vector.slice().buffer).swap32()
}

export function decodeVector(blob: Uint8Array): Float32Array {
  const isAligned = blob.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0
  const length = blob.byteLength / Float32Array.BYTES_PER_ELEMENT
  if (isAligned && endianness() === 'LE') return new Float32Array(blob.buffer, blob.byteOffset, length)
  const copy = Buffer.from(Uint8Array.from(blob).buffer)
  if (endianness() === 'BE') copy.swap32()
  return new Float32Array(copy.buffer, copy.byteOffset, length)
}

export function encodeJson(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

export function decodeMetadata(text: string | null): Metadata | null {
  return text === null ? null : (JSON.parse(text) as Metadata)
}

export function documentRow(userId: number, revision: number, document: NewDocument): NewRow<'documents'> {
  return {
    user_id: userId,
    kind: document.kind,
    id: document.id,
    revision,
    analyser: document.analyser,
    traits: document.traits,
    terms: encodeTerms(document.terms),
    embedder: document.embedder,
    vector: encodeVector(document.vector),
  }
}

type DocumentCells = Omit<Selectable<Tables['documents']>, 'user_id' | 'revision'>

export function documentOf(row: DocumentCells): NewDocument {
  const { id, kind, traits, analyser, embedder } = row
  return {
    id,
    kind,
    terms: decodeTerms(row.terms),
    traits,
    analyser,
    vector: row.vector === null ? null : decodeVector(row.vector),
    embedder,
  }
}

type TurnCells = Omit<Selectable<Tables['turns']>, 'user_id' | 'revision' | 'session'>

/** Decodes a turn. `session` is the id of its session. The text of an erased turn is empty. */
export function turnOf(row: TurnCells, session: string): Turn {
  return {
    id: row.id,
    scope: row.scope_id,
    session,
    position: row.position,
    role: row.role,
    speaker: row.speaker,
    text: row.text ?? '',
    at: row.at,
    timeZone: row.time_zone,
    metadata: decodeMetadata(row.metadata),
  }
}

export interface MemoryPlace {
  readonly userId: number
  /** Sequence of the operation that created it. */
  readonly number: number
  /** Sequence of the last operation that changed it. */
  readonly sequence: number
  readonly revision: number
}

export function memoryRow(
  { userId, number, sequence, revision }: MemoryPlace,
  memory: Memory,
): NewRow<'memories'> {
  return {
    user_id: userId,
    number,
    id: memory.id,
    scope_id: memory.scope,
    sequence,
    revision,
    status: memory.status,
    form: memory.form,
    type: memory.type,
    session: memory.session,
    name: memory.status === 'live' ? memory.name : null,
    learned_at: memory.learnedAt,
    valid_until: memory.validUntil,
    metadata: encodeJson(memory.metadata),
    state: JSON.stringify(changeFromBlank(memory)),
  }
}

export function memoryOf(
  row: Pick<Selectable<Tables['memories']>, 'id' | 'scope_id' | 'sequence' | 'state'>,
): StoredMemory {
  const change = JSON.parse(row.state) as MemoryChange
  return { memory: memoryFromBlank(row.id, row.scope_id, change), sequence: row.sequence }
}

export function operationRow(userId: number, operation: Operation): NewRow<'operations'> {
  return {
    user_id: userId,
    sequence: operation.sequence,
    id: operation.id,
    scope_id: operation.scope,
    kind: operation.kind,
    memory: operation.memory,
    at: operation.at,
    origin: JSON.stringify(operation.origin),
    session_number: operation.sessionNumber,
    round: operation.round,
    parent: operation.parent,
    undoes: operation.undoes,
    touched: operation.touched.length === 0 ? null : JSON.stringify(operation.touched),
    before: encodeJson(operation.payload?.before),
    after: encodeJson(operation.payload?.after),
  }
}

export function operationOf(row: Omit<Selectable<Tables['operations']>, 'user_id'>): Operation {
  return {
    id: row.id,
    sequence: row.sequence,
    scope: row.scope_id,
    kind: row.kind,
    memory: row.memory,
    at: row.at,
    origin: JSON.parse(row.origin) as Origin,
    parent: row.parent,
    undoes: row.undoes,
    touched: row.touched === null ? [] : (JSON.parse(row.touched) as MemoryRef[]),
    sessionNumber: row.session_number,
    round: row.round,
    payload: payloadOf(row),
  }
}

function payloadOf({
  before,
  after,
}: Pick<Selectable<Tables['operations']>, 'before' | 'after'>): Operation['payload'] {
  if (after === null) return null
  return {
    before: before === null ? null : (JSON.parse(before) as MemoryChange),
    after: JSON.parse(after) as MemoryChange,
  }
}

export function memoriesTouched({ memory, touched }: Pick<NewOperation, 'memory' | 'touched'>): string[] {
  return memory === null ? touched.map((ref) => ref.memory) : [memory]
}

/** Value of `second_at` after the suppression of a memory was lifted. */
const LIFTED = -1

export function usageRow(userId: number, { memory, tally }: UsageCount): Omit<NewRow<'usage'>, 'revision'> {
  const { secondAt } = tally
  return {
    user_id: userId,
    memory_id: memory,
    first: tally.first,
    second: tally.second,
    rounds: tally.rounds.map((round) => `,${round}`).join(''),
    second_at: secondAt === undefined ? null : (secondAt ?? LIFTED),
    last_session: tally.lastSession,
    last_at: tally.lastAt,
  }
}

export function usageOf(row: Omit<Selectable<Tables['usage']>, 'user_id' | 'revision'>): UsageCount {
  // Earlier versions cut the list in the middle of a round, so everything before the first comma is dropped.
  const rounds = row.rounds.split(',').slice(1).map(Number)
  const secondAt = row.second_at === LIFTED ? null : row.second_at
  const tally: Tally = {
    first: row.first,
    second: row.second,
    rounds: [...new Set(rounds)].slice(-MAX_ROUNDS),
    ...(row.second_at === null ? {} : { secondAt }),
    lastSession: row.last_session,
    lastAt: row.last_at,
  }
  return { memory: row.memory_id, tally }
}

/** Makes the id that replaces an erased one, which may name a person, and that shows a repeat was erased. */
export function erasedId(id: string): string {
  return `erased-${createHash('sha256').update(`keepsake erased\0${id}`).digest('base64url').slice(0, 22)}`
}
