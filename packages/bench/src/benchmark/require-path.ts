import { EVERYDAY_FOLDER } from '../datasets/everyday.ts'
import { OptionError } from './options.ts'

/** Data sets that ship with the harness; others must be given. */
const SHIPPED: Readonly<Record<string, string>> = { everyday: EVERYDAY_FOLDER }

/**
 * Returns the given path of a data set, or the path where it ships.
 *
 * @throws OptionError where it must be given
 */
export function requirePath(dataset: string, given: string | undefined): string {
  const path = given ?? SHIPPED[dataset]
  if (path === undefined)
    throw new OptionError(`${dataset} does not ship with the harness: name its file or folder with --path.`)
  return path
}
