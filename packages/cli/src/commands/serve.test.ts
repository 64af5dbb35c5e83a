import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { runServer, type ServedProcess } from '../testing/run-server.ts'

const WORDS = 'The violet ledger is under the third stair.'

let db = ''
let server: ServedProcess | null = null
beforeEach(() => {
  db = join(mkdtempSync(join(tmpdir(), 'keepsake-serve-')), 'memory.db')
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

async function makeKey(): Promise<string> {
  return (await run(['keys', 'create', '--name', 'x', '--db', db])).out.split('\n', 1)[0] ?? ''
}

async function exported(): Promise<string> {
  return (await run(['export', '--db', db, '--user', 'ana'])).out
}

describe('keepsake serve', () => {
  it('remembers over HTTP with a key, and keeps it after SIGTERM', async () => {
    const key = await makeKey()
    const { url, end } = await serve()
    expect((await remember(url, WORDS)).status).toBe(401)
    const answer = await remember(url, WORDS, { Authorization: `Bearer ${key}` })
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)])
    expect(await end('SIGTERM')).toBe(0)
    expect(await exported()).toContain(WORDS)
  })

  it('finishes a request that is under way when it is told to stop', async () => {
    const { url, child, ended } = await serve('--unlocked')
    const body = JSON.stringify({ turns: [{ role: 'user', text: WORDS }], session: 's1' })
    const answer = new Promise<number>((resolve, reject) => {
      const sending = request(`${url}/v1/scopes/ana/turns`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      })
      sending.once('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sending.once('error', reject)
      sending.write(body.slice(0, 20))
      void sleep(300)
        .then(() => child.kill('SIGTERM'))
        .then(() => sleep(300))
        .then(() => sending.end(body.slice(20)))
    })
    expect(await answer).toBe(201)
    expect(await ended).toBe(0)
    expect(await exported()).toContain(WORDS)
  })

  it('ends at once at the second signal', async () => {
    const { url, child, end } = await serve('--unlocked', '--grace', '60')
    const hanging = request(`${url}/v1/scopes/ana/turns`, {
      method: 'POST',
      headers: { 'Content-Length': '9' },
    })
    hanging.on('error', () => undefined)
    hanging.write('{')
    await sleep(300)
    child.kill('SIGINT')
    await sleep(300)
    expect(child.exitCode).toBeNull()
    expect(await end('SIGINT')).toBe(130)
  })

  it('keeps every request that it acknowledged when it is killed, and doubles none that comes again', async () => {
    const kept: string[] = []
    for (let round = 0; round < 3; round++) {
      const { url, end } = await serve('--unlocked')
      const before = kept.length
      let killing: Promise<unknown> = Promise.resolve()
      const sent = Array.from({ length: 40 }, async (_, index) => {
        const text = `Fact ${round}/${index}.`
        const answer = await remember(url, text, { 'Idempotency-Key': hash(text) })
        if (answer.status === 201) kept.push(text)
        if (kept.length - before === 3 + round * 7) killing = end('SIGKILL')
      })
      await Promise.allSettled(sent)
      await killing
    }
    const lost = 3 * 40 - kept.length
    expect([kept.length > 0, lost > 0]).toEqual([true, true])
    const { url, end } = await serve('--unlocked')
    const texts = Array.from({ length: 120 }, (_, index) => `Fact ${Math.floor(index / 40)}/${index % 40}.`)
    const again = await Promise.all(
      texts.map((text) => remember(url, text, { 'Idempotency-Key': hash(text) })),
    )
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]))
    await end('SIGTERM')
    const lines = (await exported()).split('\n').filter((line) => line.includes('"row":"turn"'))
    for (const text of texts)
      expect([text, lines.filter((line) => line.includes(text)).length]).toEqual([text, 1])
    expect(kept.length).toBeGreaterThan(0)
  })

  it('logs requests without what was said, by whom, and without keys', async () => {
    const key = await makeKey()
    const { url, err, end } = await serve('--log')
    await remember(url, WORDS, { Authorization: `Bearer ${key}` })
    await fetch(`${url}/v1/scopes/ana/recall?question=violet`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    await end('SIGTERM')
    const lines = err().trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'request', door: 'rest', status: 201 })
    for (const word of ['violet', 'stair', key, '/ana/']) expect(err()).not.toContain(word)
  })

  it('leaves files that only their owner reads', async () => {
    const { url, end } = await serve()
    await remember(url, WORDS)
    await end('SIGTERM')
    for (const file of readdirSync(join(db, '..')))
      if (/\.(keys|requests)/.test(file))
        expect([file, statSync(join(db, '..', file)).mode & 0o77]).toEqual([file, 0])
  })

  it.each([
    [['--unlocked', '--host', '0.0.0.0'], 2, 'loopback address such as 127.0.0.1 alone, not on 0.0.0.0'],
    [['--host', '203.0.113.7', '--port', '0'], 1, 'this machine has no such address'],
    [['--cors', 'https://a.example/path'], 2, 'origins such as'],
    [['--upstream', 'host/v1'], 2, 'OpenAI-compatible server'],
    [['--port', '70000'], 2, 'whole number'],
  ])('refuses %j', async (argv, code, message) => {
    const refused = await run(['serve', '--db', db, ...argv])
    expect([refused.code, refused.out]).toEqual([code, ''])
    expect(refused.err).toContain(message)
    if (code === 2) expect(existsSync(db)).toBe(false)
  })

  it('says that a port is taken', async () => {
    const { port } = await serve('--unlocked')
    const refused = await run(['serve', '--db', `${db}2`, '--port', String(port), '--unlocked'])
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain(`Cannot listen on 127.0.0.1:${port}: another program has that port`)
  })
})

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
