import type { ScopeKey } from 'keepsake'
import { z } from 'zod'
import type { ServerRequest } from '../server-context.ts'
import { removeIfLive } from './change-memories.ts'
import { listMemories } from './list-memories.ts'
import { keyOf, type Mem0Door } from './mem0-door.ts'
import { ENTITIES, readEntities } from './read-add.ts'
import { readQuery } from './read-body.ts'
import { entityFilter } from './read-lookups.ts'
import { selectPeople } from './select-people.ts'

const deleteAllSchema = z.strictObject(ENTITIES)

/**
 * Deletes all memories of the named entities, and what of their messages is no memory yet. History keeps them; erasing for
 * good is what deleting the entity does.
 *
 * @throws Problem 400 when none is named.
 */
export async function deleteAll(door: Mem0Door, c: ServerRequest): Promise<void> {
  const entities = readEntities(readQuery(c, deleteAllSchema))
  const filter = entityFilter(entities)
  const people = await selectPeople(door, c, filter, 'write')
  // A message that waits for its answer would still be found, and become a memory later.
  for (const { rows } of people) for (const row of rows) await closeSessions(door, keyOf(row), entities.run)
  const listed = await listMemories(door, c, filter, { over: true, action: 'write' })
  for (const { person, memory } of listed) await removeIfLive(door.deps.keepsake.scope(person), memory.id)
}

async function closeSessions({ deps }: Mem0Door, key: ScopeKey, run: string | null): Promise<void> {
  const scope = deps.keepsake.scope(key)
  const open = (await scope.sessions()).filter(
    ({ endedAt, id }) => endedAt === null && (run === null || run === '*' || id === run),
  )
  for (const { id } of open) await scope.endSession(id)
  if (open.length > 0) await scope.drain()
}
