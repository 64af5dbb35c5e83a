import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
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

/**
 * What the text of a packaged JSON file says.
 * @throws ModelError naming the file when it is not of that shape.
 */
export function parsePackagedData<File>(name: string, text: string, schema: z.ZodType<File>): File {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw damagedData(name, cause)
  }
}

/** The error for a packaged file that is there, but not as it was made. */
export function damagedData(name: string, cause?: unknown): ModelError {
  return new ModelError(`The packaged file ${name} cannot be used. Reinstall the package "keepsake".`, {
    cause,
    details: { file: name },
  })
}
