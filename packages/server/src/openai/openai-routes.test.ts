import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scriptedUpstream, sendWhole, type ScriptedUpstream } from '../chats/testing/scripted-upstream.ts'
import { KEY, serveChat, type ServeChatOptions, type ServedChat } from '../chats/testing/serve-chat.ts'

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const ana = { user: 'ana' }
const BEES = 'I keep four hives of bees on my roof.'
const CHAT = JSON.stringify({
  model: 'm',
  user: 'ana',
  messages: [{ role: 'user', content: 'Where are my bees?' }],
})
const last = () => upstream.asked.at(-1)!

async function start(options: Partial<ServeChatOptions> = {}): Promise<ServedChat> {
  served = await serveChat({ upstream: { url: upstream.url, key: 'sk-upstream' }, ...options })
  await served.keepsake.scope(ana).remember({ role: 'user', text: BEES })
  return served
}

const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  return { status: response.status, ...error }
}

describe('what reaches the upstream', () => {
  it('is the request value for value, but for our message', async () => {
    await start()
    const before =
      '{"unknown":{"b":1.0,"a":1e400},"seed":12345678901234567890,"messages":[{"role":"system","content":"é"},'
    const after = '{"role":"user","content":"bees? 😀 🐝","x":[]}],"user":"ana","model":"m"}'
    await (await served.post(before + after)).arrayBuffer()
    expect(last().body.startsWith(before)).toBe(true)
    expect(last().body.endsWith(after)).toBe(true)
    const ours = JSON.parse(last().body.slice(before.length, -after.length - 1)) as {
      role: string
      content: string
    }
    expect(ours.role).toBe('system')
    expect(ours.content).toContain(BEES)
  })

  it('is the very request where nothing is recalled', async () => {
    await start()
    const body =
      '{"messages": [{"role":"user","content":"Where are my bees?"}],"user":"ben",  "temperature":0.70}'
    expect((await served.post(body)).headers.get('x-keepsake-memory')).toBe('on')
    expect(last().body).toBe(body)
    await served.post(CHAT, { 'x-keepsake-tokens': '0' })
    expect(last().body).toBe(CHAT)
  })

  it('carries the caller’s own headers, but no key of ours, no cookie, no hop’s and no proxy’s', async () => {
    await start()
    await served.post(CHAT, {
      'openai-organization': 'org-1',
      'x-stainless-retry-count': '1',
      'x-keepsake-session': 'monday',
      'x-upstream-authorization': 'Bearer sk-of-caller',
      'x-api-key': KEY,
      'x-forwarded-for': '192.0.2.1',
      cookie: 'session=1',
      connection: 'x-of-this-hop',
      'x-of-this-hop': '1',
      te: 'trailers',
      'accept-encoding': 'br',
    })
    expect(last().headers).toMatchObject({
      authorization: 'Bearer sk-upstream',
      'openai-organization': 'org-1',
      'x-stainless-retry-count': '1',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
    })
    const names = Object.keys(last().headers)
    expect(
      names.filter((name) => /keepsake|upstream|api-key|forwarded|cookie|^x-of-this-hop|^te$/.test(name)),
    ).toEqual([])
    expect(JSON.stringify(last())).not.toContain(KEY)
  })

  it('carries the caller’s key where the server has none, and none where nobody has', async () => {
    await start({ upstream: { url: `${upstream.url}/`, key: null } })
    await served.post(CHAT, { 'x-upstream-authorization': 'Bearer sk-of-caller' })
    expect(last().headers.authorization).toBe('Bearer sk-of-caller')
    await served.post(CHAT)
    expect(last().headers.authorization).toBeUndefined()
    expect(last().path).toBe('/v1/chat/completions')
  })
})

describe('what comes back', () => {
  it('has the upstream’s headers, without those that are about its host', async () => {
    await start()
    upstream.script = (_, response) => {
      for (const [name, value] of Object.entries({
        'openai-processing-ms': '12',
        'set-cookie': '__cf_bm=1',
        'access-control-allow-origin': '*',
        'strict-transport-security': 'max-age=1',
        'x-keepsake-memory': 'forged',
      }))
        response.setHeader(name, value)
      sendWhole(response, 'I see.')
    }
    const { headers } = await served.post(CHAT)
    expect(headers.get('openai-processing-ms')).toBe('12')
    expect(headers.get('x-keepsake-memory')).toBe('on')
    for (const name of ['set-cookie', 'access-control-allow-origin', 'strict-transport-security'])
      expect(headers.get(name)).toBeNull()
  })
})

describe('who may', () => {
  const grants = {
    ks_reader: { id: 'reader', actions: ['read'] as const },
    ks_ben: { id: 'ben', users: ['ben'] },
    ks_writer: { id: 'writer', actions: ['write'] as const },
  }
  const as = (key: string) => ({ authorization: `Bearer ${key}` })

  it('nobody without a key, which is said as OpenAI’s clients read it', async () => {
    await start()
    for (const headers of [{ authorization: '' }, as('ks_wrong')]) {
      const refused = await errorOf(await served.post(CHAT, headers))
      expect(refused).toMatchObject({ status: 401, code: 'unauthorized', type: 'authentication_error' })
    }
    expect((await served.app.request('/v1/models')).status).toBe(401)
    expect(upstream.asked).toEqual([])
  })

  it('a key that only reads recalls, and remembers nothing', async () => {
    const { turns } = await start({ grants })
    const response = await served.post(CHAT, as('ks_reader'))
    expect(response.headers.get('x-keepsake-memory')).toBe('read-only')
    expect(last().body).toContain('four hives')
    await response.arrayBuffer()
    expect(await turns(ana)).toEqual([`user: ${BEES}`])
  })

  it.each(['ks_ben', 'ks_writer'])(
    '%s is refused, alike whether there is such a scope, and asks no upstream',
    async (key) => {
      await start({ grants })
      const refused = await errorOf(await served.post(CHAT, as(key)))
      expect(refused).toMatchObject({ status: 403, code: 'forbidden', type: 'permission_error' })
      expect(await errorOf(await served.post(CHAT.replace('ana', 'nobody'), as(key)))).toEqual(refused)
      const byHeader = await served.post(CHAT.replace('ana', 'ben'), {
        ...as(key),
        'x-keepsake-user': 'ana',
      })
      expect(byHeader.status).toBe(403)
      expect(upstream.asked).toEqual([])
    },
  )
})

