import type { SystemOperation } from '@keepsake/bench'
import { z } from 'zod'

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
  .transform(({ id, event, ...change }) => ({
    id,
    event,
    text: change.memory ?? change.data?.memory ?? null,
    before: change.previous_memory ?? change.old_memory ?? null,
  }))
  .refine((change) => change.text !== null || (change.event !== 'ADD' && change.event !== 'UPDATE'), {
    path: ['memory'],
    message: 'an added or updated memory came without its text',
  })

export type Mem0Change = z.infer<typeof mem0Change>

/**
 * Changes as operations. `texts` is what is known to stand, by id: it tells what an update or a deletion
 * replaced where the service does not, and is brought up to date.
 */
export function readMem0Operations(
  changes: readonly Mem0Change[],
  texts: Map<string, string>,
): readonly SystemOperation[] {
  return changes.flatMap(({ id: memory, event, text, ...change }): readonly SystemOperation[] => {
    const before = change.before ?? texts.get(memory) ?? null
    if (event === 'NOOP' || event === 'NONE') return []
    if (event === 'DELETE') {
      texts.delete(memory)
      return [{ kind: 'delete', memory, before: before ?? text, after: null }]
    }
    if (text !== null) texts.set(memory, text)
    return event === 'ADD'
      ? [{ kind: 'add', memory, before: null, after: text }]
      : [{ kind: 'modify', memory, before, after: text }]
  })
}
