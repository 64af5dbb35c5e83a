import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { IndexRows, Store } from '../store.ts'
import { Connection } from './connection.ts'
import { LongReader } from './long-reader.ts'
import { openDatabase } from './open-database.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { readIndexInSteps, readIndexRows } from './read-index.ts'
import { keepStatements } from './sql.ts'

const TURNS = 1_100
let folder: string
let path: string
let store: Store
let ada: ScopeRow

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-reader-'))
  path = join(folder, 'memory.db')
  store = await openSqliteStore({ path })
  ada = await store.ensureScope({ tenant: 'default', user: 'ada', agent: null, app: null })
  await append(0, TURNS)
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

async function append(from: number, count: number): Promise<void> {
  const turns = Array.from({ length: count }, (_, index) => ({
    id: `t${from + index}`,
    role: 'user' as const,
    speaker: null,
    text: `Line ${from + index}.`,
    at: 1,
    timeZone: null,
    metadata: null,
    document: {
      analyser: 'test/1',
      embedder: null,
      terms: ['line', String(index)],
      traits: 0,
      vector: null,
    },
  }))
  await store.append({ owner: ada.owner, scope: ada.scope, session: 's', turns, jobs: [] })
}

async function connect(): Promise<Connection> {
  const database = await openDatabase({ path, synchronous: 'normal', busyTimeoutMs: 5_000, readOnly: false })
  return new Connection(keepStatements(database), 5_000)
}

const told = ({ documents }: IndexRows) => documents.map(({ id, terms, position }) => [id, terms, position])

describe('rows for the index', () => {
  it('are read in steps where they are many, the same as in one go', async () => {
    const inSteps = vi.spyOn(Connection.prototype, 'readInSteps')
    const rows = await store.indexRows(ada.owner, 0)
    expect(inSteps).toHaveBeenCalledOnce()
    const connection = await connect()
    expect(told(rows)).toEqual(told(await connection.read((sql) => readIndexRows(sql, ada.owner, 0))))
    expect(rows.documents).toHaveLength(TURNS)
    await connection.close()
  })

  it('are read in one go where they are few', async () => {
    const { version } = await store.indexRows(ada.owner, 0)
    await append(TURNS, 10)
    const inSteps = vi.spyOn(Connection.prototype, 'readInSteps')
    expect((await store.indexRows(ada.owner, version.revision)).documents).toHaveLength(10)
    expect(inSteps).not.toHaveBeenCalled()
  })

  it('are those of the moment it began, and whoever writes meanwhile waits for nothing', async () => {
    const before = await store.version(ada.owner)
    const connection = await connect()
    let steps = 0
    const rows = await connection.readInSteps(
      (sql) => readIndexInSteps(sql, ada.owner, 0),
      async () => {
        steps += 1
        if (steps === 1) await append(TURNS, 1)
      },
    )
    expect(steps).toBe(Math.ceil(TURNS / 256))
    expect(rows.version).toEqual(before)
    expect(rows.documents).toHaveLength(TURNS)
    expect((await store.version(ada.owner)).revision).toBeGreaterThan(before.revision)
    await connection.close()
  })

  it('are read one after another by all who ask, and in one go where no other connection can be had', async () => {
    let opened = 0
    const reader = new LongReader(() => {
      opened += 1
      return connect()
    })
    const read = () =>
      reader.read(
        (sql) => readIndexInSteps(sql, ada.owner, 0),
        () => store.indexRows(ada.owner, 0),
      )
    const all = await Promise.all([read(), read(), read()])
    expect(all.map(({ documents }) => documents.length)).toEqual([TURNS, TURNS, TURNS])
    await reader.close()
    expect((await read()).documents).toHaveLength(TURNS)
    expect(opened).toBe(1)
    const without = new LongReader(() => Promise.reject(new Error('no more files')))
    const alone = await without.read(
      () => expect.fail('nothing to read by'),
      () => Promise.resolve('in one go'),
    )
    expect(alone).toBe('in one go')
    await without.close()
  })
})
