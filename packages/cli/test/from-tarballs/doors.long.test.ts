import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { gatedUpstream, type GatedUpstream } from '../../src/testing/gated-upstream.ts'
import { endPrograms, Program } from './programs.ts'
import { Tarballs } from './tarballs.ts'

const BEES = 'I keep four hives of bees on my roof.'
const ASK = 'Where are my bees?'

/** The clients that people have, as their packages are. */
const CLIENTS = {
  openai: '^7.57.0',
  '@anthropic-ai/sdk': '^1.12.0',
  ai: '^7.0.173',
  '@ai-sdk/openai': '^4.0.118',
  'ai-6': 'npm:ai@^6.0.0',
  'ai-sdk-6-openai': 'npm:@ai-sdk/openai@^3.0.141',
  '@modelcontextprotocol/sdk': '^1.32.2',
}
/** The packages and the program of the page about OpenTelemetry. */
const otel = readOpenTelemetryPage()
const OURS = ['keepsake', '@keepsake/cli', '@keepsake/server', '@keepsake/ai-sdk']

let tarballs: Tarballs
let upstream: GatedUpstream
let server: Program
let project = ''
let whyNot: string | null = null
let url = ''
let key = ''

const bin = (): string => join(project, 'node_modules', '.bin', 'keepsake')
const runProgram = async (program: string, env: Record<string, string> = {}): Promise<string> => {
  writeFileSync(join(project, 'program.mjs'), program)
  const all = { ...process.env, KEY: key, URL: url, UPSTREAM: upstream.url, BEES, ASK, ...env }
  const options = { cwd: project, env: all, timeout: 120_000 }
  return (await promisify(execFile)(process.execPath, ['program.mjs'], options)).stdout
}

