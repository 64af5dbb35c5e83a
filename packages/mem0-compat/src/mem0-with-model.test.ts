import { scriptedModel } from 'keepsake/model'
import type { LanguageModel } from 'keepsake'
import { afterEach, expect, test } from 'vitest'
import { grantOf, serveMem0, type Mem0Server } from './testing/serve-mem0.ts'

let server: Mem0Server | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const BEES = {
  summary: 'The user talked about their bees.',
  memories: [
    {
      changes: null,
      text: 'The user keeps bees on the roof.',
      type: 'persona',
      subject: 'user',
      word: 'user',
      key: null,
      value: null,
      when: null,
      until: null,
      importance: 6,
      evidence: ['1: I keep bees on the roof'],
    },
  ],
  forget: [],
}

interface Answer {
  readonly results?: readonly { readonly event: string; readonly data: { readonly memory: string } }[]
  readonly status?: string
  readonly event_id?: string
}

async function serve(model: LanguageModel): Promise<Mem0Server> {
  server = await serveMem0({
    keys: { all: grantOf() },
    open: { model, exchangesPerExtraction: 1, modelOptions: { retries: 0 } },
  })
  return server
}

async function ask<Body>(path: string, body?: object): Promise<{ status: number; body: Body }> {
  const response = await server?.app.request(`/compat/mem0${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: 'Token all' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response?.status ?? 0, body: (await response?.json()) as Body }
}

const addBees = (): Promise<{ status: number; body: Answer }> =>
  ask('/v3/memories/add/', {
    messages: 'I keep bees on the roof.',
    user_id: 'ana',
    metadata: { topic: 'bees' },
  })

test('facts that a model drew are among what was made, with the metadata of their message', async () => {
  await serve(scriptedModel(() => JSON.stringify(BEES)))
  const { body } = await addBees()
  expect(body.results?.map((one) => [one.event, one.data.memory])).toEqual([
    ['ADD', 'The user keeps bees on the roof.'],
    ['ADD', 'I keep bees on the roof.'],
  ])
  const listed = await ask<{ results: { memory: string; memory_type: string }[] }>('/v3/memories/', {
    filters: { user_id: 'ana', memory_type: 'fact', metadata: { topic: 'bees' } },
  })
  expect(listed.body.results.map((one) => one.memory)).toEqual(['The user keeps bees on the roof.'])
})

test('a model that answers nonsense loses no message and fails no request', async () => {
  await serve(scriptedModel(() => 'no JSON at all'))
  const { status, body } = await addBees()
  expect(status).toBe(200)
  expect(body.results?.map((one) => one.data.memory)).toEqual(['I keep bees on the roof.'])
})

test('a model that cannot be reached loses no message and fails no request', async () => {
  await serve(
    scriptedModel(() => {
      throw new Error('no route to host')
    }),
  )
  const { status, body } = await addBees()
  expect(status).toBe(200)
  expect(body.results?.map((one) => one.data.memory)).toEqual(['I keep bees on the roof.'])
  const found = await ask<{ results: { memory: string }[] }>('/v3/memories/search/', {
    query: 'Where are the bees?',
    filters: { user_id: 'ana' },
  })
  expect(found.body.results[0]?.memory).toBe('I keep bees on the roof.')
})

test('a server that stops answers with an event, the messages being safe', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const opened = await serve(scriptedModel(() => promise))
  const adding = addBees()
  await expect.poll(async () => (await opened.keepsake.stats()).turns).toBe(1)
  opened.stop()
  const { body } = await adding
  expect(body).toMatchObject({ status: 'PENDING', event_id: expect.any(String) as string })
  resolve(JSON.stringify(BEES))
  await expect
    .poll(async () => (await ask<Answer>(`/v1/event/${body.event_id}/`)).body.status)
    .toBe('SUCCEEDED')
})
