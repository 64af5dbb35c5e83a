import { afterEach, beforeEach, expect, it } from 'vitest'
import { DownloadTickets } from '../../access/download-tickets.ts'
import { openTestServer, type Headers, type TestServer } from '../../testing/routes-app.ts'

interface Ticket {
  readonly path: string
}

let server: TestServer
beforeEach(async () => {
  server = await openTestServer()
  for (const user of ['ana', 'ben', '..'])
    await server.keepsake.scope({ user }).remember({ role: 'user', text: `I am ${user}.` })
})
afterEach(() => server.close())

async function ticketFor(user: string, headers: Headers, query = ''): Promise<Response> {
  return server.app.request(`/v1/scopes/${user}/export/ticket${query}`, { method: 'POST', headers })
}
const pathFor = async (user: string, query = ''): Promise<string> => {
  const response = await ticketFor(user, await server.keyFor({ actions: ['read'] }), query)
  expect(response.status).toBe(200)
  return ((await response.json()) as Ticket).path
}

it('exports its person once, without a key, as a file', async () => {
  const path = await pathFor('ana')
  const first = await server.app.request(path)
  expect([
    first.status,
    first.headers.get('content-disposition'),
    first.headers.get('cache-control'),
  ]).toEqual([200, "attachment; filename*=UTF-8''ana.jsonl", 'no-store'])
  expect(await first.text()).toContain('I am ana.')
  expect((await server.app.request(path)).status).toBe(401)
  const dots = await server.app.request(await pathFor('%20', '?user=..'))
  expect(await dots.text()).toContain('I am ...')
})

it('is whole in each of several exports of one key, which take turns', async () => {
  const long = 'You keep bees. '.repeat(5_000)
  for (let turn = 0; turn < 4; turn += 1)
    await server.keepsake.scope({ user: 'ana' }).remember({ role: 'assistant', text: long })
  await server.keepsake.drain()
  const headers = await server.keyFor({ actions: ['read'] })
  const read = async () => (await server.app.request('/v1/scopes/ana/export', { headers })).text()
  const abandoned = await server.app.request('/v1/scopes/ana/export', { headers })
  await abandoned.body?.cancel()
  const whole = await read()
  expect(whole.split('keep bees').length).toBeGreaterThan(20_000)
  const others = await Promise.all([read(), read(), read()])
  expect(others.map((one) => one === whole)).toEqual([true, true, true])
})

it('opens nobody else, and nothing but the export', async () => {
  for (const change of [
    (path: string) => path.replace('/ana/', '/ben/'),
    (path: string) => path.replace('/export', '/turns'),
    (path: string) => path.replace('tenant=default', 'tenant=other'),
  ]) {
    const path = change(await pathFor('ana'))
    const { status } = await server.app.request(path)
    expect([path.split('ticket')[0], status]).toEqual([expect.any(String), expect.toBeOneOf([401, 403])])
  }
  const path = await pathFor('ana')
  expect((await server.app.request(path, { method: 'DELETE' })).status).toBeGreaterThanOrEqual(400)
})

it('is given to keys that may read the person, and for somebody alone', async () => {
  const other = await server.keyFor({ actions: ['read'], users: ['ben'] })
  expect((await ticketFor('ana', other)).status).toBe(403)
  expect((await ticketFor('ana', await server.keyFor({ actions: ['write'] }))).status).toBe(403)
  expect((await ticketFor('nobody', await server.keyFor({ actions: ['read'] }))).status).toBe(404)
})

it('is over after a minute', async () => {
  let now = Date.now()
  const tickets = new DownloadTickets(server.keepsake, () => now)
  const grant = {
    id: 'k',
    name: 'k',
    tenants: null,
    users: null,
    actions: ['read'],
    requestsPerMinute: null,
  } as const
  const early = await tickets.issue(grant, { user: 'ana' })
  const late = await tickets.issue(grant, { user: 'ana' })
  now += 59_000
  expect(await tickets.take(early.ticket)).toMatchObject({
    users: ['ana'],
    tenants: ['default'],
    actions: ['read'],
  })
  now += 2_000
  expect(await tickets.take(late.ticket)).toBeNull()
})
