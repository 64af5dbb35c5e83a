// Connects Kysely to `@libsql/client`.
import type { Client, InValue, ResultSet, Transaction, Value } from '@libsql/client'
import { escapeNul, isSqliteBusy, unescapeNul } from 'keepsake/store'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'

/** Settings of the connection to a file. A server has its own settings. */
const SETTINGS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA foreign_keys = ON',
  'PRAGMA temp_store = MEMORY',
  // Overwrites deleted content with zeros.
  'PRAGMA secure_delete = ON',
]

/** Makes a Kysely dialect for a client. @param isLocal whether the database is a file, which allows one connection at a time */
export function libsqlDialect(client: Client, isLocal: boolean): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new LibsqlDriver(client, isLocal),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class LibsqlDriver implements Driver {
  readonly #client: Client
  readonly #isLocal: boolean
  #last: Promise<void> = Promise.resolve()

  constructor(client: Client, isLocal: boolean) {
    this.#client = client
    this.#isLocal = isLocal
  }

  async init(): Promise<void> {
    if (this.#isLocal) for (const setting of SETTINGS) await this.#client.execute(setting)
  }

  async acquireConnection(): Promise<LibsqlConnection> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#isLocal) {
      const previous = this.#last
      this.#last = promise
      await previous
    }
    return new LibsqlConnection(this.#client, this.#isLocal, resolve)
  }

  async beginTransaction(connection: LibsqlConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: LibsqlConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: LibsqlConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /** Reconnects after a lock error: the driver keeps the failed statement open, and no later transaction could commit. */
  async releaseConnection(connection: LibsqlConnection): Promise<void> {
    try {
      connection.endTransaction()
      if (!connection.isStuck) return
      this.#client.reconnect()
      await this.init()
    } finally {
      connection.release()
    }
  }

  async destroy(): Promise<void> {
    this.#client.close()
  }
}

/** A connection for Kysely. The client has no lasting connections, so statements after `begin` use one of its transactions. */
class LibsqlConnection implements DatabaseConnection {
  readonly release: () => void
  isStuck = false
  readonly #client: Client
  readonly #isLocal: boolean
  #transaction: Transaction | null = null

  constructor(client: Client, isLocal: boolean, release: () => void) {
    this.#client = client
    this.#isLocal = isLocal
    this.release = release
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (sql === 'begin' || sql === 'begin immediate') {
      // Fails if the file is locked. Unlike a failed `transaction`, this leaves no open statement.
      if (this.#isLocal && sql !== 'begin') await this.#client.executeMultiple('BEGIN IMMEDIATE; ROLLBACK')
      this.#transaction = await this.#markStuck(this.#client.transaction(sql === 'begin' ? 'read' : 'write'))
      return { rows: [] }
    }
    if (sql === 'commit' || sql === 'rollback') {
      const transaction = this.#transaction
      this.#transaction = null
      if (transaction !== null) await this.#markStuck(transaction[sql]())
      return { rows: [] }
    }
    const target = this.#transaction ?? this.#client
    const args = parameters.map((value) =>
      typeof value === 'string' ? escapeNul(value) : (value as InValue),
    )
    return resultOf(await this.#markStuck(target.execute({ sql, args })))
  }

  async #markStuck<Result>(promise: Promise<Result>): Promise<Result> {
    try {
      return await promise
    } catch (error) {
      if (this.#isLocal && isSqliteBusy(error)) this.isStuck = true
      throw error
    }
  }

  // oxlint-disable-next-line require-yield -- Keepsake streams by pages
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('This dialect does not stream.')
  }

  endTransaction(): void {
    this.#transaction?.close()
    this.#transaction = null
  }
}

function resultOf<Row>({ rows, columns, rowsAffected, lastInsertRowid }: ResultSet): QueryResult<Row> {
  const read = (value: Value | undefined): unknown => {
    if (value instanceof ArrayBuffer) return new Uint8Array(value)
    return typeof value === 'string' ? unescapeNul(value) : value
  }
  return {
    rows: rows.map((row) => Object.fromEntries(columns.map((column) => [column, read(row[column])])) as Row),
    numAffectedRows: BigInt(rowsAffected),
    ...(lastInsertRowid === undefined ? {} : { insertId: lastInsertRowid }),
  }
}
