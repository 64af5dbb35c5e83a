// Reads the data files of this package.
import { fileURLToPath } from 'node:url'
import { readPackagedFile } from '@keepsake/text'

// Bundlers and file tracers find the files by these literal URLs. This module lies as deep below the package's folder as
// its bundle (dist/bundle/node), so the relative paths are the same in both.
const FILES = {
  'arousal-emobank.json': new URL('../../../data/arousal-emobank.json', import.meta.url),
  'calibration-talk.json': new URL('../../../data/calibration-talk.json', import.meta.url),
} as const

/** Reads a JSON file of this package's `data` folder as text. @throws ModelError with the file's name if it is missing */
export function readPackagedText(name: keyof typeof FILES): string {
  return readPackagedFile(fileURLToPath(FILES[name])).toString('utf8')
}
