import { textWithAttachments } from 'keepsake'
import type { Memory, Operation, ScopedMemory, ScopeKey, ScopeRow, Metadata, TurnInput } from 'keepsake'
import type { ServerDeps } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import { withoutThinking } from '@keepsake/text'
import { ALL_STATUSES } from './find-memory.ts'
import {
  recordIds,
  recordRun,
  personOf,
  sessionOf,
  recalledForms,
  type Entities,
  type AddEvent,
  type MemoryEvents,
  type StoredMessages,
} from './mem0-names.ts'
import type { Instructions } from './project-settings.ts'
import { hasEnded, publicId } from './present-memory.ts'

/** A message to add. If an add is repeated, a message with the same id is not stored again. */
export type NewMessage = Pick<TurnInput, 'role' | 'text' | 'attachments' | 'speaker' | 'id'> & {
  readonly at?: number
}

export interface AddRequest {
  readonly entities: Entities
  readonly messages: readonly NewMessage[]
  readonly metadata: Metadata | null
  /** Whether facts may be extracted from the messages; `false` stores each as it is. */
  readonly infer: boolean
  readonly instructions: Instructions
  /** Whether to answer immediately, with an event that the caller can poll. */
  readonly isAsync: boolean
}

/** Formats the results of an add as Mem0's API does. Omits memories that were erased since. */
export async function presentResults(
  deps: ServerDeps,
  scope: ScopedMemory,
  events: MemoryEvents,
): Promise<readonly object[]> {
  const { keepsake } = deps
  const memories = await memoriesOf(scope, events)
  const [row] = await keepsake.scopes(personOf(scope.key))
  if (row !== undefined) await recordIds(keepsake.records, row, memories.map(publicId))
  // Facts come before the messages from which they were extracted.
  const isMessage = ({ form }: Memory): number => Number(form === 'utterance')
  return memories
    .toSorted((left, right) => isMessage(left) - isMessage(right))
    .map((memory) => ({
      id: publicId(memory),
      data: { memory: memory.text },
      event: events.get(memory.id) ?? 'NOOP',
    }))
}

/** Reads the memories of some events, in the order of the events. */
async function memoriesOf(scope: ScopedMemory, events: MemoryEvents): Promise<readonly Memory[]> {
  if (events.size === 0) return []
  const memories = await scope.memories({ ids: [...events.keys()], statuses: ALL_STATUSES })
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  return [...events.keys()].flatMap((id) => byId.get(id) ?? [])
}

/** Stores the messages of an add. @param id of the request; messages without an id get one from it */
export async function storeMessages(
  { keepsake }: ServerDeps,
  scope: ScopedMemory,
  request: AddRequest,
  id: string,
): Promise<StoredMessages> {
  const stored = request.infer
    ? await rememberTurns(scope, request, id)
    : await storeNotes(scope, request, id)
  const { run_id: run } = request.entities
  const [row] = await keepsake.scopes(personOf(scope.key))
  if (run !== null && row !== undefined) await recordRun(keepsake.records, row, run)
  return stored
}

/** Finishes an add whose messages are durable. Any process can do this. @returns the events of the memories */
export async function finishAdding(
  deps: ServerDeps,
  scope: ScopedMemory,
  stored: StoredMessages,
): Promise<MemoryEvents> {
  if (stored.kind === 'notes') return stored.events
  const { turns, added, session, lastOperation } = stored
  // If the language model fails, its job waits for a retry. Then the result contains only the events made without the model.
  await scope.drain()
  if (added > 0) return readEventsSince(deps, scope, turns, lastOperation)
  // A repeated add returns the memories of the first one.
  const memories = await scope.memories({
    forms: recalledForms(deps),
    ...given({ session: session ?? undefined }),
  })
  return new Map(memories.filter((memory) => hasEvidenceIn(memory, turns)).map(({ id }) => [id, 'NOOP']))
}

/** Whether a promise settles before a signal is aborted. A later rejection is ignored. */
export async function isSettledBefore(signal: AbortSignal, work: Promise<unknown>): Promise<boolean> {
  const { promise: aborted, resolve } = Promise.withResolvers<false>()
  if (signal.aborted) resolve(false)
  signal.addEventListener('abort', () => resolve(false), { once: true })
  const settled = work.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, aborted])
}

