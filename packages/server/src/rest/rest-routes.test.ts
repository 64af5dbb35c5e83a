import { scriptedModel } from 'keepsake/parts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProblemBody } from '../problem.ts'
import { askJson, first, openTestServer, type Headers, type TestServer } from '../testing/routes-app.ts'
import type { MemoryJson } from './schemas/memory.ts'

const TALK = {
  turns: [
    {
      role: 'user',
      text: 'I moved to Lyon last week. I have a parrot named Kiwi.',
      id: 't1',
      at: '2026-05-01T18:00:00Z',
    },
    { role: 'agent', text: 'How is the new flat?', id: 't2', at: '2026-05-01T18:00:05.000Z' },
  ],
  session: 'monday',
}

interface MemoryList {
  readonly memories: readonly MemoryJson[]
  readonly next: string | null
}
interface ChangeAnswer {
  readonly id: string
  readonly kind: string
  readonly memory: string
}

let server: TestServer
let all: Headers
beforeEach(async () => {
  server = await openTestServer()
  all = server.keyFor({ actions: ['read', 'write', 'erase', 'admin'] })
})
afterEach(() => server.close())

const ask = <Answer>(method: string, path: string, body?: unknown, headers: Headers = {}) =>
  askJson<Answer>(server.app, method, path, body, { ...all, ...headers })

async function remember(user = 'ana'): Promise<void> {
  expect((await ask('POST', `/v1/scopes/${user}/turns`, TALK)).status).toBe(201)
  await server.keepsake.scope({ user }).endSession('monday')
  await server.keepsake.drain()
}

const factsOf = async (user = 'ana') =>
  (await ask<MemoryList>('GET', `/v1/scopes/${user}/memories?forms=fact`)).body.memories

