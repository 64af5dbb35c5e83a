import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACTIONS } from '../access/grant.ts'
import type { OpenApiDocument } from '../rest/openapi-document.ts'
import type { Headers, TestServer } from './routes-app.ts'
import { answersOf } from './routes-described.ts'
import { protocolOf } from '../protocols.ts'
import { askRoute, codeOf, openRoutesServer, seedPerson, unchanged } from './routes-people.ts'
import { ROUTES, routePattern, type Ids, type RouteRequest } from './routes-requests.ts'

const NAMES = Object.keys(ROUTES)
const ANY_KEY = NAMES.filter((name) => name === 'GET /v1/access' || name.includes('/v1/webhooks'))
/** Those that not every key may ask. */
const NEEDY = NAMES.filter((name) => !ANY_KEY.includes(name))
const OF_SCOPE = NAMES.filter((name) => name.includes('{user}'))
/** The server's own, which anybody may ask: its health, and the files of its page. */
const OPEN = ['GET /healthz', 'GET /readyz', 'GET /']

let server: TestServer
let ana: Ids
let rival: Ids
beforeAll(async () => {
  server = await openRoutesServer()
  ana = await seedPerson(server, 'acme', 'ana')
  rival = await seedPerson(server, 'rival', 'eve')
})
afterAll(() => server.close())

/** A key that opens no more than a route needs. */
const keyForRoute = ({ action, reads }: RouteRequest = { action: 'read' }): Promise<Headers> => {
  const needed = action === 'any' ? 'read' : action === 'own' ? 'admin' : action
  return keyFor(needed, ...(reads === true ? (['read'] as const) : []))
}
const keyFor = (...actions: (typeof ACTIONS)[number][]): Promise<Headers> => server.keyFor({ actions })

describe('the table of routes', () => {
  it('has every REST route of the server, and no other', () => {
    const mounted = server.app.routes
      .filter(
        ({ method, path }) =>
          method !== 'ALL' &&
          path.startsWith('/v1/') &&
          protocolOf({ path, header: () => undefined }) === 'rest',
      )
      .map(({ method, path }) => `${method} ${path}`)
    expect(NAMES.map(routePattern).toSorted()).toEqual([...new Set(mounted)].toSorted())
  })

  it('holds requests that succeed with the right key, and are answered as is described', async () => {
    const response = await server.app.request('/openapi.json', { headers: await keyFor('read') })
    const check = answersOf((await response.json()) as OpenApiDocument)
    expect(check.answer('GET /v1/stats', 200, { turns: 'many' })).not.toEqual([])
    const reader = await seedPerson(server, 'acme', 'reader')
    for (const [index, name] of NAMES.entries()) {
      // A route that changes a person leaves nothing for the next.
      const isReading = ROUTES[name]?.(reader).action === 'read'
      const ids = isReading ? reader : await seedPerson(server, 'acme', `person-${index}`)
      const headers = { ...(await keyForRoute(ROUTES[name]?.(ids))), Accept: 'application/json' }
      const { status, text } = await askRoute(server, name, ids, { headers })
      expect([name, status, status < 300 ? '' : text]).toEqual([name, expect.toBeOneOf([200, 201, 202]), ''])
      const isJson = !/\/(?:events|export)$/.test(name)
      if (isJson) expect([name, check.answer(name, status, JSON.parse(text))]).toEqual([name, []])
    }
  })
})

describe('without a key', () => {
  it('no route of the server answers, but health', async () => {
    const paths = server.app.routes
      .filter(({ path }) => !path.includes('*'))
      .map(({ method, path }) => [method === 'ALL' ? 'POST' : method, path] as const)
    expect(paths.length).toBeGreaterThan(NAMES.length)
    await unchanged(server, async () => {
      for (const [method, path] of paths) {
        const name = `${method} ${path}`
        for (const headers of [
          {},
          { Authorization: 'Bearer ks_wrong' },
          { Authorization: 'Basic YTpi' },
        ] as Headers[]) {
          const asked = path.replaceAll(/:\w+(?:\{[^}]*\})?/g, 'x')
          const { status } = await server.app.request(asked, { method, headers })
          expect([name, status]).toEqual([name, OPEN.includes(name) ? 200 : 401])
        }
      }
    })
  })
})

