import type { Memory, MemoryForm, MemoryStatus, ScopedMemory } from 'keepsake'
import { notFound, wrongUsage } from './cli-error.ts'

export const FORMS: readonly MemoryForm[] = [
  'utterance',
  'fact',
  'summary',
  'story',
  'portrait',
  'note',
  'block',
]
export const STATUSES: readonly MemoryStatus[] = ['live', 'quarantined', 'deleted', 'forgotten', 'erased']

export const MEMORY_ARGUMENT = 'its id, or the end of it as shown in lists'
/** Shorter ends are refused: they could name another memory than meant. */
const SHORTEST = 4

/** The short form of an id: ids rise with time, so their ends differ. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id
}

/** Finds a memory by its id, or by the end of it that lists show. */
export async function findMemory(scope: ScopedMemory, given: string): Promise<Memory> {
  const all = await scope.memories({ statuses: STATUSES })
  const exact = all.find((memory) => memory.id === given)
  if (exact !== undefined) return exact
  const ending = all.filter(({ id }) => given.length >= SHORTEST && id.endsWith(given.toLowerCase()))
  const [found] = ending
  if (found === undefined)
    throw notFound(
      `There is no memory ${given} here. "keepsake list --all" lists all memories with their ids; "keepsake forget --about" takes a topic.`,
    )
  if (ending.length > 1) throw wrongUsage(`${given} matches ${ending.length} memories: give more of the id.`)
  return found
}
