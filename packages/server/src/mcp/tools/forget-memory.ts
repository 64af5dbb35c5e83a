import { z } from 'zod'
import { memoryTool } from '../memory-tool.ts'

const input = z.strictObject({
  id: z.string().trim().min(1).max(512).describe('From recall or list_memories.'),
})

const output = z.object({ id: z.string(), operation: z.string().describe('For undo.') })

/** Drops one memory, by id alone: a topic would be matched loosely, and take along what nobody meant. */
export const forgetMemory = memoryTool({
  name: 'forget_memory',
  title: 'Forget a memory',
  description:
    'Drops a memory and the words it rests on, when the user asks to forget something; it is not recalled any more. One id a call: recall the topic first, and forget each memory that is meant. undo brings it back; nothing is erased for good.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: true },
  input,
  output,
  async run({ scope }, { id }) {
    const operation = await scope.remove(id)
    return {
      structured: { id, operation: operation.id },
      text: `Forgotten. Undo with operation ${operation.id}.`,
    }
  },
})
