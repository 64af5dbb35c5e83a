import { z } from '@hono/zod-openapi'
import { NotFoundError, type Keepsake } from 'keepsake'
import { DownloadTickets } from '../../access/download-tickets.ts'
import { Problem } from '../../problem.ts'
import { json, stream } from '../describe-route.ts'
import { userRoute, serverRoute, type AddRoute } from '../add-route.ts'
import { momentSchema, nameSchema, scopeSchema, optionalParam } from '../schemas/fields.ts'

const LINES_TYPE = 'application/x-ndjson'

const written = {
  description: 'JSON lines, in the format of `keepsake export`.',
  example: '{"row":"keepsake-export","format":1,"tenant":"default","user":"ana"}\n',
}

const missedErasureSchema = z
  .object({
    id: z.string().describe('The id of the erasure, as in its receipt.'),
    at: momentSchema.describe('The time of the erasure.'),
    of: z.enum(['person', 'part']).describe('Whether it erased the whole user, or turns and memories.'),
    user: z.string(),
    tenant: z.string(),
    turns: z.number().int().describe('Number of erased turns that are stored again.'),
    memories: z
      .number()
      .int()
      .describe('Number of erased memories that are stored again, without those that depend on these turns.'),
  })
  .openapi('UnappliedErasure')

const importedSchema = z
  .object({
    scopes: z.array(scopeSchema),
    missedErasures: z
      .array(missedErasureSchema)
      .describe(
        'Data that was erased after the export was made, and that the import stored again; empty if there is none.',
      ),
  })
  .openapi('Imported')

const ticketSchema = z
  .object({
    ticket: z.string(),
    path: z.string().describe('The path of the link on this server.'),
    until: momentSchema,
  })
  .openapi('ExportTicket')

export const transferRoutes: readonly AddRoute[] = [
  userRoute('GET /export', {
    id: 'exportScope',
    tag: 'transfer',
    summary: 'Export a user',
    description:
      'The whole user as JSON lines, which an import restores exactly. If an export fails, the connection is closed before its end.',
    needs: 'read',
    wholeUser: true,
    query: {
      ticket: optionalParam(nameSchema, 'The ticket of `POST …/export/ticket`, instead of a key, for links.'),
    },
    answer: stream('JSON lines, as a stream.', LINES_TYPE, written),
    problems: [404],
    handle: async ({ c, memory, query: { ticket } }) => {
      const lines = memory.export()
      const first = await lines.next()
      if (first.done === true) throw new NotFoundError('scope', memory.key.user)
      return new Response(ReadableStream.from(piecesOf(first.value, lines, c.get('grant').id)), {
        headers: { 'Content-Type': LINES_TYPE, ...(ticket === undefined ? {} : asDownload(memory.key.user)) },
      })
    },
  }),
  userRoute('POST /export/ticket', {
    id: 'createExportTicket',
    tag: 'transfer',
    summary: 'Make a link that exports a user once',
    description:
      'For web pages, because a browser cannot send a key with a link to a download. The ticket opens this export once, within a minute.',
    needs: 'read',
    wholeUser: true,
    answer: json('The ticket.', ticketSchema),
    problems: [404],
    handle: async ({ deps, c, memory }) => {
      const { key } = memory
      const { ticket, until } = await new DownloadTickets(deps.keepsake, deps.now).issue(c.get('grant'), key)
      const query = new URLSearchParams({
        ...pathOf(key.user).query,
        tenant: key.tenant ?? 'default',
        ticket,
      })
      return {
        ticket,
        path: `/v1/scopes/${pathOf(key.user).name}/export?${query.toString()}`,
        until: new Date(until).toISOString(),
      }
    },
  }),
  serverRoute('POST /v1/import', {
    id: 'importScope',
    tag: 'transfer',
    summary: 'Import a user',
    description:
      'Imports a whole export or nothing, for the tenant and user in it. It is refused if that user already has data. The answer lists data that was erased after the export was made: `keepsake erasures --repeat` erases it again.',
    needs: 'admin',
    body: z.string().openapi(written),
    bodyType: LINES_TYPE,
    answer: json('The imported scopes.', importedSchema, 201),
    problems: [409, 507],
    handle: async ({ deps, c }) => {
      const scopes = z.array(scopeSchema).parse(await deps.keepsake.import(readLines(c.req.raw)))
      return { scopes, missedErasures: await listMissedErasures(deps.keepsake, scopes) }
    },
  }),
]

/** Lists the erasures of imported users that were made after the backup. */
async function listMissedErasures(
  keepsake: Keepsake,
  scopes: readonly z.output<typeof scopeSchema>[],
): Promise<z.input<typeof missedErasureSchema>[]> {
  const missed = await keepsake.erasuresSinceBackup()
  return missed.flatMap(({ at, user, tenant, ...otherFields }) => {
    if (user === null || tenant === null) return []
    const isImported = scopes.some((row) => row.user === user && row.tenant === tenant)
    return isImported ? [{ ...otherFields, at: new Date(at).toISOString(), user, tenant }] : []
  })
}

/** Returns path and query for a user. A path cannot hold the names `.` and `..`, so the query names these users. */
const pathOf = (user: string): { readonly name: string; readonly query: { readonly user?: string } } =>
  user === '.' || user === '..'
    ? { name: '%20', query: { user } }
    : { name: encodeURIComponent(user), query: {} }

/** Headers that forbid caching and save the answer as a file. */
function asDownload(user: string): Readonly<Record<string, string>> {
  const name = `${user.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_')}.jsonl`
  return {
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'Cache-Control': 'no-store',
  }
}

/** Minimum of characters of a piece of an export, except the first and last. */
const PIECE_SIZE = 32_768
/** The piece that is read for each key. Exports of one key wait for each other, so that together they cost others as much as one. */
const readingPieces = new Map<string, Promise<unknown>>()

/** Joins lines to pieces of bytes. A piece is read when it is requested. */
async function* piecesOf(
  first: string,
  rest: AsyncGenerator<string>,
  key: string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const readPiece = async (): Promise<string> => {
    let piece = ''
    while (piece.length < PIECE_SIZE) {
      const { done, value } = await rest.next()
      if (done === true) break
      piece += `${value}\n`
    }
    return piece
  }
  for (let piece = `${first}\n`; piece !== '';) {
    yield encoder.encode(piece)
    const previous = readingPieces.get(key) ?? Promise.resolve()
    const reading: Promise<string> = previous.then(readPiece, readPiece)
    readingPieces.set(key, reading)
    piece = await reading.finally(() => {
      if (readingPieces.get(key) === reading) readingPieces.delete(key)
    })
  }
}

/** Maximum length of a line: the longest turn with every character escaped, and the rest of its row. */
const MAX_LINE_LENGTH = 32 * 1024 * 1024

const IMPORT_TYPES = new Set([
  'application/x-ndjson',
  'application/jsonl',
  'application/json-lines',
  'text/plain',
])

/** Streams the lines of a request's body. @throws Problem 415; 400 and 413 while the body is read */
function readLines(request: Request): AsyncGenerator<string> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && !IMPORT_TYPES.has(type)) {
    throw new Problem(
      415,
      'unsupported-media-type',
      'Send an import as JSON lines: Content-Type application/x-ndjson.',
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
    if (rest.length > MAX_LINE_LENGTH)
      throw new Problem(
        413,
        'too-large',
        `A line of the import is longer than ${MAX_LINE_LENGTH} characters.`,
      )
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
