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
  const path = resolve(folder)
  const existed = existsSync(path)
  if (existed && readdirSync(path).length > 0)
    throw new CreateError(
      `The folder ${folder} is not empty. Use another name, such as \`npm create keepsake my-second-chat\`, or run \`npm start\` in it to start its chat.`,
    )
  const tarballsByName = tarballs === null ? null : findTarballs(resolve(tarballs))
  cpSync(TEMPLATE, path, { recursive: true })
  // npm does not pack a file named .gitignore, so the template has another name for it.
  renameSync(join(path, 'gitignore'), join(path, '.gitignore'))
  writePackageJson(path, tarballsByName)
  if (port !== null) writePort(path, port)
  say('Installing packages; this takes about half a minute …')
  try {
    await install(path, say)
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    if (existed) mkdirSync(path)
    throw error
  }
  return path
}

/** Writes the port into the chat's files, so that every start uses it. */
function writePort(folder: string, port: number): void {
  for (const file of FILES_WITH_PORT) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(TEMPLATE_PORT, String(port)))
  }
}

interface PackageJson {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Names the package.json after its folder, and lets dependencies point to the tarballs if there are any. */
function writePackageJson(folder: string, tarballs: ReadonlyMap<string, string> | null): void {
  const file = join(folder, 'package.json')
  const template = JSON.parse(readFileSync(file, 'utf8')) as PackageJson
  const name =
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'chat'
  const dependencies = { ...template.dependencies, ...Object.fromEntries(tarballs ?? []) }
  const packageJson = { ...template, name, dependencies }
  writeFileSync(file, `${JSON.stringify(packageJson, null, 2)}\n`)
}

/** Beginnings of the tarballs' names, for the engine, the models and the packages that these depend on. */
const TARBALL_STARTS = {
  keepsake: 'keepsake-',
  '@keepsake/models': 'keepsake-models-',
  '@keepsake/search': 'keepsake-search-',
  '@keepsake/text': 'keepsake-text-',
}
/** Matches the rest of a tarball's name: the version. Without it, `keepsake-` would also find the tarballs of other packages. */
const VERSION_END = /^\d[\d.]*.*\.tgz$/

/** Finds all tarballs. A missing one is an error, because npm would load its package from the registry. */
function findTarballs(folder: string): ReadonlyMap<string, string> {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const found = new Map<string, string>()
  for (const [name, start] of Object.entries(TARBALL_STARTS)) {
    const file = files.find((file) => file.startsWith(start) && VERSION_END.test(file.slice(start.length)))
    if (file === undefined)
      throw new CreateError(`There is no tarball of ${name} in ${folder}: run \`npm run pack\` in the clone.`)
    found.set(name, `file:${join(folder, file)}`)
  }
  return found
}

/** Interval of the messages while npm works. */
const MESSAGE_INTERVAL_MS = 10_000

/** Installs the packages. @throws CreateError with npm's output if npm fails */
async function install(folder: string, say: (line: string) => void): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline']
  const child = spawn('npm', args, { cwd: folder, shell: process.platform === 'win32' })
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
  // E404 is npm's code for a package that the registry does not contain.
  const isUnpublished = /\bE404\b[^]*keepsake/.test(output)
  throw new CreateError(
    isUnpublished
      ? 'Keepsake’s packages are not on npm yet. Take them from a clone: `npm run pack` in it makes the folder tarballs, and `--from CLONE/tarballs` here names it. Nothing was made.'
      : `${output.trimEnd()}\n\nnpm could not install the packages; its message is above. Nothing was made.`,
  )
}
