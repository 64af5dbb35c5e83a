import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { openMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { Collector, run } from '../testing/run-command.ts'
import { scriptedEndpoint } from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const KEEPSAKE = fileURLToPath(new URL('../../bin/keepsake.mjs', import.meta.url))
const folder = temporaryFolder()
let db = ''
let count = 0
const clients: Client[] = []
const endings: (() => Promise<number>)[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  count += 1
  db = join(folder, `${count}.db`)
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  for (const end of endings.splice(0)) expect(await end()).toBe(0)
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const argsFor = (...more: string[]): string[] => [KEEPSAKE, 'mcp', '--db', db, ...more]

/** The official client on the command in this process, which saves the start of another. */
async function connectHere(...more: string[]): Promise<Client> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const io = { stdin, stdout, stderr: new Collector(), env: {} }
  const ended = runCli(argsFor(...more).slice(1), io)
  // What the SDK serves over is the same at both ends.
  const client = await connectOver(new StdioServerTransport(stdout, stdin))
  endings.push(() => {
    stdin.end()
    return ended
  })
  return client
}

async function connectOver(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  clients.push(client)
  return client
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<{ isError: boolean; text: string }> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [first] = content
  return { isError: isError === true, text: first?.type === 'text' ? first.text : '' }
}

/** The command without a client's help: lines in, lines out. */
function start(...more: string[]): ChildProcessWithoutNullStreams & { out: () => string; err: () => string } {
  const child = spawn(process.execPath, argsFor(...more))
  children.push(child)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  return Object.assign(child, { out: () => out, err: () => err })
}

async function ended(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return child.exitCode ?? child.signalCode
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const HELLO = [
  line({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
  }),
  line({ method: 'notifications/initialized' }),
].join('')
const remember = (id: number, text: string): string =>
  line({ id, method: 'tools/call', params: { name: 'remember', arguments: { text } } })

/** What stdout holds, which must be nothing but messages. */
function answers(out: string): { id: number; result?: { isError?: boolean } }[] {
  return out
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const message = JSON.parse(text) as { jsonrpc: string; id: number }
      expect(message.jsonrpc).toBe('2.0')
      return message
    })
}

async function turnsIn(file = db): Promise<number> {
  await using memory = await openMemory({ path: file })
  return (await memory.stats()).turns
}

it('takes arguments that a host sends as null or as JSON in a text', async () => {
  const client = await connectHere('--user', 'ana')
  for (const given of [null, '{}']) {
    const { isError = false } = await client.callTool({ name: 'list_blocks', arguments: given as never })
    expect([given, isError]).toEqual([given, false])
  }
})

describe('keepsake mcp with the official client', () => {
  it('remembers across runs, in English and Chinese; tools, resources and prompt are there', async () => {
    const client = await connectHere('--user', 'maya')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('forget_memory')
    expect((await call(client, 'remember', { text: 'I live in Bristol.' })).isError).toBe(false)
    expect((await call(client, 'remember', { text: '我对青霉素过敏。' })).isError).toBe(false)
    await client.close()
    for (const end of endings.splice(0)) expect(await end()).toBe(0)

    const again = await connectHere('--user', 'maya')
    expect((await call(again, 'recall', { question: '她对什么过敏？' })).text).toContain('青霉素')
    const { contents } = await again.readResource({ uri: 'keepsake://persona' })
    expect(JSON.stringify(contents)).toContain('Bristol')
    const { messages } = await again.getPrompt({ name: 'use-memory', arguments: { language: '中文' } })
    expect(JSON.stringify(messages)).toContain('长期记忆')
    expect((await call(again, 'recall', {})).isError).toBe(true)
  })

  it('serves two people of one file apart, at the same time', async () => {
    const [maya, tom] = await Promise.all([connectHere('--user', 'maya'), connectHere('--user', 'tom')])
    await Promise.all([
      call(maya, 'remember', { text: 'I live in Bristol.' }),
      call(tom, 'remember', { text: 'I live in Oslo.' }),
    ])
    const asked = { question: 'Where do I live?' }
    const hers = await call(maya, 'recall', asked)
    const his = await call(tom, 'recall', asked)
    expect([hers.text.includes('Bristol'), hers.text.includes('Oslo')]).toEqual([true, false])
    expect([his.text.includes('Bristol'), his.text.includes('Oslo')]).toEqual([false, true])
  })

  it('offers nothing that writes with --read-only', async () => {
    const writer = await connectHere('--user', 'maya')
    await call(writer, 'remember', { text: 'I live in Bristol.' })
    const client = await connectHere('--user', 'maya', '--read-only')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'recall',
      'list_memories',
      'due',
      'entities',
      'about',
      'list_blocks',
    ])
    expect((await call(client, 'remember', { text: 'I live in Rome.' })).text).toContain('does not allow')
    expect((await call(client, 'recall', { question: 'Where do I live?' })).text).toContain('Bristol')
  })

  it('narrows to tenant, agent and app, and finds the only person by itself', async () => {
    const client = await connectHere('--user', 'maya', '--tenant', 'acme', '--agent', 'juno', '--app', 'web')
    await call(client, 'remember', { text: 'I live in Bristol.' })
    const nameless = await connectHere()
    expect((await call(nameless, 'recall', { question: 'Where do I live?' })).text).toContain('Bristol')
    const other = await connectHere('--user', 'maya')
    expect((await call(other, 'recall', { question: 'Where do I live?' })).text).not.toContain('Bristol')
  })
})

