import { Problem } from '../problem.ts'

/** The longest line taken: the longest turn there is, with every character escaped, and room for the rest of its row. */
const LONGEST_LINE = 32 * 1024 * 1024

const TYPES = new Set(['application/x-ndjson', 'application/jsonl', 'application/json-lines', 'text/plain'])

/**
 * The lines of a request's body, as they come.
 *
 * @throws Problem 415 for another media type; 400 `malformed-utf8` and 413 while it reads.
 */
export function readLines(request: Request): AsyncGenerator<string> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && !TYPES.has(type)) {
    throw new Problem(
      415,
      'unsupported-media-type',
      'An import is sent as JSON lines: Content-Type application/x-ndjson.',
    )
  }
  return splitLines(request.body)
}

async function* splitLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
    const lines = `${rest}${decode(() => decoder.decode(bytes, { stream: true }))}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE)
      throw new Problem(413, 'too-large', `A line of the import is longer than ${LONGEST_LINE} characters.`)
    yield* lines
  }
  rest += decode(() => decoder.decode())
  if (rest !== '') yield rest
}

function decode(read: () => string): string {
  try {
    return read()
  } catch (cause) {
    throw new Problem(400, 'malformed-utf8', 'The body is not UTF-8. Nothing was imported.', { cause })
  }
}