describe('turns', () => {
  it('are remembered and can be recalled at once', async () => {
    const { status, body } = await ask('POST', '/v1/scopes/ana/turns', TALK)
    expect(status).toBe(201)
    expect(body).toEqual({ turns: ['t1', 't2'], added: 2, session: 'monday', masked: [] })
    const recall = await ask<{ memories: { evidence: { turn: string; at: string }[] }[]; known: boolean }>(
      'POST',
      '/v1/scopes/ana/recall',
      { question: 'Where does Ana live?' },
    )
    expect(recall.status).toBe(200)
    expect(recall.body.known).toBeTypeOf('boolean')
    const evidence = first(recall.body.memories).evidence.find((one) => one.turn === 't1')
    expect(evidence?.at).toBe('2026-05-01T18:00:00.000Z')
  })

  it('are refused whole, naming the field, when one cannot be taken', async () => {
    const refusals: [unknown, string][] = [
      [{ turns: [{ role: 'user', txt: 'x' }] }, 'body.turns.0.txt'],
      [{ turns: [{ role: 'user', text: 'x', at: 'yesterday' }] }, 'body.turns.0.at'],
      [{ turns: [{ role: 'user', text: 'x', at: '2026-05-01T18:00:00' }] }, 'body.turns.0.at'],
      [{ turns: [{ role: 'boss', text: 'x' }] }, 'body.turns.0.role'],
      [{ turns: [{ role: 'user', text: 7 }] }, 'body.turns.0.text'],
      [{ turns: [{ role: 'user', text: 'x', id: '  ' }] }, 'body.turns.0.id'],
      [{ turns: [{ role: 'user', text: 'x', timeZone: 'Mars/Base' }] }, 'body.turns.0.timeZone'],
      [{ turns: [] }, 'body.turns'],
      [{ turns: [{ role: 'user', text: 'x' }], sesion: 'a' }, 'body.sesion'],
      [{ turns: [{ role: 'user', text: 'x' }], __proto__x: 1 }, 'body.__proto__x'],
      [[], 'body'],
      ['x', 'body'],
    ]
    for (const [body, field] of refusals) {
      const answer = await ask<ProblemBody>('POST', '/v1/scopes/ana/turns', body)
      expect([body, answer.status, answer.body.fields?.some((one) => one.field === field)]).toEqual([
        body,
        422,
        true,
      ])
      expect(answer.body.code).toBe('invalid-input')
    }
    expect(await server.keepsake.scopes()).toEqual([])
  })

  it('mask secrets, and say so', async () => {
    const turns = [{ role: 'user', text: 'My card is 4111 1111 1111 1111, ok?' }]
    const { body } = await ask<{ masked: unknown[] }>('POST', '/v1/scopes/ana/turns', { turns })
    expect(body.masked).toEqual([{ kind: 'card number', count: 1 }])
  })

  it('conflict with a known id of other words', async () => {
    await remember()
    const turns = [{ role: 'user', text: 'Other words.', id: 't1' }]
    const answer = await ask<ProblemBody>('POST', '/v1/scopes/ana/turns', { turns })
    expect([answer.status, answer.body.code]).toEqual([409, 'turn-conflict'])
  })

  it('are stored once under an Idempotency-Key, with or without the kept answer', async () => {
    const body = { turns: [{ role: 'user', text: 'I keep bees.' }], session: 'one' }
    const key = { 'Idempotency-Key': 'k-1' }
    const once = await ask('POST', '/v1/scopes/ana/turns', body, key)
    const again = await ask('POST', '/v1/scopes/ana/turns', body, key)
    expect(again.body).toEqual(once.body)
    expect([once.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ])
    expect(again.status).toBe(201)
    const other = { ...body, turns: [{ role: 'user', text: 'I keep wasps.' }] }
    const conflict = await ask<ProblemBody>('POST', '/v1/scopes/ana/turns', other, key)
    expect([conflict.status, conflict.body.code]).toEqual([409, 'idempotency-conflict'])
    const elsewhere = await ask<ProblemBody>('POST', '/v1/scopes/ben/turns', body, key)
    expect(elsewhere.status).toBe(409)
    expect((await server.keepsake.stats()).turns).toBe(1)
  })

  it('may be sent again under a key whose request failed', async () => {
    const key = { 'Idempotency-Key': 'k-2' }
    expect((await ask('POST', '/v1/scopes/ana/turns', { turns: [{ role: 'user' }] }, key)).status).toBe(422)
    expect((await ask('POST', '/v1/scopes/ana/turns', TALK, key)).status).toBe(201)
    const long = await ask('POST', '/v1/scopes/ana/turns', TALK, { 'Idempotency-Key': 'k'.repeat(256) })
    expect(long.status).toBe(422)
  })
})

describe('recall', () => {
  it('takes the engine’s options, and refuses what is out of range', async () => {
    await remember()
    const options = {
      question: 'What animal does Ana have?',
      limit: 2,
      tokens: 50,
      forms: ['fact'],
      types: ['persona', 'relationship', 'event'],
      now: '2026-06-01T00:00:00+02:00',
      asOf: '2026-05-20T00:00:00Z',
      reinforce: false,
      timeZone: 'Europe/Paris',
      speaker: 'Ana',
    }
    const { status, body } = await ask<{
      memories: { memory: MemoryJson; parts: object }[]
      context: { tokens: number }
    }>('POST', '/v1/scopes/ana/recall', options)
    expect(status).toBe(200)
    expect(body.memories.length).toBeLessThanOrEqual(2)
    expect(body.memories[0]?.memory).toMatchObject({ form: 'fact', agent: null, app: null })
    expect(body.context.tokens).toBeLessThanOrEqual(50)
    for (const [wrong, field] of [
      [{ limit: 0 }, 'body.limit'],
      [{ limit: 1.5 }, 'body.limit'],
      [{ forms: ['facts'] }, 'body.forms.0'],
      [{ asOf: 5 }, 'body.asOf'],
      [{ questions: 'x' }, 'body.questions'],
    ] as const) {
      const refused = await ask<ProblemBody>('POST', '/v1/scopes/ana/recall', { ...options, ...wrong })
      expect([refused.status, refused.body.fields?.[0]?.field]).toEqual([422, field])
    }
  })

  it('of nobody finds nothing and makes nobody', async () => {
    const { status, body } = await ask<{ known: boolean }>('POST', '/v1/scopes/nobody/recall', {
      question: 'Who?',
    })
    expect([status, body.known]).toEqual([200, false])
    expect(await server.keepsake.scopes()).toEqual([])
  })

  it('strengthens nothing for a key that may only read', async () => {
    await remember()
    const reader = server.keyFor({ actions: ['read'] })
    const before = await factsOf()
    const recall = (headers: Headers, more = {}) =>
      ask('POST', '/v1/scopes/ana/recall', { question: 'Where does Ana live?', ...more }, headers)
    expect((await recall(reader)).status).toBe(200)
    await server.keepsake.drain()
    expect(await factsOf()).toEqual(before)
    expect((await recall(reader, { reinforce: true })).status).toBe(403)
    await recall(all)
    await server.keepsake.drain()
    expect(await factsOf()).not.toEqual(before)
  })
})

