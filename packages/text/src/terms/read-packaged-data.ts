import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { ModelError } from '../errors/model-error.ts'

// URLs of the packaged files. They are literal, so that bundlers and file tracers (Vite, webpack, Next's standalone output) find the files.
// The relative path is the same from `src` and from `dist`.
const PACKAGED_FILES = {
  'character-frequencies-zh.json': new URL('../../data/character-frequencies-zh.json', import.meta.url),
  'intents.json': new URL('../../data/intents.json', import.meta.url),
  'related-terms-en.bin': new URL('../../data/related-terms-en.bin', import.meta.url),
  'related-terms-zh.bin': new URL('../../data/related-terms-zh.bin', import.meta.url),
  'traditional-characters.json': new URL('../../data/traditional-characters.json', import.meta.url),
  'word-vectors-en.bin': new URL('../../data/word-vectors-en.bin', import.meta.url),
  'word-vectors-zh.bin': new URL('../../data/word-vectors-zh.bin', import.meta.url),
} as const

/** The name of a file in the package's `data` folder. */
type PackagedFile = keyof typeof PACKAGED_FILES

export function packagedDataPath(name: PackagedFile): string {
  return fileURLToPath(PACKAGED_FILES[name])
}

/** Reads a file in this package's `data` folder. @throws ModelError with the file's name when it is missing. */
export function readPackagedData(name: PackagedFile): Buffer {
  return readPackagedFile(packagedDataPath(name))
}

/** Reads a file that ships with a package. @throws ModelError with its name when it is missing */
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

/** Parses a packaged JSON file. @throws ModelError with its name when it does not fit the schema */
export function parsePackagedData<File>(name: string, text: string, schema: z.ZodType<File>): File {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw damagedData(name, cause)
  }
}

/** Creates the error for a damaged packaged file. */
export function damagedData(name: string, cause?: unknown): ModelError {
  return new ModelError(`The packaged file ${name} cannot be used. Reinstall the package "keepsake".`, {
    cause,
    details: { file: name },
  })
}
