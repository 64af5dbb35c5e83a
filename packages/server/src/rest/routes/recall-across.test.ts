import { beforeEach, describe, expect, it } from 'vitest'
import { RouteAsker } from '../../testing/routes-asker.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
  for (const [user, text] of [
    ['ana', 'I am allergic to peanuts.'],
    ['ben', 'I am allergic to shellfish.'],
  ])
    await asker.ask('POST', `/v1/scopes/${user ?? ''}/turns`, {
      turns: [{ role: 'user', text }],
      session: 'one',
    })
  await asker.server.keepsake.drain()
})

interface Across {
  readonly context: { readonly text: string }
  readonly memories: readonly { readonly of: number; readonly memory: { readonly text: string } }[]
}

const BOTH = [{ user: 'ana', name: 'Ana' }, { user: 'ben' }]
const question = 'Who is allergic to what?'

describe('recalling across several people', () => {
  it('says of each memory whose it is', async () => {
    const { status, body } = await asker.ask<Across>('POST', '/v1/recall', { question, scopes: BOTH })
    expect(status).toBe(200)
    expect(body.context.text).toMatch(/Ana:\n[^]*peanuts[^]*\n\nben:\n[^]*shellfish/)
    for (const { of, memory } of body.memories)
      expect(memory.text).toContain(of === 0 ? 'peanuts' : 'shellfish')
  })

  it('is refused, before anything is read, to a key that may not see one of them', async () => {
    const headers = await asker.server.keyFor({ actions: ['read', 'write'], users: ['ana'] })
    const asking = (scopes: readonly object[]) =>
      asker.ask<{ code: string; detail: string }>('POST', '/v1/recall', { question, scopes }, headers)
    expect((await asking([{ user: 'ana' }])).status).toBe(200)
    const refused = await asking(BOTH)
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    const nobody = await asking([{ user: 'ana' }, { user: 'nobody' }])
    expect(nobody.body.detail).toBe(refused.body.detail)
  })

  it('names the field that cannot be taken', async () => {
    const { status, body } = await asker.ask<{ fields: { field: string }[] }>('POST', '/v1/recall', {
      question,
      scopes: [{ user: 'ana', nick: 'A' }],
    })
    expect([status, body.fields[0]?.field]).toEqual([422, 'body.scopes.0.nick'])
    const asked = await asker.ask<{ fields: object[] }>('POST', '/v1/recall', {
      question: '',
      scopes: [{ user: 'ana' }],
    })
    expect([asked.status, asked.body.fields]).toEqual([
      422,
      [{ field: 'body.question', problem: 'is empty: ask a question, or pass the last message' }],
    ])
  })
})

describe('a statement', () => {
  it('is kept once, with the evidence of both, and refused where its turn is not there', async () => {
    interface Stated {
      readonly id: string
      readonly evidence: readonly object[]
    }
    const turns = (await asker.server.keepsake.scope({ user: 'ana' }).turns()).map(({ id }) => id)
    const state = (body: object) => asker.ask<Stated>('POST', '/v1/scopes/ana/memories', body)
    const first = await state({ text: 'The user cannot eat peanuts.' })
    expect([first.status, first.body.evidence]).toEqual([201, []])
    const again = await state({ text: 'The user cannot eat peanuts.', evidence: turns })
    expect([again.body.id, again.body.evidence.length]).toEqual([first.body.id, 1])
    expect((await state({ text: 'x', evidence: ['nowhere'] })).status).toBe(404)
    expect((await state({ text: 'x', key: 'residense' })).status).toBe(422)
  })
})
