import Database from 'better-sqlite3'
import { InvalidInputError } from 'keepsake'
import type { ScopeKeyRow } from './namespace.ts'
import { scrubFile } from './scrub-file.ts'

/** `KITM` in the file's header. */
const APPLICATION_ID = 0x4b49544d
const SCHEMA = 1

/** An item as stored. */
export interface ItemRow extends ScopeKeyRow {
  readonly item: number
  readonly namespace: string
  readonly key: string
  /** Random: its session in Keepsake, and part of its turns' ids. */
  readonly id: string
  /** JSON; `null` once it is deleted, until its text is erased. */
  readonly value: string | null
  /** What Keepsake is to hold of it. */
  readonly text: string
  /** Rises when the text changes. */
  readonly version: number
  /** The version that Keepsake holds; 0 while it holds none. */
  readonly recorded: number
  /** The person's row in Keepsake when it was recorded: a person made anew after an erasure has another. */
  readonly owner: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a put writes. */
export interface ItemWrite extends ScopeKeyRow {
  readonly path: string
  readonly namespace: string
  readonly key: string
  readonly id: string
  readonly value: string
  readonly text: string
  readonly at: number
}

const CREATE = `
CREATE TABLE items (
  item       INTEGER PRIMARY KEY,
  path       TEXT NOT NULL,
  namespace  TEXT NOT NULL,
  key        TEXT NOT NULL,
  id         TEXT NOT NULL UNIQUE,
  value      TEXT,
  text       TEXT NOT NULL,
  tenant     TEXT NOT NULL,
  user       TEXT NOT NULL,
  agent      TEXT,
  app        TEXT,
  version    INTEGER NOT NULL,
  recorded   INTEGER NOT NULL,
  owner      INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (path, key)
) STRICT;
CREATE INDEX items_pending ON items (item) WHERE value IS NULL OR recorded <> version;
CREATE TABLE scrubs (due INTEGER NOT NULL) STRICT;
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA};`

const COLUMNS = `item, namespace, key, id, value, text, tenant, user, agent, app, version, recorded, owner,
  created_at AS createdAt, updated_at AS updatedAt`
/** Paths that begin with one: its last character is a colon, and a semicolon follows that. */
const UNDER = `(@path = '' OR (path >= @path AND path < substr(@path, 1, length(@path) - 1) || ';'))`

/** Items' exact values, in a SQLite file of their own. Every call is one statement or transaction. */
export class ItemsFile {
  readonly #database: Database.Database

  /** @throws InvalidInputError for another program's file. */
  constructor(path: string) {
    this.#database = new Database(path)
    try {
      this.#prepare(path)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  #prepare(path: string): void {
    const database = this.#database
    const application = Number(database.pragma('application_id', { simple: true }))
    const version = Number(database.pragma('user_version', { simple: true }))
    const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
    if (application !== APPLICATION_ID && (application !== 0 || tables !== 0))
      throw new InvalidInputError(
        `"${path}" is another program's database, or a memory itself. It was not changed. Give the items a file of their own, such as "items.db".`,
      )
    if (version > SCHEMA)
      throw new InvalidInputError(
        `"${path}" was made by a newer @keepsake/langchain (schema ${version}; this one knows ${SCHEMA}). It was not changed. Update the package.`,
      )
    database.pragma('journal_mode = WAL')
    // Power may fail at any time: what was acknowledged stays.
    database.pragma('synchronous = FULL')
    database.pragma('secure_delete = ON')
    database
      .transaction(() => {
        if (database.pragma('user_version', { simple: true }) === 0) database.exec(CREATE)
      })
      .immediate()
  }

  get(path: string, key: string): ItemRow | undefined {
    return this.#all<ItemRow>(
      `SELECT ${COLUMNS} FROM items WHERE path = ? AND key = ? AND value IS NOT NULL`,
      path,
      key,
    )[0]
  }

