import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresStore } from '@keepsake/postgres'
import { PostgresServer, whyNoServer } from '@keepsake/postgres/testing'
import { openServer, type OpenServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const reason = whyNoServer()
// oxlint-disable-next-line no-console -- whoever reads the run is told what it left out
if (reason !== null) console.warn(`Commits cut off on a real Postgres are left out: ${reason}.`)

/** How long the store waits for its server. */
const PATIENCE_MS = 200

/** A way to Postgres that can be cut just after a commit went over it: it happens, and nobody hears of it. */
class CutWay {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #to: number
  /** The transaction whose commit is lost is the first in which this is said; `null`: none is. */
  loses: string | null = null
  isDown = false

  constructor(to: number) {
    this.#to = to
    this.#server = createServer((socket) => this.#carry(socket))
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  async close(): Promise<void> {
    this.#cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }

  #carry(socket: Socket): void {
    if (this.isDown) return void socket.destroy()
    const postgres = connect(this.#to, '127.0.0.1')
    for (const one of [socket, postgres]) this.#sockets.add(one.on('error', () => {}))
    let isLost = false
    socket.on('data', (said) => {
      const text = said.toString('latin1')
      isLost ||= this.loses !== null && text.includes(this.loses)
      postgres.write(said)
      if (!isLost || !text.includes('commit\0')) return
      this.loses = null
      this.isDown = true
      postgres.removeAllListeners('data')
      // Once it says that it has committed.
      postgres.on('data', (answer: Buffer) => {
        if (answer.toString('latin1').includes('COMMIT\0')) this.#cut()
      })
    })
    postgres.on('data', (answer) => socket.write(answer))
    socket.on('close', () => postgres.destroy())
    postgres.on('close', () => socket.destroy())
  }
}

describe.skipIf(reason !== null)('a request whose commit in Postgres was cut off, made again', () => {
  let postgres: PostgresServer
  let way: CutWay
  let keepsake: Keepsake
  let server: OpenServer
  let schemas = 0
  beforeAll(async () => {
    postgres = await PostgresServer.start(['fsync=off'])
  })
  afterAll(() => postgres.stop())
  beforeEach(async () => {
    way = new CutWay(postgres.port)
    const address = new URL(postgres.address())
    address.port = String(await way.open())
    const store = await openPostgresStore({
      connectionString: address.href,
      schema: `doubtful_${(schemas += 1)}`,
      patienceMs: PATIENCE_MS,
    })
    keepsake = await openMemory({ store })
    server = await openServer({ keepsake, unlocked: true, port: 0 })
  })
  afterEach(async () => {
    way.isDown = false
    way.loses = null
    await server.close()
    await keepsake.close()
    await way.close()
  })

  async function ask(method: string, path: string, body?: unknown, key?: string) {
    const answer = await fetch(`${server.url}/v1/scopes/ana${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: answer.status, json, replayed: answer.headers.get('Idempotency-Replayed') }
  }

  /** Makes a request whose commit is lost, where `said` goes over the wire; then the way is there again, and it is made once more. */
  async function twice(said: string, ...request: Parameters<typeof ask>) {
    way.loses = said
    const first = await ask(...request)
    expect(first).toMatchObject({ status: 503, json: { code: 'store-busy' } })
    await sleep(PATIENCE_MS)
    way.isDown = false
    return ask(...request)
  }

  const turns = async (): Promise<unknown> => (await ask('GET', '/turns')).json['turns']

  it('is answered as done once, by its idempotency key', async () => {
    const body = { turns: [{ role: 'user', text: 'I live in Lyon, by the river.' }] }
    const again = await twice('by the river', 'POST', '/turns', body, 'monday')
    expect(again).toMatchObject({ status: 201, json: { added: 0 } })
    expect(await ask('POST', '/turns', body, 'monday')).toMatchObject({ status: 201, replayed: 'true' })
    expect(await turns()).toHaveLength(1)
  })

  it('is answered as done once, by the ids of its turns', async () => {
    const body = { turns: [{ role: 'user', text: 'I live in Lyon, by the river.', id: 't1' }] }
    const again = await twice('by the river', 'POST', '/turns', body)
    expect(again).toMatchObject({ status: 201, json: { turns: ['t1'], added: 0 } })
    expect(await turns()).toHaveLength(1)
  })

  it('is done, and not under way for ever, when the entry of its idempotency key was what was cut off', async () => {
    const body = { turns: [{ role: 'user', text: 'I live in Lyon, by the river.' }] }
    const again = await twice('fingerprint', 'POST', '/turns', body, 'monday')
    expect(again).toMatchObject({ status: 201, json: { added: 1 } })
    expect(await turns()).toHaveLength(1)
  })

  it('leaves one past version, for a change of a memory', async () => {
    await ask('POST', '/turns', { turns: [{ role: 'user', text: 'I live in Lyon.' }] })
    await keepsake.drain()
    const [fact] = await keepsake.scope({ user: 'ana' }).memories({ forms: ['fact'] })
    expect(fact?.text).toContain('Lyon')
    const path = `/memories/${encodeURIComponent(fact?.id ?? '')}`
    const again = await twice('in Oslo', 'PATCH', path, { text: 'The user lives in Oslo.' }, 'tuesday')
    expect(again.status).toBe(200)
    const facts = await keepsake.scope({ user: 'ana' }).memories({ forms: ['fact'] })
    const edited = facts.find(({ id }) => id === fact?.id)
    expect(edited?.text).toBe('The user lives in Oslo.')
    expect(edited?.past.map(({ text }) => text)).toEqual([fact?.text])
  })

  it('is told as done, for the erasure of a person', async () => {
    await ask('POST', '/turns', { turns: [{ role: 'user', text: 'I live in Lyon, by the river.' }] })
    await keepsake.drain()
    await twice('insert into "erasures"', 'DELETE', '?everything=true', undefined, 'friday')
    expect(await keepsake.scopes()).toEqual([])
    expect(await turns()).toEqual([])
  })
})
