import { fileURLToPath } from 'node:url'
import { readPackagedFile } from '@keepsake/text'

// Each file has an address of its own, written out, which bundlers and file tracers read. This module is as deep below the
// package as its bundle (dist/bundle/node), so the path is the same from both.
const FILES = {
  'arousal-emobank.json': new URL('../../../data/arousal-emobank.json', import.meta.url),
  'calibration-talk.json': new URL('../../../data/calibration-talk.json', import.meta.url),
} as const

/** Reads a JSON file of this package's `data` folder as text. @throws ModelError naming the file when it is not there. */
export function readPackagedText(name: keyof typeof FILES): string {
  return readPackagedFile(fileURLToPath(FILES[name])).toString('utf8')
}
