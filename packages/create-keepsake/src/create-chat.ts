import { spawn } from 'node:child_process'
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
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A mistake that the caller can correct; the message says how. */
export class CreateError extends Error {
  override readonly name = 'CreateError'
}

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url))

/** The template's port, as its files contain it. */
const TEMPLATE_PORT = '4160'
const FILES_WITH_PORT = ['server.mjs', 'README.md']

/** Options of the new chat. */
export interface ChatSettings {
  /** A folder with tarballs of Keepsake's packages; `null`: npm installs them from the registry. */
  readonly tarballs: string | null
  /** The port, for every start; `null`: the template's port. */
  readonly port: number | null
}

/**
 * Creates the chat in a folder and installs its packages.
 *
 * @param folder must be empty; is created if it is missing
 * @param say receives each step as a line of text
 * @returns the absolute path of the folder; a failed installation leaves no files
 * @throws CreateError if the folder is not empty, a tarball is missing, or npm fails
 * @example
 * await createChat('my-chat', { tarballs: null, port: 4161 }, console.log)
 */
export async function createChat(
  folder: string,
  { tarballs, port }: ChatSettings,
  say: (line: string) => void,
): Promise<string> {
  const made = resolve(folder)
  const existed = existsSync(made)
  if (existed && readdirSync(made).length > 0)
    throw new CreateError(
      `The folder ${folder} is not empty. Use another name, such as \`npm create keepsake my-second-chat\`, or run \`npm start\` in it to start its chat.`,
    )
  const tarballsByName = tarballs === null ? null : findTarballs(resolve(tarballs))
  cpSync(TEMPLATE, made, { recursive: true })
  // npm does not pack a file named .gitignore.
  renameSync(join(made, 'gitignore'), join(made, '.gitignore'))
  writePackageJson(made, tarballsByName)
  if (port !== null) writePort(made, port)
  say('Installing packages; this takes about half a minute …')
  try {
    await install(made, say)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (existed) mkdirSync(made)
    throw error
  }
  return made
}

/** Writes the port into the chat's files, so that every start uses it. */
function writePort(made: string, port: number): void {
  for (const file of FILES_WITH_PORT) {
    const path = join(made, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(TEMPLATE_PORT, String(port)))
  }
}

interface PackageJson {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Names the package.json after its folder, and lets dependencies point to the tarballs if there are any. */
function writePackageJson(made: string, tarballs: ReadonlyMap<string, string> | null): void {
  const file = join(made, 'package.json')
  const description = JSON.parse(readFileSync(file, 'utf8')) as PackageJson
  const name =
    basename(made)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'chat'
  const dependencies = { ...description.dependencies, ...Object.fromEntries(tarballs ?? []) }
  const written = { ...description, name, dependencies }
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
}

/** Finds the tarballs of the engine, the models and the packages that these depend on; npm would load missing ones from the registry. */
function findTarballs(folder: string): ReadonlyMap<string, string> {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const found = new Map<string, string>()
  for (const [name, start] of [
    ['keepsake', 'keepsake-'],
    ['@keepsake/models', 'keepsake-models-'],
    ['@keepsake/search', 'keepsake-search-'],
    ['@keepsake/text', 'keepsake-text-'],
  ] as const) {
    const file = files.find(
      (name) => name.startsWith(start) && /^\d[\d.]*.*\.tgz$/.test(name.slice(start.length)),
    )
    if (file === undefined)
      throw new CreateError(`There is no tarball of ${name} in ${folder}: run \`npm run pack\` in the clone.`)
    found.set(name, `file:${join(folder, file)}`)
  }
  return found
}

/** Interval of the messages while npm works. */
const MESSAGE_INTERVAL_MS = 10_000

/** Installs the packages. @throws CreateError with npm's output if npm fails */
async function install(made: string, say: (line: string) => void): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline']
  const child = spawn('npm', args, { cwd: made, shell: process.platform === 'win32' })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += String(data)))
  let seconds = 0
  const timer = setInterval(() => {
    seconds += MESSAGE_INTERVAL_MS / 1_000
    say(`  … still installing, ${seconds} s`)
  }, MESSAGE_INTERVAL_MS)
  const code = await new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('close', settle)
  }).finally(() => clearInterval(timer))
  if (code === 0) return
  // Code of npm's error for a package that the registry does not contain.
  const isUnpublished = /\bE404\b[^]*keepsake/.test(output)
  throw new CreateError(
    isUnpublished
      ? 'Keepsake’s packages are not on npm yet. Take them from a clone: `npm run pack` in it makes the folder tarballs, and `--from CLONE/tarballs` here names it. Nothing was made.'
      : `${output.trimEnd()}\n\nnpm could not install the packages; its message is above. Nothing was made.`,
  )
}
