import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { serveHere, type Served } from '../testing/run-server.ts'
import { scriptedEndpoint, type ScriptedEndpoint } from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs', 'server.md'), 'utf8')
const URL_OF_PAGE = 'http://127.0.0.1:4150'
const UPSTREAM_OF_PAGE = 'https://api.openai.com/v1'

/** The snippets under a heading, in one language. */
function snippets(heading: string, language: string): readonly string[] {
  const [, section = ''] = PAGE.split(new RegExp(`^## ${heading}$`, 'm'))
  const [own = ''] = section.split(/^## /m)
  return [...own.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  )
}

/** The words of a command of the page, after `npx keepsake`; variables may be set before it, and what it prints put into one. */
function wordsOf(command: string): string[] {
  const [, rest = ''] =
    /^(?:export KEEPSAKE_KEY=\$\(|(?:KEEPSAKE_\w+_API_KEY=sk-\S+ ))?npx keepsake (.+?)\)?$/.exec(
      command.trim(),
    ) ?? []
  return (rest.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
}

const folder = temporaryFolder()
// Within the repository, so that the packages are found by their own names.
const programs = mkdtempSync(join(ROOT, 'packages', 'cli', 'dist', 'server-docs-'))
const db = join(folder, 'keepsake.db')
const [install = '', start = '', secondTerminal = '', behind = ''] = snippets('Start', 'sh')
const [createKey = '', showKey = '', serve = ''] = start.trim().split('\n')
const [forOpenAI = '', forAnthropic = ''] = behind.trim().split('\n')
let upstream: ScriptedEndpoint
let anthropic: Server
let server: Served
let key = ''

/** Speaks as Anthropic's messages do, and knows where the bees are where memory has told it. */
async function answerAsAnthropic(): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { system = '' } = (await json(request)) as { readonly system?: string }
    const text = system.includes('hives of bees on my roof') ? 'On your roof.' : 'Noted.'
    const end = { stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ type: 'message', role: 'assistant', content: [{ type: 'text', text }], ...end }),
    )
  }
  const answering = createServer((...exchange) => void answer(...exchange)).listen(0, '127.0.0.1')
  await once(answering, 'listening')
  return answering
}

beforeAll(async () => {
  upstream = await scriptedEndpoint(({ system, user }) => ({
    text:
      `${system}${user}`.includes('hives of bees on my roof') && user.includes('Where')
        ? 'On your roof.'
        : 'Noted.',
  }))
  const [, url = ''] = /:(http[^#]+)#/.exec(upstream.spec) ?? []
  key = (await run([...wordsOf(createKey), '--db', db])).out.trimEnd()
  expect(wordsOf(serve)).toEqual(['serve'])
  const [command, ...words] = wordsOf(forOpenAI)
  expect([command, ...words]).toEqual(['serve', '--upstream', UPSTREAM_OF_PAGE])
  const [sameCommand, option] = wordsOf(forAnthropic)
  expect([sameCommand, option]).toEqual(['serve', '--anthropic-upstream'])
  anthropic = await answerAsAnthropic()
  const { port } = anthropic.address() as AddressInfo
  const others = [option ?? '', `http://127.0.0.1:${port}/v1`, '--db', db]
  server = await serveHere([...words.map((word) => word.replace(UPSTREAM_OF_PAGE, url)), ...others])
})
afterAll(async () => {
  await server.end('SIGTERM')
  await upstream.close()
  anthropic.close()
  for (const made of [folder, programs]) rmSync(made, { recursive: true, force: true })
})

const hasTools = spawnSync('sh', ['-c', 'command -v curl']).status === 0

const env = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '', HOME: folder, KEEPSAKE_KEY: key })

/** Runs a program of the page as it stands, but for the server's port. */
async function runProgram(program: string): Promise<string> {
  expect(program).toContain(URL_OF_PAGE)
  const file = join(programs, 'program.mts')
  writeFileSync(file, program.replaceAll(URL_OF_PAGE, server.url))
  return (await promisify(execFile)(process.execPath, [file], { cwd: programs, env: env() })).stdout
}

