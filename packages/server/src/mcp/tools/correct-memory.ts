import { projectLog, type Memory, type ScopedMemory } from 'keepsake'
import { z } from 'zod'
import { memoryTool, ToolInputError } from '../memory-tool.ts'
import { quoted } from '../show-memory.ts'

const input = z.strictObject({
  id: z.string().trim().min(1).max(512).describe('From recall or list_memories.'),
  text: z
    .string()
    .trim()
    .min(1, 'it must not be empty')
    .max(20_000)
    .describe('What it should say, one sentence.'),
  value: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('For a memory with a key: the new value, such as "Lisbon".'),
})

const output = z.object({
  id: z.string(),
  operation: z.string().describe('For undo.'),
  text: z.string(),
  before: z.string(),
})

/** Changes what a memory says. What it said before stays in its history. */
export const correctMemory = memoryTool({
  name: 'correct_memory',
  title: 'Correct a memory',
  description:
    'Changes what a memory says, when the user says it is wrong or has changed. What it said before stays in its history; undo takes it back. Not for form "utterance": what was said stays as said; forget that, and remember what is right.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: false },
  input,
  output,
  async run({ scope }, { id, text, value }) {
    const memory = await readMemory(scope, id)
    const sheet = valueOnSheet(memory, text, value)
    const operation = await scope.edit(id, { text, ...sheet })
    return {
      structured: { id, operation: operation.id, text, before: memory?.text ?? '' },
      text: `Corrected: ${quoted(text)}. Undo with operation ${operation.id}.`,
    }
  },
})

/** The memory as it is now. @throws NotFoundError */
async function readMemory(scope: ScopedMemory, id: string): Promise<Memory | undefined> {
  return projectLog(await scope.history(id)).get(id)
}

/** A memory's value stands on the persona sheet: it must not go on saying what the text no longer does. */
function valueOnSheet(
  memory: Memory | undefined,
  text: string,
  value: string | undefined,
): { value?: string } {
  if (value !== undefined) return { value }
  if (memory === undefined || memory.key === null || memory.value === null) return {}
  if (text.toLowerCase().includes(memory.value.toLowerCase())) return {}
  throw new ToolInputError(
    `This memory stands on the persona sheet as ${memory.key}: ${quoted(memory.value)}. Call correct_memory again with value as well: the new ${memory.key} in a word or two. Nothing was changed.`,
  )
}
