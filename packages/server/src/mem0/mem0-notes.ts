import type { Database, Statement } from 'better-sqlite3'
import { openSideFile } from './open-side-file.ts'
import { APPLICATION_ID, SCHEMA, TABLES } from './notes-schema.ts'

/** JSON that a caller keeps with a memory. */
export type Metadata = Readonly<Record<string, unknown>>

/** The wall that a note stands behind. */
export interface Person {
  readonly tenant: string
  readonly user: string
}

/** What is noted of one memory, under the id that Mem0's client knows it by. */
export interface MemoryNote {
  readonly id: string
  /** Set by an update; `null`: that of the messages it was made from. */
  readonly metadata: Metadata | null
  readonly feedback: string | null
  readonly feedbackReason: string | null
}

/** What is noted of one person, looked up as it is asked for. */
export interface PersonNotes {
  /** By the memory's public id. */
  memory(id: string): MemoryNote | null
  /** The metadata that came with a turn. */
  turn(turn: string): Metadata | null
  /** The id that Mem0's client knows a memory of the engine by. */
  publicId(memory: string): string
  /** Whether a caller named such a run. */
  hasRun(run: string): boolean
}

interface NoteRow {
  readonly id: string
  readonly metadata: string | null
  readonly feedback: string | null
  readonly feedback_reason: string | null
}

/**
 * What Mem0's client expects to be kept and the engine has no place for: metadata, feedback, ids that outlive a rewritten
 * message, whose an id is. A SQLite file of its own beside the memory, cleared with whatever is erased.
 *
 * @example
 * const notes = openMem0Notes('memory.db.mem0')
 */
export class Mem0Notes {
  readonly #database: Database
  readonly #statements = new Map<string, Statement>()

  /** @internal Use `openMem0Notes()`. */
  constructor(database: Database) {
    this.#database = database
  }

