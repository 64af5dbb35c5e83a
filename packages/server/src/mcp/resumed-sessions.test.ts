import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp } from '../app.ts'
import { testDeps, type TestDeps } from '../testing/test-deps.ts'
import { grantOf } from './testing/connect-client.ts'

let keepsake: Keepsake
let servers: TestDeps[] = []
beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
})
afterEach(async () => {
  for (const server of servers) server.close()
  servers = []
  await keepsake.close()
})

const GRANTS = { one: grantOf(null, ['read', 'write'], 'one'), other: grantOf(null, ['read'], 'other') }

/** A server of its own over the same memory, as another process has it. */
function serve() {
  const server = testDeps(keepsake)
  servers.push(server)
  const verify = (key: string) => GRANTS[key as keyof typeof GRANTS] ?? null
  const app = createApp(server.deps, { keys: { verify } })
  return async (message: object, headers: Record<string, string> = {}) =>
    app.request('/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: 'Bearer one',
        'X-Keepsake-User': 'maya',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
}

const LIST = { id: 2, method: 'tools/list' }

async function openSession(ask: ReturnType<typeof serve>): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const opened = await ask({ id: 1, method: 'initialize', params })
  await opened.text()
  return opened.headers.get('mcp-session-id') ?? ''
}

it('goes on at another server where it was opened at one', async () => {
  const id = await openSession(serve())
  const other = serve()
  for (let time = 0; time < 2; time += 1) {
    const answer = await other(LIST, { 'Mcp-Session-Id': id })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('"recall"')
  }
})

it('is resumed for nobody else, and for no other scope', async () => {
  const id = await openSession(serve())
  const other = serve()
  const strange = [{ Authorization: 'Bearer other' }, { 'X-Keepsake-User': 'ben' }, { 'X-Keepsake-App': 'x' }]
  for (const headers of strange)
    expect((await other(LIST, { 'Mcp-Session-Id': id, ...headers })).status).toBe(404)
  expect((await other(LIST, { 'Mcp-Session-Id': 'ffffffff-0000-4000-8000-000000000000' })).status).toBe(404)
})

it('keeps nobody’s name', async () => {
  await openSession(serve())
  const kept = await keepsake.records.records({ collection: 'mcp-sessions' })
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toContain('maya')
})
