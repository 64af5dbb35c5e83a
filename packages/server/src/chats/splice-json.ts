/** Where something goes in a list of a request. */
export interface Insertion {
  /** The field that is the list. */
  readonly field: string
  /** How many items stand before the new one. */
  readonly index: number
  /** JSON of the new one. */
  readonly item: string
}

/**
 * Puts an item into a list of a request without touching any other byte of it: numbers keep their digits,
 * unknown fields their order, images their text. Parsing and rewriting it would not.
 *
 * @param request a JSON object whose field is a list; it must have been parsed without error before.
 * @example
 * insertIntoList('{"messages":[{"role":"user"}], "seed":1.0}', { field: 'messages', index: 0, item: '{"role":"system"}' })
 * // '{"messages":[{"role":"system"},{"role":"user"}], "seed":1.0}'
 */
export function insertIntoList(request: string, { field, index, item }: Insertion): string {
  const list = findField(request, field)
  if (list === null || request[list] !== '[') throw new Error(`The request has no list ${field}.`)
  let at = skipSpace(request, list + 1)
  if (request[at] === ']') return splice(request, at, item)
  for (let before = 0; before < index; before++) {
    const end = skipValue(request, at)
    const next = skipSpace(request, end)
    if (request[next] !== ',') return splice(request, end, `,${item}`)
    at = skipSpace(request, next + 1)
  }
  return splice(request, at, `${item},`)
}

/**
 * Gives a field of a request another value, or the request the field, without touching any other byte of it.
 *
 * @param request a JSON object; it must have been parsed without error before.
 * @param value JSON.
 * @example
 * setField('{"model":"m", "seed":1.0}', 'instructions', '"Be kind."')
 * // '{"instructions":"Be kind.","model":"m", "seed":1.0}'
 */
export function setField(request: string, field: string, value: string): string {
  const found = findField(request, field)
  if (found !== null) return splice(request, found, value, skipValue(request, found))
  const first = skipSpace(request, skipSpace(request, 0) + 1)
  const comma = request[first] === '}' ? '' : ','
  return splice(request, first, `${JSON.stringify(field)}:${value}${comma}`)
}

function splice(text: string, at: number, piece: string, to = at): string {
  return `${text.slice(0, at)}${piece}${text.slice(to)}`
}

/** Where a field's value begins; `null` where there is none. Of several fields of that name the last one counts, as it does when parsed. */
function findField(request: string, field: string): number | null {
  let found: number | null = null
  let at = skipSpace(request, skipSpace(request, 0) + 1)
  while (request[at] === '"') {
    const end = skipString(request, at)
    const name = JSON.parse(request.slice(at, end)) as string
    const value = skipSpace(request, skipSpace(request, end) + 1)
    if (name === field) found = value
    at = skipSpace(request, skipValue(request, value))
    if (request[at] === ',') at = skipSpace(request, at + 1)
  }
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
