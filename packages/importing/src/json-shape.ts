import type { InputFile } from './input-file.ts'
import { JsonScanner, type JsonPath } from './scan-json.ts'

/** Paths of values near the start of a JSON file, with lists as `[]`: `$[].mapping`, `$.messages[].role`. */
export type JsonShape = ReadonlySet<string>

/** Limits of what is read of a file. A few records suffice, since all records of a file have the same shape. */
const MAX_RECORDS = 5
const MAX_DEPTH = 5
const MAX_BYTES = 4 << 20

const shapes = new WeakMap<InputFile, JsonShape>()

/** Returns the JSON paths at a file's beginning, or an empty set for a file that is not JSON. */
export function shapeOf(input: InputFile): JsonShape {
  const shape = shapes.get(input) ?? readShape(input)
  shapes.set(input, shape)
  return shape
}

function readShape(input: InputFile): JsonShape {
  const shape = new Set<string>()
  let roots = 0
  const scanner = new JsonScanner(input, (path) => {
    if (path.length === 0) roots += 1
    if (roots > MAX_RECORDS || path.some((step) => typeof step === 'number' && step >= MAX_RECORDS))
      return 'skip'
    shape.add(shapeText(path))
    return path.length < MAX_DEPTH ? 'enter' : 'skip'
  })
  let bytes = 0
  try {
    for (const chunk of input.chunks()) {
      // The scanner takes no value, so this loop only runs it. The visited paths are what matters.
      for (const _ of scanner.read(chunk)) break
      bytes += chunk.length
      if (bytes >= MAX_BYTES || roots > MAX_RECORDS) break
    }
  } catch {
    // Ignores invalid JSON here, since the format's reader reports it.
  }
  return shape
}

const shapeText = (path: JsonPath): string =>
  path.reduce<string>((text, step) => text + (typeof step === 'number' ? '[]' : `.${step}`), '$')
