import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Grant } from '../access/access.ts'
import { McpSessions } from './mcp-sessions.ts'
import { grantOf } from './testing/connect-client.ts'

let keepsake: Keepsake
let now = 0
beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  now = Date.parse('2026-03-01T10:00:00Z')
})
afterEach(() => keepsake.close())

const sessionsOf = (most: number): McpSessions =>
  new McpSessions(
    { keepsake, log: () => undefined, now: () => now, stopping: new AbortController().signal },
    most,
  )

/** Opens a session as a client's `initialize` does. */
async function open(sessions: McpSessions, grant: Grant): Promise<string> {
  now += 1
  const { transport } = await sessions.open(grant, { user: 'maya' })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const response = await transport.handleRequest(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    }),
  )
  await response.text()
  return transport.sessionId ?? ''
}

it('lets go of the session that its greediest grant has not used for longest when there is no room', async () => {
  const sessions = sessionsOf(3)
  const [one, other] = [grantOf(['maya'], ['read'], 'one'), grantOf(['maya'], ['read'], 'other')]
  const theirs = await open(sessions, other)
  const first = await open(sessions, one)
  const second = await open(sessions, one)
  now += 1
  await sessions.find(first, one)
  const third = await open(sessions, one)
  expect(sessions.size).toBe(3)
  const kept = [first, second, third].map(async (id) => (await sessions.find(id, one)) !== null)
  expect(await Promise.all(kept)).toEqual([true, false, true])
  expect(await sessions.find(theirs, other)).not.toBeNull()
})

it('lets go of sessions that nobody has used for a day', async () => {
  const sessions = sessionsOf(10)
  const grant = grantOf(['maya'])
  const [left, used] = [await open(sessions, grant), await open(sessions, grant)]
  now += 23 * 3_600_000
  expect(await sessions.find(used, grant)).not.toBeNull()
  now += 2 * 3_600_000
  expect(await sessions.find(left, grant)).toBeNull()
  expect(await sessions.find(used, grant)).not.toBeNull()
  now += 25 * 3_600_000
  await open(sessions, grant)
  expect(sessions.size).toBe(1)
})

it('closes a session whose grant is no longer what it was', async () => {
  const sessions = sessionsOf(10)
  const id = await open(sessions, grantOf(['maya'], ['read', 'write']))
  expect(await sessions.find(id, grantOf(['maya'], ['read', 'write']))).not.toBeNull()
  expect(await sessions.find(id, grantOf(['maya'], ['read']))).toBeNull()
  expect(sessions.size).toBe(0)
})

it('keeps no session whose initialize was refused', async () => {
  const sessions = sessionsOf(10)
  const { transport, server } = await sessions.open(grantOf(['maya']), { user: 'maya' })
  const response = await transport.handleRequest(
    new Request('http://localhost/mcp', { method: 'POST', body: '{}' }),
  )
  expect(response.status).toBe(406)
  await server.close()
  expect(sessions.size).toBe(0)
})
