import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { endPrograms, Program } from './programs.ts'
import { temporaryFolder } from '../../src/testing/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = temporaryFolder()
afterAll(() => {
  endPrograms()
})

/** Its instructions, a line each. */
const INSTRUCTIONS = readFileSync(join(ROOT, 'deploy', 'Dockerfile'), 'utf8')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')

/** A path of the image, in this folder. */
const here = (path: string): string => join(folder, path)

/** What the build's context holds: what git knows, and nothing that `.dockerignore` names. */
function copyContext(): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(here(join('src', file))), { recursive: true })
    cpSync(join(ROOT, file), here(join('src', file)), { verbatimSymlinks: true })
  }
}

/** What a build is given from outside: packages that were fetched before are taken as they are, and nobody is asked about them. */
const NPM = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_progress: 'false',
  npm_config_update_notifier: 'false',
}

const INSTALL_AND_BUILD = 'npm ci && npm run build'

/** Takes the packages and the build of this checkout: CI has installed and built them from the same files just before. */
function copyInstalledAndBuilt(): void {
  const modules = here(join('src', 'node_modules'))
  const isLinked = spawnSync('cp', ['-al', join(ROOT, 'node_modules'), modules]).status === 0
  if (!isLinked) {
    rmSync(modules, { recursive: true, force: true })
    cpSync(join(ROOT, 'node_modules'), modules, { recursive: true, verbatimSymlinks: true })
  }
  // npm writes into its own list, which must not be the checkout's.
  const list = join('node_modules', '.package-lock.json')
  rmSync(here(join('src', list)))
  cpSync(join(ROOT, list), here(join('src', list)))
  for (const name of readdirSync(join(ROOT, 'packages')))
    for (const part of ['dist', 'node_modules'].map((folder) => join('packages', name, folder)))
      if (existsSync(join(ROOT, part)))
        cpSync(join(ROOT, part), here(join('src', part)), { recursive: true, verbatimSymlinks: true })
}

/** Runs a step, its paths being this folder's, without what the repository's own Node brings. */
function step(command: string): void {
  if (command.startsWith(INSTALL_AND_BUILD)) copyInstalledAndBuilt()
  const ours = command
    .replace(INSTALL_AND_BUILD, 'true')
    .replaceAll(/(?<= )\/(opt|data|usr)\b/g, (path) => here(path))
    .replaceAll(/chown \S+ \S+/g, 'true')
  const ran = spawnSync('sh', ['-c', ours], {
    cwd: here('src'),
    encoding: 'utf8',
    env: { ...process.env, ...NPM },
  })
  expect(ran.status, `${ours}\n${ran.stdout}${ran.stderr}`).toBe(0)
}

/** Follows the file as Docker would, as far as that is done without Docker: no base image, no user, no layers. */
function follow(): void {
  mkdirSync(here('usr/local/bin'), { recursive: true })
  mkdirSync(here('opt/keepsake'), { recursive: true })
  for (const line of INSTRUCTIONS) {
    if (line === 'COPY . .') copyContext()
    const [, from = '', to = ''] = /^COPY --from=build .*?(\S+) (\S+)$/.exec(line) ?? []
    // Moved, since nobody asks for the build's folder afterwards: to copy it takes a minute.
    if (from !== '')
      renameSync(here(from), to.endsWith('/') ? join(here(to), from.split('/').at(-1) ?? '') : here(to))
    const [, run] = /^RUN (.*)$/.exec(line) ?? []
    if (run !== undefined) step(run)
  }
}

describe('the container image', () => {
  it('comes of its Dockerfile’s lines, serves as its command says, is healthy, and opens models by name', async (context) => {
    const reached = spawnSync('npm', ['ping'], { encoding: 'utf8' }).status === 0
    if (!reached) process.stderr.write('Skipped: the container image, no package registry can be reached.\n')
    context.skip(!reached, 'no package registry can be reached')
    expect(INSTRUCTIONS.filter((line) => line.includes(INSTALL_AND_BUILD))).toHaveLength(1)
    follow()
    rmSync(here('src'), { recursive: true, force: true })
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(INSTRUCTIONS.at(-1) ?? '')?.[1] ?? '[]') as string[]
    const served = command.map((word) =>
      word.startsWith('/data') ? here(word) : word === '0.0.0.0' ? '127.0.0.1' : word,
    )
    const program = new Program(here('usr/local/bin/keepsake'), [...served, '--port', '0', '--unlocked'], {
      cwd: here('data'),
      env: { NODE_ENV: 'production' },
    })
    const [url] = await program.says(/http:\/\/127\.0\.0\.1:\d+/)
    const health = JSON.parse(/CMD (\["node".*\])/.exec(INSTRUCTIONS.join('\n'))?.[1] ?? '[]') as string[]
    const [, flag = '', check = ''] = health
    const checked = spawnSync(process.execPath, [flag, check.replace('http://127.0.0.1:4150', url ?? '')])
    expect(checked.status).toBe(0)
    expect(await program.end()).toBe(0)
    writeFileSync(
      here('opt/keepsake/models.mjs'),
      "import { openModel } from '@keepsake/models'\nfor (const name of ['openai:m', 'anthropic:m', 'google:m'])\n  console.log((await openModel(name)).id)\n",
    )
    const opened = spawnSync(process.execPath, ['models.mjs'], {
      cwd: here('opt/keepsake'),
      encoding: 'utf8',
      env: { ...process.env, OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k' },
    })
    expect(opened.stdout, opened.stderr).toBe('openai/m\nanthropic/m\ngoogle/m\n')
  }, 580_000)
})
