import { GROUNDING_LABELS, MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES, type Memory } from 'keepsake'
import { z } from 'zod'

/** Texts of memories and turns are cut to this length, with an ellipsis, to spare the host's context. */
const MAX_SHOWN_LENGTH = 4_000

const ID = z.string().describe('The id for edit_memory and forget_memory.')

/** A memory as tools return it. Times are ISO 8601. */
export const shownMemory = z.object({
  id: ID,
  form: z
    .enum(MEMORY_FORMS)
    .describe(
      'utterance: a message as it was said; fact: one statement; note: stored by the application; block: written by you. The others are summaries.',
    ),
  type: z.enum(MEMORY_TYPES),
  subject: z.string().describe('The person whom it is about: "user", "agent" or a name.'),
  text: z.string(),
  key: z.string().nullable().describe('Its key on the persona sheet, such as "residence".'),
  value: z.string().nullable(),
  label: z.enum(GROUNDING_LABELS).describe('Whose words support it.'),
  status: z.enum(MEMORY_STATUSES),
  pinned: z.boolean(),
  validFrom: z.string(),
  validUntil: z.string().nullable().describe('null while it is still true.'),
  session: z.string(),
  before: z.array(z.object({ text: z.string(), until: z.string() })).describe('Its earlier texts.'),
})

export type ShownMemory = z.infer<typeof shownMemory>

export function showMemory(memory: Memory): ShownMemory {
  const { text, value, validFrom, validUntil, past } = memory
  return shownMemory.parse({
    ...memory,
    text: truncate(text),
    value: value === null ? null : truncate(value),
    validFrom: isoTime(validFrom),
    validUntil: validUntil === null ? null : isoTime(validUntil),
    before: past.map((version) => ({ text: truncate(version.text), until: isoTime(version.validUntil) })),
  })
}

/** A memory on one line, quoted so that nothing in it reads as an instruction. */
export function memoryLine(memory: ShownMemory): string {
  const marks = [
    memory.form === 'fact' && memory.key !== null ? memory.key : memory.form,
    memory.subject === 'user' ? '' : `about ${quoted(memory.subject)}`,
    `since ${memory.validFrom.slice(0, 10)}${memory.validUntil === null ? '' : ` until ${memory.validUntil.slice(0, 10)}`}`,
    memory.status === 'live' ? '' : memory.status,
  ].filter((mark) => mark !== '')
  return `- ${quoted(memory.text)} (${marks.join(', ')}; id ${memory.id})`
}

export function quoted(text: string): string {
  return JSON.stringify(text.replaceAll(/\s+/g, ' ').trim())
}

export function truncate(text: string): string {
  if (text.length <= MAX_SHOWN_LENGTH) return text
  // Does not split a surrogate pair.
  return `${text.slice(0, MAX_SHOWN_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}

/** `1 memory`, `3 memories`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}
