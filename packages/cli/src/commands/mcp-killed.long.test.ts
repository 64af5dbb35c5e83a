import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KilledServer, KILL_TARGETS, type KillTarget } from '../testing/killed-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
let server: KilledServer
beforeAll(async () => {
  // The server is started anew at the address that its clients know.
  server = await KilledServer.start('--db', join(folder, 'memory.db'), '--unlocked')
})
afterAll(async () => {
  await server.end('SIGTERM')
})

interface Session {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
}

async function connect(user: string): Promise<Session> {
  const headers = { 'x-keepsake-user': user, connection: 'close' }
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, transport }
}

const USERS = ['ana', 'ben', 'cleo']
const CALLS_EACH = 25
const TIMED_OUT: number = ErrorCode.RequestTimeout

/** What became of a call. */
type Call = { readonly text: string; readonly answer: 'ok' | 'refused' | Error }

async function remember({ client }: Session, text: string): Promise<Call> {
  try {
    const { isError } = await client.callTool({ name: 'remember', arguments: { text } })
    return { text, answer: isError === true ? 'refused' : 'ok' }
  } catch (error) {
    return { text, answer: error as Error }
  }
}

/** Kills of each way; `KEEPSAKE_KILL_ROUNDS=10 npm run test:long` runs more. */
const ROUNDS = Number(process.env['KEEPSAKE_KILL_ROUNDS'] ?? 1)
const TRY_EVERY_MS = 500

/** Calls under a key until the call is answered, over a new connection if the old one has no server any more. */
async function rememberOnce(user: string, text: string): Promise<string> {
  for (;;) {
    const session = await connect(user).catch(() => null)
    const args = { name: 'remember', arguments: { text, idempotencyKey: text } }
    const answer = await session?.client.callTool(args).catch(() => null)
    await session?.client.close()
    if (answer?.isError === undefined && answer?.content !== undefined) return JSON.stringify(answer.content)
    await sleep(TRY_EVERY_MS)
  }
}

/** Some clients call without keys and see their calls fail; another calls again under a key until it is answered. */
async function killAmidCalls(way: KillTarget, round: number): Promise<void> {
  const calls: Call[] = []
  const users = USERS.map((user) => `${user}-${way}-${round}`)
  const sessions = await Promise.all(users.map(connect))
  const keyed = `gil-${way}-${round}`
  const keyedTexts = Array.from({ length: 5 }, (_, index) => `${keyed} says number ${index}.`)
  const killing: Promise<unknown>[] = []
  const kill = (): void => {
    killing.push(...keyedTexts.map((text) => rememberOnce(keyed, text)), server.kill(way))
  }
  const talk = async (session: Session, user: string): Promise<void> => {
    for (let start = 0; start < CALLS_EACH; start += 5) {
      const texts = Array.from({ length: 5 }, (_, index) => `${user} says number ${start + index}.`)
      const done = await Promise.all(
        texts.map(async (text, index) => {
          const call = remember(session, text)
          if (start === 10 && index === 4 && killing.length === 0) kill()
          return call
        }),
      )
      calls.push(...done)
      if (done.some(({ answer }) => answer instanceof Error)) return
    }
  }
  await Promise.all(sessions.map((session, index) => talk(session, users[index] ?? '')))
  await Promise.all(killing)
  const failed = calls.filter(({ answer }) => answer !== 'ok')
  expect(failed.length).toBeGreaterThan(0)
  // None waited for its patience: the connection said that nothing comes any more.
  const late = failed.filter(({ answer }) => answer instanceof McpError && answer.code === TIMED_OUT)
  expect(late).toEqual([])
  const kept = (await Promise.all(users.map((user) => server.turns(user)))).flat()
  const texts = kept.map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
  for (const { text, answer } of calls) if (answer === 'ok') expect(texts).toContain(text)
  expect((await server.turns(keyed)).map(({ text }) => text).toSorted()).toEqual(keyedTexts)
  await Promise.all(sessions.map(({ client }) => client.close()))
}

it.each(KILL_TARGETS)(
  'killed amid calls of tools (%s), the server keeps what it answered, each call gets its outcome, and calls repeated under their keys count once',
  async (way) => {
    for (let round = 0; round < ROUNDS; round += 1) await killAmidCalls(way, round)
  },
  120_000,
)

it.each(KILL_TARGETS)(
  'after a kill (%s) a client goes on and knows what was said, and a call whose answer it took, made again under its key, stands once',
  async (way) => {
    // One kill for both: a start takes longer than all else.
    const [dana, fay] = [`dana-${way}`, `fay-${way}`]
    const session = await connect(dana)
    expect(await remember(session, 'I keep four hives of bees on my roof.')).toMatchObject({ answer: 'ok' })
    const text = `${fay} keeps bees.`
    const { client } = await connect(fay)
    const lost = client
      .callTool({ name: 'remember', arguments: { text, idempotencyKey: text } })
      .then(() => undefined)
      .catch(() => undefined)
    await expect.poll(() => server.turns(fay), { timeout: 30_000 }).toHaveLength(1)
    await server.kill(way)
    await lost
    await client.close()

    // A restarted server has another port here.
    const again = way === 'workers' ? session : await connect(dana)
    const { tools } = await again.client.listTools()
    expect(tools.map(({ name }) => name)).toContain('recall')
    const found = await again.client.callTool({
      name: 'recall',
      arguments: { question: 'Where are my bees?' },
    })
    expect(JSON.stringify(found)).toContain('four hives')
    await again.client.close()

    // Whoever saw no answer asks again.
    expect(await rememberOnce(fay, text)).toContain('Nothing was stored twice')
    expect(await server.turns(fay)).toEqual([{ role: 'user', text }])
  },
  120_000,
)
