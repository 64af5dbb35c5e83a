import { beforeEach, describe, expect, it } from 'vitest'
import type { ProblemBody } from '../../problem.ts'
import { first } from '../../testing/routes-app.ts'
import { RouteAsker, TALK } from '../../testing/routes-asker.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

describe('turns', () => {
  it('are remembered and can be recalled at once', async () => {
    const { status, body } = await asker.ask('POST', '/v1/scopes/ana/turns', TALK)
    expect(status).toBe(201)
    expect(body).toEqual({
      turns: ['t1', 't2'],
      added: 2,
      session: 'monday',
      lastOperation: 0,
      maskedSecrets: [],
    })
    const recall = await asker.ask<{
      memories: { evidence: { turn: string; at: string }[] }[]
      known: boolean
    }>('POST', '/v1/scopes/ana/recall', { question: 'Where does Ana live?' })
    expect(recall.status).toBe(200)
    expect(recall.body.known).toBeTypeOf('boolean')
    const evidence = first(recall.body.memories).evidence.find((one) => one.turn === 't1')
    expect(evidence?.at).toBe('2026-05-01T18:00:00.000Z')
  })

  it('keep a reference to what came with them', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const link = { type: 'image', url: 'https://x.org/kayak.jpg', caption: 'the red kayak' }
    const turns = [{ role: 'user', text: '', id: 'p1', attachments: [picture, link] }]
    expect((await asker.ask('POST', '/v1/scopes/ana/turns', { turns })).status).toBe(201)
    const kept = await asker.ask<{ turns: { text: string }[] }>('GET', '/v1/scopes/ana/turns')
    expect(kept.body.turns.map(({ text }) => text)).toEqual([
      '[image image/png; sha256 4c4b6a3be1314ab86138bef4314dde02; 8 bytes]\n[image; url "https://x.org/kayak.jpg"; caption "the red kayak"]',
    ])
    const refused = [{ role: 'user', text: 'Hi', attachments: [{ type: 'text', text: 'Hi' }] }]
    const answer = await asker.ask<ProblemBody>('POST', '/v1/scopes/ben/turns', { turns: refused })
    expect([answer.status, answer.body.fields?.[0]?.field]).toEqual([422, 'body.turns.0.attachments.0'])
    const described = await asker.ask<ProblemBody>('POST', '/v1/scopes/ana/turns', {
      turns: [{ ...turns[0], id: 'p2' }],
      describe: true,
    })
    expect([described.status, described.body.detail]).toEqual([422, expect.stringContaining('sees pictures')])
  })

  it('are refused whole, naming the field, when one cannot be taken', async () => {
    const refusals: [unknown, string][] = [
      [{ turns: [{ role: 'user', txt: 'x' }] }, 'body.turns.0.txt'],
      [{ turns: [{ role: 'user', text: 'x', at: 'yesterday' }] }, 'body.turns.0.at'],
      [{ turns: [{ role: 'user', text: 'x', at: '2026-05-01T18:00:00' }] }, 'body.turns.0.at'],
      [{ turns: [{ role: 'boss', text: 'x' }] }, 'body.turns.0.role'],
      [{ turns: [{ role: 'user', text: 7 }] }, 'body.turns.0.text'],
      [
        {
          turns: [
            { role: 'user', text: 'x' },
            { role: 'user', text: ' \n' },
          ],
        },
        'body.turns.1.text',
      ],
      [{ turns: [{ role: 'user', text: 'x', id: '  ' }] }, 'body.turns.0.id'],
      [{ turns: [{ role: 'user', text: 'x', timeZone: 'Mars/Base' }] }, 'body.turns.0.timeZone'],
      [{ turns: [] }, 'body.turns'],
      [{ turns: [{ role: 'user', text: 'x' }], sesion: 'a' }, 'body.sesion'],
      [{ turns: [{ role: 'user', text: 'x' }], __proto__x: 1 }, 'body.__proto__x'],
      [[], 'body'],
      ['x', 'body'],
    ]
    for (const [body, field] of refusals) {
      const answer = await asker.ask<ProblemBody>('POST', '/v1/scopes/ana/turns', body)
      expect([body, answer.status, answer.body.fields?.some((one) => one.field === field)]).toEqual([
        body,
        422,
        true,
      ])
      expect(answer.body.code).toBe('invalid-input')
    }
    expect(await asker.server.keepsake.scopes()).toEqual([])
  })

  it('mask secrets, and say so', async () => {
    const turns = [{ role: 'user', text: 'My card is 4111 1111 1111 1111, ok?' }]
    const { body } = await asker.ask<{ maskedSecrets: unknown[] }>('POST', '/v1/scopes/ana/turns', { turns })
    expect(body.maskedSecrets).toEqual([{ kind: 'card number', count: 1 }])
  })

  it('conflict with a known id of other words', async () => {
    await asker.remember()
    const turns = [{ role: 'user', text: 'Other words.', id: 't1' }]
    const answer = await asker.ask<ProblemBody>('POST', '/v1/scopes/ana/turns', { turns })
    expect([answer.status, answer.body.code]).toEqual([409, 'turn-conflict'])
  })

  it('with a field that there is not are told which was likely meant, or which there are', async () => {
    const says: [string, object, string][] = [
      [
        'turns',
        { turns: [{ role: 'user', text: 'x', speeker: 'Ana' }] },
        'body.turns.0.speeker is not a field of this. Did you mean "speaker"?',
      ],
      [
        'turns',
        { turns: [{ role: 'user', text: 'x', timestamp: 'Ana' }] },
        'body.turns.0.timestamp is not a field of this. Did you mean "at"?',
      ],
      [
        'turns',
        { turns: [{ role: 'user', content: 'x' }] },
        'body.turns.0.content is not a field of this. There are: role, text, attachments, id, speaker, at, timeZone, metadata, remember (and 1 more).',
      ],
      [
        'turns',
        { turns: [], sesion: 'a' },
        'body.sesion is not a field of this. Did you mean "session"? (and 1 more).',
      ],
      ['recall', { question: 'x', limti: 5 }, 'body.limti is not a field of this. Did you mean "limit"?'],
      ['turns?limti=5', {}, 'query.limti is not a field of this. Did you mean "limit"?'],
    ]
    for (const [where, body, detail] of says) {
      const method = where.includes('?') ? 'GET' : 'POST'
      const path = `/v1/scopes/ana/${where}`
      const answer = await asker.ask<ProblemBody>(method, path, method === 'GET' ? undefined : body)
      expect(answer.body.detail).toContain(`The request is invalid: ${detail}`)
    }
  })

  it('are stored once under an Idempotency-Key, and another body under it is refused', async () => {
    const body = { turns: [{ role: 'user', text: 'I keep bees.' }], session: 'one' }
    const key = { 'Idempotency-Key': 'k-1' }
    const once = await asker.ask('POST', '/v1/scopes/ana/turns', body, key)
    const again = await asker.ask('POST', '/v1/scopes/ana/turns', body, key)
    expect(again.body).toEqual(once.body)
    expect([once.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ])
    expect(again.status).toBe(201)
    const other = { ...body, turns: [{ role: 'user', text: 'I keep wasps.' }] }
    const conflict = await asker.ask<ProblemBody>('POST', '/v1/scopes/ana/turns', other, key)
    expect([conflict.status, conflict.body.code]).toEqual([409, 'idempotency-conflict'])
    const elsewhere = await asker.ask<ProblemBody>('POST', '/v1/scopes/ben/turns', body, key)
    expect(elsewhere.status).toBe(409)
    expect((await asker.server.keepsake.stats()).turns).toBe(1)
  })

  it('may be sent again under a key whose request failed', async () => {
    const key = { 'Idempotency-Key': 'k-2' }
    expect((await asker.ask('POST', '/v1/scopes/ana/turns', { turns: [{ role: 'user' }] }, key)).status).toBe(
      422,
    )
    expect((await asker.ask('POST', '/v1/scopes/ana/turns', TALK, key)).status).toBe(201)
    const long = await asker.ask('POST', '/v1/scopes/ana/turns', TALK, { 'Idempotency-Key': 'k'.repeat(256) })
    expect(long.status).toBe(422)
  })
})
