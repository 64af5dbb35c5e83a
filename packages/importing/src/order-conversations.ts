import { unreadable } from './import-error.ts'
import type { InputFile } from './input-file.ts'
import { isObject, readSpan, type JsonObject } from './json-records.ts'
import { shapeOf } from './json-shape.ts'
import { scanJson, type Span } from './scan-json.ts'

/**
 * Locates an export's conversations and sorts them by age: exports begin with the newest, but later statements must be learned later.
 * Accepts a list, a single conversation, or `{"conversations": […]}`. Keeps only one conversation in memory at a time.
 *
 * @param began the start of a conversation, in milliseconds since 1970; `undefined` keeps its place
 */
export function conversationsInOrder(
  input: InputFile,
  began: (conversation: JsonObject, where: string) => number | undefined,
): Span[] {
  const found: { readonly span: Span; readonly at: number }[] = []
  const shape = shapeOf(input)
  let last = Number.NEGATIVE_INFINITY
  const spans = scanJson(input, (path, kind) => {
    if (path.length === 0) return kind === '[' || shape.has('$.conversations') ? 'enter' : 'take'
    if (path.length === 1 && path[0] === 'conversations') return 'enter'
    return typeof path.at(-1) === 'number' ? 'take' : 'skip'
  })
  for (const span of spans) {
    const { value, where } = readSpan(input, span)
    if (!isObject(value)) throw unreadable(`${where}: a conversation is a JSON object.`)
    last = began(value, where) ?? last
    found.push({ span, at: last })
  }
  return found.toSorted((one, other) => one.at - other.at).map(({ span }) => span)
}
