// Measures how long a new user needs from an empty folder to a chat that remembers, for each entry point (library, REST, MCP …). Runs the
// commands and programs of its documentation page with the packed tarballs. If a page's commands no longer work, its measurement fails.
//   npm run pack && node scripts/package/time-first-chat.mjs [OUT.json] [--only WORD]
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { ROOT } from './pack.mjs'
import { scriptedProvider } from './scripted-provider.mjs'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-first-chat-'))
const PORT = '43251'

/** Returns the code blocks of a language after a heading of a page. @param {string} page @param {string} language @param {string} after */
function blocksOf(page, language, after = '') {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const from = text.slice(Math.max(0, text.indexOf(after)))
  const blocks = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')
  return [...from.matchAll(blocks)].map(([, block = '']) => block)
}

/** Returns the first code block of a language after a heading. @param {string} page @param {string} language @param {string} after */
function blockOf(page, language, after = '') {
  const [block] = blocksOf(page, language, after)
  if (block === undefined) throw new Error(`${page} has no ${language} after "${after}"`)
  return block
}

/** Runs and measures the steps of one entry point in its own folder. */
class EntryPoint {
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
      // Runs asynchronously, since the scripted provider in this process must answer the command's requests.
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

  /** Runs a page's line in bash. @param {string} step @param {string} line @param {NodeJS.ProcessEnv} env */
  async shell(step, line, env = {}) {
    return this.run(step, 'bash', ['-ec', line.replaceAll('CLONE/', `${ROOT}/`)], env)
  }

