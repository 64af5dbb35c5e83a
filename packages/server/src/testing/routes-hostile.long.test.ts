import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACTIONS } from '../access/grant.ts'
import { askJson, type Headers, type TestServer } from './routes-app.ts'
import { askRoute, codeOf, openRoutesServer, seedPerson, unchanged } from './routes-people.ts'
import { ROUTES, type Ids } from './routes-requests.ts'

const NAMES = Object.keys(ROUTES)

let server: TestServer
let ana: Ids
let all: Headers
beforeAll(async () => {
  server = await openRoutesServer()
  ana = await seedPerson(server, 'acme', 'ana')
  all = await server.keyFor({ actions: ACTIONS })
})
afterAll(() => server.close())

const SOMEBODY: Ids = {
  user: 'x',
  memory: 'x',
  deleted: 'x',
  quarantined: 'x',
  operation: 'x',
  turn: 'x',
  session: 'x',
  erasure: 'x',
  webhook: 'w',
  wide: 'x',
  key: 'goals',
  entity: 'x',
}
const needOf = (name: string, ids = SOMEBODY) => ROUTES[name]?.(ids) ?? { action: 'read' as const }
const WITH_BODY = NAMES.filter((name) => needOf(name).body !== undefined && needOf(name).lines !== true)
const ONCE = NAMES.filter((name) => needOf(name).once === true)

describe('names', () => {
  const names = [
    'a/b',
    '../../etc/passwd',
    '..%2f..%2f',
    '%2e%2e',
    '%',
    '100%25',
    "'; DROP TABLE turns; --",
    '" OR 1=1 --',
    '_%_',
    '*',
    'a?b=c#d',
    'a&tenant=rival',
    ':user',
    '{user}',
    'ANA',
    '你好',
    '🦜',
    'é',
    '__proto__',
    'constructor',
    'scopes',
    '-',
    '\\',
    'x'.repeat(512),
  ]

  const ask = <Answer>(method: string, path: string, body?: unknown) =>
    askJson<Answer>(server.app, method, path, body, all)

  it('hold anything, in the path and in the query, and are told apart', async () => {
    for (const [index, name] of names.entries()) {
      const at = `/v1/scopes/${encodeURIComponent(name)}`
      const query = `tenant=${encodeURIComponent(`t ${name}`.slice(0, 512))}&agent=${encodeURIComponent(name)}`
      const turns = [{ role: 'user', text: `My number is ${index}.` }]
      expect([name, (await ask('POST', `${at}/turns`, { turns })).status]).toEqual([name, 201])
      expect([name, (await ask('POST', `${at}/turns?${query}`, { turns })).status]).toEqual([name, 201])
    }
    await server.keepsake.drain()
    for (const [index, name] of names.entries()) {
      const at = `/v1/scopes/${encodeURIComponent(name)}`
      const { body } = await ask<{ memories: { text: string }[] }>('GET', `${at}/memories?forms=utterance`)
      expect([name, body.memories.map(({ text }) => text)]).toEqual([name, [`My number is ${index}.`]])
      const sheet = await ask('GET', `${at}/persona?agent=${encodeURIComponent(name)}`)
      expect(sheet.status).toBe(200)
    }
    const users = (await server.keepsake.scopes({ tenant: 'default' })).map(({ user }) => user)
    expect(users.toSorted()).toEqual(names.toSorted())
    for (const name of names) {
      const gone = await ask('DELETE', `/v1/scopes/${encodeURIComponent(name)}?everything=true`)
      expect([name, gone.status]).toEqual([name, 200])
      await server.keepsake
        .scope({ tenant: `t ${name}`.slice(0, 512), user: name })
        .erase({ everything: true })
    }
    expect(await server.keepsake.scopes({ tenant: 'default' })).toEqual([])
  })

  it.each(['.', '..'])('that no address can hold (%s) are named in the query', async (name) => {
    const turns = [{ role: 'user', text: 'I am a dot.' }]
    expect((await ask('POST', `/v1/scopes/%20/turns?user=${name}`, { turns })).status).toBe(201)
    const { body } = await ask<{ scopes: { user: string }[] }>('GET', '/v1/scopes?tenant=default')
    expect(body.scopes.map(({ user }) => user)).toEqual([name])
    expect((await ask('GET', `/v1/scopes/%20/memories?user=${name}`)).status).toBe(200)
    expect((await ask('DELETE', `/v1/scopes/%20?user=${name}&everything=true`)).status).toBe(200)
    expect(await server.keepsake.scopes({ tenant: 'default' })).toEqual([])
  })

  it('of a key are held to where the query names the user', async () => {
    const headers = await server.keyFor({ actions: ACTIONS, users: ['eve'] })
    for (const path of [
      '/v1/scopes/%20/memories?user=ana&tenant=acme',
      '/v1/scopes/eve/memories?user=ana&tenant=acme',
    ]) {
      const { status } = await askJson(server.app, 'GET', path, undefined, headers)
      expect([path, status]).toEqual([path, expect.toBeOneOf([403, 422])])
    }
  })

  it.each([
    ['/v1/scopes/%20/memories', 422, 'path.user'],
    ['/v1/scopes/%20/memories?user=%20', 422, 'query.user'],
    ['/v1/scopes/ana/memories?user=ben', 422, 'query.user'],
    [`/v1/scopes/${'x'.repeat(513)}/memories`, 422, 'path.user'],
    ['/v1/scopes/ana/memories?tenant=', 422, 'query.tenant'],
    ['/v1/scopes/ana/memories?tenant=a&tenant=b', 422, 'query.tenant'],
    ['/v1/scopes/ana/memories?agent=%09', 422, 'query.agent'],
    ['/v1/scopes/%ff/memories', 400, 'path'],
    ['/v1/scopes/%/memories', 400, 'path'],
    ['/v1/scopes/ana%00/memories', 400, 'path'],
    ['/v1/scopes/ana/memories?tenant=%c3%28', 400, 'path'],
  ])('that are none are refused: %s', async (path, status, field) => {
    const answer = await ask<{ fields: { field: string }[] }>('GET', path)
    expect([answer.status, answer.body.fields[0]?.field]).toEqual([status, field])
  })

  it('of memories and operations hold anything too, and find nothing', async () => {
    await unchanged(server, async () => {
      for (const id of ['../ana', "' OR '1'='1", '%', '你好', 'pending:x', 'a/b/c', '*'])
        for (const name of NAMES.filter((name) =>
          /\{(?:memory|deleted|quarantined|operation)\}/.test(name),
        )) {
          const ids = { ...ana, memory: id, deleted: id, quarantined: id, operation: id }
          const { status, text } = await askRoute(server, name, ids, { headers: all })
          expect([name, id, status, codeOf(text)]).toEqual([name, id, 404, 'not-found'])
        }
    })
  })
})

