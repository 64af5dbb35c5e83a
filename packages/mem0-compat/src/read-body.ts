import { parseJson, Problem, type ServerRequest } from '@keepsake/server'
import { z } from 'zod'

/** Formats a problem for Mem0's clients: the hosted service has `error`, the self-hosted server `detail`. */
export function mem0ErrorResponse({ message, code, fields, status, retryAfter }: Problem): Response {
  const headers = new Headers()
  if (retryAfter !== null) headers.set('retry-after', String(retryAfter))
  const fieldProblems = fields.length === 0 ? {} : { fields }
  return Response.json({ error: message, detail: message, code, ...fieldProblems }, { status, headers })
}

/** Mem0's fields that this server accepts and ignores. */
const IGNORED = new Set([
  'org_id',
  'project_id',
  'org_name',
  'project_name',
  'output_format',
  'version',
  'api_version',
  'source',
  'rerank',
  'keyword_search',
  'filter_memories',
  'fields',
])

const CHOSEN_BY_PRESET = 'the preset decides what is extracted from messages ("keepsake serve --preset")'
const NO_CATEGORIES = 'categories are set when the server is started ("keepsake serve --guidelines FILE")'
/** Mem0's fields that this server refuses, each with an alternative. To ignore them would change the result. */
const REFUSED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    expiration_date: 'the preset’s retention decides when memories are forgotten, not a date',
    enable_graph: 'there is no graph of relations; facts about other people are memories with a subject',
    immutable: 'every memory can be corrected; to protect one from forgetting, pin it over REST',
    categories: NO_CATEGORIES,
    agent_custom_instructions: CHOSEN_BY_PRESET,
    custom_fact_extraction_prompt: CHOSEN_BY_PRESET,
    prompt: CHOSEN_BY_PRESET,
    structured_data_schema: 'all memories are plain statements',
    memory_type: 'Keepsake makes no procedural memories',
    deduced_memories: 'send messages, or a message each with infer: false',
  }),
)

/** Reads a body. Drops Mem0's fields without effect; refuses unsupported and unknown ones. @throws Problem 400 */
export async function readJsonBody<Output>(c: ServerRequest, schema: z.ZodType<Output>): Promise<Output> {
  return readFields(await readObject(c), schema, 'body')
}

/** Reads a request's query in the same way. */
export function readQuery<Output>(c: ServerRequest, schema: z.ZodType<Output>): Output {
  return readFields(c.req.query(), schema, 'query')
}

async function readObject(c: ServerRequest): Promise<Readonly<Record<string, unknown>>> {
  const text = await c.req.text()
  const value = text.trim() === '' ? {} : parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw refuse('body', 'must be a JSON object')
}

function readFields<Output>(
  input: Readonly<Record<string, unknown>>,
  schema: z.ZodType<Output>,
  where: 'body' | 'query',
): Output {
  const relevant = Object.entries(input).filter(
    ([key, value]) => value !== null && !IGNORED.has(key) && !isUnsetUnsupported(key, value, where),
  )
  // Assignments would lose a field named `__proto__`, which must be refused.
  const fields: unknown = Object.fromEntries(relevant)
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys')
    throw refuse([where, ...issue.path, issue.keys[0]].join('.'), 'is not known to this server')
  throw refuse([where, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'cannot be read')
}

/** Whether a field is unsupported and requests nothing. @throws Problem 400 for an unsupported field that requests something */
function isUnsetUnsupported(key: string, value: unknown, where: string): boolean {
  const refusal = REFUSED.get(key)
  if (refusal === undefined) return false
  if (isUnset(value)) return true
  throw refuse(`${where}.${key}`, `is not supported: ${refusal}`)
}

/** Whether a value requests nothing. */
function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Returns the problem of a field, with status 400. */
export function refuse(field: string, problem: string, detail = `${field}: ${problem}.`): Problem {
  return new Problem(400, 'invalid-input', detail, { fields: [{ field, problem }] })
}

interface Mem0Page<Entry> {
  readonly count: number
  /** URLs; `null` at the ends. */
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Entry[]
}

/** The requested page of 100 items. Default: 1. */
interface PageRequest {
  readonly page?: number | null | undefined
  readonly pageSize?: number | null | undefined
}

const DEFAULT_PAGE_SIZE = 100
const MAX_PAGE_SIZE = 1_000

const NUMBER_PROBLEM = 'must be a whole number from 1'

export function wholeNumber(max: number) {
  return z.coerce
    .number(NUMBER_PROBLEM)
    .int(NUMBER_PROBLEM)
    .min(1, NUMBER_PROBLEM)
    .max(max, `must be at most ${max}`)
}

export const pageSchema = z.strictObject({
  page: wholeNumber(1_000_000).optional(),
  page_size: wholeNumber(MAX_PAGE_SIZE).optional(),
})

/** Reads the requested page. @throws Problem 400 */
export function readPage(c: ServerRequest): PageRequest {
  const { page, page_size: pageSize } = readQuery(c, pageSchema)
  return { page, pageSize }
}

/** Returns the requested page of a list in Mem0's form, with the addresses of the next and the previous page. */
export function pageOf<Entry>(
  c: ServerRequest,
  all: readonly Entry[],
  { page: requestedPage, pageSize }: PageRequest,
): Mem0Page<Entry> {
  const page = requestedPage ?? 1
  const size = pageSize ?? DEFAULT_PAGE_SIZE
  const last = Math.max(1, Math.ceil(all.length / size))
  const addressOf = (number: number): string => {
    const address = new URL(c.req.url)
    address.searchParams.set('page', String(number))
    address.searchParams.set('page_size', String(size))
    return address.href
  }
  return {
    count: all.length,
    next: page < last ? addressOf(page + 1) : null,
    previous: page > 1 ? addressOf(Math.min(page - 1, last)) : null,
    results: all.slice((page - 1) * size, page * size),
  }
}
