import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { KeyStore, openServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CLIENT = fileURLToPath(new URL('../../../clients/python', import.meta.url))
/** Debian's own Python first: `apt-get install python3`. */
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0,
)
const WHY_NOT =
  'Python 3.11 or newer is missing (apt-get install python3), so the Python client was not tried'
// A skip that says nothing is taken for a pass.
if (PYTHON === undefined) process.stderr.write(`Skipped: ${WHY_NOT}.\n`)

/** The servers of the tests: without keys and with a model, with keys and without one. */
async function openServers() {
  const model = scriptedModel(() => 'They are on the roof, all four hives.')
  const open = await openMemory({ path: ':memory:', models: { reply: model } })
  const locked = await openMemory({ path: ':memory:' })
  const keys = new KeyStore(locked.records)
  const { key } = await keys.create({ name: 'reader', actions: ['read'] })
  const servers = [
    await openServer({ keepsake: open, model, port: 0, unlocked: true }),
    await openServer({ keepsake: locked, port: 0 }),
  ]
  return { memories: [open, locked], servers, key }
}

/** Runs Python beside this process, whose servers answer it. */
async function python(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(PYTHON ?? '', args, {
    cwd: CLIENT,
    env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += String(data)))
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { code, said }
}

describe.skipIf(PYTHON === undefined)('the Python client', () => {
  let memories: readonly Keepsake[] = []
  let servers: readonly Awaited<ReturnType<typeof openServer>>[] = []
  let env: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    const opened = await openServers()
    memories = opened.memories
    servers = opened.servers
    const [open, locked] = opened.servers
    env = {
      KEEPSAKE_URL: open?.url ?? '',
      KEEPSAKE_LOCKED_URL: locked?.url ?? '',
      KEEPSAKE_READ_KEY: opened.key,
    }
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    for (const memory of memories) await memory.close()
  })

  it('does what its own tests say, against a real server', async () => {
    const { code, said } = await python(['-m', 'unittest', 'discover', '-v', '-t', '.', '-s', 'tests'], env)
    for (const [, why = ''] of said.matchAll(/skipped ['"](httpx is missing.*)['"]/g))
      process.stderr.write(`Skipped: ${why}.
`)
    expect(code, said).toBe(0)
    expect(said).toMatch(/Ran (3[5-9]|[4-9]\d) tests/)
    // Seconds by itself; four Pythons start, which a busy machine lets wait.
  })
})
