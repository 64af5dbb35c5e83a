import { z } from 'zod'

/** Schemas for fields as services write them. An unusual value counts as absent, so that no service scores less for its form. */

/** An id, text or number; empty where there is none: the harness then names it. */
export const idField = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((id) => String(id ?? ''))

/** Words; empty where there are none. */
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

/** A list of texts; what is none is left out. */
export const textsField = z
  .unknown()
  .optional()
  .transform((list) =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [],
  )

/** A state of processing, whatever its case and whichever of the usual words a version has for it. */
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

/** A list of records without the unusable ones. If none can be used, the service speaks another version, which is reported. */
export function recordsField<Item>(item: z.ZodType<Item>) {
  return z.array(z.unknown()).transform((list, context): Item[] => {
    const read = list.map((one) => item.safeParse(one))
    const usable = read.flatMap((one) => (one.success ? [one.data] : []))
    const [first] = read
    if (usable.length === 0 && first?.success === false)
      for (const { path, message } of first.error.issues)
        context.issues.push({ code: 'custom', path: [0, ...path], message, input: list })
    return usable
  })
}

/** The same where the list itself may lack. */
export function someRecords<Item>(item: z.ZodType<Item>) {
  return recordsField(item)
    .nullish()
    .transform((list) => list ?? [])
}
