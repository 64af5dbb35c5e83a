import type { Memory, Operation } from 'keepsake'
import type { ServerRequest } from '@keepsake/server'
import { EVERY_STATUS, findMemory, type FoundMemory } from './find-memory.ts'
import type { Mem0Door } from './mem0-door.ts'
import { entitiesOf } from './mem0-names.ts'
import { isoTime, OWN_FIELD } from './present-memory.ts'

interface Change {
  readonly operation: Operation
  readonly event: 'ADD' | 'UPDATE' | 'DELETE'
  readonly before: string | null
  readonly after: string | null
}

/** Everything that happened to a memory, oldest first. What was erased has no words any more. @throws Problem 403, 404 */
export async function memoryHistory(door: Mem0Door, c: ServerRequest): Promise<readonly object[]> {
  const id = c.req.param('id') ?? ''
  const found = await findMemory(door, c, id, 'read')
  const { user_id: user } = entitiesOf(found.row)
  const changes = changesOf(await found.scope.history(found.first.id), found.first)
  for (const note of await notesInPlaceOf(found))
    joinNote(changes, changesOf(await found.scope.history(note.id), note))
  return changes.map((change) => rowOf(id, user, change))
}

/** Other words for a message are a note in its place; one that was deleted has no name any more. */
async function notesInPlaceOf({ id, scope, first, current }: FoundMemory): Promise<readonly Memory[]> {
  if (current.id !== first.id) return [current]
  if (first.form !== 'utterance' || first.status === 'live') return []
  const where = { path: [OWN_FIELD, 'replaces'], is: id }
  return scope.memories({ forms: ['note'], statuses: EVERY_STATUS, where })
}

/** What changed of the words or of whether it holds; recalls and pins are not told. Words of an utterance are its turns', and not in the log. */
function changesOf(operations: readonly Operation[], { form, text: words }: Memory): Change[] {
  const changes: Change[] = []
  let text: string | null = null
  for (const operation of operations) {
    const { kind, payload } = operation
    const after = payload?.after
    if (kind === 'add' || kind === 'restore') {
      if (kind === 'add') text = form === 'utterance' ? words : (after?.text ?? null)
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

/** It ceased to be so. */
const isEnding = ({ kind, payload }: Operation): boolean =>
  kind === 'modify' && payload?.before?.validUntil === null && typeof payload.after.validUntil === 'number'

/** A note takes a message's place: its adding is the update, the message's deletion is part of that. */
function joinNote(changes: Change[], [first, ...rest]: readonly Change[]): void {
  const last = changes.at(-1)
  if (first === undefined) return
  if (last?.event === 'DELETE') changes.pop()
  const before = (last?.event === 'DELETE' ? last.before : last?.after) ?? null
  changes.push({ ...first, event: 'UPDATE', before }, ...rest)
}

/** A row of a memory's history as Mem0 has it: the hosted fields, and those that its self-hosted server adds. */
function rowOf(memory: string, user: string | null, { operation, event, before, after }: Change): object {
  const { evidence: quotes = [], label } = operation.payload?.after ?? {}
  const role = label === 'agent-stated' ? 'assistant' : 'user'
  const at = isoTime(operation.at)
  return {
    id: operation.id,
    memory_id: memory,
    /** The words that it rests on. */
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
