import { z } from 'zod'
import type { SystemOperation } from '@keepsake/bench'

/**
 * One change that an addition made. The platform puts the text under `data`, the server beside the id; what
 * stood before is told by some versions only.
 */
export const mem0Change = z
  .object({
    id: z.string(),
    event: z.enum(['ADD', 'UPDATE', 'DELETE', 'NOOP', 'NONE']),
    memory: z.string().nullish(),
    data: z.object({ memory: z.string().nullish() }).nullish(),
    previous_memory: z.string().nullish(),
    old_memory: z.string().nullish(),
  })
  .transform((change) => ({
    id: change.id,
    event: change.event,
    text: change.memory ?? change.data?.memory ?? null,
    before: change.previous_memory ?? change.old_memory ?? null,
  }))
  .refine((change) => change.text !== null || (change.event !== 'ADD' && change.event !== 'UPDATE'), {
    path: ['memory'],
    message: 'an added or updated memory came without its text',
  })

export type Mem0Change = z.infer<typeof mem0Change>

/** A memory as both dialects list it. */
export const mem0Item = z.object({
  id: z.string(),
  memory: z.string(),
  score: z.number().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

export type Mem0Item = z.infer<typeof mem0Item>

/**
 * Changes as operations. `texts` is what is known to stand, by id: it tells what an update or a deletion
 * replaced where the service does not, and is brought up to date.
 */
export function readMem0Operations(
  changes: readonly Mem0Change[],
  texts: Map<string, string>,
): readonly SystemOperation[] {
  return changes.flatMap((change) => readOperation(change, texts))
}

function readOperation(change: Mem0Change, texts: Map<string, string>): SystemOperation[] {
  const memory = change.id
  const before = change.before ?? texts.get(memory) ?? null
  switch (change.event) {
    case 'ADD':
      if (change.text !== null) texts.set(memory, change.text)
      return [{ kind: 'add', memory, before: null, after: change.text }]
    case 'UPDATE':
      if (change.text !== null) texts.set(memory, change.text)
      return [{ kind: 'modify', memory, before, after: change.text }]
    case 'DELETE':
      texts.delete(memory)
      return [{ kind: 'delete', memory, before: before ?? change.text, after: null }]
    case 'NOOP':
    case 'NONE':
      return []
  }
}
