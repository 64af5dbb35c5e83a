import { request } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from './testing/connect-client.ts'
import { headersFor, INITIALIZE, refusal, serveMcp, type ServedMcp } from './testing/serve-mcp.ts'

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

let served: ServedMcp

beforeEach(async () => {
  served = await serveMcp()
})

it('answers each request by its key and headers, whatever session a client names', async () => {
  const { key, entry } = await served.keys.create({ name: 'x', users: null, actions: ['read', 'write'] })
  const headers = { 'Mcp-Session-Id': 'of-an-earlier-version', 'X-Keepsake-User': 'maya' }
  const opened = await served.bare(key, INITIALIZE, headers)
  expect([opened.status, opened.headers.get('mcp-session-id')]).toEqual([200, null])
  const listed = await served.bare(key, LIST, headers)
  expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('"recall"')])
  expect(await refusal(served.bare(key, LIST))).toEqual([400, 'no-user'])
  await served.keys.revoke(entry.id)
  expect(await refusal(served.bare(key, LIST, headers))).toEqual([401, 'unauthorized'])
})

describe('what is refused', () => {
  it('no key, a scope that the key does not open, nobody named', async () => {
    expect(await refusal(served.bare(null, INITIALIZE))).toEqual([401, 'unauthorized'])
    const mayas = await served.keyFor(['maya'])
    expect(await refusal(served.bare(mayas, INITIALIZE, { 'X-Keepsake-User': 'tom' }))).toEqual([
      403,
      'forbidden',
    ])
    const eraser = await served.keyFor(['maya'], 'erase')
    expect(await refusal(served.bare(eraser, INITIALIZE))).toEqual([403, 'forbidden'])
    expect(await refusal(served.bare(await served.keyFor(null), INITIALIZE))).toEqual([400, 'no-user'])
    expect(await refusal(served.bare(await served.keyFor(['a', 'b']), INITIALIZE))).toEqual([400, 'no-user'])
    expect(
      await refusal(served.bare(await served.keyFor(null), INITIALIZE, { 'X-Keepsake-User': '%E0%A4' })),
    ).toEqual([400, 'bad-request'])
    const { key } = await served.keys.create({
      name: 'x',
      tenants: ['acme'],
      users: ['maya'],
      actions: ['read', 'write'],
    })
    const tenants = await served.connect(key)
    await call(tenants, 'remember', { text: 'I live in Bristol.' })
    expect(await served.keepsake.scopes()).toMatchObject([{ tenant: 'acme', user: 'maya' }])
    expect(await refusal(served.bare(key, INITIALIZE, { 'X-Keepsake-Tenant': 'other' }))).toEqual([
      403,
      'forbidden',
    ])
  })

  it('what is no message of MCP', async () => {
    const key = await served.keyFor(['maya'])
    expect(await refusal(served.bare(key, '{"jsonrpc":'))).toEqual([400, 'malformed-json'])
    expect(await refusal(served.bare(key, [LIST, LIST]))).toEqual([400, 'malformed'])
    expect(await refusal(served.bare(key, { ...INITIALIZE, params: {} }))).toEqual([400, 'malformed'])
    for (const message of [{ hello: 'there' }, 'null', '"x"', 7, {}]) {
      const response = await served.bare(key, message)
      expect([message, response.status]).toEqual([message, 400])
    }
    expect((await served.bare(key, LIST, { Accept: 'text/html' })).status).toBe(406)
    for (const Accept of [
      '',
      'application/json',
      '*/*',
      'text/html, application/*;q=0.5',
      'application/json; charset=utf-8',
    ])
      expect([Accept, (await served.bare(key, LIST, { Accept })).status]).toEqual([Accept, 200])
    const streamed = await served.bare(key, LIST, { Accept: 'text/event-stream' })
    expect(streamed.headers.get('content-type')).toBe('text/event-stream')
    expect(await streamed.text()).toMatch(/^event: message\ndata: \{.*"tools":\[.*\}\n\n$/)
    expect((await served.bare(key, LIST, { Accept: 'application/json;q=0, text/html' })).status).toBe(406)
    expect((await served.bare(key, LIST, { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await served.bare(key, LIST, { 'Mcp-Protocol-Version': '1999-01-01' })).status).toBe(400)
    expect((await served.bare(key, INITIALIZE, { Accept: 'text/html' })).status).toBe(406)
    const put = await fetch(`${served.server.url}/mcp`, {
      method: 'PUT',
      headers: headersFor(key),
      body: '{}',
    })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await served.bare(key, LIST)).status).toBe(200)
    expect(served.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('pages of other origins, unless they are allowed', async () => {
    const key = await served.keyFor(['maya'])
    for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])
      expect([Origin, ...(await refusal(served.bare(key, INITIALIZE, { Origin })))]).toEqual([
        Origin,
        403,
        'foreign-origin',
      ])
    expect((await served.bare(key, INITIALIZE, { Origin: 'http://localhost:6274' })).status).toBe(200)
    await served.close()
    served = await serveMcp({ cors: ['https://chat.example'] })
    const other = await served.keyFor(['maya'])
    expect((await served.bare(other, INITIALIZE, { Origin: 'https://chat.example' })).status).toBe(200)
    expect((await served.bare(other, INITIALIZE, { Origin: 'https://evil.example' })).status).toBe(403)
  })

  it('without keys, other names of this machine', async () => {
    await served.close()
    served = await serveMcp({ unlocked: true })
    const { port } = served.server
    const client = await served.connect(null, { 'X-Keepsake-User': 'maya' })
    expect((await call(client, 'remember', { text: 'I live in Bristol.' })).isError).toBe(false)
    const status = await new Promise((resolve, reject) => {
      const asked = request({ port, path: '/mcp', method: 'POST', headers: { Host: `evil.example:${port}` } })
      asked.on('response', (response) => resolve(response.statusCode)).on('error', reject)
      asked.end(JSON.stringify(INITIALIZE))
    })
    expect(status).toBe(403)
  })
})

describe('logs', () => {
  it('hold nothing of what was said or who said it', async () => {
    const key = await served.keyFor(['maya'])
    const client = await served.connect(key)
    await call(client, 'remember', { text: 'My secret place is Bristol.' })
    await call(client, 'recall', { question: 'Where is the secret place?' })
    await served.bare(key, '{"secret place": Bristol}')
    await client.close()
    expect(JSON.stringify(served.logged)).not.toMatch(/Bristol|secret|maya|ks_/i)
  })
})
