import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { candidateOf } from '../memories/candidate.ts'
import { memoryOf, type NewMemory } from '../memories/make-memory.ts'
import type { Memory } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { describe, LONGEST_TURN, readName, readTime } from '../turns/normalise-turns.ts'
import { admitMetadata } from '../work/admit-metadata.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'

export interface NoteOptions {
  /**
   * The application's own name for it, unique in the scope: a note of that name is changed in place of another being made. At most 512
   * characters; hash longer ones.
   */
  readonly name?: string
  readonly metadata?: Metadata
  /** `false`: metadata stays exactly as it is given, secrets too, for what has to come back as it went in. Its words are masked all the same. */
  readonly maskMetadata?: boolean
  /** The session it counts to; none when absent. */
  readonly session?: string
  /** From when it holds. Now when absent. */
  readonly at?: Date | number | string
}

/** A note as read at the boundary. */
interface ReadNote {
  readonly text: string
  readonly name: string | null
  readonly metadata: Metadata | null
  readonly session: string
  readonly at: number
}

async function readNote(engine: Engine, text: unknown, options: NoteOptions): Promise<ReadNote> {
  if (typeof text !== 'string' || text.length > LONGEST_TURN)
    throw new InvalidInputError(
      `A note must be a text of at most ${LONGEST_TURN} characters, but it is ${describe(text)}.`,
    )
  const { name, session, at } = options
  const { maskSecrets } = options.maskMetadata === false ? { maskSecrets: null } : engine
  const metadata = await admitMetadata({ maskSecrets }, options.metadata, 'metadata')
  if (text.trim() === '' && metadata === null)
    throw new InvalidInputError('A note without words needs metadata: there would be nothing to keep.')
  const wellFormed = text.toWellFormed()
  return {
    text: engine.maskSecrets === null ? wellFormed : (await engine.maskSecrets(wellFormed)).text,
    name: name === undefined ? null : readName(name, 'name'),
    metadata,
    session: session === undefined ? '' : readName(session, 'session'),
    at: at === undefined ? engine.now() : readTime(at, 'at'),
  }
}

/**
 * Keeps what the application states about a person and nobody said: recalled by its words as facts are, never forgotten by
 * the policy, never merged with what is drawn from talk, and shown to no model that draws.
 */
export async function keepNote(
  engine: Engine,
  row: ScopeRow,
  text: string,
  options: NoteOptions,
): Promise<Memory> {
  const note = await readNote(engine, text, options)
  return (await decideAndCommit(engine, row, (unit) => writeNote(unit, note))).result
}

/** Changes the note of that name, or makes one. Its words are replaced, not superseded: a note has no past that questions find. */
function writeNote(unit: UnitOfWork, note: ReadNote): Memory {
  const { engine, row, cache, changes } = unit
  const origin = originOf(engine, 'api')
  const known = note.name === null ? undefined : cache.named(row.scope, note.name)
  if (known === undefined) return changes.add(newNote(unit, note), origin)
  const change: MemoryChange = {
    ...(known.text === note.text ? {} : { text: note.text }),
    ...(isDeepStrictEqual(known.metadata, note.metadata) ? {} : { metadata: note.metadata }),
  }
  if (Object.keys(change).length > 0) changes.change('modify', known.id, change, origin)
  return changes.read(known.id) ?? known
}

function newNote({ moment }: UnitOfWork, { text, name, metadata, session, at }: ReadNote): NewMemory {
  const { sessionNumber, round } = moment
  const candidate = candidateOf({ form: 'note', text, validFrom: at })
  return memoryOf(candidate, { session, sessionNumber, round, learnedAt: at }, { name, metadata })
}
