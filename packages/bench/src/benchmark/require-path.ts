import { EVERYDAY_FOLDER } from '../datasets/everyday.ts'
import { OptionError } from './options.ts'

/** Data sets that ship with the harness; others must be given. */
const SHIPPED: Readonly<Record<string, string>> = { everyday: EVERYDAY_FOLDER }

/**
 * The path of a data set: as given, or where it ships.
 *
 * @throws OptionError where it must be given
 */
export function requirePath(dataset: string, given: string | undefined): string {
  const path = given ?? SHIPPED[dataset]
  if (path === undefined)
    throw new OptionError(`${dataset} does not ship with the harness: name its file or folder with --path.`)
  return path
}
