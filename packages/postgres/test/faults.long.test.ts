import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory } from 'keepsake'
import { projectLog, samples, type Store } from 'keepsake/store'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../src/open-postgres-store.ts'
import { PostgresServer, whyNoServer } from '../src/testing/postgres-server.ts'
import { storesOn } from './server-stores.ts'

const { ADA, addOf, commit, commitOf, eraseOf, jobOf, turnOf } = samples
const reason = whyNoServer()

describe.skipIf(reason !== null)('on a real server', () => {
  let server: PostgresServer
  let stores: ReturnType<typeof storesOn>
  const opened: Store[] = []
  const children: ChildProcess[] = []
  const keep = (store: Store): Store => {
    opened.push(store)
    return store
  }
  beforeAll(async () => {
    server = await PostgresServer.start()
    stores = storesOn(server)
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    for (const store of opened.splice(0)) await store.close()
  })
  afterAll(() => server.stop())

  /** A process of its own; `lines` are what it said so far. */
  function start(
    schema: string,
    ...task: string[]
  ): { child: ChildProcess; lines: string[]; ended: Promise<number> } {
    const script = join(import.meta.dirname, 'store-child.ts')
    const child = spawn(process.execPath, [script, server.address(), schema, ...task], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)))
    return { child, lines, ended }
  }

  it('migrates once when several open a new schema at the same time', async () => {
    const schema = 'together'
    const open = () => openPostgresStore({ connectionString: server.address(), schema, connections: 2 })
    const first = await Promise.all([1, 2, 3, 4].map(open))
    first.forEach(keep)
    const ran = await server.ask(`SELECT name FROM ${schema}.kysely_migration ORDER BY name`)
    expect(ran).toEqual([{ name: '0001-tables' }, { name: '0002-role-assistant' }])
    const rows = await Promise.all(first.map(async (store) => JSON.stringify(await store.stats())))
    expect(new Set(rows).size).toBe(1)
  })

  it('goes on after every connection was cut, also while calls are under way', async () => {
    const store = keep(await stores.open())
    const ada = await store.ensureScope(ADA)
    const cut = () =>
      server.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'keepsake'`)
    for (let turn = 0; turn < 150; turn += 1) {
      const request = turnOf(ada, `t${turn}`, `turn ${turn}`)
      const append = () =>
        store.append(request).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ code: 'store-busy', isRetryable: true })
            return false
          },
        )
      let [isStored] = await Promise.all([append(), cut()])
      // Only a call beside the cut fails, or one that takes one of the four connections which it ended.
      for (let attempt = 0; attempt < 4 && !isStored; attempt += 1) isStored = await append()
      expect(isStored).toBe(true)
    }
    const turns = await store.listTurns({ userId: ada.owner })
    expect(turns.map(({ id, position }) => [id, position])).toEqual(
      turns.map((_, index) => [`t${index}`, index + 1]),
    )
    expect(turns).toHaveLength(150)
  })

  it(
    'keeps each acknowledged turn once when the server is killed and starts again',
    { timeout: 120_000 },
    async () => {
      const store = keep(await stores.open())
      const schema = stores.schemaOf(store)
      const runs = ['one', 'two', 'three'].map((run) => start(schema, 'append', run, '120'))
      // Opening a store is tried once: the server is killed under those who are at work.
      while (runs.some(({ lines }) => lines.length === 0)) await sleep(10)
      for (let kill = 0; kill < 3; kill += 1) {
        await sleep(700)
        await server.kill()
        await server.begin()
      }
      expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0, 0])
      for (const [index, run] of ['one', 'two', 'three'].entries()) {
        const scope = await store.ensureScope({ ...ADA, user: run })
        const turns = await store.listTurns({ userId: scope.owner })
        expect(turns.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, turn) => `${run}-${turn}`))
        expect(turns.map(({ position }) => position)).toEqual(turns.map((_, turn) => turn + 1))
        expect(runs[index]?.lines).toHaveLength(120)
      }
    },
  )

  it('gives the work of a killed process of this machine to the next at once', async () => {
    const store = keep(await stores.open())
    const ada = await store.ensureScope(ADA)
    await commit(store, { ...commitOf(ada, []), queueJobs: [jobOf(ada, 'j1')] })
    const { child, lines, ended } = start(stores.schemaOf(store), 'hold')
    await expect.poll(() => lines).toEqual(['claimed'])
    expect((await store.claimJobs({ leaseMs: 1_000 })).outcome).toBe('held')
    child.kill('SIGKILL')
    await ended
    expect((await store.claimJobs({ leaseMs: 1_000 })).outcome).toBe('claimed')
  })

  it('tells another process of work, also after the connection that listens was cut', async () => {
    const one = keep(await stores.open())
    const two = keep(await stores.openAgain(one))
    const ada = await one.ensureScope(ADA)
    let told = 0
    const end = two.watch(() => void (told += 1))
    await expect.poll(() => told).toBeGreaterThan(0)
    const before = told
    await server.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`)
    // Listening anew, it says so, since it may have missed something.
    await expect.poll(() => told).toBeGreaterThan(before)
    const then = told
    await one.append(turnOf(ada, 't1', 'x', {}, [jobOf(ada, 'j1')]))
    await expect.poll(() => told).toBeGreaterThan(then)
    end()
  })

  it('waits with the proof of an erasure until nobody can read what was erased', async () => {
    const store = keep(await stores.open())
    const schema = stores.schemaOf(store)
    const ada = await store.ensureScope(ADA)
    await store.append(turnOf(ada, 't1', 'the secret words'))
    const { Client } = await import('pg')
    const reader = new Client({ connectionString: server.address() })
    await reader.connect()
    await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT text FROM ${schema}.turns`)
    const receipt = await store.erase(eraseOf(ada, ['t1'], []))
    expect(receipt.purgedAt).toBeNull()
    const { rows } = await reader.query<{ text: string }>(`SELECT text FROM ${schema}.turns`)
    expect(rows).toEqual([{ text: 'the secret words' }])
    await reader.query('COMMIT')
    await reader.end()
    await expect
      .poll(async () => (await store.listErasures(ada.owner))[0]?.purgedAt, { timeout: 30_000 })
      .toBeGreaterThan(Date.now() - 60_000)
  })

  it('waits for somebody who holds a person’s rows, and not for ever', async () => {
    const schema = 'held'
    const open = openPostgresStore({ connectionString: server.address(), schema, lockTimeoutMs: 200 })
    const store = keep(await open)
    const ada = await store.ensureScope(ADA)
    const bob = await store.ensureScope({ ...ADA, user: 'bob' })
    const { Client } = await import('pg')
    const holder = new Client({ connectionString: server.address() })
    await holder.connect()
    await holder.query(`BEGIN; SELECT 1 FROM ${schema}.users WHERE user_id = ${ada.owner} FOR UPDATE`)
    await expect(store.append(turnOf(ada, 't1', 'x'))).rejects.toMatchObject({
      code: 'store-busy',
      isRetryable: true,
    })
    expect((await store.append(turnOf(bob, 't1', 'x'))).added).toHaveLength(1)
    await holder.query('COMMIT')
    await holder.end()
    expect((await store.append(turnOf(ada, 't1', 'x'))).added).toHaveLength(1)
  })

  it('says that a server out of reach is to be tried again, without waiting for ever', async () => {
    const open = openPostgresStore({
      connectionString: 'postgres://keepsake@127.0.0.1:1/none',
      patienceMs: 200,
    })
    await expect(open).rejects.toMatchObject({ code: 'store-busy', isRetryable: true })
  })

  it('tells a database that takes no writes', async () => {
    await server.ask('CREATE DATABASE standby')
    const open = (mustExist = false) =>
      openPostgresStore({ connectionString: server.address('keepsake', 'standby'), mustExist })
    await expect(open(true)).rejects.toMatchObject({ code: 'store-schema' })
    const before = await open()
    const ada = await before.ensureScope(ADA)
    await before.close()
    await server.ask('ALTER DATABASE standby SET default_transaction_read_only = on')
    const store = keep(await open())
    const written = store.append(turnOf(ada, 't1', 'x'))
    await expect(written).rejects.toMatchObject({ code: 'store-read-only', isRetryable: false })
    expect(await store.listTurns({ userId: ada.owner })).toEqual([])
  })

  it('works under a role without rights of its own, which the walls hold', async () => {
    await server.ask('CREATE ROLE plain LOGIN')
    await server.ask('CREATE DATABASE plain OWNER plain')
    const address = server.address('plain', 'plain')
    const store = keep(await openPostgresStore({ connectionString: address, partitions: 2 }))
    const ada = await store.ensureScope(ADA)
    await store.append(turnOf(ada, 't1', 'words'))
    const { Client } = await import('pg')
    const client = new Client({ connectionString: address })
    await client.connect()
    const { rows } = await client.query('SELECT * FROM keepsake.turns')
    expect(rows).toEqual([])
    await client.end()
  })

  it('shows what one memory was told to another at once', async () => {
    const schema = `memory_${Date.now().toString(36)}`
    const open = async () =>
      openMemory({ store: await openPostgresStore({ connectionString: server.address(), schema }) })
    const [first, second] = [await open(), await open()]
    const question = 'What can Mia not eat?'
    expect((await second.scope({ user: 'ana' }).recall(question)).memories).toEqual([])
    await first
      .scope({ user: 'ana' })
      .remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' })
    expect((await second.scope({ user: 'ana' }).recall(question)).context.text).toContain('peanuts')
    await first.drain()
    expect((await second.scope({ user: 'ana' }).recall(question)).context.text).toContain('peanuts')
    await Promise.all([first.close(), second.close()])
  })

  it('keeps memories that are the projection of the log, whatever two processes do at once', async () => {
    const one = keep(await stores.open())
    const two = keep(await stores.openAgain(one))
    const ada = await one.ensureScope(ADA)
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const store = index % 2 === 0 ? one : two
        const change = commitOf(ada, [addOf(ada, `m${index}`, `fact ${index}`, [])])
        let tries = 0
        while ((await commit(store, change)).outcome === 'conflict') tries += 1
        return tries
      }),
    )
    expect(outcomes.some((tries) => tries > 0)).toBe(true)
    const log = await one.listOperations({ userId: ada.owner })
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1))
    const kept = (await two.listMemories({ userId: ada.owner })).map(({ memory }) => memory)
    expect(kept).toEqual([...projectLog(log).values()])
  })
})
