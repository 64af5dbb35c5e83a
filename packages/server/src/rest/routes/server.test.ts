import { beforeEach, describe, expect, it } from 'vitest'
import { scriptedModel } from 'keepsake/model'
import type { ProblemBody } from '../../problem.ts'
import { first } from '../../testing/routes-app.ts'
import { RouteAsker, TALK } from '../../testing/routes-asker.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

describe('the server', () => {
  it('lists scopes in pages, figures and jobs', async () => {
    for (const user of ['ana', 'ben', 'cleo'])
      await asker.ask('POST', `/v1/scopes/${user}/turns?tenant=acme`, TALK)
    await asker.server.keepsake.drain()
    const start = await asker.ask<{ scopes: { user: string }[]; next: string }>('GET', '/v1/scopes?limit=2')
    expect(start.body.scopes.map(({ user }) => user)).toEqual(['ana', 'ben'])
    const second = await asker.ask<{ scopes: object[]; next: null }>(
      'GET',
      `/v1/scopes?limit=2&cursor=${start.body.next}`,
    )
    expect(second.body).toEqual({
      scopes: [{ tenant: 'acme', user: 'cleo', agent: null, app: null }],
      next: null,
    })
    expect((await asker.ask<{ scopes: object[] }>('GET', '/v1/scopes?tenant=other')).body.scopes).toEqual([])
    expect((await asker.ask<{ turns: number }>('GET', '/v1/stats')).body).toMatchObject({
      users: 3,
      turns: 6,
      preset: 'keepsake',
    })
    expect((await asker.ask('GET', '/v1/jobs?state=parked&answers=true')).body).toEqual({
      jobs: [],
      next: null,
    })
    const retried = await asker.ask('POST', '/v1/jobs/retry')
    expect([retried.status, retried.body]).toEqual([202, { retried: 0 }])
  })

  it('shows what failed, and what a model answered, only to one who may read', async () => {
    asker = await RouteAsker.open({
      model: scriptedModel(() => 'no JSON but the secret Kiwi'),
      exchangesPerExtraction: 1,
    })
    await asker.ask('POST', '/v1/scopes/ana/turns', TALK)
    await asker.server.keepsake.drain()
    type Jobs = {
      jobs: { state: string; reason: string | null; answer?: string | null; scope: { user: string } }[]
    }
    const parked = first((await asker.ask<Jobs>('GET', '/v1/jobs?state=parked&answers=true')).body.jobs)
    expect(parked).toMatchObject({ scope: { user: 'ana' }, reason: expect.any(String) })
    expect(parked.answer).toContain('Kiwi')
    const admin = await asker.server.keyFor({ actions: ['admin'] })
    expect((await asker.ask('GET', '/v1/jobs?answers=true', undefined, admin)).status).toBe(403)
    const seen = first((await asker.ask<Jobs>('GET', '/v1/jobs?state=parked', undefined, admin)).body.jobs)
    expect([seen.state, seen.reason, 'answer' in seen]).toEqual(['parked', null, false])
    expect((await asker.ask<{ retried: number }>('POST', '/v1/jobs/retry')).body.retried).toBe(1)
  })

  it('says what there is when asked for something else', async () => {
    const { status, body } = await asker.ask<ProblemBody>('GET', '/v1/scopes/ana/nothing')
    expect([status, body.code]).toEqual([404, 'no-such-route'])
    const text = await asker.server.app.request('/v1/scopes/ana/turns', {
      method: 'POST',
      headers: { ...asker.all, 'Content-Type': 'text/plain' },
      body: JSON.stringify(TALK),
    })
    expect(text.status).toBe(415)
  })
})