describe('the end', () => {
  it('of the input: what was asked is answered, what was said is read, and stdout holds nothing else', async () => {
    const child = start('--user', 'maya')
    child.stdin.end(
      `${HELLO}${remember(2, 'I live in Bristol.')}this is no message, and secret\n${remember(3, 'I am a nurse.')}`,
    )
    expect(await ended(child)).toBe(0)
    const all = answers(child.out())
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([1, 2, 3]))
    expect(all.length).toBe(3)
    expect(child.err()).toContain("keepsake: maya's memory in")
    expect(child.err()).toContain('mcp-message-failed')
    expect(child.err()).not.toMatch(/secret|Bristol|nurse/)
    const facts = (await run(['list', '--db', db, '--forms', 'fact', '--json'])).json() as { value: string }[]
    expect(facts.map(({ value }) => value)).toContain('Bristol')
  })

  it('by a signal: 0, and what was acknowledged is there', async () => {
    const child = start('--user', 'maya')
    child.stdin.write(
      `${HELLO}${Array.from({ length: 10 }, (_, index) => remember(index + 2, `Lamp ${index}.`)).join('')}`,
    )
    await expect.poll(() => answers(child.out()).length).toBeGreaterThan(1)
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
    const acknowledged = answers(child.out()).filter(({ id }) => id > 1).length
    expect(await turnsIn()).toBeGreaterThanOrEqual(acknowledged)
  })

  it('of the client in the middle of calls: the command ends by itself', async () => {
    const child = start('--user', 'maya')
    child.stdin.write(
      `${HELLO}${Array.from({ length: 50 }, (_, index) => remember(index + 2, `Lamp ${index}.`)).join('')}`,
    )
    await expect.poll(() => answers(wholeLines(child.out())).length, { interval: 2 }).toBeGreaterThan(1)
    child.stdout.destroy()
    child.stdin.destroy()
    expect(await ended(child)).toBe(0)
    const acknowledged = answers(wholeLines(child.out())).filter(({ id }) => id > 1).length
    expect(await turnsIn()).toBeGreaterThanOrEqual(acknowledged)
  })

  it('does not wait for a model that does not answer: what it should read is read the next time', async () => {
    const endpoint = await scriptedEndpoint(() => ({ hang: true }))
    try {
      const client = await connectHere(
        '--user',
        'maya',
        '--model',
        endpoint.spec,
        '--exchanges-per-extraction',
        '1',
      )
      await call(client, 'remember', { text: 'I live in Bristol.' })
      await expect.poll(() => endpoint.asked.length).toBe(1)
      await client.close()
      for (const end of endings.splice(0)) expect(await end()).toBe(0)
      const jobs = (await run(['jobs', '--db', db, '--json'])).json()
      expect(jobs).toMatchObject([{ kind: 'consolidate', state: 'queued', attempts: 0 }])
    } finally {
      await endpoint.close()
    }
  })
})

describe('what cannot start', () => {
  it('says why on stderr, writes nothing on stdout, and gives the exit code', async () => {
    const { code, out, err } = await run(['mcp', '--db', join(folder, 'no', 'such', 'a.db')])
    expect([code, out, err]).toEqual([3, '', expect.stringContaining('There is no folder')])
  })

  it('needs a name when several people are there', async () => {
    const memory = await openMemory({ path: db })
    await memory.scope({ user: 'maya' }).remember({ role: 'user', text: 'Hello.' })
    await memory.scope({ user: 'tom' }).remember({ role: 'user', text: 'Hello.' })
    await memory.close()
    const { code, out, err } = await run(['mcp', '--db', db])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('choose one with --user')
  })
})

/** A killed process may leave the beginning of a line. */
function wholeLines(out: string): string {
  return out.slice(0, out.lastIndexOf('\n') + 1)
}
