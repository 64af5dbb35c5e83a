import { unreadable } from './import-error.ts'
import type { InputFile } from './input-file.ts'
import { isObject, readSpan, type JsonObject } from './json-records.ts'
import { shapeOf } from './json-shape.ts'
import { scanJson, type Span } from './scan-json.ts'

/** Locates conversations and sorts them oldest first, since facts must be learned in order of time. Only one is in memory at a time. */
export function conversationsInOrder(
  input: InputFile,
  readStart: (conversation: JsonObject, where: string) => number | undefined,
): Span[] {
  const conversations: { readonly span: Span; readonly at: number }[] = []
  const shape = shapeOf(input)
  // A conversation without a time is placed after the one before it in the file.
  let last = Number.NEGATIVE_INFINITY
  const spans = scanJson(input, (path, kind) => {
    if (path.length === 0) return kind === '[' || shape.has('$.conversations') ? 'enter' : 'take'
    if (path.length === 1 && path[0] === 'conversations') return 'enter'
    return typeof path.at(-1) === 'number' ? 'take' : 'skip'
  })
  for (const span of spans) {
    const { value, where } = readSpan(input, span)
    if (!isObject(value)) throw unreadable(`${where}: a conversation is a JSON object.`)
    last = readStart(value, where) ?? last
    conversations.push({ span, at: last })
  }
  return conversations.toSorted((left, right) => left.at - right.at).map(({ span }) => span)
}
