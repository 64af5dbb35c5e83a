import OpenAI, { PermissionDeniedError, RateLimitError, toFile } from 'openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { scriptedUpstream, sendJson, type ScriptedUpstream } from './testing/scripted-upstream.ts'
import { KEY, serveChat, type ServeChatOptions, type ServedChat } from './testing/serve-chat.ts'

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
  await serve({})
})

async function serve(options: Partial<ServeChatOptions>): Promise<void> {
  served = await serveChat({
    upstream: { url: upstream.url, key: 'sk-upstream' },
    requireUser: true,
    ...options,
  })
}
const last = () => upstream.asked.at(-1)!
type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }
const send = (path: string, { headers, ...init }: Sent = {}) =>
  fetch(`${served.url}${path}`, { ...init, headers: { authorization: `Bearer ${KEY}`, ...headers } })

describe('what else OpenAI’s client asks', () => {
  it('embeddings', async () => {
    upstream.script = (_, response) =>
      sendJson(response, 200, { object: 'list', data: [{ index: 0, embedding: [0.5] }] })
    const request = { model: 'e', input: 'Bees', encoding_format: 'float' as const }
    const { data, response } = await served.client().embeddings.create(request).withResponse()
    expect(data.data[0]?.embedding).toEqual([0.5])
    expect(last()).toMatchObject({ method: 'POST', path: '/v1/embeddings', json: request })
    expect(last().headers.authorization).toBe('Bearer sk-upstream')
    expect(response.headers.get('x-keepsake-memory')).toBe('off')
  })

  it('a file, in a form of several parts, its bytes as they are', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)
    let received: Buffer = Buffer.alloc(0)
    upstream.script = ({ bytes: body }, response) => {
      received = body
      sendJson(response, 200, { id: 'file_1', object: 'file' })
    }
    const file = await toFile(bytes, 'bees.bin')
    expect((await served.client().files.create({ file, purpose: 'user_data' })).id).toBe('file_1')
    expect(received.includes(Buffer.from(bytes))).toBe(true)
    expect(last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(Number(last().headers['content-length'])).toBe(received.length)
  })

  it('speech, whose bytes come back as they are', async () => {
    const sound = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7) % 256))
    upstream.script = (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.end(sound)
    }
    const speech = await served.client().audio.speech.create({ model: 's', voice: 'alloy', input: 'Bees' })
    expect(Buffer.from(await speech.arrayBuffer()).equals(sound)).toBe(true)
    expect(speech.headers.get('content-type')).toBe('audio/mpeg')
  })

  it('by any method, with its query, without a body where there is none', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      upstream.script = (_, response) => sendJson(response, 418, { teapot: true })
      const response = await send('/vector_stores/vs_1?limit=2&after=%E8%9C%82', { method })
      expect([response.status, await response.json()]).toEqual([418, { teapot: true }])
      expect(last()).toMatchObject({
        method,
        path: '/v1/vector_stores/vs_1?limit=2&after=%E8%9C%82',
        body: '',
      })
      expect(last().headers['transfer-encoding']).toBeUndefined()
    }
    expect((await send('/models', { method: 'HEAD' })).status).toBe(418)
    expect(last().method).toBe('HEAD')
  })

  it('responses that are kept, and what is no JSON', async () => {
    upstream.script = (_, response) => void response.writeHead(204).end()
    expect((await send('/responses/resp_1', { method: 'DELETE' })).status).toBe(204)
    const odd = new Uint8Array([0x7b, 0xff])
    await send('/moderations', {
      method: 'POST',
      body: odd,
      headers: { 'content-type': 'application/json; x=1' },
    })
    expect(last().bytes.equals(Buffer.from(odd))).toBe(true)
  })

  it('is answered while the answer still comes', async () => {
    const { promise: heard, resolve: hear } = Promise.withResolvers<void>()
    upstream.script = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      await heard
      response.end('data: 2\n\n')
    }
    const { body } = await send('/images/generations', { method: 'POST', body: '{"stream":true}' })
    const pieces: string[] = []
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      pieces.push(piece)
      hear()
    }
    expect(pieces.join('')).toBe('data: 1\n\ndata: 2\n\n')
  })

  it('does not climb to other paths of the upstream', async () => {
    for (const path of [
      '/models/..%2f..%2fadmin',
      '/models/a%2f%2e%2e%2f%2e%2e%2f%2e%2e',
      '/models/a//b',
      '/models/..%5cfiles',
      '/chat/completions/',
    ])
      expect((await send(path)).status, path).toBe(404)
    expect(upstream.asked).toEqual([])
    await send('/models/org/a%20b?limit=1')
    await send('/models/org%2Fm')
    expect(upstream.asked.map(({ path }) => path)).toEqual([
      '/v1/models/org/a%20b?limit=1',
      '/v1/models/org%2Fm',
    ])
  })
})

