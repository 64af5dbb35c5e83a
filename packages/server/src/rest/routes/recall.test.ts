import { beforeEach, describe, expect, it } from 'vitest'
import type { ProblemBody } from '../../problem.ts'
import type { Headers } from '../../testing/routes-app.ts'
import { RouteAsker } from '../../testing/routes-asker.ts'
import type { MemoryJson } from '../schemas/memory.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

describe('recall', () => {
  it('takes the engine’s options, and refuses what is out of range', async () => {
    await asker.remember()
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
    const { status, body } = await asker.ask<{
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
      [{ question: ' \n' }, 'body.question'],
    ] as const) {
      const refused = await asker.ask<ProblemBody>('POST', '/v1/scopes/ana/recall', { ...options, ...wrong })
      expect([refused.status, refused.body.fields?.[0]?.field]).toEqual([422, field])
    }
  })

  it('of nobody finds nothing and makes nobody', async () => {
    const { status, body } = await asker.ask<{ known: boolean }>('POST', '/v1/scopes/nobody/recall', {
      question: 'Who?',
    })
    expect([status, body.known]).toEqual([200, false])
    expect(await asker.server.keepsake.scopes()).toEqual([])
  })

  it('strengthens nothing for a key that may only read', async () => {
    await asker.remember()
    const reader = await asker.server.keyFor({ actions: ['read'] })
    const before = await asker.factsOf()
    const recall = (headers: Headers, more = {}) =>
      asker.ask('POST', '/v1/scopes/ana/recall', { question: 'Where does Ana live?', ...more }, headers)
    expect((await recall(reader)).status).toBe(200)
    await asker.server.keepsake.drain()
    expect(await asker.factsOf()).toEqual(before)
    expect((await recall(reader, { reinforce: true })).status).toBe(403)
    await recall(asker.all)
    await asker.server.keepsake.drain()
    expect(await asker.factsOf()).not.toEqual(before)
  })

  it('is no failure of the server’s when its caller goes away', async () => {
    await asker.remember()
    const aborted = new AbortController()
    aborted.abort()
    const response = await asker.server.app.request('/v1/scopes/ana/recall', {
      method: 'POST',
      headers: { ...asker.all, 'Content-Type': 'application/json' },
      body: JSON.stringify({ question: 'Where?' }),
      signal: aborted.signal,
    })
    expect(response.status).toBe(499)
    expect(asker.server.logged).toEqual([])
  })
})
