import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PACK = fileURLToPath(new URL('../../../scripts/package/pack.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'keepsake-packed-'))
const project = mkdtempSync(join(tmpdir(), 'keepsake-project-'))

const run = (cwd: string, command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, KEEPSAKE_DB: '', NO_COLOR: '1' } })

const keepsake = (...args: string[]) => run(project, 'npx', '--no', 'keepsake', ...args)

/** Installs what would be published into an empty project: `null`, or why npm could not. */
function install(): string | null {
  const packed = run(folder, process.execPath, PACK, folder, '--as-built')
  expect(packed.stderr + packed.stdout).toContain('npm install')
  const tarballs = readdirSync(folder).filter((name) =>
    /^keepsake-(\d|cli|importing|inspector|mem0-compat|models|papers|search|server|text)/.test(name),
  )
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const paths = tarballs.map((name) => join(folder, name))
  const done = run(project, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...paths)
  return done.status === 0 ? null : done.stderr
}

describe('the tarballs, in a project of somebody', () => {
  let problem: string | null = null

  beforeAll(() => {
    problem = install()
    const unreachable =
      problem !== null && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(problem)
    if (!unreachable) expect(problem).toBeNull()
  }, 300_000)
  afterAll(() => {
    for (const path of [folder, project]) rmSync(path, { recursive: true, force: true })
  })

  it('bring a command line that remembers and recalls', (context) => {
    context.skip(problem !== null, 'no package registry can be reached')
    writeFileSync(join(project, 'chat.jsonl'), '{"role":"user","text":"I moved to Lyon last week."}\n')
    expect(
      keepsake('import', '--format', 'jsonl', 'chat.jsonl', '--user', 'ana', '--db', 'memory.db').status,
    ).toBe(0)
    const recalled = keepsake('recall', 'Where does Ana live?', '--user', 'ana', '--db', 'memory.db')
    expect(recalled.stdout).toContain('Lyon')
  })

  it('bring the demo, the server and MCP with them', (context) => {
    context.skip(problem !== null, 'no package registry can be reached')
    expect(keepsake('demo').stdout).toContain('is still there')
    for (const command of ['serve', 'mcp', 'chat'])
      expect(keepsake(command, '--help').stdout).toContain('Usage')
  }, 120_000)

  it('say which package measures, and how to install it', (context) => {
    context.skip(problem !== null, 'no package registry can be reached')
    expect(keepsake('bench', 'retrieval').stderr).toContain('npm install @keepsake/bench')
  })
})
