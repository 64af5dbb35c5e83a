import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as fc from 'fast-check'
import { openMemory, type Keepsake } from 'keepsake'
import { expect, it } from 'vitest'
import {
  HOSTILE_RUNS,
  HARMLESS,
  hostileText,
  leaksOf,
  type HostileText,
} from '../../../keepsake/test/hostile-text.ts'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { openServer } from '../index.ts'
import { scriptedUpstream, sendWhole } from '../chats/testing/scripted-upstream.ts'

/** A server on a file, and a note of Ana's that can be changed. */
interface Served {
  readonly url: string
  readonly keepsake: Keepsake
  /** Ana, by another name in each run. */
  readonly user: string
  readonly note: string
}

/** What an API answered: taken or refused. */
type Outcome = 'taken' | 'refused'
type Way = (served: Served, text: string) => Promise<Outcome>

async function ask(path: string, { url }: Served, body: unknown, more: RequestInit = {}): Promise<Outcome> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...more,
  })
  const said = await response.text()
  if (response.ok) return 'taken'
  expect([path, said, response.status]).toEqual([path, said, response.status === 422 ? 422 : 400])
  return 'refused'
}

async function callTool(
  { url, user }: Served,
  name: string,
  args: Record<string, unknown>,
): Promise<Outcome> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { 'x-keepsake-user': user } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  const { isError } = await client.callTool({ name, arguments: args })
  await client.close()
  return isError === true ? 'refused' : 'taken'
}

async function exportedWith(text: string, word: string): Promise<string> {
  const other = await openMemory({ path: ':memory:' })
  const bo = other.scope({ user: randomUUID() })
  await bo.remember({ role: 'user', text: 'I keep a boat.', speaker: 'Bob' }, { session: 'first' })
  await other.drain()
  const lines = await Array.fromAsync(bo.export())
  await other.close()
  return lines.map((line) => `${line.replaceAll(word, () => JSON.stringify(text).slice(1, -1))}\n`).join('')
}

const turn = (text: string) => ({ role: 'user', text })
const turnsOf = ({ user }: Served) => `/v1/scopes/${user}/turns`
const CHAT = '/v1/chat/completions'
const chat = ({ user }: Served, text: string) => ({
  model: 'any',
  user,
  messages: [{ role: 'user', content: text }],
})
const LINES = { headers: { 'content-type': 'application/x-ndjson' } }

const TAKING: Readonly<Record<string, Way>> = {
  'REST, turns': (served, text) =>
    ask(turnsOf(served), served, { turns: [{ ...turn(text), metadata: { topic: text, more: [{ text }] } }] }),
  'REST, a change': (served, text) =>
    ask(
      `/v1/scopes/${served.user}/memories/${served.note}`,
      served,
      { text, value: text, metadata: { topic: text } },
      { method: 'PATCH' },
    ),
  'REST, a statement': (served, text) =>
    ask(`/v1/scopes/${served.user}/memories`, served, { text, metadata: { topic: text } }),
  'REST, a block': (served, text) =>
    ask(
      `/v1/scopes/${served.user}/blocks`,
      served,
      { name: 'tasks', text, limit: 100_000 },
      { method: 'PUT' },
    ),
  'REST, an import': async (served, text) =>
    ask('/v1/import', served, await exportedWith(text, 'I keep a boat.'), LINES),
  'OpenAI’s API': (served, text) => ask(CHAT, served, chat(served, text)),
  'MCP, remember': (served, text) => callTool(served, 'remember', { text }),
  'MCP, add_fact': (served, text) => callTool(served, 'add_fact', { text }),
  'MCP, edit_block': (served, text) => callTool(served, 'edit_block', { name: 'tasks', insert: text }),
  'MCP, edit_memory': (served, text) => callTool(served, 'edit_memory', { id: served.note, text }),
}

const REFUSING: Readonly<Record<string, Way>> = {
  'REST, the user': (served, text) =>
    ask(`/v1/scopes/${encodeURIComponent(text.toWellFormed())}/turns`, served, { turns: [turn('Hi.')] }),
  'REST, the session': (served, text) =>
    ask(turnsOf(served), served, { turns: [turn('Hi.')], session: text }),
  'REST, the id': (served, text) => ask(turnsOf(served), served, { turns: [{ ...turn('Hi.'), id: text }] }),
  'REST, a session in an import': async (served, text) =>
    ask('/v1/import', served, await exportedWith(text, 'first'), LINES),
  'MCP, the session': (served, text) => callTool(served, 'remember', { text: 'Hi.', session: text }),
}

async function drive(served: Omit<Served, 'user' | 'note'>, { text }: HostileText): Promise<void> {
  const user = randomUUID()
  const ana = served.keepsake.scope({ user })
  const asked = { ...served, user, note: (await ana.note('Keeps a boat.')).id }
  for (const [name, way] of Object.entries(TAKING))
    expect([name, await way(asked, text)]).toEqual([name, 'taken'])
  for (const [name, way] of Object.entries(REFUSING))
    expect([name, await way(asked, text)]).toEqual([name, 'refused'])
  await served.keepsake.drain()
  const stored = (await ana.memories({ forms: ['utterance', 'fact', 'note'] })).filter((memory) =>
    memory.text.includes(HARMLESS),
  )
  expect(stored.length).toBeGreaterThanOrEqual(4)
}

it('lets no secret and nothing ill-formed reach the file through any API', async () => {
  const path = temporaryFile()
  const upstream = await scriptedUpstream()
  const keepsake = await openMemory({ path })
  const options = { unlocked: true, port: 0, upstream: { url: upstream.url, key: null } }
  const server = await openServer({ keepsake, ...options })
  try {
    const property = fc.asyncProperty(hostileText, async (hostile) => {
      upstream.script = (_, response) => sendWhole(response, hostile.text)
      await drive({ url: server.url, keepsake }, hostile)
      expect(leaksOf(dirname(path), hostile)).toEqual([])
    })
    await fc.assert(property, { numRuns: HOSTILE_RUNS })
  } finally {
    await server.close()
    await upstream.close()
    await keepsake.close()
  }
})
