import { z } from 'zod'

// Schemas for the fields of services' answers. An unusual value counts as absent, so that no service scores lower because of its form.

/** An id, as a text or a number. Empty when there is none: the harness then gives it one. */
export const idField = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((id) => String(id ?? ''))

/** A text. Empty when there is none. */
export const textField = z
  .unknown()
  .optional()
  .transform((text) => (typeof text === 'string' || typeof text === 'number' ? String(text) : ''))

/** A score: a number, or one written as text; `null` for anything else. */
export const scoreField = z
  .unknown()
  .optional()
  .transform((score) => {
    const number = typeof score === 'string' && score.trim() !== '' ? Number(score) : score
    return typeof number === 'number' && Number.isFinite(number) ? number : null
  })

/** A list of texts. Other elements are left out. */
export const textsField = z
  .unknown()
  .optional()
  .transform((list) =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [],
  )

/** A state of processing. Versions of a service use different words for it, in capitals or not. */
export const stateField = z
  .unknown()
  .optional()
  .transform((state) => {
    const word = typeof state === 'string' ? state.toLowerCase() : ''
    if (DONE.includes(word)) return 'done'
    return FAILED.includes(word) ? 'failed' : 'under way'
  })
const DONE = ['done', 'completed', 'complete', 'succeeded', 'success', 'processed', 'finished']
const FAILED = ['failed', 'failure', 'error']

/** A list of records without the invalid ones. It is an error if all are invalid: the service then has another version. */
export function recordsField<Item>(item: z.ZodType<Item>) {
  return z.array(z.unknown()).transform((list, context): Item[] => {
    const results = list.map((record) => item.safeParse(record))
    const valid = results.flatMap((result) => (result.success ? [result.data] : []))
    const [first] = results
    if (valid.length === 0 && first?.success === false)
      for (const { path, message } of first.error.issues)
        context.issues.push({ code: 'custom', path: [0, ...path], message, input: list })
    return valid
  })
}

/** Like {@link recordsField}, for a list that may be absent. */
export function someRecords<Item>(item: z.ZodType<Item>) {
  return recordsField(item)
    .nullish()
    .transform((list) => list ?? [])
}
