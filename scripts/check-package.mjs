// What would be published, tested as such: each package is packed, and the engine is installed from its tarball into
// an empty project, used from an ES module and through require, type-checked under `nodenext` and `bundler`, and
// looked at by publint and attw. Importing it must open nothing and load no model.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BIN = join(ROOT, 'node_modules', '.bin')
const PATH = [BIN, process.env['PATH']].join(delimiter)
const folder = mkdtempSync(join(tmpdir(), 'keepsake-package-'))
const project = join(folder, 'project')
/** @type {string[]} */
const failures = []

/** @param {string} what @param {string} command @param {string[]} args @param {string} cwd */
function step(what, command, args, cwd) {
  const run = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH, NO_COLOR: '1' },
  })
  if (run.status === 0) return run.stdout
  failures.push(what)
  console.error(`${what}:\n${run.stdout ?? ''}${run.stderr ?? ''}${run.error?.message ?? ''}`)
  return ''
}

const USE = `
import assert from 'node:assert/strict'
const resources = () => process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY|FS|Immediate|CloseReq)/.test(name))
const before = resources().length
const { openMemory } = await import('keepsake')
assert.equal(resources().length, before, 'importing it opened something')
const memory = await openMemory({ path: ':memory:' })
const ana = memory.scope({ user: 'ana' })
await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' })
const { memories } = await ana.recall('What can Mia not eat?')
assert.match(memories[0].memory.text, /peanuts/)
await memory.close()
const { storeContract } = await import('keepsake/store-kit')
const { openSqliteStore } = await import('keepsake')
for (const { skip, run } of storeContract({ open: () => openSqliteStore({ path: ':memory:' }) }))
  if (skip === undefined) await run()
`
const REQUIRE = `
const assert = require('node:assert/strict')
const { openMemory } = require('keepsake')
assert.equal(typeof openMemory, 'function')
`
const TYPES = `
import { openMemory, type Memory } from 'keepsake'
import { storeContract, type Store, type StoreCase } from 'keepsake/store-kit'
export const cases = (open: () => Promise<Store>): readonly StoreCase[] => storeContract({ open })
export async function facts(path: string): Promise<readonly Memory[]> {
  await using memory = await openMemory({ path })
  return memory.scope({ user: 'ana' }).memories({ forms: ['fact'] })
}
`

/** The tarball's own dependencies, taken from the repository: what is tested is the package, not the registry. */
function install(/** @type {string} */ tarball) {
  mkdirSync(join(project, 'node_modules', 'keepsake'), { recursive: true })
  step(
    'unpack',
    'tar',
    ['-xzf', tarball, '--strip-components=1', '-C', join(project, 'node_modules', 'keepsake')],
    folder,
  )
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.') || name === 'keepsake' || name === '@keepsake') continue
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
}

try {
  mkdirSync(project)
  for (const name of [
    'keepsake',
    'models',
    'server',
    'client',
    'ai-sdk',
    'langchain',
    'bench',
    'bench-generators',
    'bench-http-peers',
    'training',
    'cli',
  ]) {
    const source = join(ROOT, 'packages', name)
    step(`npm pack ${name}`, 'npm', ['pack', '--silent', '--pack-destination', folder], source)
    step(`publint ${name}`, 'publint', ['--strict', '--pack', 'npm'], source)
  }
  const tarball = readdirSync(folder).find((name) => /^keepsake-\d.*\.tgz$/.test(name))
  if (tarball === undefined) throw new Error('npm pack made no keepsake-*.tgz')
  step(
    'attw keepsake',
    'attw',
    [join(folder, tarball), '--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm'],
    folder,
  )
  install(join(folder, tarball))
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'empty', private: true, type: 'module' }),
  )
  writeFileSync(join(project, 'use.mjs'), USE)
  writeFileSync(join(project, 'use.cjs'), REQUIRE)
  writeFileSync(join(project, 'types.ts'), TYPES)
  step('use from an ES module', process.execPath, ['use.mjs'], project)
  step('use through require', process.execPath, ['use.cjs'], project)
  for (const [module, resolution] of /** @type {const} */ ([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])) {
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
      '--lib',
      'es2024,esnext.disposable',
      '--types',
      'node',
    ]
    step(
      `types under ${resolution}`,
      'tsc',
      [...options, '--module', module, '--moduleResolution', resolution, 'types.ts'],
      project,
    )
  }
  console.log(
    failures.length === 0
      ? 'packed, installed, imported, required, type-checked'
      : `failed: ${failures.join(', ')}`,
  )
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
