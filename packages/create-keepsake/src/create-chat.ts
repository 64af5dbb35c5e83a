import { spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Something that whoever called can mend; its message says what. */
export class CreateError extends Error {
  override readonly name = 'CreateError'
}

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url))

/**
 * Makes the chat in a folder, and installs what it needs.
 *
 * @param folder made when missing; must be empty
 * @param tarballs a folder of Keepsake's packages, packed; `null`: they come from the registry
 * @returns the folder, whole
 * @throws CreateError when the folder holds something, a tarball is missing, or npm fails.
 */
export async function createChat(folder: string, tarballs: string | null): Promise<string> {
  const made = resolve(folder)
  if (existsSync(made) && readdirSync(made).length > 0)
    throw new CreateError(`${folder} is not empty: name another folder, \`npm create keepsake my-chat\`.`)
  const from = tarballs === null ? null : packagesIn(resolve(tarballs))
  cpSync(TEMPLATE, made, { recursive: true })
  // npm packs no .gitignore under its own name.
  renameSync(join(made, 'gitignore'), join(made, '.gitignore'))
  describe(made, from)
  await install(made)
  return made
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
  const dependencies = Object.entries(description.dependencies).map(([name, range]) => [
    name,
    from?.get(name) ?? range,
  ])
  const written = { ...description, name, dependencies: Object.fromEntries(dependencies) as object }
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
}

/** Keepsake's packages in a folder of tarballs, by their names. */
function packagesIn(folder: string): ReadonlyMap<string, string> {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const found = new Map<string, string>()
  for (const [name, start] of [
    ['keepsake', 'keepsake-'],
    ['@keepsake/models', 'keepsake-models-'],
  ] as const) {
    const file = files.find(
      (one) => one.startsWith(start) && /^\d[\d.]*.*\.tgz$/.test(one.slice(start.length)),
    )
    if (file === undefined)
      throw new CreateError(
        `There is no tarball of ${name} in ${folder}: \`npm run pack\` in the clone makes them.`,
      )
    found.set(name, `file:${join(folder, file)}`)
  }
  return found
}

/** What npm prints is shown when it fails. */
async function install(made: string): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline']
  const child = spawn('npm', args, { cwd: made, shell: process.platform === 'win32' })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += String(data)))
  const code = await new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('close', settle)
  })
  if (code === 0) return
  throw new CreateError(
    `${said.trimEnd()}\n\nnpm could not install the chat; its words are above. It stands in ${made}.`,
  )
}
