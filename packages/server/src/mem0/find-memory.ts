import { NotFoundError, type Memory, type Operation, type ScopedMemory, type ScopeRow } from 'keepsake'
import { allows, type Action } from '../access/access.ts'
import { requireAccess } from '../access/require-access.ts'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { tenantOf, type Mem0Door } from './mem0-door.ts'
import type { Person, PersonNotes } from './mem0-notes.ts'

/** A memory found by its id alone. */
export interface FoundMemory {
  /** The id that the client knows it by. */
  readonly id: string
  readonly person: Person
  /** The whole person: ids are the person's, whatever agent or app made them. */
  readonly scope: ScopedMemory
  /** The engine's ids, oldest first: the last stands for it now. */
  readonly versions: readonly string[]
  readonly notes: PersonNotes
}

/**
 * Whose a memory is. The door knows of every id that it gave out; for others, made through another door, the people that
 * the key opens are asked one by one.
 *
 * @throws Problem 404 alike for ids that do not exist and ids of people the key does not open; 403 for a key without the action.
 */
export async function findMemory(
  door: Mem0Door,
  c: ServerRequest,
  id: string,
  action: Action,
): Promise<FoundMemory> {
  const grant = c.get('grant')
  requireAccess(c, action, { tenant: grant.tenants?.[0] ?? tenantOf(c), user: grant.users?.[0] ?? '' })
  if (id.startsWith('pending:')) throw stillPending(id)
  const noted = door.notes.personOf(id)
  if (noted !== null) {
    if (!allows(grant, action, noted)) throw unknownMemory(id)
    const found = await findIn(door, noted, id)
    if (found !== null) return found
  }
  for (const person of await openPeople(door, c, action)) {
    const found = await findIn(door, person, id)
    if (found === null) continue
    door.notes.place(person, [id])
    return found
  }
  throw unknownMemory(id)
}

async function findIn(door: Mem0Door, person: Person, id: string): Promise<FoundMemory | null> {
  const scope = door.deps.keepsake.scope(person)
  const versions = door.notes.versions(id)
  const found: FoundMemory = { id, person, scope, versions, notes: door.notes.of(person) }
  return (await historyOf(scope, versions.at(-1) ?? id)) === null ? null : found
}

async function openPeople(door: Mem0Door, c: ServerRequest, action: Action): Promise<readonly Person[]> {
  const rows = await door.deps.keepsake.scopes({ tenant: tenantOf(c) })
  const people = new Map(rows.map(({ owner, tenant, user }): [number, Person] => [owner, { tenant, user }]))
  return [...people.values()].filter((person) => allows(c.get('grant'), action, person))
}

/** What happened to a memory of the engine; `null` when the person has none of that id. */
export async function historyOf(scope: ScopedMemory, memory: string): Promise<readonly Operation[] | null> {
  try {
    return await scope.history(memory)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/**
 * The memory itself, with its words and the scope it stands in.
 *
 * @throws Problem 404 when it was deleted, forgotten or erased.
 */
export async function readLive(
  { deps }: Mem0Door,
  found: FoundMemory,
): Promise<{ readonly memory: Memory; readonly row: ScopeRow }> {
  const id = found.versions.at(-1) ?? found.id
  const session = await sessionOf(found.scope, id)
  const memories = session === null ? [] : await found.scope.memories({ session })
  const memory = memories.find((one) => one.id === id)
  const rows = memory === undefined ? [] : await deps.keepsake.scopes(found.person)
  const row = rows.find((one) => one.scope === memory?.scope)
  if (memory === undefined || row === undefined) throw unknownMemory(found.id)
  return { memory, row }
}

/** The log says in which session a memory was made, so that not all of the person's have to be read. */
async function sessionOf(scope: ScopedMemory, memory: string): Promise<string | null> {
  const operations = (await historyOf(scope, memory)) ?? []
  return (
    operations.findLast((one) => one.payload?.after.session !== undefined)?.payload?.after.session ?? null
  )
}

function unknownMemory(id: string): Problem {
  return new Problem(
    404,
    'not-found',
    `There is no memory ${JSON.stringify(id.slice(0, 80))} that this key opens.`,
  )
}

function stillPending(id: string): Problem {
  return new Problem(
    404,
    'not-consolidated',
    `${JSON.stringify(id.slice(0, 80))} is a message that waits for its answer and is no memory of its own yet. It becomes one with the next message.`,
  )
}
