import type { InputFile } from './input-file.ts'
import { JsonScanner, type JsonPath } from './scan-json.ts'

/** Paths of values near the start of a JSON file, with lists as `[]`: `$[].mapping`, `$.messages[].role`. */
export type JsonShape = ReadonlySet<string>

/** The first records reveal the shape of the rest. */
const RECORDS_READ = 5
const DEEPEST = 5
const ENOUGH_BYTES = 4 << 20

const known = new WeakMap<InputFile, JsonShape>()

/** Returns the JSON paths at a file's beginning; an empty set for a file that is not JSON. */
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
      // No value is returned, since only the visited paths matter.
      for (const _ of scanner.read(chunk)) break
      bytes += chunk.length
      if (bytes >= ENOUGH_BYTES || roots > RECORDS_READ) break
    }
  } catch {
    // Read up to the first error, which the format's reader reports.
  }
  return shape
}

const shapeText = (path: JsonPath): string =>
  path.reduce<string>((text, step) => text + (typeof step === 'number' ? '[]' : `.${step}`), '$')
