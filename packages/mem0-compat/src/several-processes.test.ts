import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '@keepsake/server'
import { mem0Protocol } from './index.ts'
import { grantOf, testDeps, type TestDeps } from './testing/serve-mem0.ts'

/** Servers of their own over the same memory, as several processes have it, or one after another. */
let keepsake: Keepsake
let servers: TestDeps[] = []
beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
})
afterEach(async () => {
  for (const server of servers) server.close()
  servers = []
  await keepsake.close()
})

const GRANT = grantOf({ id: 'one' })

interface Answer {
  readonly event_id?: string
  readonly status?: string
  readonly results?: readonly { readonly id: string; readonly event: string }[]
}

function serve() {
  const server = testDeps(keepsake)
  servers.push(server)
  const app = createApp(server.deps, { keys: { verify: () => GRANT }, protocols: [mem0Protocol] })
  return async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await app.request(`/compat/mem0${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: 'Token one', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { answer, body: (await answer.json()) as Answer }
  }
}

const ADD = { messages: 'I take window seats.', user_id: 'ana' }
const turns = async () => (await keepsake.stats()).turns

test('an event that one process gave out is known to the others, with what was made', async () => {
  const [one, other] = [serve(), serve()]
  const { body } = await one('/v3/memories/add/', { ...ADD, async_mode: true })
  await expect.poll(async () => (await other(`/v1/event/${body.event_id}/`)).body.status).toBe('SUCCEEDED')
  const event = (await other(`/v1/event/${body.event_id}/`)).body
  expect(event.results?.map((made) => made.event)).toContain('ADD')
})

test('equal adds at two processes at once are one', async () => {
  const asks = [serve(), serve(), serve()]
  await Promise.all(asks.map((ask) => ask('/v3/memories/add/', ADD)))
  expect(await turns()).toBe(1)
  const notes = { ...ADD, messages: 'Ana keeps bees.', infer: false }
  await Promise.all(asks.map((ask) => ask('/v3/memories/add/', notes)))
  expect(await keepsake.scope({ user: 'ana' }).memories({ forms: ['note'] })).toHaveLength(1)
})

test('an add that comes again under its Idempotency-Key is answered as it was, by any process', async () => {
  const once = { 'Idempotency-Key': 'message-17' }
  const first = await serve()('/v3/memories/add/', ADD, once)
  const again = await serve()('/v3/memories/add/', ADD, once)
  expect(first.body.results?.map(({ event }) => event)).toContain('ADD')
  expect(again.body).toEqual(first.body)
  expect(again.answer.headers.get('idempotency-replayed')).toBe('true')
  const other = await serve()('/v3/memories/add/', { ...ADD, messages: 'I fly.' }, once)
  expect(other.answer.status).toBe(409)
  await serve()('/v3/memories/add/', ADD, { 'Idempotency-Key': 'message-18' })
  expect(await turns()).toBe(2)
})
