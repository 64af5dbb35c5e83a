import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PostgresServer, whyNoServer } from '@keepsake/postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { runServer, type ServedProcess } from '../testing/run-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const reason = whyNoServer()
// oxlint-disable-next-line no-console -- whoever reads the run is told what it left out
if (reason !== null) console.warn(`Webhooks on a real Postgres are left out: ${reason}.`)

interface Told {
  readonly id: string
  readonly user: string
  readonly turn: string
  readonly signature: string
}

const PEOPLE = 5
const TURNS = 60

describe.skipIf(reason !== null)('webhooks of two servers on one Postgres', () => {
  const folder = temporaryFolder()
  const told: Told[] = []
  let [now, most] = [0, 0]
  let postgres: PostgresServer
  let receiver: Server
  let servers: ServedProcess[] = []
  const acknowledged = new Set<string>()

  beforeAll(async () => {
    postgres = await PostgresServer.start()
    receiver = createServer((request, response) => void take(request, response))
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    servers = [await serve(postgres.address()), await serve(postgres.address())]
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end('SIGTERM')))
    receiver.closeAllConnections()
    receiver.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    now += 1
    most = Math.max(most, now)
    const { data } = JSON.parse(await text(request)) as { data: { scope: { user: string }; turns: [string] } }
    const { 'webhook-id': id, 'webhook-signature': signature } = request.headers
    told.push({
      id: String(id),
      signature: String(signature),
      user: data.scope.user,
      turn: data.turns[0],
    })
    now -= 1
    response.writeHead(204).end()
  }

  const serve = (db: string): Promise<ServedProcess> =>
    runServer(['--db', db, '--unlocked', '--webhooks-to-private'])
  const ask = (server: ServedProcess | undefined, path: string, body?: object): Promise<Response> =>
    fetch(`${server?.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  /** Turns of several people, at both servers at once; what a server is killed amid is not acknowledged. */
  async function say(round: number, onSome: () => void): Promise<void> {
    const one = async (number: number): Promise<void> => {
      const id = `${round}-${number}`
      const turns = [{ role: 'user', text: `Fact ${id}.`, id }]
      const path = `/v1/scopes/person-${number % PEOPLE}/turns`
      const answer = await ask(servers[number % 2], path, { turns })
      if (answer.status === 201) acknowledged.add(id)
      if (acknowledged.size === TURNS / 4) onSome()
    }
    await Promise.allSettled(Array.from({ length: TURNS }, (_, number) => one(number)))
  }

  const isTold = (): boolean => {
    const turns = new Set(told.map(({ turn }) => turn))
    return [...acknowledged].every((id) => turns.has(id))
  }

  /** Each person's turns, in the order in which they were told at first, are in the order in which they came in. */
  async function mustBeInOrder(): Promise<void> {
    for (let person = 0; person < PEOPLE; person += 1) {
      const user = `person-${person}`
      const answer = await ask(servers[0], `/v1/scopes/${user}/turns?limit=200`)
      const { turns } = (await answer.json()) as { turns: readonly { id: string }[] }
      const first = [...new Set(told.filter((one) => one.user === user).map(({ turn }) => turn))]
      expect(first).toEqual(turns.map(({ id }) => id))
    }
  }

  it(
    'are told at least once, each person’s in order, by one process at a time, though a server is killed',
    { timeout: 180_000 },
    async () => {
      const { port } = receiver.address() as AddressInfo
      const hook = { url: `http://127.0.0.1:${port}/hook`, events: ['turns-recorded'] }
      expect((await ask(servers[0], '/v1/webhooks', hook)).status).toBe(201)
      const killed: Promise<unknown>[] = []
      await say(0, () => killed.push(servers[0]?.end('SIGKILL') ?? Promise.resolve()))
      await Promise.all(killed)
      expect(killed.length).toBeGreaterThan(0)
      await expect.poll(isTold, { timeout: 60_000 }).toBe(true)
      servers = [await serve(postgres.address()), ...servers.slice(1)]
      await say(1, () => undefined)
      await expect.poll(isTold, { timeout: 60_000 }).toBe(true)
      expect(most).toBe(1)
      // One that comes again comes under its id.
      const ids = Map.groupBy(told, ({ turn }) => turn)
      for (const again of ids.values()) expect(new Set(again.map(({ id }) => id)).size).toBe(1)
      await expect.poll(async () => (await ask(servers[0], '/v1/webhooks')).ok).toBe(true)
      await mustBeInOrder()
    },
  )

  it('go on from a file into which the memory was migrated', { timeout: 120_000 }, async () => {
    await Promise.all(servers.map((server) => server.end('SIGTERM')))
    const file = join(folder, 'memory.db')
    const migrated = await run(['migrate', postgres.address(), file, '--json'])
    expect([migrated.code, migrated.err]).toEqual([0, ''])
    expect(migrated.json()).toMatchObject([{ people: PEOPLE, left: 0 }])
    told.length = 0
    acknowledged.clear()
    servers = [await serve(file)]
    const turns = [{ role: 'user', text: 'A fact after all.', id: 'after' }]
    await ask(servers[0], '/v1/scopes/person-0/turns', { turns })
    await expect.poll(() => told.length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(told.map(({ turn }) => turn)).toEqual(['after'])
    expect(told[0]?.signature).toMatch(/^v1,/)
  })
})
