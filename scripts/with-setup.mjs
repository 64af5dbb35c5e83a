// Installs packages and the repository's own Node, builds, and then runs a command: `node scripts/with-setup.mjs keepsake demo`.
// Skips steps that are up to date. Node 18 must be able to run this file.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainNpmFailure, isInstalled, nodeBinary, npmCommand, withOwnNode } from './setup-steps.mjs'

const ROOT = realpathSync(dirname(dirname(fileURLToPath(import.meta.url))))
const WINDOWS = process.platform === 'win32'

class SetupError extends Error {}

/** Prints a message of the set-up to stderr, so that stdout contains only the command's output. @param {string} line */
const say = (line) => process.stderr.write(`${line}\n`)

/**
 * Runs a command and returns its output instead of printing it.
 *
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, output: string }>}
 */
function runQuietly(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, shell: WINDOWS, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (/** @type {Buffer} */ chunk) => (output += chunk.toString())
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: signal ? 1 : (code ?? 1), output }))
  })
}

/** @param {string[]} args */
async function runNpm(args) {
  const npm = npmCommand(ROOT, process.env, args)
  const result = await runQuietly(npm.command, npm.args, npm.env).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    throw new SetupError(
      'npm was not found: install Node.js with npm (https://nodejs.org), then run the same command again.',
    )
  })
  if (result.code === 0) return
  const explanation = explainNpmFailure(result.output)
  if (explanation !== null) throw new SetupError(explanation)
  throw new SetupError(`${result.output.trimEnd()}\n\n\`npm ${args.join(' ')}\` failed; its output is above.`)
}

async function install() {
  if (isInstalled(ROOT)) return
  const started = Date.now()
  say('Installing packages (once, about half a minute) …')
  // Runs no install script except that of the package `node`, which puts a current Node into node_modules/.bin. better-sqlite3
  // contains a compiled binary, but its script would call node-gyp, which needs Python and a compiler.
  await runNpm([
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ])
  await runNpm(['rebuild', 'node', '--ignore-scripts=false'])
  if (!existsSync(nodeBinary(ROOT))) {
    throw new SetupError(
      'npm installed the packages, but not the Node that the repository brings (package `node`): remove node_modules and run the same command again.',
    )
  }
  say(`Installed in ${((Date.now() - started) / 1000).toFixed(0)} s.`)
}

/** @param {NodeJS.ProcessEnv} env */
async function build(env) {
  const first = !existsSync(join(ROOT, 'packages', 'cli', 'dist', 'index.js'))
  if (first) say('Building …')
  for (const client of [join('packages', 'client'), join('clients', 'python')])
    await buildStep(nodeBinary(ROOT), [join(client, 'scripts', 'generate.mjs')], env)
  await buildStep(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-b'], env)
  const builds = [
    'scripts/bundle.mjs',
    'packages/inspector/scripts/build.mjs',
    'packages/browser/scripts/build.mjs',
  ]
  for (const script of builds) await buildStep(nodeBinary(ROOT), [script], env)
}

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function buildStep(command, args, env) {
  const { code, output } = await runQuietly(command, args, env)
  if (code === 0) return
  const step = [command, ...args].join(' ')
  throw new SetupError(`${output.trimEnd()}\n\nThe build (\`${step}\`) failed; its output is above.`)
}

/** @param {string[]} argv @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
function runCommand(argv, env) {
  const [name = '', ...rest] = argv
  const local = join(ROOT, 'node_modules', '.bin', name)
  const [command, args] =
    name === 'keepsake'
      ? [nodeBinary(ROOT), [join(ROOT, 'packages', 'cli', 'bin', 'keepsake.mjs'), ...rest]]
      : [existsSync(local) ? local : name, rest]
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, shell: WINDOWS, stdio: 'inherit' })
    // The terminal sends Ctrl-C to the command too, so this process ignores it and waits for the command's exit code.
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
    }
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1)),
    )
  })
}

async function main() {
  const argv = process.argv.slice(2)
  if (argv.length === 0) throw new SetupError('Usage: node scripts/with-setup.mjs COMMAND [ARGUMENT …]')
  const env = withOwnNode(ROOT, process.env)
  await install()
  await build(env)
  return await runCommand(argv, env)
}

try {
  process.exitCode = await main()
} catch (error) {
  say(error instanceof SetupError ? error.message : String(error?.stack ?? error))
  process.exitCode = 1
}
