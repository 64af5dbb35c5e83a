import type { Memory } from 'keepsake'
import type { ServerRequest } from '../server-context.ts'
import { matches } from './match-filters.ts'
import { shownForms, type Mem0Door } from './mem0-door.ts'
import type { Person } from './mem0-notes.ts'
import { filterable, isOver, presentMemory, type Mem0Memory } from './present-memory.ts'
import type { Filter } from './read-filters.ts'
import { selectPeople, type SelectedPerson } from './select-people.ts'

/** Which memories are wished besides those that filters tell. */
export interface ShowOptions {
  /** Those too that are no longer so. */
  readonly over: boolean
}

/** A memory that a filter means, and how to show it. */
export interface ListedMemory {
  readonly person: Person
  readonly memory: Memory
  readonly show: () => Mem0Memory
}

/** All live memories that a filter means, newest first. @throws Problem 400, 403 */
export async function listMemories(
  door: Mem0Door,
  c: ServerRequest,
  filter: Filter,
  options: ShowOptions & { readonly action?: 'read' | 'write' },
): Promise<readonly ListedMemory[]> {
  const people = await selectPeople(door, c, filter, options.action ?? 'read')
  const listed: ListedMemory[] = []
  for (const person of people) listed.push(...(await listOf(door, person, filter, options)))
  return listed.sort((one, other) => compareNewest(one.memory, other.memory))
}

async function listOf(
  door: Mem0Door,
  selected: SelectedPerson,
  filter: Filter,
  { over }: ShowOptions,
): Promise<readonly ListedMemory[]> {
  const { deps, notes } = door
  const { person, isDecided } = selected
  const memories = await deps.keepsake.scope(person).memories({ forms: shownForms(door) })
  const own = notes.of(person)
  const rows = new Map(selected.rows.map((row) => [row.scope, row]))
  const now = deps.now()
  return memories.flatMap((memory): ListedMemory[] => {
    const row = rows.get(memory.scope)
    if (row === undefined || (!over && isOver(memory, now))) return []
    const isMeant = isDecided || matches(filter, filterable(memory, row, own)) === true
    return isMeant ? [{ person, memory, show: () => presentMemory(memory, row, own) }] : []
  })
}

function compareNewest(one: Memory, other: Memory): number {
  if (one.learnedAt !== other.learnedAt) return other.learnedAt - one.learnedAt
  return one.id < other.id ? 1 : -1
}
