// From nothing to a chat that remembers, by each door's own page: its commands and programs are taken from the page, put into an
// empty folder and run from the tarballs, each step timed. A page that no longer leads there fails it.
//   npm run pack && node scripts/package/time-first-chat.mjs [OUT.json] [--only WORD]
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ROOT } from './pack.mjs'
import { scriptedProvider } from './scripted-provider.mjs'

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
    return this.time(step, async () => {
      // Not in one piece: what it asks may be answered here.
      const ran = spawn(command, args, { cwd: this.folder, env: { ...process.env, ...env } })
      const [out, err, status] = await Promise.all([
        text(ran.stdout),
        text(ran.stderr),
        new Promise((resolve) => ran.once('close', resolve)),
      ])
      if (status !== 0) throw new Error(`${this.name}, ${step}:\n${out}${err}`)
      return out
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
      if (child.exitCode !== null) continue
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
      await exited
    }
  }
}

/** @param {string} output @param {string} wanted */
function mustHold(output, wanted) {
  if (!output.includes(wanted)) throw new Error(`nothing was recalled: no "${wanted}" in\n${output}`)
}

const SERVER = [
  '@keepsake/cli',
  '@keepsake/server',
  '@keepsake/importing',
  '@keepsake/inspector',
  '@keepsake/models',
  'keepsake',
]
const serve = ['--no', 'keepsake', 'serve', '--unlocked', '--port', PORT]

/** Runs the page's commands that make a key and start a server, with what they say of the upstream. @param {Door} door @param {string} upstream */
async function startByPage(door, upstream) {
  await door.install(SERVER)
  const commands = blockOf('docs/server.md', 'sh', '## Start').trim().split('\n')
  const [, create = '', serve = ''] = commands.map((line) => line.trim())
  const key = await door.run('make a key', 'sh', ['-c', create.replace('npx', 'npx --no')])
  await door.start('sh', [
    '-c',
    `exec ${serve.replace('npx', 'npx --no').replace(/https:\S+/, upstream)} --port ${PORT}`,
  ])
  return /ks_\S+/.exec(key)?.[0] ?? ''
}

/** Installs what a page names besides ours. @param {Door} door @param {string} page @param {string} after @param {string} start */
async function installByPage(door, page, after, start = 'npm install ') {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const from = text.slice(Math.max(0, text.indexOf(after)))
  const [, names = ''] = new RegExp(`${start}([^\`\n]+)`).exec(from) ?? []
  const theirs = names.split(/\s+/).filter((name) => name !== '' && !/^@?keepsake/.test(name))
  if (theirs.length === 0) throw new Error(`${page} does not say what to install after "${after}"`)
  await door.run(`install ${theirs.join(' ')}`, 'npm', ['install', '--no-audit', '--no-fund', ...theirs])
}

/** @type {Record<string, (door: Door) => Promise<void>>} */
const DOORS = {
  'OpenAI door (docs/server.md)': async (door) => {
    const provider = await scriptedProvider()
    try {
      const key = await startByPage(door, provider.url)
      await installByPage(door, 'docs/server.md', '## Any OpenAI client')
      const program = blockOf('docs/server.md', 'ts', '## Any OpenAI client').replaceAll(':4150', `:${PORT}`)
      writeFileSync(join(door.folder, 'chat.ts'), program)
      const said = await door.run('remember and recall', process.execPath, ['chat.ts'], { KEEPSAKE_KEY: key })
      mustHold(said.trim().split('\n').slice(1).join('\n'), 'hives of bees on my roof')
    } finally {
      provider.close()
    }
  },
  'MCP (docs/mcp.md)': async (door) => {
    const { mcpServers } = JSON.parse(blockOf('docs/mcp.md', 'json'))
    const { command, args } = mcpServers.keepsake
    const db = join(door.folder, 'keepsake.db')
    /** @param {string[]} given */
    const fromTarballs = (given) => {
      const start = given.lastIndexOf('-p') + 2
      const rest = given.slice(start).map((arg) => (arg.endsWith('.db') ? db : arg))
      return ['-y', ...tarballsOf(SERVER).flatMap((tarball) => ['-p', tarball]), ...rest]
    }
    const env = /** @type {Record<string, string>} */ ({ ...process.env })
    const transport = new StdioClientTransport({
      command,
      args: fromTarballs(args),
      cwd: door.folder,
      env,
      stderr: 'ignore',
    })
    const client = new Client({ name: 'first chat', version: '1.0.0' })
    await door.time('install and start', () => client.connect(transport, { timeout: 300_000 }))
    await door.time('remember and recall', async () => {
      await client.callTool({
        name: 'remember',
        arguments: { text: 'I keep four hives of bees on my roof.' },
      })
      const found = await client.callTool({ name: 'recall', arguments: { question: 'Where are my bees?' } })
      mustHold(JSON.stringify(found), 'four hives')
    })
    await client.close()
  },
  'AI SDK (packages/ai-sdk/README.md)': async (door) => {
    const provider = await scriptedProvider()
    try {
      await door.install(['keepsake', '@keepsake/ai-sdk'])
      await installByPage(door, 'packages/ai-sdk/README.md', '# @keepsake/ai-sdk')
      writeFileSync(join(door.folder, 'chat.mjs'), blockOf('packages/ai-sdk/README.md', 'ts'))
      const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: provider.url }
      mustHold(
        await door.run('remember and recall', process.execPath, ['chat.mjs'], env),
        'allergic to peanuts',
      )
    } finally {
      provider.close()
    }
  },
  'Mem0 (docs/server.md)': async (door) => {
    const key = await startByPage(door, 'http://127.0.0.1:9/v1')
    await installByPage(door, 'docs/server.md', '## Mem0’s client')
    const program = blockOf('docs/server.md', 'ts', '## Mem0’s client').replaceAll(':4150', `:${PORT}`)
    writeFileSync(join(door.folder, 'chat.ts'), program)
    mustHold(
      await door.run('remember and recall', process.execPath, ['chat.ts'], { KEEPSAKE_KEY: key }),
      'window seat',
    )
  },
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

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const [out] = positionals
const results = []
try {
  for (const [name, work] of Object.entries(DOORS)) {
    if (values.only !== undefined && !name.includes(values.only)) continue
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
  write()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Before the folder is removed, which may take longer than all of it. */
function write() {
  if (out === undefined) return
  const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model }
  const report = { command: 'node scripts/package/time-first-chat.mjs', machine, results }
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`)
}
