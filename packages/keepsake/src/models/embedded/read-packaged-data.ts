import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ModelError } from '../../errors/model-error.ts'

/**
 * Where a file that ships with the package lies: the same seen from `src` and from `dist`.
 * @param module this module's own URL; given in tests.
 */
export function packagedDataPath(name: string, module: string | URL = import.meta.url): string {
  return fileURLToPath(new URL(`../../../data/${name}`, module))
}

/**
 * Reads one of the files that ship in the package's `data` folder.
 * @throws ModelError naming the file when it is not there, as after an incomplete install.
 */
export function readPackagedData(name: string): Buffer {
  const path = packagedDataPath(name)
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ModelError(`The packaged file ${path} cannot be read. Reinstall the package "keepsake".`, {
      cause,
      details: { file: name },
    })
  }
}
