import { openPostgresStore } from '@keepsake/postgres'
import { PostgresServer, whyNoServer } from '@keepsake/postgres/testing'
import { KeyStore, openServer, type OpenServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const reason = whyNoServer()
// oxlint-disable-next-line no-console -- whoever reads the run is told what it left out
if (reason !== null) console.warn(`Two servers on a real Postgres are left out: ${reason}.`)

interface Place {
  readonly keepsake: Keepsake
  readonly server: OpenServer
}

/** Each has a store, a memory and a port of its own, as two machines have; nothing but Postgres is between them. */
describe.skipIf(reason !== null)('two servers on one Postgres', () => {
  let postgres: PostgresServer
  let one: Place
  let other: Place
  let keys: KeyStore
  let key: string
  let id: string

  beforeAll(async () => {
    postgres = await PostgresServer.start(['fsync=off'])
    const open = async (): Promise<Place> => {
      const connectionString = postgres.address()
      const keepsake = await openMemory({ store: await openPostgresStore({ connectionString }) })
      return { keepsake, server: await openServer({ keepsake, port: 0, sharesLimits: true }) }
    }
    one = await open()
    other = await open()
    keys = new KeyStore(one.keepsake.records)
  })
  afterAll(async () => {
    for (const { server, keepsake } of [one, other]) {
      await server.close()
      await keepsake.close()
    }
    await postgres.stop()
  })
  beforeEach(async () => {
    const made = await keys.create({ name: 'app', requestsPerMinute: 1_000 })
    key = made.key
    id = made.entry.id
  })

  const ask = (
    { server }: Place,
    path: string,
    init: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...init.headers },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    })

  const turns = (text: string) => ({ turns: [{ role: 'user', text }] })

  it('recall at one what was told to the other, at once', async () => {
    await ask(other, '/v1/scopes/ana/recall', { body: { question: 'Where does she live?' } })
    expect((await ask(one, '/v1/scopes/ana/turns', { body: turns('I live in Lyon.') })).status).toBe(201)
    const answer = await ask(other, '/v1/scopes/ana/recall', { body: { question: 'Where does she live?' } })
    expect(await answer.text()).toContain('Lyon')
  })

  it('do once what is asked of both under one idempotency key', async () => {
    const request = { body: turns('My sister is called Nora.'), headers: { 'Idempotency-Key': 'monday' } }
    const first = await ask(one, '/v1/scopes/bea/turns', request)
    const again = await ask(other, '/v1/scopes/bea/turns', request)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
    const kept = (await (await ask(other, '/v1/scopes/bea/turns')).json()) as { turns: unknown[] }
    expect(kept.turns).toHaveLength(1)
  })

  it('let a key ask no more of both than it may of one', async () => {
    const made = await keys.create({ name: 'slow', requestsPerMinute: 10 })
    const statuses: number[] = []
    for (let request = 0; request < 30; request += 1) {
      const place = request % 2 === 0 ? one : other
      const headers = { authorization: `Bearer ${made.key}` }
      statuses.push((await ask(place, '/v1/scopes/cleo/turns', { headers })).status)
    }
    const served = statuses.filter((status) => status === 200).length
    expect(statuses.filter((status) => status === 429).length).toBe(30 - served)
    // A minute may turn while it is asked.
    expect(served).toBeGreaterThan(0)
    expect(served).toBeLessThanOrEqual(20)
  })

  it('tell at one what the other was told, and what was learned of it, once', async () => {
    const admin = await keys.create({ name: 'watcher', actions: ['read', 'admin'], requestsPerMinute: 1_000 })
    const streams = [
      await ask(one, '/v1/scopes/flo/events'),
      await ask(one, '/v1/events', { headers: { authorization: `Bearer ${admin.key}` } }),
    ]
    const readers = streams.map((stream) => stream.body!.getReader())
    for (const reader of readers) await reader.read()
    for (const [user, place] of [
      ['gus', other],
      ['flo', other],
      ['flo', one],
    ] as const)
      expect((await ask(place, `/v1/scopes/${user}/turns`, { body: turns('I live in Lyon.') })).status).toBe(
        201,
      )
    await other.keepsake.drain()
    await one.keepsake.drain()
    const last = { turns: [{ id: 'good-night', role: 'user', text: 'Good night.' }] }
    await ask(other, '/v1/scopes/flo/turns', { body: last })
    const decoder = new TextDecoder()
    const told = await Promise.all(
      readers.map(async (reader) => {
        let text = ''
        // Not any event that names it: who reads a turn of the other's may tell of what it learned first.
        while (!/event: turns-recorded\n[^\n]*"good-night"/.test(text))
          text += decoder.decode((await reader.read()).value)
        await reader.cancel()
        return text
      }),
    )
    for (const text of told) {
      expect(text).toContain('event: memory-added')
      expect(text.match(/event: turns-recorded\n[^\n]*"flo"/g)).toHaveLength(3)
      const data = [...text.matchAll(/^data: (.+)\n/gm)].map(
        ([, line = '']) => JSON.parse(line) as { operation?: { id: string } },
      )
      const operations = data.flatMap(({ operation }) => operation?.id ?? [])
      expect(operations.length).toBeGreaterThan(0)
      expect(new Set(operations).size).toBe(operations.length)
    }
    expect(told[0]).not.toContain('"gus"')
    expect(told[1]).toContain('"gus"')
  })

  it('serve a key that was revoked no more, either of them', async () => {
    for (const place of [one, other])
      expect((await ask(place, '/v1/scopes/eve/turns')).status).toBeLessThan(400)
    await keys.revoke(id)
    for (const place of [one, other]) expect((await ask(place, '/v1/scopes/eve/turns')).status).toBe(401)
  })

  it('read a person’s turns once each, whoever of them hears them', async () => {
    for (let round = 0; round < 12; round += 1)
      await ask(round % 2 === 0 ? one : other, '/v1/scopes/fay/turns', {
        body: turns(`In ${2_000 + round} I lived in town number ${round}.`),
      })
    await Promise.all([one.keepsake.drain(), other.keepsake.drain()])
    const scope = other.keepsake.scope({ user: 'fay' })
    const kept = await scope.memories({ forms: ['utterance'] })
    const evidence = kept.flatMap((memory) => memory.evidence.map(({ turn }) => turn))
    expect(new Set(evidence).size).toBe(evidence.length)
    expect(await other.keepsake.jobs()).toEqual([])
  })
})
