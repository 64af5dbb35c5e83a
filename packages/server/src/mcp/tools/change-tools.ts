import { MEMORY_TYPES, type Memory, type ScopedMemory } from 'keepsake'
import { projectLog } from 'keepsake/store'
import { z } from 'zod'
import { given } from '@keepsake/text/names'
import { memoryTool, shortText, ToolInputError } from '../memory-tool.ts'
import { formatCount, quoted } from '../show-memory.ts'

const id = shortText.describe('From recall or list_memories.')
const sentence = z.string().trim().min(1, 'it must not be empty').max(20_000)
const timeSchema = z.iso.datetime({ offset: true })
const sheetValue = z.string().trim().min(1).max(2_000).optional()

/** Stores what the user said, as one plain sentence. */
export const stateMemory = memoryTool({
  name: 'add_fact',
  title: 'State a memory',
  description:
    'Keeps one plain statement about the user, when they ask to have something kept or confirm it: "The user is allergic to peanuts." Merged with what is known; stated twice it is one memory. What is merely said in talk goes to remember.',
  action: 'write',
  annotations: { destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    text: sentence.describe('One plain sentence.'),
    type: z.enum(MEMORY_TYPES).optional(),
    subject: shortText.optional().describe('Whom it is about, where that is not the user.'),
    key: shortText.optional().describe('A key of the persona sheet: residence.'),
    value: sheetValue.describe('Its value there: Lisbon.'),
    until: timeSchema
      .optional()
      .describe('From when it is no longer so, where that is known (ISO 8601 with zone).'),
    evidence: z.array(shortText).max(100).optional().describe('Ids of turns that support it, from recall.'),
  }),
  output: z.object({ id: z.string(), text: z.string() }),
  async run({ scope }, { text, ...options }) {
    const memory = await scope.addFact(text, given(options))
    return {
      structured: { id: memory.id, text: memory.text },
      text: `Kept: ${quoted(memory.text)}. forget_memory ${memory.id} drops it.`,
    }
  },
})

/** Changes what a memory says. Its history keeps the earlier text. */
export const correctMemory = memoryTool({
  name: 'edit_memory',
  title: 'Correct a memory',
  description:
    'Changes what a memory says, when the user says it is wrong or has changed. What it said before stays in its history; undo takes it back. Not for form "utterance": what was said stays as said; forget that, and remember what is right.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    id,
    text: sentence.describe('What it should say, one sentence.'),
    value: sheetValue.describe('For a memory with a key: the new value, such as "Lisbon".'),
    until: timeSchema
      .nullable()
      .optional()
      .describe('From when it is no longer so (ISO 8601 with zone); null lifts the end.'),
  }),
  output: z.object({
    id: z.string(),
    operation: z.string().describe('For undo.'),
    text: z.string(),
    before: z.string().describe('Empty for a key without read.'),
  }),
  async run({ scope, canRead }, { id, text, value, until }) {
    const memory = projectLog(await scope.admin.history(id)).get(id)
    const newValue = requireSheetValue(memory, text, value, canRead)
    const operation = await scope.edit(id, given({ text, until, ...newValue }))
    return {
      structured: { id, operation: operation.id, text, before: canRead ? (memory?.text ?? '') : '' },
      text: `Corrected: ${quoted(text)}. Undo with operation ${operation.id}.`,
    }
  },
})

/** The new value on the persona sheet. @throws ToolInputError when the text no longer has the old value, and no new one is given */
function requireSheetValue(
  memory: Memory | undefined,
  text: string,
  value: string | undefined,
  canRead: boolean,
): { value?: string } {
  if (value !== undefined) return { value }
  if (memory === undefined || memory.key === null || memory.value === null) return {}
  // A memory of another status cannot be edited: the edit itself refuses it.
  if (memory.status !== 'live' && memory.status !== 'quarantined') return {}
  if (text.toLowerCase().includes(memory.value.toLowerCase())) return {}
  throw new ToolInputError(
    `This memory stands on the persona sheet as ${memory.key}${canRead ? `: ${quoted(memory.value)}` : ''}. Call edit_memory again with value as well: the new ${memory.key} in a word or two. Nothing was changed.`,
  )
}

