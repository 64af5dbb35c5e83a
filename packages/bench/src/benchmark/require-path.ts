import { EVERYDAY_FOLDER } from '../datasets/everyday.ts'
import { OptionError } from './options.ts'

/** Paths of the data sets that ship with the harness. */
const SHIPPED_PATHS: Readonly<Record<string, string>> = { everyday: EVERYDAY_FOLDER }

/** Returns the path of the options, or of a data set that ships. @throws OptionError without either */
export function requirePath(dataset: string, namedPath: string | undefined): string {
  const path = namedPath ?? SHIPPED_PATHS[dataset]
  if (path === undefined)
    throw new OptionError(`${dataset} is not shipped with the harness: name its file or folder with --path.`)
  return path
}