describe('docs/server.md', () => {
  it('begins with a key, which it shows, and which the second terminal is given', () => {
    expect(install).toMatch(/^npm init -y\nnpm install CLONE\/tarballs\//)
    expect(key).toMatch(/^ks_[0-9a-f]+_/)
    expect(showKey).toBe('echo $KEEPSAKE_KEY')
    expect(secondTerminal).toMatch(/^export KEEPSAKE_KEY=ks_/)
  })

  it.skipIf(!hasTools)('talks REST from a shell (where there is curl)', async () => {
    const [script = ''] = snippets('REST', 'sh')
    const { stdout } = await promisify(execFile)('sh', ['-c', script.replaceAll(URL_OF_PAGE, server.url)], {
      env: env(),
    })
    expect(script).not.toMatch(/curl(?! -sS )/)
    expect(stdout).toMatch(/"added":1/)
    expect(stdout).toMatch(/"known":true/)
    expect(stdout).toMatch(/"text":"[^"]*Lyon/)
  })

  it('talks REST by the typed client', async () => {
    const [program = ''] = snippets('REST', 'ts')
    expect(await runProgram(program)).toMatch(/^(?:yes|maybe) .*peanuts/s)
  })

  it('gives a chat of OpenAI’s client a memory', async () => {
    const [program = ''] = snippets('Any OpenAI client', 'ts')
    expect(await runProgram(program)).toBe('Noted.\nOn your roof.\n')
    // Each talk was one message: what it knew of the bees came from memory.
    expect(upstream.asked.at(-1)?.user).not.toContain('hives')
  })

  it('gives a chat of Anthropic’s client a memory', async () => {
    const [program = ''] = snippets('Any Anthropic client', 'ts')
    expect(await runProgram(program)).toMatch(/\nOn your roof\.\n$/)
  })

  it('has a file for hosts of MCP that works', async () => {
    const file = snippets('MCP', 'json').find((snippet) => snippet.includes('X-Keepsake-User')) ?? '{}'
    const entry = (
      JSON.parse(file) as { mcpServers: { keepsake: { url: string; headers: Record<string, string> } } }
    ).mcpServers.keepsake
    expect(entry.headers['Authorization']).toBe('Bearer ks_your_key')
    const headers = { ...entry.headers, Authorization: `Bearer ${key}` }
    const client = new Client({ name: 'docs', version: '1.0.0' })
    const url = new URL(entry.url.replace(URL_OF_PAGE, server.url))
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const arguments_ = { text: 'My bike is blue.' }
    const remembered = await client.callTool({ name: 'remember', arguments: arguments_ })
    const recalled = await client.callTool({
      name: 'recall',
      arguments: { question: 'Which colour is the bike?' },
    })
    await client.close()
    expect(remembered.isError).toBeFalsy()
    expect(JSON.stringify(recalled.content)).toContain('blue')
  })

  it('serves Mem0’s client', async () => {
    const [program = ''] = snippets('Mem0’s client', 'ts')
    expect(await runProgram(program)).toContain('window seat')
  })

  it('names options, actions, routes and files that there are', async () => {
    const { out: help } = await run(['serve', '--help'])
    const ofServe = [
      '--upstream',
      '--anthropic-upstream',
      '--unlocked',
      '--db',
      '--model',
      '--requests-per-minute',
      '--host',
      '--cors',
      '--log',
      '--grace',
      '--synchronous',
    ]
    for (const option of ofServe) {
      expect(PAGE).toContain(option)
      expect(help).toContain(option)
    }
    for (const path of ['/healthz', '/readyz', '/openapi.json']) {
      expect(PAGE).toContain(path)
      const answer = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })
      expect([path, answer.status]).toEqual([path, 200])
    }
    const [, command = ''] = /`(npx keepsake keys create --name "support bot"[^`]+)`/.exec(PAGE) ?? []
    const made = await run([...wordsOf(command), '--db', join(folder, 'other.db'), '--json'])
    expect(made.json()).toMatchObject([{ tenants: ['acme'], actions: ['read', 'write'] }])
  })
})
