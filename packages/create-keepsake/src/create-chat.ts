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

/** Where the template serves, in every file of it that says so. */
const TEMPLATE_PORT = '4160'
const FILES_WITH_PORT = ['server.mjs', 'README.md']

/** What the chat is made with. */
export interface ChatSettings {
  /** A folder of Keepsake's packages, packed; `null`: they come from the registry. */
  readonly tarballs: string | null
  /** Where it serves whenever it is started; `null`: where the template does. */
  readonly port: number | null
}

/**
 * Makes the chat in a folder, and installs what it needs.
 *
 * @param folder made when missing; must be empty
 * @param say receives each step as a line of text; installing takes a while
 * @returns the folder, whole; without the packages there is none
 * @throws CreateError when the folder holds something, a tarball is missing, or npm fails.
 * @example
 * await createChat('my-chat', { tarballs: null, port: 4161 }, console.log)
 */
export async function createChat(
  folder: string,
  { tarballs, port }: ChatSettings,
  say: (line: string) => void,
): Promise<string> {
  const made = resolve(folder)
  const isThere = existsSync(made)
  if (isThere && readdirSync(made).length > 0)
    throw new CreateError(
      `The folder ${folder} is not empty. Use another name, such as \`npm create keepsake my-second-chat\`, or run \`npm start\` in it to start its chat.`,
    )
  const from = tarballs === null ? null : packagesIn(resolve(tarballs))
  cpSync(TEMPLATE, made, { recursive: true })
  // npm packs no .gitignore under its own name.
  renameSync(join(made, 'gitignore'), join(made, '.gitignore'))
  describe(made, from)
  if (port !== null) keepPort(made, port)
  say('Installing packages; this takes about half a minute …')
  try {
    await install(made, say)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (isThere) mkdirSync(made)
    throw error
  }
  return made
}

/** Writes the port into the chat's own files, so that it is the same when the chat is started again. */
function keepPort(made: string, port: number): void {
  for (const file of FILES_WITH_PORT) {
    const path = join(made, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(TEMPLATE_PORT, String(port)))
  }
}

interface Description {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** The package.json: named after its folder, its dependencies as the tarballs have them where these are given. */
function describe(made: string, from: ReadonlyMap<string, string> | null): void {
  const file = join(made, 'package.json')
  const description = JSON.parse(readFileSync(file, 'utf8')) as Description
  const name =
    basename(made)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'chat'
  const dependencies = { ...description.dependencies, ...Object.fromEntries(from ?? []) }
  const written = { ...description, name, dependencies }
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
}

/** Keepsake's packages in a folder of tarballs, by their names, with those that they depend on: npm would ask the registry for these. */
function packagesIn(folder: string): ReadonlyMap<string, string> {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const found = new Map<string, string>()
  for (const [name, start] of [
    ['keepsake', 'keepsake-'],
    ['@keepsake/models', 'keepsake-models-'],
    ['@keepsake/search', 'keepsake-search-'],
    ['@keepsake/text', 'keepsake-text-'],
  ] as const) {
    const file = files.find(
      (one) => one.startsWith(start) && /^\d[\d.]*.*\.tgz$/.test(one.slice(start.length)),
    )
    if (file === undefined)
      throw new CreateError(`There is no tarball of ${name} in ${folder}: run \`npm run pack\` in the clone.`)
    found.set(name, `file:${join(folder, file)}`)
  }
  return found
}

/** So often it is said that npm still works. */
const STILL_MS = 10_000

/** What npm prints is shown when it fails. */
async function install(made: string, say: (line: string) => void): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline']
  const child = spawn('npm', args, { cwd: made, shell: process.platform === 'win32' })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += String(data)))
  let seconds = 0
  const still = setInterval(() => say(`  … still installing, ${(seconds += STILL_MS / 1_000)} s`), STILL_MS)
  const code = await new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('close', settle)
  }).finally(() => clearInterval(still))
  if (code === 0) return
  // npm names the address with an escaped slash.
  const isUnpublished = /\bE404\b[^]*keepsake/.test(said)
  throw new CreateError(
    isUnpublished
      ? 'Keepsake’s packages are not on npm yet. Take them from a clone: `npm run pack` in it makes the folder tarballs, and `--from CLONE/tarballs` here names it. Nothing was made.'
      : `${said.trimEnd()}\n\nnpm could not install the packages; its message is above. Nothing was made.`,
  )
}
