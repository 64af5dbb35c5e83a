import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { openKeys, openServer, type OpenServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What browsers and edge runtimes all have, and nothing of Node's. */
const PLATFORM = {
  fetch,
  Request,
  Response,
  Headers,
  FormData,
  URL,
  URLSearchParams,
  TextDecoder,
  TextEncoder,
  ReadableStream,
  AbortController,
}

const PROGRAM = `(async () => {
  const { createKeepsakeClient, KeepsakeRequestError } = keepsakeClient
  const keepsake = createKeepsakeClient({ baseUrl, key })
  const ana = keepsake.scope({ user: 'ana' })
  const listening = ana.events()
  const heard = listening.next()
  await ana.remember({ role: 'user', text: 'I keep bees on the roof.' }, { session: 'one' })
  const recall = await ana.recall('Where are the bees?')
  let reply = ''
  for await (const { event, data } of ana.reply({ role: 'user', text: 'Where are my bees?' }))
    if (event === 'text') reply += data.text
  let memories = 0
  for await (const memory of ana.memories()) memories += memory.text === '' ? 0 : 1
  let lines = 0
  for await (const line of ana.export()) lines += line === '' ? 0 : 1
  const first = await heard
  await listening.return()
  const wrong = createKeepsakeClient({ baseUrl, key: 'ks_wrong' }).scope({ user: 'ana' })
  const refused = await wrong.recall('x').catch((error) => error instanceof KeepsakeRequestError && error.status)
  return { context: recall.context.text, reply, memories, lines, heard: first.value.event, refused }
})()`

let folder: string
let keepsake: Keepsake
let server: OpenServer
let code: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-client-'))
  const model = scriptedModel(() => 'They are on the roof.')
  keepsake = await openMemory({ path: join(folder, 'memory.db'), model })
  server = await openServer({ keepsake, model, port: 0 })
  code = await bundle()
})
afterAll(async () => {
  await server.close()
  await keepsake.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The client and what it needs as one script, as a page would load it. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: {
        entry: fileURLToPath(new URL('index.ts', import.meta.url)),
        formats: ['iife'],
        name: 'keepsakeClient',
      },
    },
  })
  const [result] = Array.isArray(built) ? built : [built]
  if (result === undefined || !('output' in result)) throw new Error('nothing was bundled')
  const [chunk, ...others] = result.output
  expect(others).toEqual([])
  expect(chunk.imports).toEqual([])
  return chunk.code
}

describe('the client', () => {
  it('needs nothing of Node, and works against a server that listens', async () => {
    expect(code).not.toMatch(/\bnode:|\brequire\(|\bBuffer\b/)
    const { keys, close } = await openKeys(join(folder, 'memory.db'))
    const { key } = await keys.create({ name: 'page' })
    await close()
    const context = createContext({ ...PLATFORM, baseUrl: server.url, key })
    runInContext(`'use strict'; ${code}; globalThis.keepsakeClient = keepsakeClient`, context)
    expect(runInContext('typeof process + typeof Buffer + typeof setTimeout', context)).toBe(
      'undefinedundefinedundefined',
    )
    const result = (await runInContext(PROGRAM, context)) as Record<string, unknown>
    expect(result).toEqual({
      context: expect.stringContaining('bees on the roof'),
      reply: 'They are on the roof.',
      memories: expect.any(Number),
      lines: expect.any(Number),
      heard: 'turns-recorded',
      refused: 401,
    })
    expect(result['lines']).toBeGreaterThan(3)
  })

  it('is small', () => {
    expect(code.length).toBeLessThan(60_000)
  })
})

describe('its types', () => {
  it('are those of the server’s description', () => {
    const check = fileURLToPath(new URL('../scripts/generate.mjs', import.meta.url))
    const run = spawnSync(process.execPath, [check, '--check'], { encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
  })
})
