import { z } from '@hono/zod-openapi'
import { faultOfId } from '@keepsake/text/names'
import { InvalidInputError } from 'keepsake'
import { readMetadata, readMetadataFilter } from 'keepsake/store'

/** Describes a parameter of a path or query. */
export const param = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.openapi({ param: { description } })

/** Describes a parameter that may be absent. */
export const optionalParam = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  param(schema.optional(), description)

/** Maximum length of a name or id in the engine. */
const MAX_NAME_LENGTH = 512

/** Whether a text is not blank. Every API refuses a blank turn or question, which the library accepts. */
export const saysSomething = (text: string): boolean => text.trim() !== ''

/** A name or id: not blank, and of limited length. */
export const nameSchema = z
  .string()
  .max(MAX_NAME_LENGTH, `is longer than ${MAX_NAME_LENGTH} characters`)
  .refine(saysSomething, 'is blank: leave it out, or pass a name')

/** The id of a user, agent, app or session. It has no characters that make it look like another id. */
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

/** Maximum of fields and texts in metadata. The limit bounds the work, because secrets are masked in each. */
const MAX_FIELDS = 500

/** Whether a value has too many fields of objects and texts in lists, at all levels together. */
function hasTooManyFields(value: unknown): boolean {
  // The loop also visits the values that it adds.
  const values = [value]
  let count = 0
  for (const current of values) {
    const isList = Array.isArray(current)
    if (typeof current === 'string') count += 1
    else if (typeof current === 'object' && current !== null) {
      if (!isList) count += Object.keys(current).length
      // A text in a field is counted as the field.
      for (const inner of Object.values(current)) if (typeof inner === 'object' || isList) values.push(inner)
    }
    if (count > MAX_FIELDS) return true
  }
  return false
}

export const metadataSchema = readBy((value, what) => {
  if (!hasTooManyFields(value)) return readMetadata(value, what)
  throw new InvalidInputError(
    `${what} has more than ${MAX_FIELDS} fields and texts. Store large data elsewhere, and its address here.`,
  )
}, 'metadata').openapi({
  type: 'object',
  additionalProperties: true,
  description: 'Data that the application stores with it, as JSON.',
  example: { topic: 'travel' },
})

export const whereSchema = readBy(readMetadataFilter, 'where').openapi({
  type: 'object',
  additionalProperties: true,
  description:
    'Only memories whose metadata meets the condition: `{path, is}`, with `is`, `in`, `exists`, `above`, `atLeast`, `below`, `atMost` or `contains`; or `{all: […]}`, `{any: […]}`, `{not: …}` of conditions.',
  example: { path: 'topic', is: 'travel' },
})

/** Metadata in answers. */
export const keptMetadataSchema = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('Data that the application stores with it.')

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

const SPAN_FIELDS = { from: sideSchema.optional(), to: sideSchema.optional() } as const
const namesSide = ({ from, to }: { from?: unknown; to?: unknown }): boolean =>
  from !== undefined || to !== undefined
const NO_SIDE_MESSAGE = 'has neither from nor to: pass one or both'

/** A span of time in a body. A side that is absent is open. */
export const spanSchema = z
  .strictObject(SPAN_FIELDS)
  .refine(namesSide, NO_SIDE_MESSAGE)
  .openapi({
    description: 'A time span. An absent side is open. A plain year, month or day counts as a whole.',
    example: { from: '2026-03-01', to: '2026-03-31' },
  })

export const spanQuery = {
  from: optionalParam(sideSchema, 'The beginning of the time span: a day, month, year or time.'),
  to: optionalParam(sideSchema, 'The end of the time span, which is included.'),
} as const

/** A span in a query as ISO 8601 writes intervals: `2026-03-01/2026-03-31`; an open side is `..` or empty. */
export const intervalSchema = z
  .string()
  .transform((text, context) => {
    const sides = text.split('/').map((side) => (side === '..' || side === '' ? undefined : side))
    const span = z.strictObject(SPAN_FIELDS).refine(namesSide).safeParse({ from: sides[0], to: sides[1] })
    if (sides.length === 2 && span.success) return span.data
    const message = 'is no span: write 2026-03-01/2026-03-31, with .. for an open side'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .openapi({ type: 'string', example: '2026-03-01/2026-03-31' })

/** A time zone that this Node knows. */
export const timeZoneSchema = nameSchema
  .refine(isTimeZone, 'is no time zone: pass an IANA name such as Europe/Paris, or an offset such as +02:00')
  .openapi({ example: 'Europe/Paris' })

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A time in answers. */
export const momentSchema = z.string().openapi({ format: 'date-time', example: '2026-05-01T18:00:00.000Z' })

/** Allows `null` besides a named schema. With `.nullable()` the OpenAPI document would depend on the order of the schema's uses. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()])
}

/** A whole number in a query. */
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

/** A repeatable query parameter. Each value is one of the words. */
export function anyOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(z.enum(words)))
    .openapi({ type: 'array', items: { type: 'string', enum: [...words] } })
}

/** A repeatable query parameter. Each value is a name or an id. */
export const someNames = z
  .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(nameSchema).max(200))
  .openapi({ type: 'array', items: { type: 'string' } })

export const scopeSchema = z
  .object({ tenant: z.string(), user: z.string(), agent: z.string().nullable(), app: z.string().nullable() })
  .openapi('Scope', { description: 'The scope of a memory.' })

/** The sent form of an error: problem+json (RFC 9457), with the invalid fields. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('The problem, and what to do.'),
    code: z.string().describe('A stable name for programs, in kebab-case.'),
    request: z.string().describe('The request’s id, as in `X-Request-Id` and the server’s log.'),
    fields: z
      .array(
        z.object({
          field: z.string().describe('The invalid field: `body.turns.0.text`, `query.limit`, `path.user`.'),
          problem: z.string(),
        }),
      )
      .optional(),
  })
  .openapi('Problem')
