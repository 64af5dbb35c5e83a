import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const MAIN = new URL('../src/index.ts', import.meta.url)
const PROGRAM = `import { main } from ${JSON.stringify(fileURLToPath(MAIN))}; await main(process.argv.slice(1))`
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'create-keepsake-said-')))

/** In place of npm, since what is installed is not the point here. */
beforeAll(() => {
  mkdirSync(join(folder, 'bin'))
  const npm = join(folder, 'bin', 'npm')
  writeFileSync(npm, '#!/bin/sh\nexit 0\n')
  chmodSync(npm, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const create = (args: readonly string[], env: NodeJS.ProcessEnv = {}, bin = join(folder, 'bin')) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', ...args, '--no-start'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PORT: '',
      KEEPSAKE_MODEL: undefined,
      ...env,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    },
  })
const made = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')

describe('what is said while a chat is made', () => {
  it('names the folder, tells of the wait before it, and how to start', () => {
    const { stdout, status } = create(['my-chat'])
    expect(status).toBe(0)
    expect(stdout).toBe(
      [
        'Creating a chat that remembers in the folder my-chat …',
        'Installing packages; this takes about half a minute …',
        `Created in ${join(folder, 'my-chat')}. Start it:`,
        '',
        '  cd my-chat',
        '  npm start',
        '',
        '',
      ].join('\n'),
    )
  })

  it('names the model that has to be named again', () => {
    expect(create(['by-model'], { KEEPSAKE_MODEL: 'ollama:qwen3' }).stdout).toContain(
      '  KEEPSAKE_MODEL=ollama:qwen3 npm start\n',
    )
  })

  it('says of a folder that holds something what to do', () => {
    const { stderr, status } = create(['bin'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^The folder bin is not empty\. Use another name, .* or run `npm start`/)
  })
})

describe('npm that fails', () => {
  it.each([
    [
      'an unpublished package',
      'npm error code E404\nnpm error 404 GET https://registry.npmjs.org/@keepsake%2fmodels',
      /^Keepsake’s packages are not on npm yet\. .*--from/,
    ],
    ['anything else', 'npm error code ENOTFOUND', /^npm error code ENOTFOUND\n\nnpm could not install/],
  ])('for %s leaves no folder, and says what to do', (_, printed, says) => {
    const bin = join(folder, 'failing')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho '${printed}' >&2\nexit 1\n`)
    chmodSync(join(bin, 'npm'), 0o755)
    const { stderr, status } = create(['failed'], {}, bin)
    expect(status).toBe(1)
    expect(stderr).toMatch(says)
    expect(existsSync(join(folder, 'failed'))).toBe(false)
  })
})

describe('a port', () => {
  it.each([
    ['named by an option', ['with-option', '--port', '4170'], {}],
    ['named by PORT', ['with-variable'], { PORT: '4170' }],
  ])('%s is kept for whenever the chat is started', (_, args, env) => {
    expect(create(args, env).status).toBe(0)
    for (const file of ['server.mjs', 'README.md']) {
      expect(made(args[0] ?? '', file)).toContain('4170')
      expect(made(args[0] ?? '', file)).not.toContain('4160')
    }
  })

  it('that is any which is free is not', () => {
    expect(create(['any', '--port', '0']).status).toBe(0)
    expect(made('any', 'server.mjs')).toContain('4160')
  })

  it.each(['x', '70000', '1.5'])('is not %s, and nothing is made then', (port) => {
    const { stderr, status } = create(['wrong', '--port', port])
    expect([status, stderr]).toEqual([
      1,
      `A port is a whole number from 0 to 65535, but --port (or PORT) is ${port}.\n`,
    ])
    expect(existsSync(join(folder, 'wrong'))).toBe(false)
  })
})
