import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KeyStore, openServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../src/testing/temporary-folder.ts'

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

/** Runs Python beside this process, whose servers answer it; from its sources unless `env` says otherwise. */
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

  it('installs from its wheel, whole, and remembers', async (context) => {
    const hasPip = spawnSync(PYTHON ?? '', ['-m', 'pip', '--version']).status === 0
    if (!hasPip) process.stderr.write('Skipped: pip is missing (apt-get install python3-pip).\n')
    context.skip(!hasPip, 'pip is missing')
    const folder = temporaryFolder()
    try {
      const made = await python(['scripts/make_wheel.py', folder], {})
      expect(made.code, made.said).toBe(0)
      const installed = join(folder, 'installed')
      const pip = ['-m', 'pip', 'install', '--no-index', '--quiet', '--target', installed]
      const done = await python([...pip, made.said.trim()], {})
      expect(done.code, done.said).toBe(0)
      // Nothing but what the wheel brought: neither the sources nor the folder they lie in.
      const from = { ...env, PYTHONPATH: installed, PYTHONSAFEPATH: '1' }
      const where = await python(
        [
          '-c',
          'import importlib.metadata as m, keepsake_client as k; print(m.version("keepsake-client"), k.__file__)',
        ],
        from,
      )
      expect(where.said).toMatch(/^\d+\.\d+\.\d+ /)
      expect(where.said).toContain(installed)
      const { code, said } = await python(['examples/ten_lines.py'], from)
      expect(code, said).toBe(0)
      expect(said).toContain('My sister Mia helped with the boxes.')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
