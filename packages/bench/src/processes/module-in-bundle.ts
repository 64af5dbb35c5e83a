import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const BUNDLE = /^(file:.*\/packages\/[\w-]+\/)dist\/bundle\//
/** What stands above each module's part of a bundle. */
const HEADING = /^\/\/ (dist\/\S+\.js)$/

/** Of each bundle, by its address: the module that each line is of. */
const linesOf = new Map<string, readonly string[]>()

/**
 * The module that a line of one of our bundles was written as; any other file is itself.
 *
 * @param line counted from 0, as profiles do
 */
export function moduleInBundle(url: string, line: number): string {
  const root = BUNDLE.exec(url)?.[1]
  if (root === undefined) return url
  const known = linesOf.get(url)
  const modules = known ?? readModules(url, root)
  if (known === undefined) linesOf.set(url, modules)
  return modules[line] ?? url
}

function readModules(url: string, root: string): readonly string[] {
  const file = fileURLToPath(url)
  if (!existsSync(file)) return []
  let module = url
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      const path = HEADING.exec(line)?.[1]
      if (path !== undefined) module = `${root}${path}`
      return module
    })
}
