import type { Operation } from 'keepsake'
import type { ServerRequest } from '../server-context.ts'
import { findMemory, historyOf, type FoundMemory } from './find-memory.ts'
import type { Mem0Door } from './mem0-door.ts'
import { entitiesOf } from './mem0-names.ts'
import { isoTime } from './present-memory.ts'

/** A row of a memory's history as Mem0 has it: the hosted fields, and those that its self-hosted server adds. */
export interface Mem0HistoryRow {
  readonly id: string
  readonly memory_id: string
  /** The words that it rests on. */
  readonly input: readonly { readonly role: string; readonly content: string }[]
  readonly old_memory: string | null
  readonly new_memory: string | null
  readonly user_id: string | null
  readonly categories: readonly string[]
  readonly event: 'ADD' | 'UPDATE' | 'DELETE'
  readonly created_at: string
  readonly updated_at: string
  readonly is_deleted: boolean
  readonly actor_id: null
  readonly role: null
}

interface Change {
  readonly operation: Operation
  readonly event: Mem0HistoryRow['event']
  readonly before: string | null
  readonly after: string | null
}

/** Everything that happened to a memory, oldest first. What was erased has no words any more. @throws Problem 403, 404 */
export async function memoryHistory(
  door: Mem0Door,
  c: ServerRequest,
  id: string,
): Promise<readonly Mem0HistoryRow[]> {
  const found = await findMemory(door, c, id, 'read')
  const changes: Change[] = []
  for (const version of found.versions) {
    const operations = (await historyOf(found.scope, version)) ?? []
    joinVersion(changes, changesOf(operations, await wordsOf(found, version, operations)))
  }
  const { user } = entitiesOf({ user: found.person.user, agent: null, app: null })
  return changes.map((change) => rowOf(id, user, change))
}

/** Words of an utterance are its turns', and not in the log. */
async function wordsOf(
  { scope }: FoundMemory,
  memory: string,
  operations: readonly Operation[],
): Promise<string | null> {
  const added = operations.find((operation) => operation.kind === 'add')?.payload?.after
  if (added?.form !== 'utterance' || added.session === undefined) return null
  const statuses = ['live', 'deleted', 'forgotten', 'quarantined'] as const
  const memories = await scope.memories({ session: added.session, forms: ['utterance'], statuses })
  return memories.find((one) => one.id === memory)?.text ?? null
}

/** What changed of the words or of whether it holds; recalls and pins are not told. */
function changesOf(operations: readonly Operation[], words: string | null): Change[] {
  const changes: Change[] = []
  let text: string | null = null
  for (const operation of operations) {
    const { kind, payload } = operation
    const after = payload?.after
    if (kind === 'add' || kind === 'restore') {
      text = kind === 'add' ? (words ?? after?.text ?? null) : text
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

/** Other words for a message are a memory that takes the old one's place: its adding is the update, the old one's deletion is part of that. */
function joinVersion(changes: Change[], next: readonly Change[]): void {
  const last = changes.at(-1)
  const [first, ...rest] = next
  if (last === undefined || first === undefined) {
    changes.push(...next)
    return
  }
  if (last.event === 'DELETE') changes.pop()
  changes.push(
    { ...first, event: 'UPDATE', before: last.event === 'DELETE' ? last.before : last.after },
    ...rest,
  )
}

function rowOf(
  memory: string,
  user: string | null,
  { operation, event, before, after }: Change,
): Mem0HistoryRow {
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