describe('with a foreign key', () => {
  it.each(['tenants', 'users'] as const)(
    '(other %s) every scope is shut, whether it exists or not',
    async (wall) => {
      const headers = await server.keyFor({
        actions: ACTIONS,
        ...(wall === 'tenants' ? { tenants: ['rival'] } : { users: ['eve'] }),
      })
      await unchanged(server, async () => {
        for (const name of NEEDY) {
          const there = await askRoute(server, name, ana, { headers })
          expect([name, there.status, codeOf(there.text)]).toEqual([name, 403, 'forbidden'])
          const nobody = await askRoute(server, name, { ...ana, user: 'nobody' }, { headers })
          expect(withoutRequest(nobody.text)).toBe(withoutRequest(there.text))
        }
      })
    },
  )

  it('of another tenant, ids of this one name nothing', async () => {
    const headers = await server.keyFor({ actions: ACTIONS, tenants: ['rival'] })
    const named = OF_SCOPE.filter((name) =>
      /\{(?:memory|deleted|quarantined|operation|turn|erasure)\}|\/erase(?:\/preview)?$/.test(name),
    )
    expect(named.length).toBeGreaterThan(9)
    await unchanged(server, async () => {
      for (const name of named) {
        const { status, text } = await askRoute(
          server,
          name,
          { ...ana, user: rival.user },
          { tenant: 'rival', headers },
        )
        expect([name, status, codeOf(text)]).toEqual([name, 404, 'not-found'])
      }
    })
  })
})

describe('with a key of one action', () => {
  it('only the routes that need it are open', async () => {
    await unchanged(server, async () => {
      for (const action of ACTIONS) {
        const headers = await keyFor(action)
        for (const name of NEEDY) {
          const needs = ROUTES[name]?.(ana)
          if (needs?.action === action && needs.reads !== true) continue
          const { status, text } = await askRoute(server, name, ana, { headers })
          expect([action, name, status, codeOf(text)]).toEqual([action, name, 403, 'forbidden'])
        }
      }
    })
  })

  it('writing alone learns how much a topic holds, and no word of it', async () => {
    const forget = async (...actions: (typeof ACTIONS)[number][]) => {
      const response = await server.app.request('/v1/scopes/ana/forget?tenant=acme', {
        method: 'POST',
        headers: { ...(await keyFor(...actions)), 'Content-Type': 'application/json' },
        body: JSON.stringify({ topic: 'bees', dryRun: true }),
      })
      return (await response.json()) as { count: number; memories: unknown[]; unsure: unknown[] }
    }
    const reader = await forget('read', 'write')
    expect(reader.count).toBeGreaterThan(0)
    expect(reader.memories).toHaveLength(reader.count)
    expect(await forget('write')).toEqual({ ...reader, memories: [], unsure: [] })
  })

  it('reading changes nothing', async () => {
    await unchanged(server, async () => {
      for (const name of NAMES.filter((name) => ROUTES[name]?.(ana).action === 'read')) {
        const { status } = await askRoute(server, name, ana, { headers: await keyFor('read') })
        expect([name, status]).toEqual([name, 200])
      }
    })
  })
})

describe('through the other doors', () => {
  const WORDS = /bees|Okafor|Porto|Rex|roof/

  /** What each of them might take for whose memory it is, or which. */
  const body = () => ({
    model: 'x',
    messages: [{ role: 'user', content: 'What do you know?' }],
    user: ana.user,
    user_id: ana.user,
    query: 'What is there?',
    filters: { user_id: ana.user },
    memory_ids: [ana.memory],
    memories: [{ memory_id: ana.memory, text: 'Other.' }],
    text: 'Other.',
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'recall', arguments: { question: 'What is there?' } },
  })

  const others = () =>
    server.app.routes.filter(
      ({ method, path }) =>
        method !== 'ALL' &&
        !path.includes('*') &&
        /^\/(?:compat|mcp|v1\/(?:chat|responses|messages))/.test(path),
    )

  async function askOthers(headers: Headers): Promise<string[]> {
    const answers: string[] = []
    for (const { method, path } of others()) {
      const named = path
        .replaceAll(/:id\b/g, ana.memory)
        .replaceAll(':name', ana.user)
        .replaceAll(':type', 'user')
        .replaceAll(/:\w+(?:\{[^}]*\})?/g, 'x')
      const response = await server.app.request(`${named}?user_id=${ana.user}`, {
        method,
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'X-Keepsake-User': ana.user,
          'X-Keepsake-Tenant': 'acme',
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body()) }),
      })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      if (isStream && method === 'GET') await response.body?.cancel()
      else answers.push(`${method} ${path} ${response.status} ${await response.text()}`)
    }
    return answers
  }

  it('a foreign key sees nothing of this tenant, and changes nothing', async () => {
    const headers = await server.keyFor({ actions: ['read', 'write', 'erase'], tenants: ['rival'] })
    await unchanged(server, async () => {
      const answers = await askOthers(headers)
      expect(answers.length).toBeGreaterThanOrEqual(DOORS.length)
      expect(others().map(({ path }) => path)).toEqual(expect.arrayContaining(DOORS))
      for (const answer of answers) expect(answer).not.toMatch(WORDS)
    })
  })

  it('a key that may only read changes nothing', async () => {
    await unchanged(server, async () => {
      await askOthers(await server.keyFor({ actions: ['read'], tenants: ['acme'] }))
    })
  })
})

const DOORS = ['/mcp', '/v1/chat/completions', '/v1/responses', '/v1/messages']

function withoutRequest(text: string): string {
  return text.replace(/"request":"[^"]*"/, '')
}
