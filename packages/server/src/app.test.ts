import { type Keepsake } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireAccess } from './access/access.ts'
import type { Action } from './access/grant.ts'
import { KeyStore } from './access/key-store.ts'
import { createApp, type AppOptions } from './app.ts'
import type { ProblemBody } from './problem.ts'
import { testDeps, type TestDeps } from './testing/test-deps.ts'
import { testMemory } from './testing/test-memory.ts'

const SECRET_WORDS = 'the-cellar-key-hangs-behind-the-clock'

let keepsake: Keepsake
let keys: KeyStore
let parts: TestDeps
beforeEach(async () => {
  keepsake = await testMemory()
  keys = new KeyStore(keepsake.records)
  parts = testDeps(keepsake, { newId: () => 'made-id' })
})
afterEach(() => parts.close())

/** The app, and routes of the test's own behind everything that stands before the doors. */
function appWith(options: Partial<AppOptions> = {}): ReturnType<typeof createApp> {
  const app = createApp(parts.deps, { keys, ...options })
  app.get('/v1/stats/test/scopes/:user', (c) => {
    requireAccess(c, 'read', { user: c.req.param('user') })
    return c.json({ user: c.req.param('user') })
  })
  app.post('/v1/stats/test/echo', async (c) => c.json({ got: await c.req.text() }))
  app.post('/v1/stats/test/bytes', async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }))
  app.get('/v1/stats/test/broken', () => {
    throw new Error(SECRET_WORDS)
  })
  app.get('/v1/stats/test/foreign', () => Response.redirect('http://127.0.0.1/x', 302))
  return app
}

