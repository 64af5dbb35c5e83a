import { readFileSync, writeFileSync } from 'node:fs'
import type { Database } from 'better-sqlite3'

/** What an empty database of the newest schema consists of: its statements, and the two numbers in its header. */
interface Schema {
  readonly statements: string
  readonly applicationId: number
  readonly version: number
}

/** The first that this process made, by the migrations: those that follow are made like it. The migrations' seven transactions take five times as long. */
let schema: Schema | null = null
/** The same as the bytes of a file, some 400 kB. */
let file: Buffer | null = null

/**
 * Takes an empty database to the newest schema, in one transaction.
 *
 * @param migrate does it by the migrations; called for the first database of a process alone
 */
export function fillNew(database: Database, migrate: () => void): void {
  if (schema === null) {
    migrate()
    schema = schemaOf(database)
    return
  }
  const { statements, applicationId, version } = schema
  const fill = database.transaction((): void => {
    database.exec(statements)
    database.pragma(`application_id = ${applicationId}`)
    database.pragma(`user_version = ${version}`)
  })
  fill.exclusive()
}

/**
 * Makes an empty file into a database of the newest schema, which is on the disk when this returns.
 *
 * @param make makes it, and lets go of it; called for the first file of a process alone
 */
export function writeNew(path: string, make: () => void): void {
  if (file !== null) return writeFileSync(path, file, { flush: true })
  make()
  file = readFileSync(path)
}

function schemaOf(database: Database): Schema {
  const list = (source: string): unknown[] => database.prepare(source).pluck().all()
  return {
    statements: list('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').join(';\n'),
    applicationId: Number(list('PRAGMA application_id')[0]),
    version: Number(list('PRAGMA user_version')[0]),
  }
}
