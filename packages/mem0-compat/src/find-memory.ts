import { NotPossibleError, type Memory, type MemoryStatus, type ScopedMemory, type ScopeRow } from 'keepsake'
import { type Action, allows, Problem, requireAccess, type ServerRequest } from '@keepsake/server'
import { noteIds, personOfId } from './known-names.ts'
import type { Mem0Door } from './mem0-door.ts'
import { byPerson, personOf, tenantOf, type Person } from './mem0-names.ts'
import { nameInPlaceOf } from './present-memory.ts'

/** A memory found by its id alone. */
export interface FoundMemory {
  /** The id that the client knows it by. */
  readonly id: string
  readonly row: ScopeRow
  /** The whole person: ids are the person's, whatever agent or app made them. */
  readonly scope: ScopedMemory
  /** Of that id in the engine. */
  readonly first: Memory
  /** What stands for it now: itself, or the note that took a message's place. */
  readonly current: Memory
}

export const EVERY_STATUS: readonly MemoryStatus[] = ['live', 'quarantined', 'deleted', 'forgotten']

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
  const { keepsake } = door.deps
  const grant = c.get('grant')
  const tenant = tenantOf(c)
  requireAccess(c, action, { tenant: grant.tenants?.[0] ?? tenant, user: grant.users?.[0] ?? '' })
  if (id.startsWith('pending:')) throw stillPending(id)
  const rows = await keepsake.scopes((await personOfId(keepsake.records, id)) ?? { tenant })
  for (const [person, own] of byPerson(rows.filter((row) => allows(grant, action, personOf(row))))) {
    const found = await findIn(door, person, own, id)
    if (found === null) continue
    await noteIds(keepsake.records, found.row, [id])
    return found
  }
  throw unknownMemory(id)
}

/** A memory among a person's scopes. */
async function findIn(
  { deps }: Mem0Door,
  person: Person,
  rows: readonly ScopeRow[],
  id: string,
): Promise<FoundMemory | null> {
  const scope = deps.keepsake.scope(person)
  const [first] = await scope.memories({ ids: [id], statuses: [...EVERY_STATUS, 'erased'] })
  const [note] = first?.form === 'fact' ? [] : await scope.memories({ names: [nameInPlaceOf(id)] })
  const current = note ?? first
  const row = rows.find((one) => one.scope === current?.scope)
  return current === undefined || row === undefined
    ? null
    : { id, row, scope, first: first ?? current, current }
}

/** As {@link findMemory}. @throws Problem 404 also when it was deleted, forgotten or erased. */
export async function findLive(
  door: Mem0Door,
  c: ServerRequest,
  id: string,
  action: Action,
): Promise<FoundMemory> {
  const found = await findMemory(door, c, id, action)
  if (found.current.status !== 'live') throw unknownMemory(id)
  return found
}

/** @returns whether it was live: deleting a fact deletes what was said with it, which may come later in the same list. */
export async function removeIfLive(scope: ScopedMemory, memory: string): Promise<boolean> {
  try {
    await scope.remove(memory)
    return true
  } catch (error) {
    if (error instanceof NotPossibleError) return false
    throw error
  }
}

function unknownMemory(id: string): Problem {
  const name = JSON.stringify(id.slice(0, 80))
  return new Problem(404, 'not-found', `There is no memory ${name} that this key opens.`)
}

function stillPending(id: string): Problem {
  const detail = `${JSON.stringify(id.slice(0, 80))} is a message that waits for its answer and is no memory of its own yet. It becomes one with the next message.`
  return new Problem(404, 'not-consolidated', detail)
}