/** A folder of somebody's with these packages. */
function makeProject(name: string, dependencies: Readonly<Record<string, string>>): string {
  const folder = join(tarballs.folder, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  whyNot ??= tarballs.install(folder)
  return folder
}

function readOpenTelemetryPage(): { readonly packages: readonly string[]; readonly program: string } {
  const operations = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
  const [, page = ''] = operations.split('### OpenTelemetry')
  const [, packages = ''] = /`npm install keepsake ([^`]+)`/.exec(page) ?? []
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
  return { packages: packages.split(' '), program }
}

beforeAll(async () => {
  tarballs = new Tarballs()
  upstream = await gatedUpstream()
  // It says what it was told, where something was put before what the user said.
  upstream.says = (asked) => (/hives of bees on my roof.*Where/s.test(asked) ? 'On your roof.' : 'Noted.')
  const ours = Object.fromEntries(OURS.map((name) => [name, '*']))
  project = makeProject('doors', {
    ...CLIENTS,
    ...ours,
    ...Object.fromEntries(otel.packages.map((name) => [name, '*'])),
  })
  if (whyNot !== null) return
  const keys = await promisify(execFile)(bin(), ['keys', 'create', '--name', 'app'], { cwd: project })
  key = /ks_\S+/.exec(keys.stdout)?.[0] ?? ''
  const to = ['--upstream', upstream.url, '--anthropic-upstream', upstream.url]
  // A machine that stands still for longer than a chat waits for its memory would have it answered without.
  const patient = ['--recall-wait', '0', '--remember-wait', '0']
  server = new Program(bin(), ['serve', '--port', '0', '--workers', '2', ...patient, ...to], {
    cwd: project,
    env: {},
  })
  ;[url = ''] = await server.says(/http:\/\/127\.0\.0\.1:\d+/)
})
afterAll(async () => {
  endPrograms()
  await upstream.close()
  tarballs.remove()
})

const skipWithout = (context: TestContext): void => {
  if (whyNot !== null) process.stderr.write(`Skipped: ${whyNot}.\n`)
  context.skip(whyNot !== null, whyNot ?? '')
}

describe('the doors of a server from the tarballs, to the clients that people have', () => {
  it.for([
    [
      'chat, whole',
      `(await openai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }], user })).choices[0].message.content`,
    ],
    [
      'chat, streamed',
      `(await Array.fromAsync(await openai.chat.completions.create({ model: 'm', stream: true, messages: [{ role: 'user', content }], safety_identifier: user }))).map(({ choices }) => choices[0]?.delta.content ?? '').join('')`,
    ],
    [
      'responses, whole',
      `(await openai.responses.create({ model: 'm', input: content, metadata: { user_id: user } })).output_text`,
    ],
    [
      'responses, streamed',
      `(await Array.fromAsync(await openai.responses.create({ model: 'm', stream: true, input: content, user }))).map((event) => event.type === 'response.output_text.delta' ? event.delta : '').join('')`,
    ],
  ])('openai: %s', async ([name, call], context) => {
    skipWithout(context)
    const said = await runProgram(`
      import OpenAI from 'openai'
      const openai = new OpenAI({ baseURL: process.env.URL + '/v1', apiKey: process.env.KEY })
      const user = ${JSON.stringify(`openai ${name}`)}
      for (const content of [process.env.BEES, process.env.ASK]) console.log(${call})`)
    expect(said).toBe('Noted.\nOn your roof.\n')
  })

  it.for([false, true])('@anthropic-ai/sdk (streamed: %s)', async (stream, context) => {
    skipWithout(context)
    const call = stream
      ? `await anthropic.messages.stream(body).finalText()`
      : `(await anthropic.messages.create(body)).content[0].text`
    const said = await runProgram(`
      import Anthropic from '@anthropic-ai/sdk'
      const anthropic = new Anthropic({ baseURL: process.env.URL, apiKey: process.env.KEY })
      for (const content of [process.env.BEES, process.env.ASK]) {
        const body = { model: 'm', max_tokens: 99, metadata: { user_id: 'anthropic ${stream}' }, messages: [{ role: 'user', content }] }
        console.log(${call})
      }`)
    expect(said).toBe('Noted.\nOn your roof.\n')
  })

  it.for([
    ['7', 'ai', '@ai-sdk/openai'],
    ['6', 'ai-6', 'ai-sdk-6-openai'],
  ])(
    'AI SDK %s, by its default of responses, and as a model with memory in the process',
    async ([version, ai, provider], context) => {
      skipWithout(context)
      const said = await runProgram(`
      import { generateText, streamText } from '${ai}'
      import { createOpenAI } from '${provider}'
      import { withMemory } from '@keepsake/ai-sdk'
      import { openMemory } from 'keepsake'
      const headers = { 'X-Keepsake-User': 'ai ${version}' }
      const through = createOpenAI({ baseURL: process.env.URL + '/v1', apiKey: process.env.KEY, headers })
      await generateText({ model: through('m'), prompt: process.env.BEES })
      console.log((await generateText({ model: through('m'), prompt: process.env.ASK })).text)
      console.log(await streamText({ model: through('m'), prompt: process.env.ASK }).text)
      const keepsake = await openMemory({ path: ':memory:' })
      const plain = createOpenAI({ baseURL: process.env.UPSTREAM, apiKey: 'none' })
      const model = withMemory(plain('m'), keepsake.scope({ user: 'ana' }))
      await generateText({ model, prompt: process.env.BEES })
      console.log((await generateText({ model, prompt: process.env.ASK })).text)
      await keepsake.close()`)
      expect(said, server.said).toBe('On your roof.\nOn your roof.\nOn your roof.\n')
    },
  )

  it.for(['http', 'stdio'])('the MCP SDK, over %s', async (way, context) => {
    skipWithout(context)
    const transport =
      way === 'http'
        ? `new StreamableHTTPClientTransport(new URL(process.env.URL + '/mcp'), { requestInit: { headers: { Authorization: 'Bearer ' + process.env.KEY, 'X-Keepsake-User': 'mcp' } } })`
        : `new StdioClientTransport({ command: ${JSON.stringify(bin())}, args: ['mcp', '--db', 'mcp.db', '--user', 'ana'] })`
    const said = await runProgram(`
      import { Client } from '@modelcontextprotocol/sdk/client/index.js'
      import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
      import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(${transport})
      await client.callTool({ name: 'remember', arguments: { text: process.env.BEES } })
      const found = await client.callTool({ name: 'recall', arguments: { question: process.env.ASK } })
      console.log(JSON.stringify(found.content))
      await client.close()`)
    expect(said).toContain('four hives')
  })

  it('mem0ai', async (context) => {
    skipWithout(context)
    const said = await runProgram(
      `
      const { MemoryClient } = await import(process.env.MEM0)
      const mem0 = new MemoryClient({ host: process.env.URL + '/compat/mem0', apiKey: process.env.KEY })
      await mem0.add([{ role: 'user', content: process.env.BEES }], { userId: 'mem0' })
      const { results } = await mem0.search(process.env.ASK, { filters: { user_id: 'mem0' } })
      console.log(results[0].memory)`,
      // The repository's own: its peers are older than the clients of the others.
      { MEM0_TELEMETRY: 'false', MEM0: import.meta.resolve('mem0ai') },
    )
    expect(said).toContain('hives')
  })

  it('OpenTelemetry’s SDK, as its page says; without one nothing is reported', async (context) => {
    skipWithout(context)
    const output = await runProgram(otel.program)
    const spans = [...output.matchAll(/^ {2}name: '([^']+)'/gm)].map(([, name]) => name)
    expect(new Set(spans)).toEqual(new Set(['keepsake.remember', 'keepsake.consolidate', 'keepsake.recall']))
    expect(output).not.toMatch(/bees|roof|'ana'/)
    const [sdk = ''] = /^new NodeTracerProvider.*$/m.exec(otel.program) ?? []
    expect(sdk).not.toBe('')
    expect(await runProgram(otel.program.replace(sdk, ''))).toBe('')
  })
})

describe('the command line from the tarballs', () => {
  const keepsake = (...args: string[]) =>
    spawnSync('npx', ['--no', 'keepsake', ...args], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, KEEPSAKE_DB: '', NO_COLOR: '1' },
    })

  it('remembers and recalls', (context) => {
    skipWithout(context)
    writeFileSync(join(project, 'chat.jsonl'), '{"role":"user","text":"I moved to Lyon last week."}\n')
    expect(
      keepsake('import', '--format', 'jsonl', 'chat.jsonl', '--user', 'ana', '--db', 'told.db').status,
    ).toBe(0)
    const recalled = keepsake('recall', 'Where does Ana live?', '--user', 'ana', '--db', 'told.db')
    expect(recalled.stdout).toContain('Lyon')
  })

  it('brings the demo, the server and MCP with it', (context) => {
    skipWithout(context)
    expect(keepsake('demo').stdout).toContain('is still there')
    for (const command of ['serve', 'mcp', 'chat'])
      expect(keepsake(command, '--help').stdout).toContain('Usage')
  })

  it('says which package measures, and how to install it', (context) => {
    skipWithout(context)
    expect(keepsake('bench', 'retrieval').stderr).toContain('npm install @keepsake/bench')
  })
})
