import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { runServer, type ServedProcess } from '../testing/run-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const WORKERS = 2
let db = ''
let server: ServedProcess
let key = ''

interface Made {
  readonly id: string
  readonly key: string
}

async function makeKey(...more: string[]): Promise<Made> {
  const made = await run(['keys', 'create', '--name', 'test', '--db', db, '--json', ...more])
  return JSON.parse(made.out) as Made
}

// One server for all: to start one takes longer than a test.
beforeAll(async () => {
  db = join(temporaryFolder(), 'memory.db')
  key = (await makeKey('--action', 'read,write,admin')).key
  server = await runServer(['--db', db, '--workers', String(WORKERS)])
})
afterAll(() => server.end('SIGTERM'))

const ask = (path: string, body?: object, own = key): Promise<Response> =>
  fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${own}`,
      'content-type': 'application/json',
      // Each over a connection of its own, so that workers take turns.
      connection: 'close',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const say = (user: string, text: string): Promise<Response> =>
  ask(`/v1/scopes/${user}/turns`, { turns: [{ role: 'user', text }] })

/** The process ids of the workers, as their metrics' parent has them. */
async function workers(): Promise<number[]> {
  const { readFile } = await import('node:fs/promises')
  const children = await readFile(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8')
  return children.trim().split(' ').map(Number)
}

describe('keepsake serve --workers', () => {
  it('remembers at one process what the next request recalls at another, and counts as one server', async () => {
    for (let number = 0; number < 12; number += 1) {
      const user = `person-${number % 4}`
      expect((await say(user, `My bike number ${number} is in the shed.`)).status).toBe(201)
      const recall = (await (
        await ask(`/v1/scopes/${user}/recall`, { question: `bike ${number}` })
      ).json()) as {
        context: { text: string }
      }
      expect(recall.context.text).toContain(`number ${number}`)
    }
    await expect
      .poll(async () => (await ask('/readyz')).json())
      .toEqual({ status: 'ready', workers: { serving: WORKERS, wanted: WORKERS } })
    const metrics = await (await ask('/metrics')).text()
    expect(metrics).toContain('keepsake_turns_recorded_total 12')
    expect(metrics).toMatch(/keepsake_people 4\n/)
  })

  it('closes a revoked key at every process, and holds its limit over all of them', async () => {
    const { id, key: own } = await makeKey('--requests-per-minute', '9')
    const statuses: number[] = []
    for (let number = 0; number < 14; number += 1)
      statuses.push((await ask(`/v1/scopes/person-${number}/sessions`, undefined, own)).status)
    const allowed = statuses.filter((status) => status === 200).length
    // A minute may begin in between.
    expect(allowed).toBeGreaterThanOrEqual(9)
    expect(allowed).toBeLessThanOrEqual(14)
    await run(['keys', 'revoke', id, '--db', db])
    for (let number = 0; number < 6; number += 1)
      expect((await ask(`/v1/scopes/person-${number}/sessions`, undefined, own)).status).toBe(401)
  })

  it('tells of everybody’s events at whichever process somebody listens', async () => {
    const listening = await ask('/v1/events')
    const reader = listening.body!.getReader()
    await reader.read()
    const people = Array.from({ length: 6 }, (_, number) => `listener-${number}`)
    for (const user of people) await say(user, 'I keep bees.')
    let told = ''
    const decoder = new TextDecoder()
    while (!people.every((user) => told.includes(user))) told += decoder.decode((await reader.read()).value)
    await reader.cancel()
  })

  it('starts a worker that dies anew, and loses neither words nor sessions', async () => {
    const requestInit = { headers: { authorization: `Bearer ${key}`, 'x-keepsake-user': 'ana' } }
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    expect((await say('ana', 'I keep four hives of bees on my roof.')).status).toBe(201)
    for (const pid of await workers()) {
      process.kill(pid, 'SIGKILL')
      await expect
        .poll(() => workers().then((pids) => pids.length === WORKERS && !pids.includes(pid)))
        .toBe(true)
      await expect.poll(async () => (await ask('/healthz').catch(() => null))?.status ?? 0).toBe(200)
    }
    const found = await client.callTool({ name: 'recall', arguments: { question: 'Where are my bees?' } })
    expect(JSON.stringify(found)).toContain('four hives')
    await client.close()
    expect(server.err()).toContain('"event":"worker-ended"')
  })

  it('ends with all its processes, when it is told to and when it is killed', async () => {
    const pids = await workers()
    await server.end('SIGKILL')
    const isGone = (pid: number): boolean => {
      try {
        process.kill(pid, 0)
        return false
      } catch {
        return true
      }
    }
    await expect.poll(() => pids.every(isGone)).toBe(true)
    server = await runServer(['--db', db, '--workers', String(WORKERS)])
    const others = await workers()
    expect(await server.end('SIGTERM')).toBe(0)
    expect(others.every(isGone)).toBe(true)
  })
})