describe('bodies', () => {
  const unknown = { 'not-a-field': 1 }

  it('with a field that is not known are refused, naming it', async () => {
    await unchanged(server, async () => {
      for (const name of WITH_BODY) {
        const body = { ...(needOf(name, ana).body as object), ...unknown }
        const { status, text } = await askRoute(server, name, ana, { headers: all, request: { body } })
        expect([name, status]).toEqual([name, 422])
        expect(JSON.parse(text)).toMatchObject({ fields: [{ field: 'body.not-a-field' }] })
      }
    })
  })

  it('of another kind are refused', async () => {
    const wrong: [unknown, number][] = [
      ['{"turns":', 400],
      ['{"text": "x" oops}', 400],
      [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
      [new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 400],
      [null, 422],
      [[], 422],
      ['"text"', 422],
      ['7', 422],
      [`{"x":${'['.repeat(100)}${']'.repeat(100)}}`, 422],
      // Deeper than anybody's is not even parsed.
      [`{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400],
      [`{"x":"${'x'.repeat(1_000_001)}"}`, 413],
    ]
    await unchanged(server, async () => {
      for (const name of WITH_BODY) {
        for (const [body, expected] of wrong) {
          const { status, text } = await askRoute(server, name, ana, { headers: all, request: { body } })
          expect([name, String(body).slice(0, 20), status]).toEqual([
            name,
            String(body).slice(0, 20),
            expected,
          ])
          expect(JSON.parse(text)).toMatchObject({ status: expected, code: expect.any(String) })
        }
        const plain = await askRoute(server, name, ana, { headers: { ...all, 'Content-Type': 'text/plain' } })
        expect([name, plain.status]).toEqual([name, 415])
      }
    })
  })

  it('that are missing are refused, where something must be said', async () => {
    // What was said nothing of is then all there is, and previewed only.
    const needed = WITH_BODY.filter(
      (name) => !/sessions\/end|forgetting|erase\/preview|webhooks\/\{webhook\}/.test(name),
    )
    await unchanged(server, async () => {
      for (const name of needed) {
        const { status } = await askRoute(server, name, ana, { headers: all, request: { body: undefined } })
        expect([name, status]).toEqual([name, 422])
      }
    })
  })
})

describe('queries', () => {
  it('with a field that is not known are refused, naming it', async () => {
    await unchanged(server, async () => {
      for (const name of NAMES) {
        const { status, text } = await askRoute(server, name, ana, { headers: all, query: 'agnt=x' })
        expect([name, status, text.includes('"query.agnt"')]).toEqual([name, 422, true])
      }
    })
  })
})

describe('an Idempotency-Key', () => {
  it('that was used for something else is refused on every route that takes one', async () => {
    const headers = { ...all, 'Idempotency-Key': 'used' }
    const used = await askRoute(server, 'POST /v1/jobs/retry', ana, { headers })
    expect(used.status).toBe(202)
    expect(ONCE.length).toBeGreaterThan(10)
    await unchanged(server, async () => {
      for (const name of ONCE.filter((name) => name !== 'POST /v1/jobs/retry')) {
        const { status, text } = await askRoute(server, name, ana, { headers })
        expect([name, status, codeOf(text)]).toEqual([name, 409, 'idempotency-conflict'])
      }
    })
    const again = await askRoute(server, 'POST /v1/jobs/retry', ana, { headers })
    expect([again.status, again.text]).toEqual([used.status, used.text])
  })

  it('is each key’s own', async () => {
    const headers = { ...(await server.keyFor({ actions: ['write'] })), 'Idempotency-Key': 'used' }
    const name = 'POST /v1/scopes/{user}/sessions/end'
    expect((await askRoute(server, name, ana, { headers })).status).toBe(202)
  })
})
