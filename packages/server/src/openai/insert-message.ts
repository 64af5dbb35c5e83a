/**
 * Puts a message into the `messages` of a request without touching any other byte of it: numbers keep their digits,
 * unknown fields their order, images their text. Parsing and writing it anew would not.
 *
 * @param request a JSON object whose `messages` is a list; it must have been parsed without error before.
 * @param index how many messages stand before the new one.
 * @param message JSON of the new one.
 * @example
 * insertMessage('{"messages":[{"role":"user"}], "seed":1.0}', 0, '{"role":"system"}')
 * // '{"messages":[{"role":"system"},{"role":"user"}], "seed":1.0}'
 */
export function insertMessage(request: string, index: number, message: string): string {
  const list = findMessages(request)
  let at = skipSpace(request, list + 1)
  if (request[at] === ']') return splice(request, at, message)
  for (let before = 0; before < index; before++) {
    const end = skipValue(request, at)
    const next = skipSpace(request, end)
    if (request[next] !== ',') return splice(request, end, `,${message}`)
    at = skipSpace(request, next + 1)
  }
  return splice(request, at, `${message},`)
}

function splice(text: string, at: number, piece: string): string {
  return `${text.slice(0, at)}${piece}${text.slice(at)}`
}

/** Where the list opens. Of several fields of that name the last one counts, as it does when parsed. */
function findMessages(request: string): number {
  let found = -1
  let at = skipSpace(request, skipSpace(request, 0) + 1)
  while (request[at] === '"') {
    const end = skipString(request, at)
    const name = JSON.parse(request.slice(at, end)) as string
    const value = skipSpace(request, skipSpace(request, end) + 1)
    if (name === 'messages') found = value
    at = skipSpace(request, skipValue(request, value))
    if (request[at] === ',') at = skipSpace(request, at + 1)
  }
  if (request[found] !== '[') throw new Error('The request has no list of messages.')
  return found
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

/** The place after a string that opens at `from`. Searches instead of stepping: images are megabytes of one string. */
function skipString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** The place after the value that begins at `from`. */
function skipValue(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const character = text[at]
    if (character === '"') {
      at = skipString(text, at)
      if (depth === 0) return at
      continue
    }
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      if (depth === 0) return at
      depth--
      if (depth === 0) return at + 1
    } else if (depth === 0 && (character === ',' || skipSpace(text, at) !== at)) return at
    at++
  }
  return at
}