  /** Living items under a path, oldest first, read as they are asked for. */
  *under(path: string): Generator<ItemRow> {
    // In pages, since a statement that is being read would block every write of this connection.
    let after = 0
    for (;;) {
      const page = this.#all<ItemRow>(
        `SELECT ${COLUMNS} FROM items WHERE ${UNDER} AND value IS NOT NULL AND item > @after ORDER BY item LIMIT 500`,
        { path, after },
      )
      yield* page
      const last = page.at(-1)
      if (last === undefined) return
      after = last.item
    }
  }

  /** Living items by id. */
  byIds(ids: readonly string[]): ItemRow[] {
    return this.#all<ItemRow>(
      `SELECT ${COLUMNS} FROM items WHERE value IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    )
  }

  /** The scopes that living items under a path are in, and the persons' rows in Keepsake. */
  scopesUnder(path: string): (ScopeKeyRow & Pick<ItemRow, 'owner'>)[] {
    return this.#all(
      `SELECT DISTINCT tenant, user, agent, app, owner FROM items WHERE ${UNDER} AND value IS NOT NULL`,
      { path },
    )
  }

  namespaces(): (ScopeKeyRow & Pick<ItemRow, 'owner' | 'namespace'>)[] {
    return this.#all(
      'SELECT DISTINCT namespace, tenant, user, agent, app, owner FROM items WHERE value IS NOT NULL',
    )
  }

  /** What Keepsake does not hold as it is here. */
  pending(): ItemRow[] {
    return this.#all<ItemRow>(
      `SELECT ${COLUMNS} FROM items WHERE value IS NULL OR recorded <> version ORDER BY item`,
    )
  }

  /** What Keepsake was told of. */
  recorded(): ItemRow[] {
    return this.#all<ItemRow>(`SELECT ${COLUMNS} FROM items WHERE recorded > 0 ORDER BY item`)
  }

  /** Does several writes, all or none. */
  together(work: () => void): void {
    this.#database.transaction(work).immediate()
  }

  put(write: ItemWrite): void {
    this.#run(
      `INSERT INTO items (path, namespace, key, id, value, text, tenant, user, agent, app, version, recorded, created_at, updated_at)
       VALUES (@path, @namespace, @key, @id, @value, @text, @tenant, @user, @agent, @app, 1, 0, @at, @at)
       ON CONFLICT (path, key) DO UPDATE SET
         version = version + (text <> excluded.text OR value IS NULL),
         created_at = iif(value IS NULL, excluded.created_at, created_at),
         value = excluded.value, text = excluded.text, updated_at = max(updated_at, excluded.updated_at)`,
      write,
    )
  }

  /** The value goes at once; the row stays until its text is erased. */
  markDeleted(path: string, key: string): void {
    this.#run(`UPDATE items SET value = NULL, text = '' WHERE path = ? AND key = ?`, path, key)
  }

  /** @returns whether the item still is of that version. */
  markRecorded({ item, version }: Pick<ItemRow, 'item' | 'version'>, owner: number): boolean {
    const change =
      'UPDATE items SET recorded = version, owner = ? WHERE item = ? AND version = ? AND value IS NOT NULL'
    return this.#run(change, owner, item, version) === 1
  }

  adopt(item: number, owner: number): void {
    this.#run('UPDATE items SET owner = ? WHERE item = ?', owner, item)
  }

  /** Removes rows and every byte of them. */
  remove(items: readonly number[]): void {
    if (items.length === 0) return
    this.together(() => {
      this.#run('DELETE FROM items WHERE item IN (SELECT value FROM json_each(?))', JSON.stringify(items))
      this.#run('INSERT INTO scrubs (due) VALUES (1)')
    })
    this.scrub()
  }

  /** Clears the file of what was removed, now or when others have let go of it. */
  scrub(): void {
    if (this.#all('SELECT due FROM scrubs LIMIT 1').length > 0) scrubFile(this.#database)
  }

  close(): void {
    this.#database.close()
  }

  #all<Row>(source: string, ...values: unknown[]): Row[] {
    return this.#database.prepare<unknown[], Row>(source).all(...values)
  }

  #run(source: string, ...values: unknown[]): number {
    return this.#database.prepare(source).run(...values).changes
  }
}
