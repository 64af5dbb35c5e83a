import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { ModelError } from '../errors/model-error.ts'

// Each file has an address of its own, written out: bundlers and file tracers (Vite, webpack, Next's standalone output) find
// the files of a program by these literals. The path is the same from `src` and from `dist`.
const PACKAGED_FILES = {
  'character-frequencies-zh.json': new URL('../../data/character-frequencies-zh.json', import.meta.url),
  'related-terms-en.bin': new URL('../../data/related-terms-en.bin', import.meta.url),
  'related-terms-zh.bin': new URL('../../data/related-terms-zh.bin', import.meta.url),
  'updater-weights.json': new URL('../../data/updater-weights.json', import.meta.url),
  'word-vectors-en.bin': new URL('../../data/word-vectors-en.bin', import.meta.url),
  'word-vectors-zh.bin': new URL('../../data/word-vectors-zh.bin', import.meta.url),
} as const

/** The name of a file in the package's `data` folder. */
export type PackagedFile = keyof typeof PACKAGED_FILES

/** Where a file that ships with the package lies. */
export function packagedDataPath(name: PackagedFile): string {
  return fileURLToPath(PACKAGED_FILES[name])
}

/** Reads one of the files in this package's `data` folder. @throws ModelError naming the file when it is not there. */
export function readPackagedData(name: PackagedFile): Buffer {
  return readPackagedFile(packagedDataPath(name))
}

/** Reads a file that ships with a package. @throws ModelError naming the file when it is not there, as after an incomplete install. */
export function readPackagedFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ModelError(
      `The packaged file ${path} cannot be read. Reinstall the package "keepsake", or, in a bundle, keep that package outside it (docs/quickstart.md).`,
      { cause, details: { file: basename(path) } },
    )
  }
}

/**
 * Parses the text of a packaged JSON file.
 * @throws ModelError naming the file when it is not of that shape.
 */
export function parsePackagedData<File>(name: string, text: string, schema: z.ZodType<File>): File {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw damagedData(name, cause)
  }
}

/** Makes the error for a packaged file that exists but is damaged. */
export function damagedData(name: string, cause?: unknown): ModelError {
  return new ModelError(`The packaged file ${name} cannot be used. Reinstall the package "keepsake".`, {
    cause,
    details: { file: name },
  })
}
