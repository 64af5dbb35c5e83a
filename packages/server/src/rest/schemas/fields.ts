import { z } from '@hono/zod-openapi'
import { faultOfId } from '@keepsake/text/names'
import { InvalidInputError } from 'keepsake'
import { readMetadata, readMetadataFilter } from 'keepsake/store'

/** A parameter of a path or query, with what it means. */
export const param = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.openapi({ param: { description } })

/** A parameter that may be absent. */
export const optionalParam = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  param(schema.optional(), description)

/** The longest name or id that the engine takes. */
const LONGEST_NAME = 512

/** Whether a text has words. Every API refuses an empty turn or question; the library accepts it. */
export const saysSomething = (text: string): boolean => text.trim() !== ''

/** A name or id as the engine takes it: not blank, of bounded length. */
export const nameSchema = z
  .string()
  .max(LONGEST_NAME, `is longer than ${LONGEST_NAME} characters`)
  .refine(saysSomething, 'is blank: leave it out, or name something')

/** The id of a user, agent, app or session: none that looks like another. */
export const idSchema = nameSchema.superRefine((id, context) => {
  const message = faultOfId(id)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

/** Validates by the engine's own reader, and reports its errors with the field. */
function readBy<Value>(read: (value: unknown, what: string) => Value, what: string) {
  return z.unknown().transform((value, context): Value => {
    try {
      return read(value, what)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
      return z.NEVER
    }
  })
}

/** Fields and texts in metadata: each is masked by itself. */
const MOST_FIELDS = 500

/** Whether a value has more fields and texts in lists, at every level, than are taken. */
function hasTooManyFields(value: unknown): boolean {
  const inner = [value]
  let count = 0
  for (const schema of inner) {
    if (typeof schema === 'string' && (count += 1) > MOST_FIELDS) return true
    if (typeof schema !== 'object' || schema === null) continue
    if (!Array.isArray(schema) && (count += Object.keys(schema).length) > MOST_FIELDS) return true
    for (const next of Object.values(schema))
      if (typeof next === 'object' || Array.isArray(schema)) inner.push(next)
  }
  return false
}

export const metadataSchema = readBy((value, what) => {
  if (!hasTooManyFields(value)) return readMetadata(value, what)
  throw new InvalidInputError(
    `${what} has more than ${MOST_FIELDS} fields and texts. Keep large things elsewhere, and their address here.`,
  )
}, 'metadata').openapi({
  type: 'object',
  additionalProperties: true,
  description: 'What the application keeps with it, as JSON.',
  example: { topic: 'travel' },
})

export const whereSchema = readBy(readMetadataFilter, 'where').openapi({
  type: 'object',
  additionalProperties: true,
  description:
    'Only those whose metadata is meant: a condition on a field, `{path, is}`, with `is`, `in`, `exists`, `above`, `atLeast`, `below`, `atMost` or `contains`; or `{all: […]}`, `{any: […]}`, `{not: …}` of these.',
  example: { path: 'topic', is: 'travel' },
})

/** Metadata in answers. */
export const keptMetadataSchema = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('What the application keeps with it.')

/** A time in requests: ISO 8601 with an offset. */
export const timeSchema = z.iso
  .datetime({ offset: true, error: 'is no time in ISO 8601 with an offset, such as 2026-05-01T18:00:00Z' })
  .openapi({ format: 'date-time', example: '2026-05-01T18:00:00.000Z' })

/** A side of a span: a plain year, month or day, which is meant whole, or a time. */
const sideSchema = z
  .string()
  .refine(
    (text) => /^\d{4}(?:-\d{2}){0,2}$/.test(text) || timeSchema.safeParse(text).success,
    'is neither a day such as 2026-03-05 nor a time in ISO 8601 with an offset',
  )
  .openapi({ example: '2026-03-05' })

const SPAN = { from: sideSchema.optional(), to: sideSchema.optional() } as const
const namesASide = ({ from, to }: { from?: unknown; to?: unknown }): boolean =>
  from !== undefined || to !== undefined
const NO_SIDE = 'names neither from nor to: give one or both'

/** A span of time in a body. A side that is absent is open. */
export const spanSchema = z
  .strictObject(SPAN)
  .refine(namesASide, NO_SIDE)
  .openapi({
    description: 'A span, open on a side that is absent. A plain year, month or day is meant whole.',
    example: { from: '2026-03-01', to: '2026-03-31' },
  })

export const spanQuery = {
  from: optionalParam(sideSchema, 'Its beginning: a day, month, year or time.'),
  to: optionalParam(sideSchema, 'Its end, which belongs to it.'),
} as const

/** A span in a query as ISO 8601 writes intervals: `2026-03-01/2026-03-31`; an open side is `..` or empty. */
export const intervalSchema = z
  .string()
  .transform((text, context) => {
    const sides = text.split('/').map((side) => (side === '..' || side === '' ? undefined : side))
    const span = z.strictObject(SPAN).refine(namesASide).safeParse({ from: sides[0], to: sides[1] })
    if (sides.length === 2 && span.success) return span.data
    const message = 'is no span: write 2026-03-01/2026-03-31, with .. for an open side'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .openapi({ type: 'string', example: '2026-03-01/2026-03-31' })

/** A time zone that this Node knows. */
export const timeZoneSchema = nameSchema
  .refine(isTimeZone, 'is no time zone: give an IANA name such as Europe/Paris, or an offset such as +02:00')
  .openapi({ example: 'Europe/Paris' })

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const momentSchema = z.string().openapi({ format: 'date-time', example: '2026-05-01T18:00:00.000Z' })

/** A named part or null. Plain `.nullable()` on a named part would make the document depend on the order of its uses. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()])
}

export function wholeNumber(min: number, max: number) {
  const problem = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, problem)
    .transform(Number)
    .refine((number) => number >= min && number <= max, problem)
    .openapi({ type: 'integer', minimum: min, maximum: max })
}

/** `true` or `false` in a query. */
export const flagSchema = z
  .enum(['true', 'false'])
  .transform((flag) => flag === 'true')
  .openapi({ type: 'boolean' })

/** A repeatable query parameter, each one of the words. */
export function anyOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(z.enum(words)))
    .openapi({ type: 'array', items: { type: 'string', enum: [...words] } })
}

/** A repeatable query parameter, each a name or an id. */
export const someNames = z
  .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(nameSchema).max(200))
  .openapi({ type: 'array', items: { type: 'string' } })

export const scopeSchema = z
  .object({ tenant: z.string(), user: z.string(), agent: z.string().nullable(), app: z.string().nullable() })
  .openapi('Scope', { description: 'Whose memory it is.' })

/** The sent form of an error: problem+json (RFC 9457), with the invalid fields. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong and what to do.'),
    code: z.string().describe('For programs: stable, kebab-case.'),
    request: z.string().describe('The request’s id, as in `X-Request-Id` and the server’s log.'),
    fields: z
      .array(
        z.object({
          field: z.string().describe('Where: `body.turns.0.text`, `query.limit`, `path.user`.'),
          problem: z.string(),
        }),
      )
      .optional(),
  })
  .openapi('Problem')