  /** Remembers whose these memories are, so that an id alone finds them. */
  place({ tenant, user }: Person, ids: Iterable<string>): void {
    const insert = this.#statement('INSERT OR IGNORE INTO memories (id, tenant, user) VALUES (?, ?, ?)')
    this.#together(() => {
      for (const id of ids) insert.run(id, tenant, user)
    })
  }

  /** Whose a memory is; `null` for an id this door never gave out. */
  personOf(id: string): Person | null {
    const row = this.#statement<[string], Person>('SELECT tenant, user FROM memories WHERE id = ?').get(id)
    return row ?? null
  }

  /** The engine's ids that stood for a memory, oldest first: one, and another for each time its words were replaced. */
  versions(id: string): readonly string[] {
    const rows = this.#statement<[string], { memory: string }>(
      'SELECT memory FROM versions WHERE id = ? ORDER BY number',
    ).all(id)
    return [id, ...rows.map((row) => row.memory)]
  }

  /** From now on `memory` stands for `id`. */
  replace({ tenant, user }: Person, id: string, memory: string): void {
    this.#statement(
      `INSERT INTO versions (memory, id, number, tenant, user)
         SELECT ?, ?, 1 + coalesce(max(number), 0), ?, ? FROM versions WHERE id = ?`,
    ).run(memory, id, tenant, user, id)
  }

  noteTurns({ tenant, user }: Person, turns: readonly string[], metadata: Metadata): void {
    const insert = this.#statement(
      'INSERT OR REPLACE INTO turns (turn, tenant, user, metadata) VALUES (?, ?, ?, ?)',
    )
    const text = JSON.stringify(metadata)
    this.#together(() => {
      for (const turn of turns) insert.run(turn, tenant, user, text)
    })
  }

  noteRun({ tenant, user }: Person, run: string): void {
    this.#statement('INSERT OR IGNORE INTO runs (tenant, user, run) VALUES (?, ?, ?)').run(tenant, user, run)
  }

  noteMetadata(person: Person, id: string, metadata: Metadata): void {
    this.place(person, [id])
    this.#statement('UPDATE memories SET metadata = ? WHERE id = ?').run(JSON.stringify(metadata), id)
  }

  noteFeedback(person: Person, id: string, feedback: string | null, reason: string | null): void {
    this.place(person, [id])
    this.#statement('UPDATE memories SET feedback = ?, feedback_reason = ? WHERE id = ?').run(
      feedback,
      reason,
      id,
    )
  }

  /** What is noted of one person. */
  of({ tenant, user }: Person): PersonNotes {
    const own = <Row>(
      columns: string,
      table: (typeof TABLES)[number],
      key: string,
      value: string,
    ): Row | null =>
      this.#statement<[string, string, string], Row>(
        `SELECT ${columns} FROM ${table} WHERE ${key} = ? AND tenant = ? AND user = ?`,
      ).get(value, tenant, user) ?? null
    return {
      memory: (id) => {
        const row = own<NoteRow>('id, metadata, feedback, feedback_reason', 'memories', 'id', id)
        return row === null ? null : readNote(row)
      },
      turn: (turn) => {
        const row = own<{ metadata: string }>('metadata', 'turns', 'turn', turn)
        return row === null ? null : readMetadata(row.metadata)
      },
      publicId: (memory) => own<{ id: string }>('id', 'versions', 'memory', memory)?.id ?? memory,
      hasRun: (run) => own('run', 'runs', 'run', run) !== null,
    }
  }

  /** Runs of one tenant and whose they are. */
  runs(tenant: string): readonly { readonly user: string; readonly run: string }[] {
    return this.#statement<[string], { user: string; run: string }>(
      'SELECT user, run FROM runs WHERE tenant = ? ORDER BY run, user',
    ).all(tenant)
  }

  /** Turns of a person that came with metadata. */
  turnsOf({ tenant, user }: Person): readonly string[] {
    const rows = this.#statement<[string, string], { turn: string }>(
      'SELECT turn FROM turns WHERE tenant = ? AND user = ?',
    ).all(tenant, user)
    return rows.map((row) => row.turn)
  }

  /** How many of a person's memories were erased when their notes were last cleared. */
  sweptTo({ tenant, user }: Person): number {
    const row = this.#statement<[string, string], { erased: number }>(
      'SELECT erased FROM sweeps WHERE tenant = ? AND user = ?',
    ).get(tenant, user)
    return row?.erased ?? 0
  }

  noteSwept({ tenant, user }: Person, erased: number): void {
    this.#statement('INSERT OR REPLACE INTO sweeps (tenant, user, erased) VALUES (?, ?, ?)').run(
      tenant,
      user,
      erased,
    )
  }

  /** Everybody of whom anything is noted. */
  people(): readonly Person[] {
    const each = TABLES.map((table) => `SELECT tenant, user FROM ${table}`).join(' UNION ')
    return this.#statement<[], Person>(each).all()
  }

  /** Forgets all that is noted of a person. */
  erasePerson({ tenant, user }: Person): void {
    this.#together(() => {
      for (const table of TABLES)
        this.#statement(`DELETE FROM ${table} WHERE tenant = ? AND user = ?`).run(tenant, user)
    })
  }

  /** Forgets what is noted of these memories (ids of the engine), turns and runs. */
  erase(
    { tenant, user }: Person,
    gone: {
      readonly memories: readonly string[]
      readonly turns: readonly string[]
      readonly runs: readonly string[]
    },
  ): void {
    const memory = this.#statement(
      'DELETE FROM memories WHERE id = ? OR id = (SELECT id FROM versions WHERE memory = ?)',
    )
    const version = this.#statement('DELETE FROM versions WHERE memory = ?')
    const turn = this.#statement('DELETE FROM turns WHERE tenant = ? AND user = ? AND turn = ?')
    const run = this.#statement('DELETE FROM runs WHERE tenant = ? AND user = ? AND run = ?')
    this.#together(() => {
      for (const id of gone.memories) {
        memory.run(id, id)
        version.run(id)
      }
      for (const id of gone.turns) turn.run(tenant, user, id)
      for (const id of gone.runs) run.run(tenant, user, id)
    })
  }

  /** Clears the journal, which may still hold what was deleted. */
  scrub(): void {
    this.#database.pragma('wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#database.close()
  }

  /** Prepared once: its text is a constant of this file. */
  #statement<Bound extends unknown[] = unknown[], Row = unknown>(source: string): Statement<Bound, Row> {
    const kept = this.#statements.get(source) ?? this.#database.prepare(source)
    this.#statements.set(source, kept)
    return kept as unknown as Statement<Bound, Row>
  }

  #together(work: () => void): void {
    this.#database.transaction(work).immediate()
  }
}

/**
 * Opens the notes, in a file made when missing; `:memory:` keeps nothing.
 *
 * @throws InvalidInputError or StoreError when the file cannot be used.
 */
export function openMem0Notes(path: string): Mem0Notes {
  return new Mem0Notes(
    openSideFile({
      path,
      what: 'what Mem0’s client keeps with memories',
      application: APPLICATION_ID,
      schema: SCHEMA,
      synchronous: 'full',
    }),
  )
}

function readNote({ id, metadata, feedback, feedback_reason }: NoteRow): MemoryNote {
  return {
    id,
    metadata: metadata === null ? null : readMetadata(metadata),
    feedback,
    feedbackReason: feedback_reason,
  }
}

/** This door wrote it from an object. */
const readMetadata = (text: string): Metadata => JSON.parse(text) as Metadata
