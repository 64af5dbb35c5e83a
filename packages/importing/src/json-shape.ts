import type { InputFile } from './input-file.ts'
import { JsonScanner, type JsonPath } from './scan-json.ts'

/** Paths of values near the start of a file of JSON, each place in a list as `[]`: `$[].mapping`, `$.messages[].role`. */
export type JsonShape = ReadonlySet<string>

/** A record looks like those that follow; the first few are enough. */
const RECORDS_READ = 5
const DEEPEST = 5
const ENOUGH_BYTES = 4 << 20

const known = new WeakMap<InputFile, JsonShape>()

/** What a file of JSON looks like, by its beginning; empty for what is no JSON. */
export function shapeOf(input: InputFile): JsonShape {
  const shape = known.get(input) ?? readShape(input)
  known.set(input, shape)
  return shape
}

function readShape(input: InputFile): JsonShape {
  const shape = new Set<string>()
  let roots = 0
  const scanner = new JsonScanner(input, (path) => {
    if (path.length === 0) roots += 1
    if (roots > RECORDS_READ || path.some((step) => typeof step === 'number' && step >= RECORDS_READ))
      return 'skip'
    shape.add(shapeText(path))
    return path.length < DEEPEST ? 'enter' : 'skip'
  })
  let bytes = 0
  try {
    for (const chunk of input.chunks()) {
      // Nothing is taken, so nothing is given: what is wanted are the paths that were asked about.
      for (const _ of scanner.read(chunk)) break
      bytes += chunk.length
      if (bytes >= ENOUGH_BYTES || roots > RECORDS_READ) break
    }
  } catch {
    // It is read up to where it is no JSON: the reader of its format says what is wrong there.
  }
  return shape
}

const shapeText = (path: JsonPath): string =>
  path.reduce<string>((text, step) => text + (typeof step === 'number' ? '[]' : `.${step}`), '$')