/** Forgets the memories about a topic, after a preview. */
export const forgetAbout = memoryTool({
  name: 'forget_about',
  title: 'Forget a topic',
  description:
    'Drops every memory that names a topic, when the user asks to forget it: "the bakery job", "my ex". Call it with preview first, and again without when the list is what they meant. What holds only some of the words is listed as unsure and stays: forget_memory drops one of those. undo brings back each operation.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    topic: shortText.describe('In the user’s words: a name, a thing, what happened.'),
    preview: z.boolean().optional().describe('Only list what would go.'),
  }),
  output: z.object({
    count: z.int().describe('How many were forgotten, or would be.'),
    forgotten: z.array(z.object({ id: z.string(), text: z.string() })),
    unsure: z.array(z.object({ id: z.string(), text: z.string() })),
    operations: z.array(z.string()).describe('For undo.'),
  }),
  async run({ scope, canRead }, { topic, preview = false }) {
    const found = await scope.forgetAbout(topic, { dryRun: preview })
    const { operations } = found
    const { memories, unsure } = canRead ? found : { memories: [], unsure: [] }
    const withText = (list: readonly Memory[]) => list.map(({ id, text }) => ({ id, text }))
    const lines = (list: readonly Memory[]) =>
      list.map(({ id, text }) => `\n- ${id}: ${quoted(text)}`).join('')
    const unsureNote = unsure.length === 0 ? '' : `\nUnsure, and kept:${lines(unsure)}`
    const heading = `${preview ? 'Would forget' : 'Forgot'} ${formatCount(found.memories.length, 'memory', 'memories')}.`
    return {
      structured: {
        count: found.memories.length,
        forgotten: withText(memories),
        unsure: withText(unsure),
        operations: operations.flatMap(({ id, parent }) => (parent === null ? [id] : [])),
      },
      text: `${heading}${lines(memories)}${unsureNote}`,
    }
  },
})

export const forgetMemory = memoryTool({
  name: 'forget_memory',
  title: 'Forget a memory',
  description:
    'Drops a memory and the words it rests on, when the user asks to forget something; it is not recalled any more. One id a call; forget_about takes a topic. undo brings it back; nothing is erased for good.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: true },
  input: z.strictObject({ id }),
  output: z.object({ id: z.string(), operation: z.string().describe('For undo.') }),
  async run({ scope }, { id }) {
    const operation = await scope.forget(id)
    return {
      structured: { id, operation: operation.id },
      text: `Forgotten. Undo with operation ${operation.id}.`,
    }
  },
})

/** Undoes a correction, a forgetting, or another undo. */
export const undo = memoryTool({
  name: 'undo',
  title: 'Undo a change',
  description:
    'Takes back what edit_memory, forget_memory or add_fact did: the operation that is named, or the last one.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    operation: shortText
      .optional()
      .describe(
        'What edit_memory, forget_memory or an earlier undo gave. Absent or "last": the last change that stands.',
      ),
  }),
  output: z.object({
    undone: z.string(),
    operation: z.string().describe('The undoing, which can be undone as well.'),
  }),
  async run({ scope }, { operation: named = 'last' }) {
    const operation = named === 'last' ? await lastChange(scope) : named
    const undoing = await scope.undo(operation)
    return {
      structured: { undone: operation, operation: undoing.id },
      text: `Undone. To take that back, undo operation ${undoing.id}.`,
    }
  },
})

const MAX_SEARCHED_OPERATIONS = 1_000

/** Returns the last change by a call that is not undone. Extractions from talk do not count. @throws ToolInputError when there is none */
async function lastChange(scope: ScopedMemory): Promise<string> {
  const latest = await scope.log({ newestFirst: true, limit: MAX_SEARCHED_OPERATIONS })
  const undone = new Set<string>()
  const last = latest.find(({ id, parent, memory, origin, undoes }) => {
    if (undone.has(id) || parent !== null || memory === null || origin.step !== 'api') return false
    if (undoes !== null) undone.add(undoes)
    return undoes === null
  })
  if (last !== undefined) return last.id
  throw new ToolInputError('There is nothing to undo: no memory was changed here.')
}
