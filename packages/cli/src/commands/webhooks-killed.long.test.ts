import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runServer, type ServedProcess } from '../testing/run-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

/** Turns that were told, and ids of messages, as they came. */
const told: { readonly turns: readonly string[]; readonly id: string }[] = []
let receiver: Server
let [now, most] = [0, 0]
let db = ''
let server: ServedProcess | null = null

beforeEach(async () => {
  db = join(temporaryFolder(), 'memory.db')
  told.length = 0
  ;[now, most] = [0, 0]
  receiver = createServer((request, response) => {
    now += 1
    most = Math.max(most, now)
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const { data } = JSON.parse(body) as { data: { turns: string[] } }
      told.push({ turns: data.turns, id: String(request.headers['webhook-id']) })
      now -= 1
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  await server?.end('SIGKILL')
  receiver.closeAllConnections()
  await new Promise((done) => receiver.close(done))
})

const serve = async (...more: string[]): Promise<string> => {
  server = await runServer(['--db', db, '--unlocked', '--webhooks-to-private', ...more])
  return server.url
}

const post = (address: string, body: object): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  })

async function register(url: string): Promise<void> {
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const answer = await post(`${url}/v1/webhooks`, { url: hook, events: ['turns-recorded'] })
  expect(answer.status).toBe(201)
}

/** Says turns of several people at once; those of a server that is killed in between are not acknowledged. */
async function say(url: string, round: number, acknowledged: Set<string>, onSome: () => void): Promise<void> {
  const one = async (number: number): Promise<void> => {
    const id = `${round}-${number}`
    const turns = [{ role: 'user', text: `Fact ${id}.`, id }]
    const answer = await post(`${url}/v1/scopes/person-${number % 5}/turns`, { turns })
    if (answer.status === 201) acknowledged.add(id)
    if (number === 12) onSome()
  }
  await Promise.allSettled(Array.from({ length: 30 }, (_, number) => one(number)))
}

const isTold = (ids: ReadonlySet<string>): boolean => {
  const all = new Set(told.flatMap(({ turns }) => turns))
  return [...ids].every((id) => all.has(id))
}

it('tells every turn that was acknowledged before the server was killed, and each by one id', async () => {
  const acknowledged = new Set<string>()
  await register(await serve())
  const running = server
  const killed: Promise<unknown>[] = []
  await say(running?.url ?? '', 0, acknowledged, () =>
    killed.push(running?.end('SIGKILL') ?? Promise.resolve()),
  )
  await Promise.all(killed)
  await serve()
  expect(acknowledged.size).toBeGreaterThan(3)
  await expect.poll(() => isTold(acknowledged), { timeout: 30_000 }).toBe(true)
  const ids = new Map<string, Set<string>>()
  for (const { turns, id } of told) ids.set(turns.join(), (ids.get(turns.join()) ?? new Set()).add(id))
  expect(Math.max(...[...ids.values()].map(({ size }) => size))).toBe(1)
})

it('delivers from two workers one message at a time, also when one of them is killed', async () => {
  const acknowledged = new Set<string>()
  const url = await serve('--workers', '2')
  await register(url)
  await say(url, 0, acknowledged, () => undefined)
  expect(acknowledged.size).toBe(30)
  await expect.poll(() => isTold(acknowledged), { timeout: 30_000 }).toBe(true)
  const children = await readFile(`/proc/${server?.child.pid}/task/${server?.child.pid}/children`, 'utf8')
  const [worker] = children.trim().split(' ').map(Number)
  await say(url, 1, acknowledged, () => process.kill(worker ?? 0, 'SIGKILL'))
  await say(url, 2, acknowledged, () => undefined)
  await expect.poll(() => isTold(acknowledged), { timeout: 30_000 }).toBe(true)
  expect(most).toBe(1)
})
