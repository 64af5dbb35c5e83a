import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { ModelError } from '../../errors/model-error.ts'

// Each name stands in an address of its own, written out: bundlers and tracers of files (Vite, webpack, Next's standalone
// output) find what belongs to a program by reading these very words. The way is the same seen from `src` and from `dist`.
const PACKAGED_FILES = {
  'arousal-emobank.json': new URL('../../../data/arousal-emobank.json', import.meta.url),
  'calibration-talk.json': new URL('../../../data/calibration-talk.json', import.meta.url),
  'character-frequencies-zh.json': new URL('../../../data/character-frequencies-zh.json', import.meta.url),
  'related-terms-en.bin': new URL('../../../data/related-terms-en.bin', import.meta.url),
  'related-terms-zh.bin': new URL('../../../data/related-terms-zh.bin', import.meta.url),
  'signal-calibration.json': new URL('../../../data/signal-calibration.json', import.meta.url),
  'updater-weights.json': new URL('../../../data/updater-weights.json', import.meta.url),
  'word-vectors-en.bin': new URL('../../../data/word-vectors-en.bin', import.meta.url),
  'word-vectors-zh.bin': new URL('../../../data/word-vectors-zh.bin', import.meta.url),
} as const

/** The name of a file in the package's `data` folder. */
export type PackagedFile = keyof typeof PACKAGED_FILES

/** Where a file that ships with the package lies. */
export function packagedDataPath(name: PackagedFile): string {
  return fileURLToPath(PACKAGED_FILES[name])
}

/**
 * Reads one of the files that ship in the package's `data` folder.
 * @param path where it lies; given in tests.
 * @throws ModelError naming the file when it is not there, as after an incomplete install.
 */
export function readPackagedData(name: PackagedFile, path: string = packagedDataPath(name)): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ModelError(
      `The packaged file ${path} cannot be read. Reinstall the package "keepsake", or, in a bundle, keep that package outside it (docs/install.md).`,
      { cause, details: { file: name } },
    )
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
