// Stores notes of the application.
import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError, readMoment, readName, readText } from '@keepsake/text'
import { NotPossibleError } from '../errors/errors.ts'
import { candidateOf, memoryOf, type NewMemory } from '../memories/candidate.ts'
import type { Memory } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import type { Metadata } from '@keepsake/text/names'
import { readMetadata } from '@keepsake/text/names'
import type { ScopeRow } from '../scopes/scope.ts'
import { admitMetadata } from '../metadata/admit-metadata.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'

/** Options of `note()`. */
export interface NoteOptions {
  /** The application's name for the note, unique in the scope, to change it later. At most 512 characters. */
  readonly name?: string
  readonly metadata?: Metadata
  /** With `false`, secrets in the metadata are not masked. Secrets in the text always are, and an import masks both. */
  readonly maskMetadata?: boolean
  /** The session of the note; none when absent. */
  readonly session?: string
  /** Start of validity. Now when absent. */
  readonly at?: Date | number | string
}

/** A note after its check. */
interface NoteContent {
  readonly text: string
  readonly name: string | null
  readonly metadata: Metadata | null
  readonly session: string
  readonly at: number
}

/** Reads the metadata of a note. Unmasked metadata does no harm: no model reads it and no search finds it. */
async function readNoteMetadata(
  engine: Engine,
  { metadata, maskMetadata }: NoteOptions,
): Promise<Metadata | null> {
  if (maskMetadata !== false) return admitMetadata(engine, metadata, 'metadata')
  return metadata === undefined || metadata === null ? null : readMetadata(metadata, 'metadata')
}

async function readNote(engine: Engine, text: unknown, options: NoteOptions): Promise<NoteContent> {
  const admitted = await engine.textGate.admit(readText(text, 'A note'))
  const metadata = await readNoteMetadata(engine, options)
  if (admitted.trim() === '' && metadata === null)
    throw new InvalidInputError('A note without words needs metadata: there would be nothing to keep.')
  const name = options.name === undefined ? null : readName(options.name, 'name')
  const session = options.session === undefined ? '' : readName(options.session, 'session')
  await engine.textGate.requireNames({ name, session: options.session })
  const at = options.at === undefined ? engine.now() : readMoment(options.at, 'at', engine.now())
  return { text: admitted, name, metadata, session, at }
}

/** Stores a note. It is recalled like a fact, but never forgotten by a policy, merged, or shown to extraction. */
export async function keepNote(
  engine: Engine,
  row: ScopeRow,
  text: string,
  options: NoteOptions,
): Promise<Memory> {
  const note = await readNote(engine, text, options)
  return (await decideAndCommit(engine, row, (unit) => writeNote(unit, note))).result
}

/** Changes the note of that name, or makes one. The former text does not become a past version. */
function writeNote(unit: UnitOfWork, note: NoteContent): Memory {
  const { engine, changes } = unit
  const origin = originOf(engine, 'api')
  const known = note.name === null ? undefined : memoryNamed(unit, note.name, 'note')
  if (known === undefined) return changes.add(newNote(unit, note), origin)
  const change: MemoryChange = {
    ...(known.text === note.text ? {} : { text: note.text }),
    ...(isDeepStrictEqual(known.metadata, note.metadata) ? {} : { metadata: note.metadata }),
  }
  if (Object.keys(change).length > 0) changes.change('modify', known.id, change, origin)
  return changes.read(known.id) ?? known
}

/** Returns the live note or block of that name. @throws NotPossibleError when the name belongs to the other form */
export function memoryNamed(
  { row, state }: Pick<UnitOfWork, 'row' | 'state'>,
  name: string,
  form: 'note' | 'block',
): Memory | undefined {
  const known = state.memoryNamed(row.scope, name)
  if (known === undefined || known.form === form) return known
  throw new NotPossibleError(`The name "${name}" belongs to a ${known.form}. Choose another name.`, { name })
}

function newNote({ moment }: UnitOfWork, { text, name, metadata, session, at }: NoteContent): NewMemory {
  const { sessionNumber, round } = moment
  const candidate = candidateOf({ form: 'note', text, validFrom: at })
  return memoryOf(candidate, { session, sessionNumber, round, learnedAt: at }, { name, metadata })
}
