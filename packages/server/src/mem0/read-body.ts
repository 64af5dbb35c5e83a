import type { z } from 'zod'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'

/** Fields of Mem0's that make no difference here, whatever they say. */
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

/** Fields of Mem0's that would make a difference and cannot be had, with what to do instead. */
const REFUSED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    expiration_date: 'Keepsake lets memories go by its preset’s retention, not by date',
    enable_graph: 'there is no graph of relations; facts about others are memories with a subject',
    immutable: 'every memory can be corrected here; pin it over REST to keep it from being forgotten',
    custom_categories: 'Keepsake makes no categories; keep them in metadata and filter by those',
    categories: 'Keepsake makes no categories; keep them in metadata and filter by those',
    custom_instructions: 'what is drawn from messages is the preset’s choice ("keepsake serve --preset")',
    agent_custom_instructions:
      'what is drawn from messages is the preset’s choice ("keepsake serve --preset")',
    custom_fact_extraction_prompt:
      'what is drawn from messages is the preset’s choice ("keepsake serve --preset")',
    prompt: 'what is drawn from messages is the preset’s choice ("keepsake serve --preset")',
    structured_data_schema: 'memories are plain statements here',
    includes: 'what is drawn from messages is the preset’s choice ("keepsake serve --preset")',
    excludes: 'what is drawn from messages is the preset’s choice ("keepsake serve --preset")',
    memory_type: 'procedural memories are not made here',
    deduced_memories: 'send messages, or a message each with infer: false',
  }),
)

/**
 * A request's body, read once at the boundary. Fields that Mem0 knows and Keepsake has no use for are left out; those that
 * would be expected to do something are refused, as is anything unknown.
 *
 * @throws Problem 400 naming the field.
 */
export async function readJsonBody<Output>(c: ServerRequest, schema: z.ZodType<Output>): Promise<Output> {
  return readFields(await parseJson(c), schema, 'body')
}

/** A request's query, likewise. */
export function readQuery<Output>(c: ServerRequest, schema: z.ZodType<Output>): Output {
  return readFields(c.req.query(), schema, 'query')
}

async function parseJson(c: ServerRequest): Promise<Record<string, unknown>> {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem(400, 'malformed-json', 'The body is not JSON. Nothing was changed.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw refuse('body', 'must be a JSON object')
}

function readFields<Output>(
  given: Readonly<Record<string, unknown>>,
  schema: z.ZodType<Output>,
  where: 'body' | 'query',
): Output {
  const asked = Object.entries(given).filter(
    ([key, value]) => !IGNORED.has(key) && !isLeftOut(key, value, where),
  )
  // Not by assignment: `__proto__` would be no field then.
  const fields: unknown = Object.fromEntries(asked)
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys')
    throw refuse([where, ...issue.path, issue.keys[0]].join('.'), 'is not known to this server')
  throw refuse([where, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'cannot be read')
}

/** Whether a field of Mem0's that cannot be had asks for nothing. @throws Problem 400 when it does. */
function isLeftOut(key: string, value: unknown, where: string): boolean {
  const refusal = REFUSED.get(key)
  if (refusal === undefined) return false
  if (isUnset(value)) return true
  throw refuse(`${where}.${key}`, `is not supported: ${refusal}`)
}

/** Nothing is asked for by it. */
function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** @returns the problem of a field, 400. */
export function refuse(field: string, problem: string): Problem {
  return new Problem(400, 'invalid-input', `${field}: ${problem}.`, { fields: [{ field, problem }] })
}
