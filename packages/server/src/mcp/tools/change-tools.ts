import { MEMORY_TYPES, type Memory, type ScopedMemory } from 'keepsake'
import { projectLog } from 'keepsake/store'
import { z } from 'zod'
import { given } from '@keepsake/text/names'
import { memoryTool, shortText, ToolInputError } from '../memory-tool.ts'
import { formatCount, quoted } from '../show-memory.ts'

const id = shortText.describe('An id from recall or list_memories.')
const sentence = z.string().trim().min(1, 'it must not be empty').max(20_000)
const timeSchema = z.iso.datetime({ offset: true })
const sheetValue = z.string().trim().min(1).max(2_000).optional()

/** Stores what the user said, as one plain sentence. */
export const stateMemory = memoryTool({
  name: 'add_fact',
  title: 'Add a fact',
  description:
    'Stores one plain statement about the user, if they ask you to keep it or confirm it: "The user is allergic to peanuts." It is merged with the known facts; a statement that is added twice is one memory. For what the user says in conversation, use remember.',
  action: 'write',
  annotations: { destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    text: sentence.describe('One plain sentence.'),
    type: z.enum(MEMORY_TYPES).optional(),
    subject: shortText.optional().describe('The person whom it is about, if that is not the user.'),
    key: shortText.optional().describe('Its key on the persona sheet, such as residence.'),
    value: sheetValue.describe('The value of the key, such as Lisbon.'),
    until: timeSchema
      .optional()
      .describe('The time from which it is no longer true, if known (ISO 8601 with zone).'),
    evidence: z
      .array(shortText)
      .max(100)
      .optional()
      .describe('Ids from recall of the turns that support it.'),
  }),
  output: z.object({ id: z.string(), text: z.string() }),
  async run({ scope }, { text, ...options }) {
    const memory = await scope.addFact(text, given(options))
    return {
      structured: { id: memory.id, text: memory.text },
      text: `Stored: ${quoted(memory.text)}. To forget it: forget_memory ${memory.id}.`,
    }
  },
})

/** Changes what a memory says. Its history keeps the earlier text. */
export const correctMemory = memoryTool({
  name: 'edit_memory',
  title: 'Correct a memory',
  description:
    'Changes the text of a memory, if the user says that it is wrong or has changed. The former text stays in the history; undo restores it. A memory of form "utterance" cannot be changed: forget it, and remember the right words.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    id,
    text: sentence.describe('The new text, one sentence.'),
    value: sheetValue.describe(
      'For a memory with a key: the new value, such as "Lisbon". If absent, it is read from the text.',
    ),
    until: timeSchema
      .nullable()
      .optional()
      .describe('The time from which it is no longer true (ISO 8601 with zone); null removes the end.'),
  }),
  output: z.object({
    id: z.string(),
    operation: z.string().describe('The id for undo.'),
    text: z.string(),
    before: z.string().describe('The former text; empty for a key without read.'),
  }),
  async run({ scope, canRead }, { id, text, value, until }) {
    const memory = projectLog(await scope.admin.history(id)).get(id)
    const operation = await scope.edit(id, given({ text, until, value }))
    return {
      structured: { id, operation: operation.id, text, before: canRead ? (memory?.text ?? '') : '' },
      text: `Corrected: ${quoted(text)}. Undo with operation ${operation.id}.`,
    }
  },
})

/** Forgets the memories about a topic, after a preview. */
export const forgetAbout = memoryTool({
  name: 'forget_about',
  title: 'Forget a topic',
  description:
    'Forgets every memory that names a topic, if the user asks for it: "the bakery job", "my ex". Call it with preview first. If the list is what the user meant, call it again without preview. Memories with only some of the words are listed as unsure and stay; forget_memory forgets one of them. undo restores the memories of an operation.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    topic: shortText.describe('The topic in the user’s words: a name, a thing, an event.'),
    preview: z.boolean().optional().describe('Only lists the memories that would be forgotten.'),
  }),
  output: z.object({
    count: z.int().describe('Number of memories that were forgotten, or would be with preview.'),
    forgotten: z.array(z.object({ id: z.string(), text: z.string() })),
    unsure: z.array(z.object({ id: z.string(), text: z.string() })),
    operations: z.array(z.string()).describe('The id for undo.'),
  }),
  async run({ scope, canRead }, { topic, preview = false }) {
    const found = await scope.forgetAbout(topic, { dryRun: preview })
    const { operations } = found
    const { memories, unsure } = canRead ? found : { memories: [], unsure: [] }
    const withText = (list: readonly Memory[]) => list.map(({ id, text }) => ({ id, text }))
    const lines = (list: readonly Memory[]) =>
      list.map(({ id, text }) => `\n- ${id}: ${quoted(text)}`).join('')
    const unsureNote = unsure.length === 0 ? '' : `\nUnsure, not forgotten:${lines(unsure)}`
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
    'Forgets one memory and the words that support it, if the user asks for it. It is no longer recalled. For a topic, use forget_about. undo restores it; nothing is erased permanently.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: true },
  input: z.strictObject({ id }),
  output: z.object({ id: z.string(), operation: z.string().describe('The id for undo.') }),
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
    'Undoes a change by edit_memory, forget_memory or add_fact: the named operation, or the last one.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    operation: shortText
      .optional()
      .describe(
        'The operation id from edit_memory, forget_memory or an earlier undo. If absent or "last": the last change that is not undone.',
      ),
  }),
  output: z.object({
    undone: z.string(),
    operation: z.string().describe('The id of the undo, which can be undone as well.'),
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