describe('memories', () => {
  it('are listed with filters', async () => {
    await remember()
    const list = async (query: string) =>
      (await ask<MemoryList>('GET', `/v1/scopes/ana/memories?${query}`)).body.memories
    const every = await list('')
    expect(new Set(every.map(({ form }) => form))).toContain('utterance')
    expect(first(every).learnedAt).toMatch(/^2026-05-01T18:00:0\d\.000Z$/)
    expect((await list('forms=fact')).every(({ form }) => form === 'fact')).toBe(true)
    const both = await list('forms=fact&forms=utterance')
    expect(new Set(both.map(({ form }) => form))).toEqual(new Set(['fact', 'utterance']))
    expect(await list('statuses=deleted')).toEqual([])
    expect((await list('session=monday')).length).toBe(every.length)
    expect(await list('session=tuesday')).toEqual([])
    expect((await list('forms=fact&contains=KIWI')).length).toBe(1)
    expect(
      (await list('types=event&types=persona&forms=fact')).every(({ type }) => type !== 'relationship'),
    ).toBe(true)
  })

  it('come in pages that writes in between neither double nor drop', async () => {
    const user = server.keepsake.scope({ user: 'ana' })
    const say = async (from: number, to: number) => {
      for (let index = from; index < to; index++)
        await user.remember(
          { role: 'user', text: `I like dish number ${index} best.`, id: `d${index}` },
          { session: 's' },
        )
      await user.drain()
    }
    await say(0, 7)
    const start = await ask<MemoryList>('GET', '/v1/scopes/ana/memories?limit=3')
    await user.remove(first(start.body.memories.slice(2)).id)
    await say(7, 9)
    const seen = [...start.body.memories]
    let { next } = start.body
    while (next !== null) {
      const page: { body: MemoryList } = await ask('GET', `/v1/scopes/ana/memories?limit=3&cursor=${next}`)
      seen.push(...page.body.memories)
      next = page.body.next
    }
    const ids = seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const now = await user.memories()
    expect(now.every(({ id }) => ids.includes(id))).toBe(true)
    expect(now.length).toBeGreaterThan(6)
  })

  it.each([
    'limit=0',
    'limit=1001',
    'limit=ten',
    'limit=1&limit=2',
    'cursor=x',
    'cursor=W10',
    'form=fact',
    'statuses=gone',
    'tenant=a&tenant=b',
    'agent=',
  ])('cannot be asked for with %s', async (query) => {
    const { status, body } = await ask<ProblemBody>('GET', `/v1/scopes/ana/memories?${query}`)
    expect([status, body.fields?.[0]?.field.split('.')[1]]).toEqual([422, query.split('=')[0]])
  })

  it('are explained, corrected, pinned, deleted, restored and undone, each with its history', async () => {
    await remember()
    const fact = (await factsOf()).find(({ text }) => text.includes('Kiwi'))!
    const at = `/v1/scopes/ana/memories/${fact.id}`
    const explanation = await ask<{ sentences: string[]; memory: MemoryJson; policy: { name: string } }>(
      'GET',
      at,
    )
    expect(explanation.body.memory.id).toBe(fact.id)
    expect(explanation.body.sentences.length).toBeGreaterThan(2)

    const edit = await ask<ChangeAnswer>('PATCH', at, { text: 'The user has a parrot named Mango.' })
    expect(edit.body).toMatchObject({ kind: 'modify', memory: fact.id })
    expect(edit.body).not.toHaveProperty('payload')
    expect((await ask<{ memory: MemoryJson }>('GET', at)).body.memory).toMatchObject({
      text: 'The user has a parrot named Mango.',
      past: [{ text: fact.text }],
    })
    await ask('POST', `/v1/scopes/ana/operations/${edit.body.id}/undo`)
    expect((await ask<{ memory: MemoryJson }>('GET', at)).body.memory.text).toBe(fact.text)

    await ask('PUT', `${at}/pin`)
    expect((await ask<{ memory: MemoryJson }>('GET', at)).body.memory.pinned).toBe(true)
    await ask('DELETE', `${at}/pin`)
    expect((await ask<{ memory: MemoryJson }>('GET', at)).body.memory.pinned).toBe(false)

    expect((await ask<ChangeAnswer>('DELETE', at)).body.kind).toBe('delete')
    expect((await factsOf()).some(({ id }) => id === fact.id)).toBe(false)
    const twice = await ask<ProblemBody>('DELETE', at)
    expect([twice.status, twice.body.code]).toEqual([409, 'not-possible'])
    expect((await ask<ChangeAnswer>('POST', `${at}/restore`)).body.kind).toBe('restore')
    expect((await factsOf()).some(({ id }) => id === fact.id)).toBe(true)

    const history = await ask<{
      operations: { kind: string; payload: { before: { text?: string } | null } | null }[]
    }>('GET', `${at}/history`)
    expect(history.body.operations.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['add', 'modify', 'delete', 'restore']),
    )
    expect(history.body.operations.find(({ kind }) => kind === 'modify')?.payload?.before?.text).toBe(
      fact.text,
    )
  })

  it('are edited by what an edit may set, and are found in their own scope alone', async () => {
    await remember()
    await remember('ben')
    const bens = first(await factsOf('ben'))
    const at = `/v1/scopes/ana/memories/${bens.id}`
    for (const [method, path, body] of [
      ['GET', at],
      ['GET', `${at}/history`],
      ['PATCH', at, { text: 'x' }],
      ['DELETE', at],
      ['PUT', `${at}/pin`],
      ['POST', `${at}/restore`],
      ['POST', `/v1/scopes/ana/quarantine/${bens.id}/release`],
      ['POST', '/v1/scopes/ana/erase', { memories: [bens.id] }],
    ] as const) {
      const answer = await ask<ProblemBody>(method, path, body)
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'not-found'])
    }
    expect((await factsOf('ben'))[0]).toEqual(bens)
    for (const body of [{}, { text: ' ' }, { label: 'other' }, { text: 'x', pinned: true }])
      expect((await ask('PATCH', `/v1/scopes/ben/memories/${bens.id}`, body)).status).toBe(422)
  })
})