const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` })
const keyFor = async (...actions: Action[]): Promise<string> =>
  (await keys.create({ name: 'test', actions })).key
/** Node wants to be told that a stream is sent while the answer may come. */
function sending(
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string>,
): RequestInit & { duplex: 'half' } {
  return { method: 'POST', body, headers, duplex: 'half' }
}
const problemOf = async (response: Response): Promise<ProblemBody> => (await response.json()) as ProblemBody

describe('who may come in', () => {
  it('serves health to everybody, and nothing else', async () => {
    const app = appWith()
    expect((await app.request('/healthz')).status).toBe(200)
    expect((await app.request('/readyz')).status).toBe(200)
    for (const path of ['/metrics', '/v1/stats/test/scopes/ana', '/v1/models', '/nowhere', '/mcp']) {
      const response = await app.request(path)
      expect([path, response.status]).toEqual([path, 401])
      expect(response.headers.get('www-authenticate')).toBe(
        path === '/v1/models' ? null : 'Bearer realm="keepsake"',
      )
    }
  })

  it('lets no browser guess the kind of an answer, keep it or show it within another site', async () => {
    const app = appWith()
    for (const path of ['/healthz', '/nowhere', '/v1/stats/test/scopes/ana', '/openapi.json']) {
      const { headers } = await app.request(path, { headers: bearer(await keyFor('read')) })
      const names = ['x-content-type-options', 'cache-control', 'cross-origin-resource-policy']
      expect(names.map((name) => headers.get(name))).toEqual(['nosniff', 'no-store', 'same-origin'])
    }
  })

  it('takes a key in each of the ways that clients send it', async () => {
    const app = appWith()
    const key = await keyFor('read')
    for (const headers of [
      bearer(key),
      { authorization: `bearer ${key}` },
      { Authorization: `Token ${key}` },
      { 'X-API-Key': key },
    ])
      expect((await app.request('/v1/stats/test/scopes/ana', { headers })).status).toBe(200)
  })

  it.each([
    [{ Authorization: 'Bearer ' }],
    [{ Authorization: 'Bearer nonsense' }],
    [{ Authorization: `Basic ${btoa('ana:x')}` }],
    [{ 'X-API-Key': 'ks_0_0' }],
  ])('refuses %j with 401 and says why', async (headers) => {
    const response = await appWith().request('/v1/stats/test/scopes/ana', { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await problemOf(response)).toMatchObject({ code: 'unauthorized', status: 401, request: 'made-id' })
  })

  it('does not fall back on X-API-Key when Authorization holds something wrong', async () => {
    const headers = { Authorization: 'Bearer wrong', 'X-API-Key': await keyFor('read') }
    expect((await appWith().request('/v1/stats/test/scopes/ana', { headers })).status).toBe(401)
  })

  it('sees at once that a key was revoked', async () => {
    const app = appWith()
    const { key, entry } = await keys.create({ name: 'x' })
    expect((await app.request('/v1/stats/test/scopes/ana', { headers: bearer(key) })).status).toBe(200)
    await keys.revoke(entry.id)
    expect((await app.request('/v1/stats/test/scopes/ana', { headers: bearer(key) })).status).toBe(401)
  })

  it('answers 403 the same for a foreign scope that exists and one that does not', async () => {
    await keepsake.scope({ user: 'ben' }).remember({ role: 'user', text: 'Hello.' })
    const app = appWith()
    const { key } = await keys.create({ name: 'x', users: ['ana'] })
    const there = await app.request('/v1/stats/test/scopes/ben', { headers: bearer(key) })
    const not = await app.request('/v1/stats/test/scopes/nobody', { headers: bearer(key) })
    expect(there.status).toBe(403)
    expect(await there.text()).toBe(await not.text())
  })

  it('shows metrics to an admin alone', async () => {
    const app = appWith()
    expect((await app.request('/metrics', { headers: bearer(await keyFor('read', 'write')) })).status).toBe(
      403,
    )
    await app.request('/v1/stats/test/scopes/ana', { headers: bearer(await keyFor('read')) })
    const response = await app.request('/metrics', { headers: bearer(await keyFor('admin')) })
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    expect(text).toMatch(
      /keepsake_request_seconds_count\{door="rest",route="\/v1\/stats\/test\/scopes\/:user",method="GET",status="200"\} 1/,
    )
    expect(text).not.toContain('ana')
    expect(text).toContain('keepsake_jobs{state="waiting"} 0')
  })
})

describe('limits', () => {
  it('counts the requests of each key, and says how many are left', async () => {
    const app = appWith({ requestsPerMinute: 100 })
    const { key } = await keys.create({ name: 'x', requestsPerMinute: 2 })
    const get = (with_: string) => app.request('/v1/stats/test/scopes/ana', { headers: bearer(with_) })
    const first = await get(key)
    expect(first.headers.get('ratelimit-limit')).toBe('2')
    expect(first.headers.get('ratelimit-remaining')).toBe('1')
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    await get(key)
    const third = await get(key)
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(third.headers.get('ratelimit-remaining')).toBe('0')
    expect(await problemOf(third)).toMatchObject({ code: 'too-many-requests' })
    expect((await get(await keyFor('read'))).headers.get('ratelimit-remaining')).toBe('99')
  })

  it('tells an address with many wrong keys to wait, and still serves a right one', async () => {
    const app = appWith({ failuresPerMinute: 3 })
    const wrong = () => app.request('/v1/stats/test/scopes/ana', { headers: bearer('ks_wrong') })
    for (let index = 0; index < 3; index++) expect((await wrong()).status).toBe(401)
    const fourth = await wrong()
    expect(fourth.status).toBe(429)
    expect(fourth.headers.get('retry-after')).not.toBeNull()
    const right = await app.request('/v1/stats/test/scopes/ana', { headers: bearer(await keyFor('read')) })
    expect(right.status).toBe(200)
  })

  it('sets no limit where it is told so', async () => {
    const response = await appWith({ requestsPerMinute: null }).request('/v1/stats/test/scopes/ana', {
      headers: bearer(await keyFor('read')),
    })
    expect(response.headers.get('ratelimit-limit')).toBeNull()
  })
})

describe('bodies', () => {
  const post = async (
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
    options = {},
  ) =>
    appWith({ limits: { bytes: 1_000 }, ...options }).request(
      path,
      sending(body, { ...bearer(await keyFor('write')), 'Content-Type': 'application/json', ...headers }),
    )

  it('hands a body on whole, as text and as bytes', async () => {
    expect(await (await post('/v1/stats/test/echo', '{"text":"你好"}')).json()).toEqual({
      got: '{"text":"你好"}',
    })
    expect(await (await post('/v1/stats/test/bytes', '{"text":"你好"}')).json()).toEqual({ bytes: 17 })
    expect(await (await post('/v1/stats/test/echo', '')).json()).toEqual({ got: '' })
  })

  it('refuses more than the limit, whether or not its length was said', async () => {
    const long = JSON.stringify('x'.repeat(1_000))
    const said = await post('/v1/stats/test/echo', long, { 'Content-Length': String(long.length) })
    expect(said.status).toBe(413)
    expect(said.headers.get('connection')).toBe('close')
    expect(await problemOf(said)).toMatchObject({ code: 'too-large' })
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(100).fill(32))
      },
    })
    expect((await post('/v1/stats/test/echo', endless)).status).toBe(413)
    expect(pulled).toBeLessThan(20)
  })

  it('takes more for a chat', async () => {
    const long = JSON.stringify({ model: 'x', messages: [{ role: 'user', content: 'x'.repeat(2_000) }] })
    expect((await post('/v1/chat/completions', long)).status).not.toBe(413)
  })

  it.each([
    ['{"a":', 'malformed-json'],
    [`{"text":"${SECRET_WORDS}" oops}`, 'malformed-json'],
    [new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 'malformed-utf8'],
    [new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 'malformed-utf8'],
  ])('refuses what is no JSON or no UTF-8 with 400: %s', async (body, code) => {
    const response = await post('/v1/stats/test/echo', body)
    expect(response.status).toBe(400)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ code })
    expect(JSON.stringify(problem)).not.toContain(SECRET_WORDS)
  })

  it('gives up on a body that does not come', async () => {
    const stuck = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([0x7b])) })
    const response = await post('/v1/stats/test/echo', stuck, {}, { limits: { bodyMs: 30 } })
    expect(response.status).toBe(408)
    expect(response.headers.get('connection')).toBe('close')
  })

  it('reads no body of who has no key', async () => {
    let pulled = 0
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(10))
        },
      },
      { highWaterMark: 0 },
    )
    expect((await post('/v1/stats/test/echo', body, { Authorization: 'Bearer wrong' })).status).toBe(401)
    expect(pulled).toBe(0)
  })

  it.each([
    '/v1/stats/test/scopes/%ff',
    '/v1/stats/test/scopes/a%00b',
    '/v1/stats/test/scopes/%zz',
    '/v1/stats/test/scopes/ana?x=%e0%a4',
  ])('refuses the address %s', async (path) => {
    const response = await appWith().request(path, { headers: bearer(await keyFor('read')) })
    expect(response.status).toBe(400)
    expect(await problemOf(response)).toMatchObject({ code: 'malformed-path' })
  })

  it('reads names with escapes as they were meant', async () => {
    const response = await appWith().request('/v1/stats/test/scopes/a%2F..%2Fb%25', {
      headers: bearer(await keyFor('read')),
    })
    expect(await response.json()).toEqual({ user: 'a/../b%' })
  })
})

describe('origins', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://app.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    },
  }

  it('lets no page in unless told', async () => {
    const response = await appWith().request('/v1/stats/test/echo', preflight)
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('lets in the pages that are named, and no others', async () => {
    const app = appWith({ cors: ['https://app.example'] })
    const response = await app.request('/v1/stats/test/echo', preflight)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    const headers = { ...bearer(await keyFor('read')), Origin: 'https://app.example' }
    const real = await app.request('/v1/stats/test/scopes/ana', { headers })
    expect(real.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(real.headers.get('access-control-expose-headers')).toContain('Retry-After')
    const refusal = await app.request('/v1/stats/test/scopes/ana', {
      headers: { Origin: 'https://app.example' },
    })
    expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'https://app.example',
    ])
    const foreign = { ...preflight, headers: { ...preflight.headers, Origin: 'https://evil.example' } }
    const refused = await app.request('/v1/stats/test/echo', foreign)
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('without keys, answers this machine’s own pages and programs alone', async () => {
    const app = appWith({ keys: null, cors: ['https://app.example'] })
    const get = async (headers: Record<string, string>) =>
      (await app.request('/v1/stats/test/scopes/ana', { headers })).status
    expect(await get({})).toBe(200)
    for (const host of ['127.0.0.1:4150', 'localhost:4150', '[::1]:4150', '127.0.0.1'])
      expect([host, await get({ host })]).toEqual([host, 200])
    // A name that its owner lets point to 127.0.0.1
    for (const host of ['evil.example:4150', '127.0.0.1.evil.example', 'localhost.evil.example'])
      expect([host, await get({ host })]).toEqual([host, 403])
    const host = '127.0.0.1:4150'
    expect(await get({ host, origin: 'https://evil.example' })).toBe(403)
    expect(await get({ host, origin: 'null' })).toBe(403)
    expect(await get({ host, origin: `http://${host}` })).toBe(200)
    expect(await get({ host, origin: 'https://app.example' })).toBe(200)
  })

  it('without keys, answers no image, script or frame of another page, which sends no origin', async () => {
    const app = appWith({ keys: null })
    const get = async (site: string, mode: string, dest: string) => {
      const fetched = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest }
      const headers = { host: '127.0.0.1:4150', ...fetched }
      return (await app.request('/v1/stats/test/scopes/ana', { headers })).status
    }
    for (const site of ['cross-site', 'same-site'])
      for (const [mode, dest] of [
        ['no-cors', 'image'],
        ['no-cors', 'script'],
        ['no-cors', 'empty'],
        ['cors', 'empty'],
        ['navigate', 'iframe'],
        ['navigate', 'object'],
      ] as const)
        expect([site, dest, await get(site, mode, dest)]).toEqual([site, dest, 403])
    // A link that the person follows, an address that was typed, and the server's own page.
    expect(await get('cross-site', 'navigate', 'document')).toBe(200)
    expect(await get('none', 'navigate', 'document')).toBe(200)
    expect(await get('same-origin', 'cors', 'empty')).toBe(200)
  })
})

