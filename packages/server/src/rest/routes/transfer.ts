import { z } from '@hono/zod-openapi'
import { NotFoundError } from 'keepsake'
import { Problem } from '../../problem.ts'
import { json, stream } from '../describe-route.ts'
import { personRoute, serverRoute, type AddRoute } from '../add-route.ts'
import { scopeSchema } from '../schemas/fields.ts'

const LINES = 'application/x-ndjson'

const written = {
  description: 'JSON lines, in the format of `keepsake export`.',
  example: '{"row":"keepsake-export","format":1,"tenant":"default","user":"ana"}\n',
}

const importedSchema = z.object({ scopes: z.array(scopeSchema) }).openapi('Imported', {
  example: { scopes: [{ tenant: 'default', user: 'ana', agent: null, app: null }] },
})

export const transferRoutes: readonly AddRoute[] = [
  personRoute('GET /export', {
    id: 'exportScope',
    tag: 'transfer',
    summary: 'Export a person',
    description:
      'The whole person as JSON lines, which an import reads back exactly. An export that breaks off ends the connection before its end.',
    needs: 'read',
    wholePerson: true,
    answer: stream('JSON lines, as they are read.', LINES, written),
    problems: [404],
    handle: async ({ memory }) => {
      const lines = memory.export()
      const first = await lines.next()
      if (first.done === true) throw new NotFoundError('scope', memory.key.user)
      return new Response(ReadableStream.from(bytesOf(first.value, lines)), {
        headers: { 'Content-Type': LINES },
      })
    },
  }),
  serverRoute('POST /v1/import', {
    id: 'importScope',
    tag: 'transfer',
    summary: 'Import a person',
    description:
      'Reads an export back, all or none, under the tenant and user it carries. Refused when that person has rows already.',
    needs: 'admin',
    body: z.string().openapi(written),
    bodyType: LINES,
    answer: json('The scopes that were made.', importedSchema, 201),
    problems: [409, 507],
    handle: async ({ deps, c }) => ({
      scopes: z.array(scopeSchema).parse(await deps.keepsake.import(readLines(c.req.raw))),
    }),
  }),
]

/** Lines as bytes, each read when it is asked for. */
async function* bytesOf(first: string, rest: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`${first}\n`)
  for await (const line of rest) yield encoder.encode(`${line}\n`)
}

/** The longest line taken: the longest turn there is, with every character escaped, and room for the rest of its row. */
const LONGEST_LINE = 32 * 1024 * 1024

const TYPES = new Set(['application/x-ndjson', 'application/jsonl', 'application/json-lines', 'text/plain'])

/**
 * The lines of a request's body, as they come.
 *
 * @throws Problem 415 for another media type; 400 `malformed-utf8` and 413 while it reads.
 */
function readLines(request: Request): AsyncGenerator<string> {
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
