import { beforeEach, describe, expect, it } from 'vitest'
import { first } from '../../testing/routes-app.ts'
import { RouteAsker, TALK, type ChangeAnswer, type MemoryList } from '../../testing/routes-asker.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
  await asker.remember()
})

const ANA = '/v1/scopes/ana'

interface TurnList {
  readonly turns: readonly { readonly id: string; readonly text: string; readonly agent: string | null }[]
  readonly next: string | null
}

describe('turns', () => {
  it('are listed page by page, by their ids, and within their conversation', async () => {
    const { body } = await asker.ask<TurnList>('GET', `${ANA}/turns?session=monday&limit=1`)
    expect(body.turns).toMatchObject([{ id: 't1', text: TALK.turns[0]?.text, agent: null }])
    const rest = await asker.ask<TurnList>('GET', `${ANA}/turns?limit=1&cursor=${body.next ?? ''}`)
    expect([rest.body.turns.map(({ id }) => id), rest.body.next]).toEqual([['t2'], null])
    const named = await asker.ask<TurnList>('GET', `${ANA}/turns?ids=t2&ids=t1`)
    expect(named.body.turns.map(({ id }) => id)).toEqual(['t1', 't2'])
    const near = await asker.ask<TurnList>('GET', `${ANA}/turns/t2/around?count=1`)
    expect(near.body.turns.map(({ id }) => id)).toEqual(['t1', 't2'])
  })

  it('refuse what is no cursor of theirs, by its field', async () => {
    const { status, body } = await asker.ask<{ fields: { field: string }[] }>('GET', `${ANA}/turns?cursor=x`)
    expect([status, body.fields[0]?.field]).toEqual([422, 'query.cursor'])
    expect((await asker.ask('GET', `${ANA}/sessions?cursor=x`)).status).toBe(422)
  })
})

describe('what changed lately', () => {
  it('is the log from its end, page by page', async () => {
    const fact = first(await asker.factsOf())
    const { body: pinned } = await asker.ask<ChangeAnswer>('PUT', `${ANA}/memories/${fact.id}/pin`)
    interface Log {
      readonly operations: readonly { readonly id: string; readonly sequence: number }[]
      readonly next: string | null
    }
    const { body } = await asker.ask<Log>('GET', `${ANA}/operations?newestFirst=true&limit=2`)
    expect(body.operations[0]).toMatchObject({ id: pinned.id, payload: { after: { pinned: true } } })
    const more = await asker.ask<Log>(
      'GET',
      `${ANA}/operations?newestFirst=true&limit=2&cursor=${body.next ?? ''}`,
    )
    expect(more.body.operations[0]?.sequence).toBe((body.operations[1]?.sequence ?? 0) - 1)
    const adds = await asker.ask<Log>('GET', `${ANA}/operations?kinds=modify`)
    expect(adds.body.operations.map(({ id }) => id)).toContain(pinned.id)
  })
})

describe('a person', () => {
  it('has guidelines, which are stored and keep what is never kept out of their memory', async () => {
    const set = await asker.ask('PUT', `${ANA}/guidelines`, { keep: ['songs'], never: ['allergies'] })
    const own = { keep: ['songs'], never: ['allergies'] }
    expect([set.status, set.body]).toEqual([200, { ...own, own }])
    expect((await asker.ask('GET', `${ANA}/guidelines?agent=luna`)).body).toEqual({
      ...own,
      own: { keep: [], never: [] },
    })
    const facts = (await asker.factsOf()).length
    const turns = [{ role: 'user', text: "I'm allergic to peanuts." }]
    expect((await asker.ask('POST', `${ANA}/turns`, { turns })).status).toBe(201)
    await asker.server.keepsake.drain()
    expect(await asker.factsOf()).toHaveLength(facts)
    const { body } = await asker.ask<MemoryList>('GET', `${ANA}/quarantine`)
    expect(body.memories).toMatchObject([{ text: '[not kept: allergies]' }])
    expect((await asker.ask('PUT', `${ANA}/guidelines`, { never: [''] })).status).toBe(422)
    const refused = await asker.ask('POST', `${ANA}/memories`, { text: 'The user has allergies.' })
    expect(refused.status).toBe(409)
  })

  it('has figures, and a consent of their own', async () => {
    const { body } = await asker.ask<object>('GET', `${ANA}/stats`)
    expect(body).toMatchObject({ turns: 2, sessions: 1, pending: 0, startedAt: '2026-05-01T18:00:00.000Z' })
    expect((await asker.ask('PUT', `${ANA}/consent`, { consent: 'refused' })).body).toEqual({
      consent: 'refused',
    })
    expect((await asker.ask('GET', `${ANA}/consent`)).body).toEqual({ consent: 'refused' })
    expect((await asker.ask('GET', '/v1/scopes/ben/consent')).body).toEqual({ consent: 'unasked' })
    expect((await asker.ask('PUT', `${ANA}/consent`, { consent: 'maybe' })).status).toBe(422)
  })
})