describe('a key’s limits', () => {
  const as = (apiKey: string) => new OpenAI({ apiKey, baseURL: served.url, maxRetries: 0 })
  const embed = (key: string) =>
    as(key).embeddings.create({ model: 'e', input: 'Bees', encoding_format: 'float' })

  it('hold: calls of the upstream a day, of what asks for work', async () => {
    await served.close()
    // A day ends at midnight, perhaps between two calls.
    const noon = Date.parse('2026-05-01T12:00:00Z')
    await serve({ now: () => noon, grants: { ks_few: { id: 'few', upstreamPerDay: 1 } } })
    upstream.script = (_, response) => sendJson(response, 200, { data: [] })
    await embed('ks_few')
    await as('ks_few').models.list()
    await expect(embed('ks_few')).rejects.toBeInstanceOf(RateLimitError)
    expect(upstream.asked).toHaveLength(2)
  })

  it('hold: bytes a minute, said beforehand or not', async () => {
    await served.close()
    await serve({ grants: { ks_small: { id: 'small', bytesPerMinute: 10_000 } } })
    const headers = { authorization: 'Bearer ks_small' }
    const much = 'x'.repeat(20_000)
    const declared = await send('/files', { method: 'POST', body: much, headers })
    expect([declared.status, await declared.json()]).toMatchObject([
      429,
      { error: { code: 'too-many-bytes' } },
    ])
    expect(upstream.asked).toEqual([])
    const body = new Blob([much]).stream()
    const piecewise = await send('/files', { method: 'POST', body, headers, duplex: 'half' } as Sent)
    expect(piecewise.status).toBe(429)
    expect(upstream.asked).toEqual([])
  })

  it('hold: a key of some people reaches nothing that the upstream keeps for all', async () => {
    await served.close()
    await serve({
      grants: { ks_ana: { id: 'ana', users: ['ana'] }, ks_admin: { id: 'admin', actions: ['admin'] } },
    })
    upstream.script = (_, response) => sendJson(response, 200, { data: [] })
    await expect(as('ks_ana').files.list()).rejects.toBeInstanceOf(PermissionDeniedError)
    await expect(as('ks_ana').responses.retrieve('resp_1')).rejects.toBeInstanceOf(PermissionDeniedError)
    expect(upstream.asked).toEqual([])
    await embed('ks_ana')
    await expect(as('ks_admin').models.list()).rejects.toBeInstanceOf(PermissionDeniedError)
    expect(upstream.asked).toHaveLength(1)
  })

  it('hold: what the upstream keeps is changed by admin alone, and its administration by nobody', async () => {
    await served.close()
    await serve({
      grants: { ks_read: { id: 'read', actions: ['read'] }, ks_ana: { id: 'ana', users: ['ana'] } },
    })
    upstream.script = (_, response) => sendJson(response, 200, {})
    const statusOf = async (method: string, path: string, key: string): Promise<number> =>
      (await send(path, { method, headers: { authorization: `Bearer ${key}` } })).status
    const changes = [
      ['DELETE', '/models/ft:small:acme::1'],
      ['POST', '/audio/voices'],
      ['DELETE', '/audio/voices/v1'],
      ['POST', '/fine_tuning/jobs'],
      ['DELETE', '/files/file_1'],
      ['PUT', '/skills/s1'],
      ['PATCH', '/containers/c1'],
    ] as const
    const never = [
      ['GET', '/organization/users'],
      ['POST', '/organization/admin_api_keys'],
      ['GET', '/organizations/invites'],
      ['POST', '/realtime/client_secrets'],
      ['DELETE', '/embeddings'],
      ['POST', '/embeddings/more'],
      ['GET', '/audio/speech'],
    ] as const
    for (const [method, path] of changes)
      for (const key of ['ks_read', 'ks_ana']) expect(await statusOf(method, path, key), path).toBe(403)
    for (const [method, path] of never)
      for (const key of ['ks_read', 'ks_ana', KEY]) expect(await statusOf(method, path, key), path).toBe(404)
    expect(upstream.asked).toEqual([])
    for (const [method, path] of changes) expect(await statusOf(method, path, KEY), path).toBe(200)
    expect(await statusOf('GET', '/models/ft:small:acme::1', 'ks_ana')).toBe(200)
    expect(await statusOf('GET', '/files', 'ks_read')).toBe(200)
  })

  it('no redirect leads the caller elsewhere', async () => {
    upstream.script = (_, response) => void response.writeHead(307, { location: 'http://10.0.0.1/v1' }).end()
    const { status, headers } = await send('/models', { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([307, null])
  })

  it('an account of the caller’s own is theirs', async () => {
    await served.close()
    await serve({
      upstream: { url: upstream.url, key: null },
      grants: { ks_ana: { id: 'ana', users: ['ana'] } },
    })
    const response = await send('/files', {
      headers: { authorization: 'Bearer ks_ana', 'x-upstream-authorization': 'Bearer sk-own' },
    })
    expect(response.status).toBe(200)
    expect(last().headers.authorization).toBe('Bearer sk-own')
  })
})
