import { z } from 'zod'
import { memoryTool } from '../memory-tool.ts'

const input = z.strictObject({
  operation: z
    .string()
    .trim()
    .min(1)
    .max(512)
    .describe('What correct_memory, forget_memory or an earlier undo gave.'),
})

const output = z.object({
  undone: z.string(),
  operation: z.string().describe('The undoing, which can be undone as well.'),
})

/** Takes back a correction, a forgetting, or another undo. */
export const undo = memoryTool({
  name: 'undo',
  title: 'Undo a change',
  description: 'Takes back what correct_memory or forget_memory did, by the operation id that it gave.',
  action: 'write',
  annotations: { destructiveHint: true, idempotentHint: false },
  input,
  output,
  async run({ scope }, { operation }) {
    const undoing = await scope.undo(operation)
    return {
      structured: { undone: operation, operation: undoing.id },
      text: `Undone. To take that back, undo operation ${undoing.id}.`,
    }
  },
})