describe('what is told', () => {
  it('gives each answer an id, the caller’s own where it is sane', async () => {
    const app = appWith()
    const idFor = async (given: string) =>
      (await app.request('/healthz', { headers: { 'X-Request-Id': given } })).headers.get('x-request-id')
    expect(await idFor('req-1.a:b=')).toBe('req-1.a:b=')
    expect(await idFor('a b')).toBe('made-id')
    expect(await idFor('x'.repeat(129))).toBe('made-id')
    expect((await app.request('/nowhere')).headers.get('x-request-id')).toBe('made-id')
  })

  it('adds its headers to answers that cannot be changed', async () => {
    const response = await appWith().request('/v1/stats/test/foreign', {
      headers: bearer(await keyFor('read')),
    })
    expect(response.status).toBe(302)
    expect(response.headers.get('x-request-id')).toBe('made-id')
    expect(response.headers.get('location')).toBe('http://127.0.0.1/x')
  })

  it('says what it does not know in a form of its own', async () => {
    const response = await appWith().request('/v1/stats/nothing', { headers: bearer(await keyFor('read')) })
    expect(response.status).toBe(404)
    expect(await problemOf(response)).toMatchObject({ code: 'no-such-route', type: 'about:blank' })
  })

  it('refuses in the form of the API that was asked', async () => {
    const app = appWith()
    const openai: unknown = await (await app.request('/v1/chat/completions', { method: 'POST' })).json()
    expect(openai).toMatchObject({ error: { type: 'authentication_error', code: 'unauthorized' } })
  })

  it('logs failures with their place and no words', async () => {
    const response = await appWith().request('/v1/stats/test/broken', {
      headers: bearer(await keyFor('read')),
    })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain(SECRET_WORDS)
    expect(parts.logged).toMatchObject([
      { level: 'error', event: 'request-failed', request: 'made-id', code: 'internal', error: 'Error' },
    ])
    expect(parts.logged[0]?.['at']).toContain('app.test.ts')
    expect(JSON.stringify(parts.logged)).not.toContain(SECRET_WORDS)
  })

  it('logs requests when asked: route and key id, no names, no bodies, no keys', async () => {
    const app = appWith({ accessLog: true })
    const { key, entry } = await keys.create({ name: 'x', actions: ['read', 'write'] })
    const headers = { ...bearer(key), 'Content-Type': 'application/json' }
    await app.request('/v1/stats/test/scopes/maria-callas?q=lamp', { headers })
    await app.request('/v1/stats/test/echo', { method: 'POST', headers, body: JSON.stringify(SECRET_WORDS) })
    await app.request('/v1/stats/test/scopes/maria-callas', { headers: bearer('ks_wrong') })
    expect(parts.logged).toMatchObject([
      { event: 'request', route: '/v1/stats/test/scopes/:user', door: 'rest', status: 200, key: entry.id },
      { event: 'request', route: '/v1/stats/test/echo', method: 'POST', status: 200 },
      { event: 'request', route: '/v1/stats/test/scopes/:user', status: 401, key: undefined },
    ])
    const text = JSON.stringify(parts.logged)
    for (const word of ['maria', 'lamp', SECRET_WORDS, key, 'ks_wrong']) expect(text).not.toContain(word)
  })

  it('is not ready once it stops, and asks clients to connect anew', async () => {
    const app = appWith()
    parts.stopping.abort()
    const response = await app.request('/readyz')
    expect(response.status).toBe(503)
    expect(response.headers.get('connection')).toBe('close')
    expect((await app.request('/healthz')).status).toBe(200)
  })
})