describe('an erasure', () => {
  it('is told before, and proven after, also where the person is gone', async () => {
    const preview = await asker.ask<{ turns: number; memories: number; isPerson: boolean }>(
      'POST',
      `${ANA}/erase/preview`,
      {},
    )
    expect(preview.body).toMatchObject({ turns: 2, isPerson: true })
    const everything = await asker.ask('POST', `${ANA}/erase/preview`, { everything: true })
    expect(everything.body).toEqual(preview.body)
    const both = { everything: true, turns: ['t2'] }
    expect((await asker.ask('POST', `${ANA}/erase/preview`, both)).status).toBe(422)
    expect((await asker.ask('POST', `${ANA}/erase/preview`, { turns: ['nothing'] })).status).toBe(404)
    const { body: part } = await asker.ask<{ id: string }>('POST', `${ANA}/erase`, { turns: ['t2'] })
    await asker.remember('ben')
    expect((await asker.ask('GET', `/v1/scopes/ben/erasures/${part.id}`)).status).toBe(404)
    const { body: whole } = await asker.ask<{ id: string; purgedAt: string | null }>(
      'DELETE',
      `${ANA}?everything=true`,
    )
    const proof = await asker.ask<{ purgedAt: string | null }>('GET', `${ANA}/erasures/${whole.id}`)
    expect(proof.body).toMatchObject({ id: whole.id, turns: 1, purgedAt: expect.any(String) as string })
    expect((await asker.ask('GET', `${ANA}/erasures/nothing`)).status).toBe(404)
  })
})

describe('a memory', () => {
  it('has a life, and those like it their strengths', async () => {
    const { body } = await asker.ask<MemoryList>('GET', `${ANA}/memories?forms=utterance&newestFirst=true`)
    const said = body.memories.at(-1)
    const life = await asker.ask<{ turns: { id: string }[]; policies: { policy: string }[] }>(
      'GET',
      `${ANA}/memories/${said?.id ?? ''}/life`,
    )
    expect(life.body.turns.map(({ id }) => id)).toContain('t1')
    expect(life.body.policies.map(({ policy }) => policy)).toContain('first-in-first-out')
    const strengths = await asker.ask<{ considered: number; kept: number }>(
      'GET',
      `${ANA}/strengths?policy=first-in-first-out&memories=0`,
    )
    expect([strengths.body.considered > 0, strengths.body.kept]).toEqual([true, 0])
    expect((await asker.ask('GET', `${ANA}/strengths?policy=none`)).status).toBe(422)
  })
})

describe('a key', () => {
  it('can ask what it may do, and is told of nobody else', async () => {
    const headers = await asker.server.keyFor({ actions: ['read'], tenants: ['acme'], users: ['ana'] })
    const { status, body } = await asker.ask('GET', '/v1/access', undefined, headers)
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        actions: ['read'],
        tenants: ['acme'],
        users: ['ana'],
        preset: 'keepsake',
        model: null,
      }),
    ])
  })
})
