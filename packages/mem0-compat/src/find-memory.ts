import {
  allows,
  Problem,
  requireAccess,
  type Action,
  type ServerRequest,
  type ServerDeps,
} from '@keepsake/server'
import {
  NotPossibleError,
  type Memory,
  type MemoryStatus,
  type Operation,
  type ScopedMemory,
  type ScopeRow,
} from 'keepsake'
import {
  byPerson,
  entitiesOf,
  recordIds,
  personOf,
  findPersonOfId,
  tenantOf,
  type Person,
} from './mem0-names.ts'
import { isoTime, nameInPlaceOf, OWN_FIELD } from './present-memory.ts'

export interface FoundMemory {
  /** The id that the client knows. */
  readonly id: string
  readonly row: ScopeRow
  /** The whole user: ids are unique per user, whatever the agent or app. */
  readonly scope: ScopedMemory
  /** The engine's memory with that id. */
  readonly first: Memory
  /** The current memory: `first`, or the note that replaced it if it is a message. */
  readonly current: Memory
}

export const ALL_STATUSES: readonly MemoryStatus[] = ['live', 'quarantined', 'deleted', 'forgotten']

/** Finds a memory by id: of the user recorded for the id, else of all users that the key opens. @throws Problem 404, 403 */
async function findMemory(
  deps: ServerDeps,
  c: ServerRequest,
  id: string,
  action: Action,
): Promise<FoundMemory> {
  const { keepsake } = deps
  const grant = c.get('grant')
  const tenant = tenantOf(c)
  // Checks the action itself. Which users the key opens is checked below.
  requireAccess(c, action, { tenant: grant.tenants?.[0] ?? tenant, user: grant.users?.[0] ?? '' })
  if (id.startsWith('pending:')) throw pendingMemory(id)
  const rows = await keepsake.scopes((await findPersonOfId(keepsake.records, id)) ?? { tenant })
  for (const [person, rowsOfUser] of byPerson(rows.filter((row) => allows(grant, action, personOf(row))))) {
    const found = await findAmongRows(deps, person, rowsOfUser, id)
    if (found === null) continue
    await recordIds(keepsake.records, found.row, [id])
    return found
  }
  throw unknownMemory(id)
}

async function findAmongRows(
  deps: ServerDeps,
  person: Person,
  rows: readonly ScopeRow[],
  id: string,
): Promise<FoundMemory | null> {
  const scope = deps.keepsake.scope(person)
  const [first] = await scope.memories({ ids: [id], statuses: [...ALL_STATUSES, 'erased'] })
  const [note] = first?.form === 'fact' ? [] : await scope.memories({ names: [nameInPlaceOf(id)] })
  const current = note ?? first
  const row = rows.find(({ scope: number }) => number === current?.scope)
  return current === undefined || row === undefined
    ? null
    : { id, row, scope, first: first ?? current, current }
}

/** Finds a live memory by its id. @throws Problem 403, 404 as {@link findMemory}; 404 also for deleted, forgotten and erased memories */
export async function findLive(
  deps: ServerDeps,
  c: ServerRequest,
  id: string,
  action: Action,
): Promise<FoundMemory> {
  const found = await findMemory(deps, c, id, action)
  if (found.current.status !== 'live') throw unknownMemory(id)
  return found
}

/** Deletes a memory. @returns `false` if it was not live. Deleting a fact also deletes its message, which the same list may contain. */
export async function removeIfLive(scope: ScopedMemory, memory: string): Promise<boolean> {
  try {
    await scope.forget(memory)
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

function pendingMemory(id: string): Problem {
  const detail = `${JSON.stringify(id.slice(0, 80))} is a message that waits for its answer and is not yet a memory. It becomes one with the next message.`
  return new Problem(404, 'not-consolidated', detail)
}

interface Change {
  readonly operation: Operation
  readonly event: 'ADD' | 'UPDATE' | 'DELETE'
  readonly before: string | null
  readonly after: string | null
}

/** Answers a memory's history, oldest first. Erased texts are missing. @throws Problem 403, 404 */
export async function memoryHistory(deps: ServerDeps, c: ServerRequest): Promise<readonly object[]> {
  const id = c.req.param('id') ?? ''
  const found = await findMemory(deps, c, id, 'read')
  const { user_id: user } = entitiesOf(found.row)
  const changes = changesOf(await found.scope.admin.history(found.first.id), found.first)
  for (const note of await notesInPlaceOf(found))
    joinNote(changes, changesOf(await found.scope.admin.history(note.id), note))
  return changes.map((change) => rowOf(id, user, change))
}

/** Finds the notes that replaced a message. Deleted notes have no name, so they are found by their metadata. */
async function notesInPlaceOf({ id, scope, first, current }: FoundMemory): Promise<readonly Memory[]> {
  if (current.id !== first.id) return [current]
  if (first.form !== 'utterance' || first.status === 'live') return []
  const where = { path: [OWN_FIELD, 'replaces'], is: id }
  return scope.memories({ forms: ['note'], statuses: ALL_STATUSES, where })
}

/** Lists changes of text and validity, without recalls and pins. The log contains no texts of messages; these come from the memory. */
function changesOf(operations: readonly Operation[], { form, text: messageText }: Memory): Change[] {
  const changes: Change[] = []
  let text: string | null = null
  for (const operation of operations) {
    const { kind, payload } = operation
    const after = payload?.after
    if (kind === 'add' || kind === 'restore') {
      if (kind === 'add') text = form === 'utterance' ? messageText : (after?.text ?? null)
      changes.push({ operation, event: 'ADD', before: null, after: text })
    } else if (kind === 'modify' && after?.text !== undefined) {
      changes.push({ operation, event: 'UPDATE', before: text, after: after.text })
      text = after.text
    } else if (kind === 'delete' || kind === 'forget' || kind === 'erase' || isEnding(operation)) {
      changes.push({ operation, event: 'DELETE', before: text, after: null })
    }
  }
  return changes
}

/** Whether an operation sets the end of a memory that had none. */
const isEnding = ({ kind, payload }: Operation): boolean =>
  kind === 'modify' && payload?.before?.validUntil === null && typeof payload.after.validUntil === 'number'

/** Merges the deletion of a message and the addition of the note that replaced it into one update. */
function joinNote(changes: Change[], [first, ...rest]: readonly Change[]): void {
  const last = changes.at(-1)
  if (first === undefined) return
  if (last?.event === 'DELETE') changes.pop()
  const before = (last?.event === 'DELETE' ? last.before : last?.after) ?? null
  changes.push({ ...first, event: 'UPDATE', before }, ...rest)
}

/** Formats a change with the fields of Mem0's hosted service and of its self-hosted server. */
function rowOf(memory: string, user: string | null, { operation, event, before, after }: Change): object {
  const { evidence: quotes = [], label } = operation.payload?.after ?? {}
  const role = label === 'agent-stated' ? 'assistant' : 'user'
  const at = isoTime(operation.at)
  return {
    id: operation.id,
    memory_id: memory,
    input: quotes.flatMap(({ quote }) => (quote === null ? [] : [{ role, content: quote }])),
    old_memory: before,
    new_memory: after,
    user_id: user,
    categories: [],
    event,
    created_at: at,
    updated_at: at,
    is_deleted: event === 'DELETE',
    actor_id: null,
    role: null,
  }
}