describe('the whole person', () => {
  it('has a persona sheet, a story and a portrait', async () => {
    await remember()
    const persona = await ask<{
      subjects: { subject: string; entries: { key: { id: string }; values: { value: string }[] }[] }[]
    }>('GET', '/v1/scopes/ana/persona')
    const values = first(persona.body.subjects).entries.flatMap((entry) =>
      entry.values.map(({ value }) => value),
    )
    expect(values).toContain('Lyon')
    const story = await ask<{ levels: { level: number; units: MemoryJson[] }[] }>(
      'GET',
      '/v1/scopes/ana/story',
    )
    expect(story.status).toBe(200)
    expect(story.body.levels.flatMap(({ units }) => units.map(({ form }) => form))).toEqual(
      expect.arrayContaining(['summary']),
    )
    const portrait = await ask<object>('GET', '/v1/scopes/ana/portrait')
    expect(portrait.body).toEqual({ current: null, versions: [] })
  })

  it('has sessions, which can be ended', async () => {
    await ask('POST', '/v1/scopes/ana/turns', TALK)
    const ended = await ask('POST', '/v1/scopes/ana/sessions/end', { session: 'monday' })
    expect([ended.status, ended.body]).toEqual([202, { session: 'monday' }])
    expect((await ask('POST', '/v1/scopes/ana/sessions/end', {})).body).toEqual({ session: null })
    expect((await ask('POST', '/v1/scopes/ana/sessions/end', { session: 'sunday' })).status).toBe(404)
    await server.keepsake.drain()
    const { body } = await ask<{ sessions: { id: string; endedAt: string | null }[] }>(
      'GET',
      '/v1/scopes/ana/sessions',
    )
    expect(body.sessions).toHaveLength(1)
    expect(body.sessions[0]).toMatchObject({ id: 'monday', startedAt: '2026-05-01T18:00:00.000Z', number: 1 })
    expect(first(body.sessions).endedAt).not.toBeNull()
  })

  it('can have its policy run, or only asked', async () => {
    await remember()
    const dry = await ask<{ forgotten: { memory: string }[]; dryRun: boolean }>(
      'POST',
      '/v1/scopes/ana/forgetting',
      {
        dryRun: true,
        capacity: { memories: 0 },
      },
    )
    expect(dry.body.forgotten.length).toBeGreaterThan(0)
    expect(
      (await ask<MemoryList>('GET', '/v1/scopes/ana/memories?statuses=forgotten')).body.memories,
    ).toEqual([])
    await ask('POST', '/v1/scopes/ana/forgetting', { capacity: { memories: 0 } })
    const { body } = await ask<MemoryList>('GET', '/v1/scopes/ana/memories?statuses=forgotten')
    expect(body.memories.map(({ id }) => id).toSorted()).toEqual(
      dry.body.forgotten.map(({ memory }) => memory).toSorted(),
    )
    expect((await ask('POST', '/v1/scopes/ana/forgetting', { keep: 0.5, capacity: {} })).status).toBe(422)
    expect((await ask('POST', '/v1/scopes/ana/forgetting', { dryrun: true })).status).toBe(422)
  })

  it('keeps agents apart, and says which a memory belongs to', async () => {
    await ask('POST', '/v1/scopes/ana/turns?agent=tutor', TALK)
    await ask('POST', '/v1/scopes/ana/turns', { turns: [{ role: 'user', text: 'I play the cello.' }] })
    await server.keepsake.drain()
    const of = async (query: string) =>
      new Set(
        (await ask<MemoryList>('GET', `/v1/scopes/ana/memories?${query}`)).body.memories.map(
          ({ agent }) => agent,
        ),
      )
    expect(await of('')).toEqual(new Set(['tutor', null]))
    expect(await of('agent=tutor')).toEqual(new Set(['tutor']))
    expect(await of('agent=other')).toEqual(new Set())
    expect(await of('tenant=other')).toEqual(new Set())
  })
})

