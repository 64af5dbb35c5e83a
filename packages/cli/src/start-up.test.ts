import { spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from './commands.ts'
import { run } from './testing/run-command.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const BIN = fileURLToPath(new URL('../bin/keepsake.mjs', import.meta.url))
const MARK = 'loaded '

/** Has a process of its own print what it loads. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  registerHooks({ load: (url, context, next) => (writeSync(2, '${MARK}' + url + '\\n'), next(url, context)) })
`)}`

/** The files that a process of Node loads from the start to its end. */
function loadedBy(...argv: readonly string[]): readonly string[] {
  const { status, stderr } = spawnSync(process.execPath, ['--import', TELL_LOADED, ...argv], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const lines = stderr.split('\n')
  expect({ argv, status, rest: lines.filter((line) => line !== '' && !line.startsWith(MARK)) }).toEqual({
    argv,
    status: 0,
    rest: [],
  })
  return lines
    .filter((line) => line.startsWith(`${MARK}file:`))
    .map((line) => line.slice(`${MARK}${pathToFileURL(ROOT).href}`.length))
}

const ENGINE = 'packages/keepsake/dist/bundle/node/index.js'
const isOf = (...folders: readonly string[]) => {
  const starts = folders.map((folder) => `${folder}/`)
  return (file: string) => starts.some((start) => file.startsWith(start))
}

describe('what is loaded', () => {
  it('by the library is a few files of its own, and none of what is needed only later', () => {
    const files = loadedBy('--input-type=module', '--eval', "await import('keepsake')")
    expect(files).toContain(ENGINE)
    const own = files.filter(isOf('packages'))
    expect(own.length).toBeLessThan(20)
    const bundles = ['text', 'search', 'keepsake'].map((name) => `packages/${name}/dist/bundle`)
    expect(own.every(isOf(...bundles))).toBe(true)
    const later = isOf('node_modules/wink-nlp', 'node_modules/card-validator', 'node_modules/@secretlint')
    expect(files.filter(later)).toEqual([])
  })

  it.each([['--version'], ['recall', '--help'], ['demo', '--help'], ['chat', '--help']])(
    'by `keepsake %s %s` is neither the engine nor a server',
    (...argv) => {
      const files = loadedBy(BIN, ...argv)
      expect(files).toContain('packages/cli/dist/index.js')
      expect(files).not.toContain(ENGINE)
      const heavy = isOf(
        'packages/server',
        'packages/importing',
        'node_modules/zod',
        'node_modules/chrono-node',
        'node_modules/better-sqlite3',
      )
      expect(files.filter(heavy)).toEqual([])
    },
  )

  it('by the list of all commands is neither', () => {
    const files = loadedBy(BIN, '--help')
    for (const name of ['serve', 'change', 'doctor', 'import', 'train'])
      expect(files).toContain(`packages/cli/dist/commands/${name}.js`)
    expect(files.filter(isOf('packages/server', 'node_modules/hono', 'node_modules/zod'))).toEqual([])
    expect(files).not.toContain(ENGINE)
  })

  it('by the thread that reads a file is no engine', () => {
    const thread = 'packages/importing/dist/apart/reading-thread.js'
    const files = loadedBy(thread)
    expect(files).toContain(thread)
    const heavy = isOf('node_modules/zod', 'node_modules/chrono-node', 'node_modules/better-sqlite3')
    expect(files.filter(heavy)).toEqual([])
    expect(files).not.toContain(ENGINE)
  })

  it('to serve over standard input and output is no server of HTTP', () => {
    const files = loadedBy(
      '--input-type=module',
      '--eval',
      "await import('./packages/server/dist/mcp/serve-stdio.js')",
    )
    expect(files).toContain('packages/server/dist/mcp/create-mcp-server.js')
    const heavy = isOf('packages/importing', 'node_modules/@hono', 'node_modules/prom-client')
    expect(files.filter(heavy)).toEqual([])
    expect(files).not.toContain('packages/server/dist/app.js')
  })
})

it('each command is called what it is loaded by, and says the same alone as among all', async () => {
  const named = Object.values(COMMANDS).flatMap((commands) => Object.keys(commands))
  const list = (await run(['--help'])).out
  for (const name of named) {
    expect(list).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
    expect((await run([name, '--help'])).out).toBe((await run(['help', name])).out)
  }
})
