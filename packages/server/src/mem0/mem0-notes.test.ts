import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMem0Notes } from './mem0-notes.ts'
import { grantOf, serveMem0, type Mem0Server } from './testing/serve-mem0.ts'

let folder: string
let server: Mem0Server | null = null

const open = async (): Promise<Mem0Server> => {
  server = await serveMem0({
    keys: { all: grantOf() },
    open: { path: join(folder, 'memory.db') },
    notes: openMem0Notes(join(folder, 'memory.db.mem0')),
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

test('the file is for its owner alone', () => {
  expect(statSync(join(folder, 'memory.db.mem0')).mode & 0o077).toBe(0)
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

test('what another door erases takes its notes along', async () => {
  const id = await add('Ana hides her zebra.', { user_id: 'ana', metadata: { secret: 'zebra-note' } })
  await add('Ana likes tea.', { user_id: 'ana', metadata: { kept: 'tea-note' } })
  await server?.keepsake.scope({ user: 'ana' }).erase({ memories: [id] })
  await expect.poll(everything).not.toContain('zebra')
  expect(everything()).toContain('tea-note')
  expect((await ask('GET', `/v1/memories/${id}/`)).status).toBe(404)
})

test('what another process erases takes its notes along at the next start', async () => {
  await add('Ana hides her zebra.', { user_id: 'ana', metadata: { secret: 'zebra-note' } })
  await close()
  const { openMemory } = await import('keepsake')
  const keepsake = await openMemory({ path: join(folder, 'memory.db') })
  await keepsake.scope({ user: 'ana' }).erase()
  await keepsake.close()
  expect(everything()).toContain('zebra-note')
  await open()
  await expect.poll(everything).not.toContain('zebra')
})
