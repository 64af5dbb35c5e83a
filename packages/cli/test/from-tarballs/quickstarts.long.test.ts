import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { endPrograms, Program } from './programs.ts'
import { ScriptedProvider } from './scripted-provider.ts'
import { Tarballs } from './tarballs.ts'

const ALLERGY = 'My sister Mia is allergic to peanuts.'
const DINNER = 'What can I not cook for Mia?'

const provider = new ScriptedProvider()
let tarballs: Tarballs
let env: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  tarballs = new Tarballs()
  const url = await provider.listen()
  env = {
    KEEPSAKE_MODEL: `openai-compatible:${url}#scripted`,
    KEEPSAKE_DB: 'memory.db',
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: 'none',
    PORT: '0',
  }
})
afterAll(() => {
  endPrograms()
  provider.close()
  tarballs.remove()
})

/** A quickstart, installed; the test is skipped, with the reason, where that cannot be. */
function installed(example: string, context: TestContext): string {
  const project = tarballs.copy(example)
  const why = tarballs.install(project)
  if (why !== null) process.stderr.write(`Skipped: ${example}, ${why}.\n`)
  context.skip(why !== null, why ?? '')
  return project
}

/** What `npm start` starts, with no npm between it and its signals. */
function start(project: string, more: Readonly<Record<string, string>> = {}): Program {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const [, ...args] = scripts.start.split(' ')
  return new Program(process.execPath, args, { cwd: project, env: { ...env, ...more } })
}

/** Next is told its port, and does not say which it took. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function textOf(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

const jsonPost = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

describe('the quickstarts, from the tarballs, in folders of their own', () => {
  it('Express remembers, for each of its users alone', async (context) => {
    const program = start(installed('quickstart-express', context))
    const [url] = await program.says(/http:\/\/[\d.:]+/)
    await textOf(`${url}/chat`, jsonPost({ user: 'ana', text: ALLERGY }))
    expect(await textOf(`${url}/chat`, jsonPost({ user: 'ana', text: DINNER }))).toContain(
      'allergic to peanuts',
    )
    expect(await textOf(`${url}/chat`, jsonPost({ user: 'ben', text: DINNER }))).not.toContain('peanuts')
    expect(await textOf(`${url}/memories/ana`)).toContain('peanuts')
    const wrong = await fetch(`${url}/chat`, jsonPost({ user: 'ana' }))
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining('text must be a string'),
    ])
    await program.end()
  })

  it('Hono remembers, over a restart too, until it is told to erase', async (context) => {
    const project = installed('quickstart-hono', context)
    const first = start(project)
    const [url] = await first.says(/http:\/\/[\d.:]+/)
    await textOf(`${url}/people/ana/chat`, { method: 'POST', body: ALLERGY })
    await first.end()
    const second = start(project)
    const [again] = await second.says(/http:\/\/[\d.:]+/)
    expect(await textOf(`${again}/people/ana/chat`, { method: 'POST', body: DINNER })).toContain(
      'allergic to peanuts',
    )
    await textOf(`${again}/people/ana`, { method: 'DELETE' })
    expect(await textOf(`${again}/people/ana/memories`)).toBe('[]')
    await second.end()
  })

  it('the LangGraph agent tells its model what it knows of earlier talks', async (context) => {
    const program = start(installed('quickstart-langgraph', context))
    await program.says(/> $/)
    program.child.stdin?.write(`${ALLERGY}\n`)
    await program.says(/I was told: .*nothing yet/s)
    program.child.stdin?.end(`${DINNER}\n`)
    await program.says(/I was told: .*nothing yet.*I was told: .*allergic to peanuts/s)
  })

  it('the bot remembers whom it talks with, and erases', async (context) => {
    const project = installed('quickstart-bot', context)
    const sent: string[] = []
    const said = ['/start', ALLERGY, 'Something that is refused', DINNER, '/erase@our_bot', '/memories']
    provider.refusesOnce = /Something that is refused/
    // Telegram, in as much as the bot asks for: one message at a time, the next once the last was answered.
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = (await json(request)) as { offset?: number; text?: string }
      if (body.text !== undefined) sent.push(body.text)
      const at = body.offset ?? 0
      const message = {
        message_id: at,
        date: 1_790_000_000 + at,
        from: { id: 7, first_name: 'Ana' },
        chat: { id: 9 },
      }
      const updates = at < said.length ? [{ update_id: at, message: { ...message, text: said[at] } }] : []
      const result = request.url?.endsWith('/getUpdates') === true ? updates : true
      setTimeout(() => response.end(JSON.stringify({ ok: true, result })), updates.length === 0 ? 200 : 0)
    }
    const telegram = createServer((request, response) => void answer(request, response))
    telegram.listen(0, '127.0.0.1')
    await once(telegram, 'listening')
    const { port } = telegram.address() as AddressInfo
    const program = start(project, { TELEGRAM_API: `http://127.0.0.1:${port}`, TELEGRAM_TOKEN: 't' })
    await expect.poll(() => sent.length, { timeout: 60_000 }).toBe(6)
    expect(sent[0]).toMatch(/^Hello Ana! .*\/memories/)
    // One message that no model answers holds up nobody.
    expect(sent[2]).toMatch(/^I could not answer that/)
    expect(sent[3]).toContain('allergic to peanuts')
    expect(sent.slice(4)).toEqual(['All of it is gone for good.', 'Nothing yet.'])
    await program.end()
    telegram.close()
    telegram.closeAllConnections()
  })

  it('Next.js builds standalone, and remembers without its node_modules', async (context) => {
    const project = installed('quickstart-next', context)
    const built = spawnSync('npx', ['--no', 'next', 'build'], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, ...env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    })
    expect(built.status, built.stdout + built.stderr).toBe(0)
    // What is shipped is this folder alone.
    const shipped = join(tarballs.folder, 'shipped')
    cpSync(join(project, '.next', 'standalone'), shipped, { recursive: true, verbatimSymlinks: true })
    const port = await freePort()
    const { KEEPSAKE_DB: _file, ...given } = env
    const program = new Program(process.execPath, ['server.js'], {
      cwd: shipped,
      // As npm says where it was started; the file is not named.
      env: { ...given, INIT_CWD: project, HOSTNAME: '127.0.0.1', PORT: String(port) },
    })
    await program.says(/Ready/i)
    const url = `http://127.0.0.1:${port}`
    expect(await textOf(url)).toContain('A chat that remembers')
    await textOf(`${url}/api/chat`, jsonPost({ text: ALLERGY }))
    expect(await textOf(`${url}/api/chat`, jsonPost({ text: DINNER }))).toContain('allergic to peanuts')
    expect(await textOf(`${url}/api/chat`)).toContain('peanuts')
    // Not in the folder that the next build removes.
    expect(existsSync(join(project, 'memory.db'))).toBe(true)
    expect(readdirSync(shipped).filter((name) => name.startsWith('memory.db'))).toEqual([])
    await program.end()
  }, 400_000)
})
