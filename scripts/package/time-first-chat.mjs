// From nothing to a chat that remembers, by each door's own page: its commands and programs are taken from the page, put into an
// empty folder and run from the tarballs, each step timed. A page that no longer leads there fails it.
//   npm run pack && node scripts/package/time-first-chat.mjs [OUT.json]
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './pack.mjs'

const TARBALLS = join(ROOT, 'tarballs')
const folder = mkdtempSync(join(tmpdir(), 'keepsake-first-chat-'))
const PORT = '43251'

/** @param {string[]} names packages of ours */
const tarballsOf = (names) =>
  names.map((name) => {
    const start = name.replace('@', '').replace('/', '-')
    const file = readdirSync(TARBALLS).find((one) => new RegExp(`^${start}-\\d`).test(one))
    if (file === undefined) throw new Error(`there is no tarball of ${name}: npm run pack`)
    return join(TARBALLS, file)
  })

/** The first block of a language in a page, after a heading. @param {string} page @param {string} language @param {string} after */
function blockOf(page, language, after = '') {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const from = text.slice(Math.max(0, text.indexOf(after)))
  const [, block] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(from) ?? []
  if (block === undefined) throw new Error(`${page} has no ${language} after "${after}"`)
  return block
}

/** One door: what it took, step by step. */
class Door {
  /** @type {{ step: string, seconds: number }[]} */
  steps = []
  /** @type {import('node:child_process').ChildProcess[]} */
  running = []

  /** @param {string} name */
  constructor(name) {
    this.name = name
    this.folder = join(folder, name.replaceAll(/\W+/g, '-'))
    mkdirSync(this.folder)
  }

  /** @template Result @param {string} step @param {() => Result | Promise<Result>} work */
  async time(step, work) {
    const started = performance.now()
    const result = await work()
    this.steps.push({ step, seconds: Number(((performance.now() - started) / 1000).toFixed(1)) })
    return result
  }

  /** @param {string} step @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env */
  async run(step, command, args, env = {}) {
    return this.time(step, () => {
      const ran = spawnSync(command, args, {
        cwd: this.folder,
        encoding: 'utf8',
        env: { ...process.env, ...env },
      })
      if (ran.status !== 0) throw new Error(`${this.name}, ${step}:\n${ran.stdout}${ran.stderr}`)
      return ran.stdout
    })
  }

  /** @param {string[]} names */
  async install(names) {
    await this.run('install', 'npm', ['install', '--no-audit', '--no-fund', ...tarballsOf(names)])
  }

  /** Starts a server, until it says where it is. @param {string} command @param {string[]} args */
  async start(command, args) {
    return this.time('start', async () => {
      const child = spawn(command, args, { cwd: this.folder, detached: true, env: { ...process.env, PORT } })
      this.running.push(child)
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)))
      while (!/http:\/\/127\.0\.0\.1:\d+/.test(said)) {
        if (child.exitCode !== null) throw new Error(`${this.name}, start:\n${said}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })
  }

  async end() {
    for (const child of this.running) {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
      await exited
    }
  }
}

/** @param {string} output @param {string} wanted */
function mustHold(output, wanted) {
  if (!output.includes(wanted)) throw new Error(`nothing was recalled: no "${wanted}" in\n${output}`)
}

const SERVER = ['@keepsake/cli', '@keepsake/server', '@keepsake/inspector', '@keepsake/models', 'keepsake']
const serve = ['--no', 'keepsake', 'serve', '--unlocked', '--port', PORT]

/** @type {Record<string, (door: Door) => Promise<void>>} */
const DOORS = {
  'library (README.md)': async (door) => {
    await door.install(['keepsake'])
    writeFileSync(join(door.folder, 'chat.mjs'), blockOf('README.md', 'ts'))
    mustHold(await door.run('remember and recall', process.execPath, ['chat.mjs']), 'Lyon')
  },
  'REST by curl (docs/server.md)': async (door) => {
    await door.install(SERVER)
    await door.start('npx', serve)
    const commands = blockOf('docs/server.md', 'sh', '## REST').replaceAll(':4150', `:${PORT}`)
    mustHold(await door.run('remember and recall', 'sh', ['-c', commands], { KEEPSAKE_KEY: 'none' }), 'Lyon')
  },
  'typed client (packages/client/README.md)': async (door) => {
    await door.install([...SERVER, '@keepsake/client'])
    await door.start('npx', serve)
    const program = blockOf('packages/client/README.md', 'ts').replaceAll(':4150', `:${PORT}`)
    writeFileSync(join(door.folder, 'chat.mjs'), program)
    mustHold(await door.run('remember and recall', process.execPath, ['chat.mjs']), 'Lyon')
  },
  'Python (clients/python/README.md)': async (door) => {
    await door.install(SERVER)
    await door.start('npx', serve)
    const program = blockOf('clients/python/README.md', 'python').replaceAll(':4150', `:${PORT}`)
    writeFileSync(join(door.folder, 'chat.py'), program)
    const env = { PYTHONPATH: join(ROOT, 'clients', 'python', 'src') }
    mustHold(await door.run('remember and recall', '/usr/bin/python3', ['chat.py'], env), 'Lyon')
  },
  'LangGraph store (packages/langchain/README.md)': async (door) => {
    await door.install(['keepsake', '@keepsake/langchain'])
    await door.run('install LangGraph', 'npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '@langchain/langgraph',
      '@langchain/core',
    ])
    writeFileSync(join(door.folder, 'chat.mjs'), blockOf('packages/langchain/README.md', 'ts'))
    mustHold(await door.run('remember and recall', process.execPath, ['chat.mjs']), 'olives')
  },
  'template (npm create keepsake)': async (door) => {
    const [tarball = ''] = tarballsOf(['create-keepsake'])
    const create = [
      'exec',
      '--yes',
      `--package=${tarball}`,
      '--',
      'create-keepsake',
      'chat',
      '--from',
      TARBALLS,
    ]
    await door.start('npm', create)
    await door.time('remember and recall', async () => {
      let last = ''
      for (const said of ['I live in Lyon.', 'Where do I live?']) {
        const headers = { 'Content-Type': 'application/json' }
        const body = JSON.stringify({ said })
        last = await (
          await fetch(`http://127.0.0.1:${PORT}/api/chat`, { method: 'POST', headers, body })
        ).text()
      }
      mustHold(last, 'You told me')
    })
  },
}

const [out] = process.argv.slice(2)
const results = []
try {
  for (const [name, work] of Object.entries(DOORS)) {
    const door = new Door(name)
    try {
      await work(door)
      const seconds = Number(door.steps.reduce((sum, step) => sum + step.seconds, 0).toFixed(1))
      results.push({ door: name, seconds, steps: door.steps })
      console.log(
        `${name.padEnd(48)} ${seconds} s  ${door.steps.map(({ step, seconds }) => `${step} ${seconds}`).join(', ')}`,
      )
    } catch (error) {
      results.push({ door: name, problem: String(error) })
      console.error(error)
      process.exitCode = 1
    } finally {
      await door.end()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model }
if (out !== undefined)
  writeFileSync(
    out,
    `${JSON.stringify({ command: 'node scripts/package/time-first-chat.mjs', machine, results }, null, 2)}\n`,
  )
