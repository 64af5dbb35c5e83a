import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { grantOf, serveMem0, type Mem0Server } from './testing/serve-mem0.ts'

let folder: string
let server: Mem0Server | null = null

const open = async (): Promise<Mem0Server> => {
  server = await serveMem0({
    keys: { all: grantOf() },
    open: { path: join(folder, 'memory.db') },
  })
  return server
}

async function close(): Promise<void> {
  await server?.close()
  server = null
}

async function ask<Answer>(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Answer }> {
  const response = await server?.app.request(`/compat/mem0${path}`, {
    method,
    headers: { Authorization: 'Token all' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response?.status ?? 0, body: (await response?.json()) as Answer }
}

const add = async (text: string, more: object): Promise<string> => {
  const answer = await ask<{ results: { id: string }[] }>('POST', '/v3/memories/add/', {
    messages: text,
    infer: false,
    ...more,
  })
  return answer.body.results[0]?.id ?? ''
}

/** Every byte of the server's files. */
const everything = (): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-mem0-'))
  await open()
})

afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

test('metadata, feedback and replaced words outlive a restart, under the same id', async () => {
  const id = await add('Ana takes window seats.', {
    user_id: 'ana',
    run_id: 'r1',
    metadata: { topic: 'seats' },
  })
  await ask('PUT', `/v1/memories/${id}/`, { text: 'Ana takes aisle seats.' })
  await ask('POST', '/v1/feedback/', { memory_id: id, feedback: 'POSITIVE' })
  await close()
  await open()
  const got = await ask('GET', `/v1/memories/${id}/`)
  expect(got.body).toMatchObject({
    id,
    memory: 'Ana takes aisle seats.',
    metadata: { topic: 'seats' },
    run_id: 'r1',
  })
  const liked = await ask<{ count: number }>('POST', '/v3/memories/', {
    filters: { user_id: 'ana', feedback: 'POSITIVE' },
  })
  expect(liked.body.count).toBe(1)
})

test('whoever is erased leaves nothing in any file', async () => {
  await add('Ana hides her zebra.', {
    user_id: 'ana',
    run_id: 'zebra-run',
    metadata: { secret: 'zebra-note' },
  })
  const id = await add('Ana feeds her zebra.', { user_id: 'ana' })
  await ask('POST', '/v1/feedback/', { memory_id: id, feedback_reason: 'zebra-reason' })
  await add('Ben keeps a goat.', { user_id: 'ben', metadata: { kept: 'goat-note' } })
  expect(everything()).toContain('zebra')
  expect((await ask('DELETE', '/v2/entities/user/ana/')).status).toBe(200)
  expect(everything()).not.toContain('zebra')
  expect(everything()).toContain('goat-note')
})

test('what another context erases takes everything along that was kept with it', async () => {
  const id = await add('Ana hides her zebra.', { user_id: 'ana', metadata: { secret: 'zebra-note' } })
  await add('Ana likes tea.', { user_id: 'ana', metadata: { kept: 'tea-note' } })
  await server?.keepsake.scope({ user: 'ana' }).erase({ memories: [id] })
  expect(everything()).not.toContain('zebra')
  expect(everything()).toContain('tea-note')
  expect((await ask('GET', `/v1/memories/${id}/`)).status).toBe(404)
})

test('what another process erases is gone at once, though this one had shown it', async () => {
  const id = await add('Ana hides her zebra.', {
    user_id: 'ana',
    run_id: 'zebra-run',
    metadata: { secret: 'zebra-note' },
  })
  await ask('PUT', `/v1/memories/${id}/`, { text: 'Ana shows her zebra.' })
  const { body } = await ask<{ event_id: string }>('POST', '/v3/memories/add/', {
    messages: 'Ana rides her zebra.',
    user_id: 'ana',
    async_mode: true,
  })
  const event = () => ask(`GET`, `/v1/event/${body.event_id}/`)
  await expect
    .poll(event)
    .toMatchObject({ status: 200, body: { status: 'SUCCEEDED', results: [{ event: 'ADD' }] } })
  const { openMemory } = await import('keepsake')
  const elsewhere = await openMemory({ path: join(folder, 'memory.db') })
  await elsewhere.scope({ user: 'ana' }).erase({ everything: true })
  await elsewhere.close()
  expect(everything()).not.toContain('zebra')
  expect((await ask('GET', `/v1/memories/${id}/`)).status).toBe(404)
  expect((await event()).status).toBe(404)
  expect((await ask<{ results: object[] }>('GET', '/v1/entities/')).body.results).toEqual([])
})

test('words that took a message’s place are one memory with it, whoever deletes them', async () => {
  const { body } = await ask<{ results: { id: string }[] }>('POST', '/v3/memories/add/', {
    messages: 'I take window seats.',
    user_id: 'ana',
    run_id: 'session-3',
    metadata: { topic: 'seats' },
  })
  const said = (
    await ask<{ results: { id: string; memory: string; memory_type: string }[] }>('POST', '/v3/memories/', {
      filters: { user_id: 'ana', memory_type: 'utterance' },
    })
  ).body.results
  expect(body.results.map(({ id }) => id)).toContain(said[0]?.id)
  const path = `/v1/memories/${said[0]?.id}/`
  const before = await ask<{ created_at: string; updated_at: string }>('GET', path)
  expect(before.body).toMatchObject({
    memory_type: 'utterance',
    run_id: 'session-3',
    metadata: { topic: 'seats' },
  })
  await ask('PUT', path, { text: 'I take aisle seats.' })
  const after = await ask<{ created_at: string; updated_at: string }>('GET', path)
  expect(after.body).toMatchObject({
    memory: 'I take aisle seats.',
    memory_type: 'note',
    run_id: 'session-3',
    metadata: { topic: 'seats' },
    created_at: before.body.created_at,
  })
  expect(after.body.updated_at > before.body.updated_at).toBe(true)
  const events = async () =>
    (await ask<{ event: string; new_memory: string | null }[]>('GET', `${path}history/`)).body.map(
      ({ event, new_memory }) => [event, new_memory],
    )
  const changed = [
    ['ADD', 'I take window seats.'],
    ['UPDATE', 'I take aisle seats.'],
  ]
  expect(await events()).toEqual(changed)
  await ask('DELETE', path)
  expect((await ask('GET', path)).status).toBe(404)
  expect(await events()).toEqual([...changed, ['DELETE', null]])
})
