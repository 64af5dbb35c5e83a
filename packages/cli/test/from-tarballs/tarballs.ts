import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packedOnce } from '../../../../scripts/package/packed-once.mjs'
import { temporaryFolder } from '../../src/testing/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/

/** What would be published, packed as it is built, and a place for projects of somebody's. */
export class Tarballs {
  readonly folder = temporaryFolder()
  readonly tarballs = packedOnce()

  /** A tarball, by its package's name. */
  of(name: string): string {
    const start = name.replace(/^@/, '').replace('/', '-')
    const found = readdirSync(this.tarballs).find((file) => new RegExp(`^${start}-\\d`).test(file))
    if (found === undefined) throw new Error(`there is no tarball of ${name}`)
    return join(this.tarballs, found)
  }

  /** A copy of an example in a folder of its own, as a reader would have it. */
  copy(example: string): string {
    const project = join(this.folder, example)
    cpSync(join(ROOT, 'examples', example), project, {
      recursive: true,
      filter: (path) => !/node_modules|\.next|\.db/.test(path),
    })
    return project
  }

  /** Installs a project, what is Keepsake's from the tarballs. @returns why not, where no registry can be reached; `null` when it is done */
  install(project: string): string | null {
    const ours = [...oursIn(join(project, 'package.json'), new Set())]
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      ...ours.map((name) => this.of(name)),
    ]
    const done = spawnSync('npm', args, { cwd: project, encoding: 'utf8' })
    if (done.status === 0) return null
    if (UNREACHABLE.test(done.stderr)) return 'no package registry can be reached'
    throw new Error(done.stdout + done.stderr)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

interface Dependent {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Keepsake's packages that a package needs, and those that these need. */
function oursIn(description: string, found: Set<string>): ReadonlySet<string> {
  const { dependencies = {} } = JSON.parse(readFileSync(description, 'utf8')) as Dependent
  for (const name of Object.keys(dependencies)) {
    if (!/^(@keepsake\/|keepsake$)/.test(name) || found.has(name)) continue
    found.add(name)
    oursIn(join(ROOT, 'packages', name.replace('@keepsake/', ''), 'package.json'), found)
  }
  return found
}
