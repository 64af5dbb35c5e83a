import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { KeyStore, openServer, type OpenServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const [, PAGE = ''] =
  /^## MCP\n([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, 'docs', 'server.md'), 'utf8')) ?? []

/** A server as a host's file names it. */
interface Entry {
  readonly command?: string
  readonly args?: string[]
  readonly url?: string
  readonly headers?: Record<string, string>
}

const SNIPPETS = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text)
const ENTRIES = SNIPPETS.flatMap((text, index) => {
  const file = JSON.parse(text) as Record<string, Record<string, Entry>>
  return ['mcpServers', 'servers', 'context_servers'].flatMap((key) =>
    Object.values(file[key] ?? {}).map((entry) => ({ name: `${key} of snippet ${index + 1}`, entry })),
  )
})

const folder = temporaryFolder()
let keepsake: Keepsake
let server: OpenServer
let [mayasKey, everybodysKey] = ['', '']

beforeAll(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  const keys = new KeyStore(keepsake.records)
  mayasKey = (await keys.create({ name: 'one', users: ['maya'], actions: ['read', 'write'] })).key
  everybodysKey = (await keys.create({ name: 'all', actions: ['read', 'write'] })).key
  server = await openServer({ keepsake, port: 0 })
})
afterAll(async () => {
  await server.close()
  await keepsake.close()
})

/** Connects as a host would by this entry, on a file and a port of the test's own. */
function transportFor(entry: Entry, index: number): Transport {
  if (entry.url !== undefined) return overHttp(entry.url, entry.headers ?? {})
  const { command = '', args = [] } = entry
  expect(args).toContain('/home/maya/keepsake.db')
  return new StdioClientTransport({
    command,
    args: args.map((arg) => (arg === '/home/maya/keepsake.db' ? join(folder, `${index}.db`) : arg)),
    // npx finds the repository's own package there, as it finds a published one elsewhere.
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '' },
    stderr: 'ignore',
  })
}

function overHttp(written: string, { Authorization = '', ...headers }: Record<string, string>): Transport {
  const url = new URL(written)
  expect([url.port, url.pathname]).toEqual(['4150', '/mcp'])
  url.port = String(server.port)
  expect(Authorization).toBe('Bearer ks_your_key')
  const key = 'X-Keepsake-User' in headers ? everybodysKey : mayasKey
  return new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers, Authorization: `Bearer ${key}` } },
  })
}

describe('docs/server.md, MCP', () => {
  it('has a snippet a host, for both ways in', () => {
    expect(SNIPPETS.length).toBe(ENTRIES.length)
    expect(ENTRIES.filter(({ entry }) => entry.command !== undefined).length).toBe(2)
    expect(ENTRIES.filter(({ entry }) => entry.url !== undefined).length).toBe(2)
  })

  it.each(ENTRIES.map((one, index) => ({ ...one, index })))(
    '$name works as written',
    async ({ entry, index }) => {
      const client = new Client({ name: 'docs', version: '1.0.0' })
      await client.connect(transportFor(entry, index))
      const remembered = await client.callTool({
        name: 'remember',
        arguments: { text: 'I live in Bristol.' },
      })
      const recalled = await client.callTool({ name: 'recall', arguments: { question: 'Where do I live?' } })
      await client.close()
      expect(remembered.isError).toBeFalsy()
      expect(JSON.stringify(recalled.content)).toContain('Bristol')
    },
  )

  it('names every tool and resource there is, and options that the command has', async () => {
    const client = new Client({ name: 'docs', version: '1.0.0' })
    await client.connect(overHttp('http://127.0.0.1:4150/mcp', { Authorization: 'Bearer ks_your_key' }))
    const { tools } = await client.listTools()
    const { resources } = await client.listResources()
    await client.close()
    const [, sentence = ''] = /The tools are ([^.]+)\./.exec(PAGE) ?? []
    const named = [...sentence.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    for (const { uri } of resources) expect(PAGE).toContain(`\`${uri}\``)
    const { out } = await run(['mcp', '--help'])
    const options = [...PAGE.matchAll(/^- (`--[^`]+`(?:, `--[^`]+`)*):/gm)].flatMap(
      ([, cell = '']) => cell.match(/--[a-z-]+/g) ?? [],
    )
    expect(options.length).toBeGreaterThan(5)
    for (const option of options) expect(out).toContain(option)
  })

  it('makes a key with the command that it gives, for the user of its snippets', async () => {
    const [, written = ''] = /^npx keepsake (keys create .+)$/m.exec(PAGE) ?? []
    const words = (written.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
    const { code, json } = await run([...words, '--db', join(folder, 'keys.db'), '--json'])
    expect(code).toBe(0)
    expect(json()).toMatchObject([{ users: ['maya'], actions: ['read', 'write'] }])
    expect(PAGE).toMatch(/^npx keepsake serve$/m)
  })

  it("gives the other forms of the same command in the snippet's words", () => {
    const words = ENTRIES.find(({ entry }) => entry.command !== undefined)?.entry
    expect(PAGE).toContain(`claude mcp add keepsake -- ${[words?.command, ...(words?.args ?? [])].join(' ')}`)
    const http = ENTRIES.find(({ entry }) => entry.url !== undefined)?.entry
    const header = `--header "Authorization: ${http?.headers?.['Authorization']}"`
    expect(PAGE).toContain(`claude mcp add --transport http keepsake ${http?.url} ${header}`)
  })
})