describe('quarantine', () => {
  it('is listed with reasons, and what is in it can be believed after all', async () => {
    await server.close()
    const invented = {
      op: 'add',
      index: null,
      text: 'The user sells honey to Mr Okafor.',
      type: 'persona',
      subject: 'user',
      modality: 'fact',
      key: null,
      value: null,
      when: null,
      until: null,
      importance: 6,
      evidence: [{ turn: 1, quote: 'I sell honey' }],
    }
    const model = scriptedModel((request) =>
      request.schemaName === 'segment'
        ? JSON.stringify({ summary: 'Bees.', memories: [invented], forget: [] })
        : 'They are on your roof.',
    )
    server = await openTestServer({ model, readEvery: 1 })
    all = server.keyFor({ actions: ['read', 'write', 'erase', 'admin'] })
    const turns = [{ role: 'user', text: 'I keep bees on the roof, four hives of them.' }]
    await ask('POST', '/v1/scopes/ana/turns', { turns, session: 'one' })
    await ask('POST', '/v1/scopes/ana/sessions/end', {})
    await server.keepsake.drain()
    const { body } = await ask<MemoryList>('GET', '/v1/scopes/ana/quarantine')
    expect(body.memories).toHaveLength(1)
    expect(body.memories[0]).toMatchObject({ status: 'quarantined', text: invented.text })
    expect(first(body.memories).reason).not.toBeNull()
    const at = `/v1/scopes/ana/quarantine/${first(body.memories).id}/release`
    expect((await ask<ChangeAnswer>('POST', at)).body.kind).toBe('restore')
    expect((await ask<ProblemBody>('POST', at)).body.code).toBe('not-possible')
    expect((await ask<MemoryList>('GET', '/v1/scopes/ana/quarantine')).body.memories).toEqual([])
  })
})