/** Stores messages unchanged, without extracting from them. */
async function storeNotes(scope: ScopedMemory, request: AddRequest, id: string): Promise<StoredMessages> {
  const events = new Map<string, AddEvent>()
  const session = request.entities.run_id === null ? undefined : sessionOf(request.entities.run_id)
  const metadata = request.metadata ?? undefined
  for (const [index, { attachments = [], at, ...message }] of request.messages.entries()) {
    const plainText = message.role === 'assistant' ? withoutThinking(message.text) : message.text
    const text = textWithAttachments(plainText, attachments)
    if (text === '' && message.text !== '') continue
    const name = message.id ?? `${id}/${index}`
    const [existing] = await scope.memories({ names: [name] })
    const note = await scope.note(text, given({ name, session, metadata, at }))
    events.set(note.id, existing === undefined ? 'ADD' : 'NOOP')
  }
  return { kind: 'notes', events }
}

async function rememberTurns(scope: ScopedMemory, request: AddRequest, id: string): Promise<StoredMessages> {
  const { messages, metadata, entities } = request
  const newTurns = messages.map((turn) => ({ ...turn, ...given({ metadata: metadata ?? undefined }) }))
  const session = entities.run_id === null ? {} : { session: sessionOf(entities.run_id) }
  const { turns, added, lastOperation, ...remembered } = await scope.remember(newTurns, { id, ...session })
  return { kind: 'turns', turns, added, lastOperation, session: remembered.session }
}

/** Reads from the log which memories the messages created, changed or superseded. */
async function readEventsSince(
  deps: ServerDeps,
  scope: ScopedMemory,
  turns: readonly string[],
  after: number,
): Promise<MemoryEvents> {
  const row = await findRow(deps, scope.key)
  const operations = (await scope.log({ after })).filter((operation) => operation.scope === row?.scope)
  const ids = operations.flatMap(({ memory }) => memory ?? [])
  const found = await scope.memories({ ids, forms: recalledForms(deps), statuses: ALL_STATUSES })
  const memories = new Map(found.map((memory) => [memory.id, memory]))
  const events = new Map<string, AddEvent>()
  for (const operation of operations) {
    const memory = memories.get(operation.memory ?? '')
    const event = memory === undefined ? null : eventOf(operation, memory, turns, deps.now())
    if (memory !== undefined && event !== null)
      events.set(memory.id, joinEvents(events.get(memory.id), event))
  }
  return events
}

async function findRow({ keepsake }: ServerDeps, key: ScopeKey): Promise<ScopeRow | undefined> {
  const { agent = null, app = null } = key
  return (await keepsake.scopes(personOf(key))).find((row) => row.agent === agent && row.app === app)
}

const hasEvidenceIn = (memory: Memory, turns: readonly string[]): boolean =>
  memory.evidence.some(({ turn }) => turns.includes(turn))

/** Returns the event that Mem0 reports for an operation; `null` if the add did not cause the operation. */
function eventOf(
  { kind, origin, payload }: Operation,
  memory: Memory,
  turns: readonly string[],
  now: number,
): AddEvent | null {
  // An operation with the step `api` belongs to another request.
  if (origin.step === 'api') return null
  if (kind === 'add') return hasEvidenceIn(memory, turns) ? 'ADD' : null
  if (kind === 'delete') return 'DELETE'
  if (kind !== 'modify') return null
  if (hasEnded(memory, now)) {
    const wasEndedByThis = payload?.before?.validUntil === null
    return wasEndedByThis ? 'DELETE' : null
  }
  if (!hasEvidenceIn(memory, turns)) return null
  return payload?.after.text === undefined ? 'NOOP' : 'UPDATE'
}

/** Joins two events of one memory. If it was created and then changed, it counts as created. */
function joinEvents(before: AddEvent | undefined, next: AddEvent): AddEvent {
  if (before === 'ADD' && next !== 'DELETE') return 'ADD'
  return before === 'UPDATE' && next === 'NOOP' ? 'UPDATE' : next
}
