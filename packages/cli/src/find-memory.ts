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

export const MEMORY_ARGUMENT = 'its id, or the end of the id as shown in lists'
/** Minimum length of an id's end. A shorter one could name another memory than the one that is meant. */
const MIN_END_LENGTH = 4

/** Returns the short form of an id: its end, because ids rise with time, so their beginnings are alike. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id
}

/** Finds a memory by its id, or by the end of it that lists show. */
export async function findMemory(scope: ScopedMemory, idOrEnd: string): Promise<Memory> {
  const all = await scope.memories({ statuses: STATUSES })
  const exact = all.find((memory) => memory.id === idOrEnd)
  if (exact !== undefined) return exact
  const isLongEnough = idOrEnd.length >= MIN_END_LENGTH
  const matches = all.filter(({ id }) => isLongEnough && id.endsWith(idOrEnd.toLowerCase()))
  const [found] = matches
  if (found === undefined)
    throw notFound(
      `There is no memory ${idOrEnd} here. "keepsake list --all" lists all memories with their ids; "keepsake forget --about" takes a topic.`,
    )
  if (matches.length > 1)
    throw wrongUsage(`${idOrEnd} matches ${matches.length} memories: give more of the id.`)
  return found
}
