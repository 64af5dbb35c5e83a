import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ADA, turnOf } from '../contract/samples.ts'
import type { Store } from '../store.ts'
import { Connection } from './connection.ts'
import { KnownScopes } from './known-scopes.ts'
import { openDatabase } from './open-database.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { keepStatements, type Sql } from './sql.ts'

let folder: string
let connection: Connection
let scopes: KnownScopes
let other: Store
/** Look-ups of scopes by their names. */
let looked: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
  const path = join(folder, 'memory.db')
  other = await openSqliteStore({ path })
  const database = await openDatabase({ path, synchronous: 'full', busyTimeoutMs: 5_000, readOnly: false })
  connection = new Connection(counting(keepStatements(database)))
  scopes = new KnownScopes(connection)
  looked = 0
})

afterEach(async () => {
  await connection.close()
  await other.close()
  rmSync(folder, { recursive: true })
})

function counting(sql: Sql): Sql {
  return {
    ...sql,
    all: (source, ...given) => {
      looked += 1
      return sql.all(source, ...given)
    },
  }
}

const ofAda = () => scopes.list({ tenant: 'default', user: 'ada' })

it('looks a person’s scopes up once, whatever other processes write of them and of others', async () => {
  const ada = await other.ensureScope(ADA)
  expect([await ofAda(), looked]).toEqual([[ada], 1])
  const bob = await other.ensureScope({ ...ADA, user: 'bob' })
  for (const one of [ada, bob]) await other.append(turnOf(one, 't1', 'I keep bees.'))
  expect([await ofAda(), looked]).toEqual([[ada], 1])
})

it('looks them up again when another process made one, and each time where there is nobody yet and somebody writes', async () => {
  expect([await ofAda(), await ofAda(), looked]).toEqual([[], [], 1])
  await other.ensureScope({ ...ADA, user: 'bob' })
  expect([await ofAda(), looked]).toEqual([[], 2])
  const ada = await other.ensureScope(ADA)
  expect([await ofAda(), looked]).toEqual([[ada], 3])
  const tutor = await other.ensureScope({ ...ADA, agent: 'tutor' })
  expect([await ofAda(), looked]).toEqual([[ada, tutor], 4])
})

it('finds nobody where a person was erased by another process, and whoever comes under that name since', async () => {
  const ada = await other.ensureScope(ADA)
  expect(await ofAda()).toEqual([ada])
  await other.erase({ id: 'erasure', owner: ada.owner, at: 0, target: 'person', operations: [] })
  expect(await ofAda()).toEqual([])
  const again = await other.ensureScope(ADA)
  expect(again.owner).not.toBe(ada.owner)
  expect(await ofAda()).toEqual([again])
})