describe('erasing', () => {
  it('takes turns, memories, or the person, and answers with a receipt of numbers', async () => {
    await remember()
    expect((await ask('POST', '/v1/scopes/ana/erase', {})).status).toBe(422)
    expect((await ask('POST', '/v1/scopes/ana/erase', { turns: ['nope'] })).status).toBe(404)
    expect((await ask('DELETE', '/v1/scopes/ana?agnt=tutor')).status).toBe(422)
    const part = await ask<{ turns: number; at: string }>('POST', '/v1/scopes/ana/erase', { turns: ['t2'] })
    expect([part.status, part.body.turns]).toEqual([200, 1])
    expect(part.body.at).toMatch(/^\d{4}-.*Z$/)
    const whole = await ask<{ turns: number }>('DELETE', '/v1/scopes/ana', undefined, {
      'Idempotency-Key': 'e1',
    })
    expect(whole.status).toBe(200)
    expect(await server.keepsake.scopes()).toEqual([])
    const again = await ask('DELETE', '/v1/scopes/ana', undefined, { 'Idempotency-Key': 'e1' })
    expect([again.status, again.body]).toEqual([200, whole.body])
    expect((await ask('DELETE', '/v1/scopes/ana')).status).toBe(404)
  })
})

describe('the server', () => {
  it('lists scopes in pages, figures and jobs', async () => {
    for (const user of ['ana', 'ben', 'cleo']) await ask('POST', `/v1/scopes/${user}/turns?tenant=acme`, TALK)
    await server.keepsake.drain()
    const start = await ask<{ scopes: { user: string }[]; next: string }>('GET', '/v1/scopes?limit=2')
    expect(start.body.scopes.map(({ user }) => user)).toEqual(['ana', 'ben'])
    const second = await ask<{ scopes: object[]; next: null }>(
      'GET',
      `/v1/scopes?limit=2&cursor=${start.body.next}`,
    )
    expect(second.body).toEqual({
      scopes: [{ tenant: 'acme', user: 'cleo', agent: null, app: null }],
      next: null,
    })
    expect((await ask<{ scopes: object[] }>('GET', '/v1/scopes?tenant=other')).body.scopes).toEqual([])
    expect((await ask<{ turns: number }>('GET', '/v1/stats')).body).toMatchObject({
      owners: 3,
      turns: 6,
      preset: 'keepsake',
    })
    expect((await ask('GET', '/v1/jobs?state=parked&answers=true')).body).toEqual({ jobs: [], next: null })
    const retried = await ask('POST', '/v1/jobs/retry')
    expect([retried.status, retried.body]).toEqual([202, { retried: 0 }])
  })

  it('says what there is when asked for something else', async () => {
    const { status, body } = await ask<ProblemBody>('GET', '/v1/memories')
    expect([status, body.code]).toEqual([404, 'no-such-route'])
    const text = await server.app.request('/v1/scopes/ana/turns', {
      method: 'POST',
      headers: { ...all, 'Content-Type': 'text/plain' },
      body: JSON.stringify(TALK),
    })
    expect(text.status).toBe(415)
  })
})
