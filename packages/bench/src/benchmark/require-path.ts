import { EVERYDAY_FOLDER } from '../datasets/everyday.ts'
import { OptionError } from './options.ts'

/** Where data sets lie that ship with the harness; the others are brought. */
const SHIPPED: Readonly<Record<string, string>> = { everyday: EVERYDAY_FOLDER }

/**
 * The path of a data set: as it is given, else where it ships.
 *
 * @throws OptionError where it has to be given
 */
export function requirePath(dataset: string, given: string | undefined): string {
  const path = given ?? SHIPPED[dataset]
  if (path === undefined)
    throw new OptionError(`${dataset} does not ship with the harness: name its file or folder with --path.`)
  return path
}
