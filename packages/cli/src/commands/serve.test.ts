import { existsSync, readdirSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { Collector, run } from '../testing/run-command.ts'
import { runServer, serveHere, type ServedProcess } from '../testing/run-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const WORDS = 'The violet ledger is under the third stair.'

let db = ''
let server: ServedProcess | null = null
beforeEach(() => {
  db = join(temporaryFolder(), 'memory.db')
})
afterEach(async () => {
  await server?.end('SIGKILL')
  server = null
})

async function serve(...argv: string[]): Promise<ServedProcess> {
  server = await runServer(['--db', db, ...argv])
  return server
}

const remember = (url: string, text: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/scopes/ana/turns`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ turns: [{ role: 'user', text }], session: 's1' }),
  })

/** A request to remember that the server has begun to read. */
async function begin(url: string, bytes: number): Promise<ClientRequest> {
  const sending = request(`${url}/v1/scopes/ana/turns`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': bytes, Expect: '100-continue' },
  })
  sending.flushHeaders()
  await once(sending, 'continue')
  return sending
}

/** Waits until the server, told to stop, takes no further request. */
async function refuses(url: string): Promise<void> {
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        () => 'answers',
        () => 'refuses',
      ),
    )
    .toBe('refuses')
}

async function makeKey(): Promise<string> {
  return (await run(['keys', 'create', '--name', 'x', '--db', db])).out.split('\n', 1)[0] ?? ''
}

async function exported(): Promise<string> {
  return (await run(['export', '--db', db, '--user', 'ana'])).out
}

describe('keepsake serve', () => {
  it('remembers over HTTP with a key and keeps it after SIGTERM, and neither its log nor its files tell others', async () => {
    const key = await makeKey()
    const { url, err, end } = await serveHere(['--db', db, '--log'])
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    expect((await remember(url, WORDS)).status).toBe(401)
    expect((await remember(url, WORDS, headers)).status).toBe(201)
    const body = JSON.stringify({ question: 'Where is the violet ledger?' })
    await fetch(`${url}/v1/scopes/ana/recall`, { method: 'POST', headers, body })
    expect(await end('SIGTERM')).toBe(0)
    expect(await exported()).toContain(WORDS)

    const log = err()
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(log).toMatchObject([401, 201, 200].map((status) => ({ event: 'request', door: 'rest', status })))
    for (const word of ['violet', 'stair', key, '/ana/']) expect(err()).not.toContain(word)
    const folder = dirname(db)
    const open = readdirSync(folder).filter((file) => (statSync(join(folder, file)).mode & 0o77) !== 0)
    expect(open).toEqual([])
  })

  it('finishes a request that is under way when it is told to stop', async () => {
    const { url, end } = await serveHere(['--db', db, '--unlocked'])
    const body = JSON.stringify({ turns: [{ role: 'user', text: WORDS }], session: 's1' })
    const sending = await begin(url, Buffer.byteLength(body))
    sending.write(body.slice(0, 20))
    const ended = end('SIGTERM')
    await refuses(url)
    sending.end(body.slice(20))
    const [answer] = (await once(sending, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(201)
    expect(await ended).toBe(0)
    expect(await exported()).toContain(WORDS)
  })

  it('ends at once at the second signal', async () => {
    const { url, child, end } = await serve('--unlocked', '--grace', '60')
    const hanging = await begin(url, 9)
    hanging.on('error', () => undefined)
    child.kill('SIGINT')
    await refuses(url)
    expect(child.exitCode).toBeNull()
    expect(await end('SIGINT')).toBe(130)
  })

  it.each([
    [['--unlocked', '--host', '0.0.0.0'], 2, 'only on a loopback address such as 127.0.0.1, not on 0.0.0.0'],
    [['--host', '203.0.113.7', '--port', '0'], 1, 'this machine has no such address'],
    [['--cors', 'https://a.example/path'], 2, 'origins such as'],
    [['--upstream', 'host/v1'], 2, 'takes the address of a server with its version'],
    [['--port', '70000'], 2, 'whole number'],
  ])('refuses %j', async (argv, code, message) => {
    const refused = await run(['serve', '--db', db, ...argv])
    expect([refused.code, refused.out]).toEqual([code, ''])
    expect(refused.err).toContain(message)
    if (code === 2) expect(existsSync(db)).toBe(false)
  })

  it.each([
    ['--upstream', 'https://api.openai.com/v1', 'KEEPSAKE_UPSTREAM_API_KEY'],
    ['--upstream', 'https://api.openai.com/v1', 'OPENAI_API_KEY'],
    ['--anthropic-upstream', 'https://example.com/v1', 'KEEPSAKE_ANTHROPIC_UPSTREAM_API_KEY'],
  ])('refuses a key for %s %s that no header holds, by its variable %s', async (option, url, variable) => {
    // As it stands on the page, where a reader is to put their own.
    const refused = await run(['serve', '--db', db, option, url], { env: { [variable]: 'sk-…' } })
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain(`${variable} is not a valid key`)
    expect(refused.err).not.toContain('sk-')
  })

  it('names a command that makes a key, as it was started itself', async () => {
    const stdout = new Collector()
    const io = { stdin: new PassThrough(), stdout, stderr: new Collector(), env: { npm_command: 'exec' } }
    const ended = runCli(['serve', '--db', db, '--port', '0'], io)
    await expect.poll(() => stdout.text).toContain('Ctrl-C stops.')
    process.emit('SIGTERM', 'SIGTERM')
    expect(await ended).toBe(0)
    expect(stdout.text).toContain(
      `Create one in another terminal: npx keepsake keys create --name my-app --db ${db}\n`,
    )
  })

  it('says that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const refused = await run(['serve', '--db', db, '--port', String(port), '--unlocked'])
    other.close()
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain(`Cannot listen on 127.0.0.1:${port}: another program uses that port`)
  })
})