  /** Creates a project and installs Keepsake's tarballs with the page's command. @param {string} page */
  async install(page) {
    const [line] = /npm install CLONE\/[^`\n]+/.exec(readFileSync(join(ROOT, page), 'utf8')) ?? []
    if (line === undefined) throw new Error(`${page} does not say how tarballs are installed`)
    await this.shell('install', `npm init -y && ${line} --no-audit --no-fund`)
  }

  /** Starts a server and waits until it prints its address. @param {string} command @param {string[]} args */
  async start(command, args) {
    return this.time('start', async () => {
      const child = spawn(command, args, { cwd: this.folder, detached: true, env: { ...process.env, PORT } })
      this.running.push(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
      while (!/http:\/\/127\.0\.0\.1:\d+/.test(output)) {
        if (child.exitCode !== null) throw new Error(`${this.name}, start:\n${output}`)
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

/** Checks that an output contains the recalled texts. @param {string} output @param {string | string[]} expected */
function requireTexts(output, expected) {
  for (const text of [expected].flat())
    if (!output.includes(text)) throw new Error(`nothing was recalled: no "${text}" in\n${output}`)
}

/** Runs the page's commands that create a key and start a server. @param {EntryPoint} entryPoint @param {string | null} upstream URL for the page's option of an upstream; `null`: none */
async function startByPage(entryPoint, upstream = null) {
  await entryPoint.install('docs/server.md')
  const [, start = '', , behind = ''] = blocksOf('docs/server.md', 'sh', '## Start')
  const [create = '', show = '', serve = ''] = start.trim().split('\n')
  const key = await entryPoint.shell('make a key', `${create}\n${show}`)
  const [line = ''] = upstream === null ? [serve] : behind.trim().split('\n')
  const command = line
    .replace('npx', 'exec npx --no')
    .replace('sk-…', 'sk-none')
    .replace(/https:\S+/, upstream ?? '')
  await entryPoint.start('bash', ['-c', `${command} --port ${PORT}`])
  return key.trim()
}

/** Runs a page's first program after a heading, stored under a file name. @param {EntryPoint} entryPoint @param {[page: string, language: string, after?: string]} where @param {[file: string, ...command: string[]]} as @param {NodeJS.ProcessEnv} env */
async function runProgram(entryPoint, [page, language, after], [file, ...command], env = {}) {
  writeFileSync(join(entryPoint.folder, file), blockOf(page, language, after).replaceAll(':4150', `:${PORT}`))
  const [program = process.execPath, ...args] = command
  return entryPoint.run('remember and recall', program, [...args, file], env)
}

const UNLOCKED = `exec npx --no keepsake serve --unlocked --db memory.db --port ${PORT}`

/** @type {Record<string, (entryPoint: EntryPoint) => Promise<void>>} */
const ENTRY_POINTS = {
  'library (README.md)': async (entryPoint) => {
    await entryPoint.install('README.md')
    requireTexts(await runProgram(entryPoint, ['README.md', 'js'], ['chat.mjs']), 'Lyon')
  },
  'REST by curl (docs/server.md)': async (entryPoint) => {
    const KEEPSAKE_KEY = await startByPage(entryPoint)
    const commands = blockOf('docs/server.md', 'sh', '## REST').replaceAll(':4150', `:${PORT}`)
    requireTexts(
      await entryPoint.shell('remember and recall', commands, { KEEPSAKE_KEY }),
      'user: \\"I moved to Lyon',
    )
  },
  'OpenAI proxy (docs/server.md)': async (entryPoint) => {
    const provider = await scriptedProvider()
    try {
      const KEEPSAKE_KEY = await startByPage(entryPoint, provider.url)
      await entryPoint.shell('install openai', 'npm install --no-audit --no-fund openai')
      const page = /** @type {[string, string, string]} */ (['docs/server.md', 'ts', '## Any OpenAI client'])
      const output = await runProgram(entryPoint, page, ['chat.mts'], { KEEPSAKE_KEY })
      requireTexts(output.trim().split('\n').slice(1).join('\n'), 'hives of bees on my roof')
    } finally {
      provider.close()
    }
  },
  'MCP (docs/server.md)': async (entryPoint) => {
    await entryPoint.install('docs/server.md')
    const commands = blockOf('docs/server.md', 'sh', '### Try it')
    requireTexts(await entryPoint.shell('remember and recall', commands), '"known": true')
  },
  'AI SDK (packages/ai-sdk/README.md)': async (entryPoint) => {
    const provider = await scriptedProvider()
    try {
      const page = 'packages/ai-sdk/README.md'
      await entryPoint.install(page)
      const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: provider.url }
      requireTexts(await runProgram(entryPoint, [page, 'js'], ['chat.mjs'], env), [
        'allergic to peanuts',
        'bike at the station',
      ])
    } finally {
      provider.close()
    }
  },
  'Mem0 (docs/server.md)': async (entryPoint) => {
    const KEEPSAKE_KEY = await startByPage(entryPoint)
    await entryPoint.shell('install mem0ai', 'npm install --no-audit --no-fund --omit=peer mem0ai')
    const page = /** @type {[string, string, string]} */ (['docs/server.md', 'ts', '## Mem0’s client'])
    requireTexts(await runProgram(entryPoint, page, ['chat.mts'], { KEEPSAKE_KEY }), 'window seat')
  },
  'LangGraph store (packages/langchain/README.md)': async (entryPoint) => {
    await entryPoint.install('packages/langchain/README.md')
    requireTexts(await runProgram(entryPoint, ['packages/langchain/README.md', 'js'], ['chat.mjs']), 'olives')
  },
  'typed client (packages/client/README.md)': async (entryPoint) => {
    await entryPoint.install('packages/client/README.md')
    await entryPoint.start('bash', ['-c', UNLOCKED])
    requireTexts(await runProgram(entryPoint, ['packages/client/README.md', 'js'], ['chat.mjs']), [
      'true - [',
      'moved to Lyon',
    ])
  },
  'Python (clients/python/README.md)': async (entryPoint) => {
    const page = 'clients/python/README.md'
    await entryPoint.install(page)
    await entryPoint.start('bash', ['-c', UNLOCKED])
    const [pip = ''] = /pip install CLONE\/[^`\n]+/.exec(readFileSync(join(ROOT, page), 'utf8')) ?? []
    await entryPoint.shell('install the client', `python3 -m venv .venv && . .venv/bin/activate && ${pip}`)
    const python = join(entryPoint.folder, '.venv', 'bin', 'python')
    requireTexts(await runProgram(entryPoint, [page, 'python'], ['chat.py', python]), [
      'True - [',
      'moved to Lyon',
    ])
  },
  'template (npm create keepsake)': async (entryPoint) => {
    const page = readFileSync(join(ROOT, 'packages/create-keepsake/README.md'), 'utf8')
    const [create = ''] = /npx -y -p CLONE\/tarballs\/create-keepsake[^\n]+/.exec(page) ?? []
    await entryPoint.start('bash', ['-c', `exec ${create.replaceAll('CLONE/', `${ROOT}/`)}`])
    await entryPoint.time('remember and recall', async () => {
      let last = ''
      for (const message of ['I live in Lyon.', 'Where do I live?']) {
        const headers = { 'Content-Type': 'application/json' }
        const body = JSON.stringify({ said: message })
        last = await (
          await fetch(`http://127.0.0.1:${PORT}/api/chat`, { method: 'POST', headers, body })
        ).text()
      }
      requireTexts(last, 'You said')
    })
  },
}

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const [out] = positionals
const results = []
try {
  for (const [name, work] of Object.entries(ENTRY_POINTS)) {
    if (values.only !== undefined && !name.includes(values.only)) continue
    const entryPoint = new EntryPoint(name)
    try {
      await work(entryPoint)
      const seconds = Number(entryPoint.steps.reduce((sum, step) => sum + step.seconds, 0).toFixed(1))
      const load = Number((loadavg()[0] ?? 0).toFixed(1))
      results.push({ door: name, seconds, load, steps: entryPoint.steps })
      console.log(
        `${name.padEnd(48)} ${seconds} s  ${entryPoint.steps.map(({ step, seconds }) => `${step} ${seconds}`).join(', ')}`,
      )
    } catch (error) {
      results.push({ door: name, problem: String(error) })
      console.error(error)
      process.exitCode = 1
    } finally {
      await entryPoint.end()
    }
  }
  write()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Writes the report. This happens before the folder is removed, since that may take longer than the measurements. */
function write() {
  if (out === undefined) return
  const load = loadavg().map((average) => Number(average.toFixed(1)))
  const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model, load }
  const report = { command: 'node scripts/package/time-first-chat.mjs', machine, results }
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`)
}
