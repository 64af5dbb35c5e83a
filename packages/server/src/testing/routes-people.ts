import { scriptedModel } from 'keepsake/model'
import { expect } from 'vitest'
import { first, openTestServer, type Headers, type TestServer } from './routes-app.ts'
import { WebhookStore } from '../webhooks/webhook-store.ts'
import { ROUTES, routePath, type Ids, type RouteRequest } from './routes-requests.ts'

const INVENTED = {
  changes: null,
  text: 'The user sells honey to Mr Okafor.',
  type: 'persona',
  subject: 'user',
  word: 'user',
  key: null,
  value: null,
  when: null,
  until: null,
  importance: 6,
  evidence: ['1: I sell honey'],
}
const KNOWN = { ...INVENTED, text: 'The user keeps bees.', evidence: ['1: I keep bees'] }

/** A server whose model believes one thing that was said, and invents another. */
export async function openRoutesServer(): Promise<TestServer> {
  const model = scriptedModel((request) =>
    request.schemaName === 'segment'
      ? JSON.stringify({ summary: 'Bees.', memories: [KNOWN, INVENTED], forget: [] })
      : request.schemaName === 'file'
        ? '{"filed": []}'
        : 'On the roof.',
  )
  const keys = { goals: { description: 'What they want.', schema: { type: 'string' } } }
  return openTestServer({ model, exchangesPerExtraction: 1, keys }, { failuresPerMinute: 100_000 })
}

export async function seedPerson(server: TestServer, tenant: string, user: string): Promise<Ids> {
  const memory = server.keepsake.scope({ tenant, user })
  const turn = `${tenant}-${user}-1`
  const text = 'I keep bees on the roof. My sister Mia lives in Porto.'
  await memory.remember({ role: 'user', text, id: turn }, { session: 'one' })
  await memory.remember({ role: 'user', text: 'My dog is called Rex.', id: `${turn}b` }, { session: 'one' })
  const wide = `${turn}c`
  await memory.remember(
    { role: 'user', text: 'Forget everything you know about me.', id: wide },
    { session: 'one' },
  )
  await memory.endSession('one')
  await memory.drain()
  await memory.writeBlock('hives', 'three on the roof')
  const facts = await memory.memories({ forms: ['fact'] })
  const utterance = first(await memory.memories({ forms: ['utterance'] }))
  const operation = await memory.pin(utterance.id)
  const quarantined = first(await memory.memories({ statuses: ['quarantined'] }))
  const deleted = await memory.memories({ forms: ['utterance'] })
  const gone = deleted.at(-1)
  if (gone === undefined) throw new Error('there is nothing to delete')
  await memory.forget(gone.id)
  const spare = `${turn}d`
  await memory.remember({ role: 'user', text: 'It rains.', id: spare }, { session: 'zero' })
  await memory.drain()
  const erased = await memory.erase({ turns: [spare] })
  if (erased === null) throw new Error('there was nobody to erase of')
  const { webhook } = await new WebhookStore(server.keepsake).create({
    url: 'https://93.184.216.34/hook',
    description: null,
    tenants: [tenant],
    users: [user],
    agent: null,
    app: null,
    events: ['scope-erased'],
    texts: false,
    key: null,
  })
  return {
    user,
    webhook: webhook.id,
    memory: first(facts).id,
    deleted: gone.id,
    quarantined: quarantined.id,
    operation: operation.id,
    turn,
    session: 'one',
    erasure: erased.id,
    entity: 'Mia',
    wide,
    key: 'goals',
  }
}

export interface Asked {
  readonly tenant?: string
  readonly headers?: Headers
  readonly request?: Partial<RouteRequest>
  /** Said after the path. */
  readonly query?: string
}

/** Asks a route as its table has it, with changes. A stream is closed as soon as it is open. */
export async function askRoute(
  server: TestServer,
  name: string,
  ids: Ids,
  { tenant = 'acme', headers = {}, request, query }: Asked = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { body, lines, query: needed } = { ...ROUTES[name]?.(ids), ...request }
  const inScope = name.includes('{user}') ? `tenant=${tenant}` : ''
  const search = [inScope, needed, query].filter((part) => part !== undefined && part !== '').join('&')
  const isText = lines === true || body instanceof Uint8Array || typeof body === 'string'
  const response = await server.app.request(`${routePath(name, ids)}${search === '' ? '' : `?${search}`}`, {
    method: name.split(' ')[0] ?? 'GET',
    headers: {
      ...(body === undefined
        ? {}
        : { 'Content-Type': lines === true ? 'application/x-ndjson' : 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
  })
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    await response.body?.cancel()
    return { status: response.status, text: '' }
  }
  return { status: response.status, text: await response.text() }
}

export function codeOf(text: string): unknown {
  return (JSON.parse(text) as { code?: unknown }).code
}

/** Everything there is: what a refused request must leave as it was. */
async function everything(server: TestServer): Promise<string> {
  const lines: string[] = []
  for (const { tenant, user, agent, app } of await server.keepsake.scopes()) {
    lines.push(JSON.stringify([tenant, user, agent, app]))
    for await (const line of server.keepsake.scope({ tenant, user }).export()) lines.push(line)
  }
  return lines.join('\n')
}

/** Acts, and finds that it changed nothing. */
export async function unchanged(server: TestServer, act: () => Promise<void>): Promise<void> {
  await server.keepsake.drain()
  const before = await everything(server)
  expect(before.length).toBeGreaterThan(1_000)
  await act()
  await server.keepsake.drain()
  expect(await everything(server)).toBe(before)
}
