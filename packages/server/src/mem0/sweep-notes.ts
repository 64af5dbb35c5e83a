import { NotFoundError, type ScopedMemory } from 'keepsake'
import type { Mem0Door } from './mem0-door.ts'
import type { Person } from './mem0-notes.ts'

/**
 * Clears the notes of what was erased: by this door, another one, or another process. The engine's receipt names nobody, so
 * everybody of whom something is noted is looked at; those of whom nothing more was erased cost two small reads.
 *
 * @param every look at everybody's turns: some were erased before any memory was made of them
 */
export async function sweepNotes(door: Mem0Door, every = false): Promise<void> {
  for (const person of door.notes.people()) await sweepPerson(door, person, every)
}

/** Clears the notes of what was erased of one person. */
export async function sweepPerson(door: Mem0Door, person: Person, every = true): Promise<void> {
  // Between noting a message and storing it, it would look erased.
  await door.queue.run(person, () => sweepNow(door, person, every))
}

async function sweepNow({ deps, notes }: Mem0Door, person: Person, every: boolean): Promise<void> {
  if ((await deps.keepsake.scopes(person)).length === 0) {
    notes.erasePerson(person)
    notes.scrub()
    return
  }
  const scope = deps.keepsake.scope(person)
  const erased = await scope.memories({ statuses: ['erased'] })
  if (!every && erased.length === notes.sweptTo(person)) return
  const turns = notes.turnsOf(person)
  const gone = turns.length === 0 ? [] : await missingTurns(scope, turns)
  notes.erase(person, { memories: erased.map((memory) => memory.id), turns: gone, runs: [] })
  notes.noteSwept(person, erased.length)
  notes.scrub()
}

/** Those of the turns that the person does not have any more. Only their export lists turns. */
async function missingTurns(scope: ScopedMemory, turns: readonly string[]): Promise<readonly string[]> {
  const missing = new Set(turns)
  try {
    for await (const line of scope.export()) {
      if (!line.startsWith('{"row":"turn"')) continue
      const { id } = JSON.parse(line) as { readonly id: string }
      missing.delete(id)
    }
  } catch (error) {
    // Erased meanwhile: none is left.
    if (!(error instanceof NotFoundError)) throw error
    return turns
  }
  return [...missing]
}
