import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { AppendRequest, Store } from '../store.ts'
import { appendInSteps } from './append-turns.ts'
import { Connection } from './connection.ts'
import { LongWriter, type Steps } from './long-writer.ts'
import { openDatabase } from './open-database.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { keepStatements, type Sql } from './sql.ts'

const TURNS = 1_000
const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }

let folder: string
let path: string
let store: Store
let ada: ScopeRow

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-long-'))
  path = join(folder, 'memory.db')
  store = await openSqliteStore({ path })
  ada = await store.ensureScope(ADA)
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

function requestOf({ owner, scope }: ScopeRow, badAt = -1): AppendRequest {
  const turns = Array.from({ length: TURNS }, (_, index) => ({
    id: `t${index}`,
    role: 'user' as const,
    speaker: null,
    text: `Line ${index}.`,
    at: 1,
    timeZone: null,
    metadata: null,
    document: {
      analyser: 'test/1',
      embedder: null,
      terms: index === badAt ? ['a\u001fb', 'c'] : ['line', String(index)],
      traits: 0,
      vector: null,
    },
  }))
  return { owner, scope, session: 's', turns, jobs: [] }
}

async function connect(): Promise<Connection> {
  const database = await openDatabase({ path, synchronous: 'normal', busyTimeoutMs: 5_000, readOnly: false })
  return new Connection(keepStatements(database), 5_000)
}

const countTurns = (sql: Sql): number => sql.value<number>`SELECT count(*) FROM turns` ?? 0

it('a thousand turns are stored in steps, of which others see nothing before the end', async () => {
  const [writer, reader] = [await connect(), await connect()]
  const seen: number[] = []
  const between = async (): Promise<void> => void seen.push(await reader.read(countTurns))
  const result = await writer.callInSteps((sql) => appendInSteps(sql, requestOf(ada), 'home'), between)
  expect(result.added).toHaveLength(TURNS)
  expect(seen.length).toBeGreaterThanOrEqual(20)
  expect(new Set(seen)).toEqual(new Set([0]))
  expect(await reader.read(countTurns)).toBe(TURNS)
  await writer.close()
  await reader.close()
})

it('nothing is there of a call that fails amid its turns, and the next is stored', async () => {
  await expect(store.append(requestOf(ada, 900))).rejects.toThrow('U+001F')
  expect(await store.turns({ owner: ada.owner, scopes: [ada.scope] })).toEqual([])
  const { added } = await store.append(requestOf(ada))
  expect(added).toHaveLength(TURNS)
})

it('who writes meanwhile waits for the end, and goes before the next that is much', async () => {
  const [main, beside] = [await connect(), await connect()]
  const long = new LongWriter(async () => beside)
  main.waitFor(long)
  const done: string[] = []
  const half = Promise.withResolvers<void>()
  const stepsOf = (name: string) =>
    function* steps(sql: Sql): Steps<void> {
      sql.run`UPDATE owners SET revision = revision + 1`
      half.resolve()
      yield
      done.push(name)
    }
  const nothing = async (): Promise<void> => undefined
  const first = long.write(stepsOf('first'), nothing)
  const second = long.write(stepsOf('second'), nothing)
  await half.promise
  const short = main.call((sql) => sql.write(() => void done.push('short')))
  await Promise.all([first, second, short])
  expect(done).toEqual(['first', 'short', 'second'])
  await main.close()
})

it('what must not be met by another connection has it written in one go', async () => {
  const long = new LongWriter(connect)
  const written = await long.without(() =>
    long.write(
      function* steps(): Steps<string> {
        yield
        return 'in steps'
      },
      async () => 'in one go',
    ),
  )
  expect(written).toBe('in one go')
  await long.close()
})

it('closing waits for what is under way, which is all there', async () => {
  const appending = store.append(requestOf(ada))
  await store.close()
  expect((await appending).added).toHaveLength(TURNS)
  store = await openSqliteStore({ path })
  expect(await store.turns({ owner: ada.owner, scopes: [ada.scope] })).toHaveLength(TURNS)
})
