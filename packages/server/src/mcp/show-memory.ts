import { GROUNDING_LABELS, MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES, type Memory } from 'keepsake'
import { z } from 'zod'

/** Longest text of a memory or turn in a host's context; longer ones end in an ellipsis. */
const LONGEST_SHOWN = 4_000

const ID = z.string().describe('For edit_memory and forget_memory.')

/** A memory as tools return it. Times are ISO 8601. */
export const shownMemory = z.object({
  id: ID,
  form: z
    .enum(MEMORY_FORMS)
    .describe(
      'utterance: as it was said; fact: one statement; note: kept by the application; block: written by you; the others are summaries.',
    ),
  type: z.enum(MEMORY_TYPES),
  subject: z.string().describe('Whom it is about: "user", "agent" or a name.'),
  text: z.string(),
  key: z.string().nullable().describe('Its place on the persona sheet, such as "residence".'),
  value: z.string().nullable(),
  label: z.enum(GROUNDING_LABELS).describe('Whose word it rests on.'),
  status: z.enum(MEMORY_STATUSES),
  pinned: z.boolean(),
  validFrom: z.string(),
  validUntil: z.string().nullable().describe('null while it still is so.'),
  session: z.string(),
  before: z.array(z.object({ text: z.string(), until: z.string() })).describe('What it said earlier.'),
})

export type ShownMemory = z.infer<typeof shownMemory>

export function showMemory(memory: Memory): ShownMemory {
  const { text, value, validFrom, validUntil, past } = memory
  return shownMemory.parse({
    ...memory,
    text: clip(text),
    value: value === null ? null : clip(value),
    validFrom: isoTime(validFrom),
    validUntil: validUntil === null ? null : isoTime(validUntil),
    before: past.map((version) => ({ text: clip(version.text), until: isoTime(version.validUntil) })),
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

export function clip(text: string): string {
  if (text.length <= LONGEST_SHOWN) return text
  // Does not split a surrogate pair.
  return `${text.slice(0, LONGEST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}

/** `1 memory`, `3 memories`. */
export function counted(count: number, singular: string, several = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : several}`
}