describe('a request', () => {
  it.each([
    ['{"model":', 'malformed-json', 'application/json'],
    ['{"model":', 'malformed-json', 'text/plain'],
    ['[]', 'bad-request', 'application/json'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'malformed-utf8', 'application/json'],
  ])('that cannot be read is refused: %s', async (body, code, type) => {
    await start()
    const refused = await errorOf(await served.post(body, { 'content-type': type }))
    expect(refused).toMatchObject({ status: 400, type: 'invalid_request_error', code })
    expect(upstream.asked).toEqual([])
  })

  it.each([
    ['x-keepsake-tokens', '1e3'],
    ['x-keepsake-tokens', '100001'],
    ['x-keepsake-remember', 'no'],
    ['x-keepsake-user', '%ff'],
    ['x-keepsake-session', 'x'.repeat(513)],
  ])('with a header that cannot be read is refused, naming it: %s', async (name, value) => {
    await start()
    const refused = await errorOf(await served.post(CHAT, { [name]: value }))
    expect(refused).toMatchObject({ status: 400, param: `header.${name}` })
    expect(upstream.asked).toEqual([])
  })

  it('that names too long a user is refused', async () => {
    await start()
    expect((await served.post(CHAT.replace('ana', 'a'.repeat(513)))).status).toBe(422)
    expect(upstream.asked).toEqual([])
  })

  it.each([
    '{"model":"m","user":"ana"}',
    '{"messages":"hi","user":"ana"}',
    '{"messages":[null,7,{"role":9}],"user":"ana"}',
  ])('that the upstream would refuse is the upstream’s to refuse: %s', async (body) => {
    const { turns } = await start()
    expect((await served.post(body, { 'x-keepsake-tokens': '0' })).status).toBe(200)
    expect(last().body).toBe(body)
    expect(await turns(ana)).toHaveLength(1)
  })

  it('that wishes not to be remembered is not', async () => {
    const { turns } = await start()
    const response = await served.post(CHAT, { 'x-keepsake-remember': 'false' })
    expect(response.headers.get('x-keepsake-memory')).toBe('read-only')
    expect(last().body).toContain('four hives')
    await response.arrayBuffer()
    expect(await turns(ana)).toHaveLength(1)
  })

  it('that names no user is refused where one is required', async () => {
    await start({ requireUser: true })
    for (const user of ['', '  ']) {
      const refused = await errorOf(await served.post(CHAT.replace('ana', user)))
      expect(refused).toMatchObject({ status: 400, code: 'user-required', param: 'user' })
    }
    expect((await served.post(CHAT)).status).toBe(200)
  })

  it.each([
    ['without a user', CHAT.replace('"user":"ana",', '')],
    ['with an empty user', CHAT.replace('"ana"', '""')],
    ['with its user', CHAT],
  ])('by a key of one user is that user’s, %s', async (_, chat) => {
    await start({ requireUser: true, grants: { ks_ana: { id: 'ana', users: ['ana'] } } })
    const answered = await served.post(chat, { authorization: 'Bearer ks_ana' })
    expect([answered.status, answered.headers.get('x-keepsake-memory')]).toEqual([200, 'on'])
    expect(last().body).toContain('four hives')
    const foreign = await served.post(CHAT.replace('"ana"', '"ben"'), { authorization: 'Bearer ks_ana' })
    expect(foreign.status).toBe(403)
  })

  it('gets no more context than it has room for', async () => {
    const { keepsake } = await start()
    const long = Array.from({ length: 30 }, (_, at) => ({
      role: 'user' as const,
      text: `My bees made ${at} jars of honey and sat by the window of room ${at}.`,
    }))
    await keepsake.scope(ana).remember(long)
    const contextOf = async (headers: Record<string, string>) => {
      await served.post(
        CHAT.replace('Where are my bees?', 'How many jars of honey did my bees make?'),
        headers,
      )
      return /<memories>\n([\s\S]*)\n<\/memories>/.exec(String(last().messages[0]?.content))?.[1] ?? ''
    }
    const wide = await contextOf({})
    const narrow = await contextOf({ 'x-keepsake-tokens': '60' })
    expect(wide.split('\n').length).toBeGreaterThanOrEqual(10)
    expect(narrow.length).toBeGreaterThan(0)
    expect(narrow.length).toBeLessThanOrEqual(60 * 4)
  })

  it('without an upstream is told so, and not to ask again', async () => {
    await start({ upstream: null })
    const response = await served.post(CHAT)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 'no-upstream', type: 'server_error' })
    expect((await served.get('/v1/models')).status).toBe(404)
  })
})
