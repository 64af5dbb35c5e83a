import { textWithAttachments } from 'keepsake'
import type { Memory, Operation, ScopedMemory, ScopeKey, ScopeRow, Metadata, TurnInput } from 'keepsake'
import type { ServerDeps } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import { withoutThinking } from '@keepsake/text'
import { EVERY_STATUS } from './find-memory.ts'
import {
  noteIds,
  noteRun,
  personOf,
  sessionOf,
  recalledForms,
  type Mem0Context,
  type Entities,
  type AddEvent,
  type Made,
  type Adding,
  type Recorded,
} from './mem0-names.ts'
import type { Instructions } from './project-settings.ts'
import { isOver, publicId } from './present-memory.ts'

/** A message as a turn, with an id where it may be repeated. */
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
  /** Answers at once, with an event to poll. */
  readonly isAsync: boolean
}

/** The results of an add in Mem0's form, without what was erased since. */
export async function resultsOf(
  { deps }: Mem0Context,
  scope: ScopedMemory,
  made: Made,
): Promise<readonly object[]> {
  const { keepsake } = deps
  const memories = await memoriesOf(scope, made)
  const [row] = await keepsake.scopes(personOf(scope.key))
  if (row !== undefined) await noteIds(keepsake.records, row, memories.map(publicId))
  // What was learned comes before the messages it was drawn from.
  const isMessage = ({ form }: Memory): number => Number(form === 'utterance')
  return memories
    .toSorted((one, other) => isMessage(one) - isMessage(other))
    .map((memory) => ({
      id: publicId(memory),
      data: { memory: memory.text },
      event: made.get(memory.id) ?? 'NOOP',
    }))
}

/** The memories in order of creation. */
async function memoriesOf(scope: ScopedMemory, made: Made): Promise<readonly Memory[]> {
  if (made.size === 0) return []
  const found = await scope.memories({ ids: [...made.keys()], statuses: EVERY_STATUS })
  const byId = new Map(found.map((memory) => [memory.id, memory]))
  return [...made.keys()].flatMap((id) => byId.get(id) ?? [])
}

/** Begins to add messages. @param id the request's id, from which messages without their own derive theirs */
export function startAdding(deps: ServerDeps, key: ScopeKey, request: AddRequest, id: string): Adding {
  const scope = deps.keepsake.scope(key)
  const recorded = record(deps, scope, request, id)
  const finished = recorded.then((recorded) => finishAdding(deps, scope, recorded))
  // No caller may be waiting when messages could not be stored.
  finished.catch(() => undefined)
  return { recorded, finished, scope }
}

async function record(
  { keepsake }: ServerDeps,
  scope: ScopedMemory,
  request: AddRequest,
  id: string,
): Promise<Recorded> {
  const recorded = request.infer
    ? await rememberTurns(scope, request, id)
    : await keepNotes(scope, request, id)
  const { run_id: run } = request.entities
  const [row] = await keepsake.scopes(personOf(scope.key))
  if (run !== null && row !== undefined) await noteRun(keepsake.records, row, run)
  return recorded
}

/** Finishes an add once its messages are durable, in any process. @returns what became of them */
export async function finishAdding(deps: ServerDeps, scope: ScopedMemory, recorded: Recorded): Promise<Made> {
  if (recorded.kind === 'notes') return recorded.made
  const { turns, added, session, lastOperation } = recorded
  // When the language model fails, its job waits with the messages safe; what was made without it counts.
  await scope.drain()
  if (added > 0) return madeSince(deps, scope, turns, lastOperation)
  // A repeated add returns what the first one made.
  const known = await scope.memories({
    forms: recalledForms(deps),
    ...given({ session: session ?? undefined }),
  })
  return new Map(known.filter((memory) => restsOn(memory, turns)).map(({ id }) => [id, 'NOOP']))
}

/** Stores messages unchanged, without extracting from them. */
async function keepNotes(scope: ScopedMemory, request: AddRequest, id: string): Promise<Recorded> {
  const made = new Map<string, AddEvent>()
  const session = request.entities.run_id === null ? undefined : sessionOf(request.entities.run_id)
  const metadata = request.metadata ?? undefined
  for (const [index, { role, text: said, attachments = [], id: own, at }] of request.messages.entries()) {
    const words = role === 'assistant' ? withoutThinking(said) : said
    const text = textWithAttachments(words, attachments)
    if (text === '' && said !== '') continue
    const name = own ?? `${id}/${index}`
    const [known] = await scope.memories({ names: [name] })
    const note = await scope.note(text, given({ name, session, metadata, at }))
    made.set(note.id, known === undefined ? 'ADD' : 'NOOP')
  }
  return { kind: 'notes', made }
}

async function rememberTurns(scope: ScopedMemory, request: AddRequest, id: string): Promise<Recorded> {
  const { messages, metadata, entities } = request
  const said = messages.map((turn) => ({ ...turn, ...given({ metadata: metadata ?? undefined }) }))
  const session = entities.run_id === null ? {} : { session: sessionOf(entities.run_id) }
  const { turns, added, lastOperation, ...remembered } = await scope.remember(said, { id, ...session })
  return { kind: 'turns', turns, added, lastOperation, session: remembered.session }
}

/** Reads the log since the messages: memories that rest on them, and those that they superseded. */
async function madeSince(
  deps: ServerDeps,
  scope: ScopedMemory,
  turns: readonly string[],
  logged: number,
): Promise<Made> {
  const own = await ownScope(deps, scope.key)
  const since = (await scope.log({ after: logged })).filter((one) => one.scope === own?.scope)
  const touched = since.flatMap(({ memory }) => memory ?? [])
  const found = await scope.memories({ ids: touched, forms: recalledForms(deps), statuses: EVERY_STATUS })
  const memories = new Map(found.map((memory) => [memory.id, memory]))
  const made = new Map<string, AddEvent>()
  for (const operation of since) {
    const memory = memories.get(operation.memory ?? '')
    const event = memory === undefined ? null : eventOf(operation, memory, turns, deps.now())
    if (memory !== undefined && event !== null) made.set(memory.id, joinEvents(made.get(memory.id), event))
  }
  return made
}

async function ownScope({ keepsake }: ServerDeps, key: ScopeKey): Promise<ScopeRow | undefined> {
  const { agent = null, app = null } = key
  return (await keepsake.scopes(personOf(key))).find((row) => row.agent === agent && row.app === app)
}

const restsOn = (memory: Memory, turns: readonly string[]): boolean =>
  memory.evidence.some(({ turn }) => turns.includes(turn))

/** The event of an operation; `null` when the add did not cause it. */
function eventOf(
  { kind, origin, payload }: Operation,
  memory: Memory,
  turns: readonly string[],
  now: number,
): AddEvent | null {
  // Another request did this meanwhile.
  if (origin.step === 'api') return null
  if (kind === 'add') return restsOn(memory, turns) ? 'ADD' : null
  if (kind === 'delete') return 'DELETE'
  if (kind !== 'modify') return null
  if (isOver(memory, now)) return payload?.before?.validUntil === null ? 'DELETE' : null
  if (!restsOn(memory, turns)) return null
  return payload?.after.text === undefined ? 'NOOP' : 'UPDATE'
}

/** Joins events: a memory that was made and then changed counts as made. */
function joinEvents(before: AddEvent | undefined, now: AddEvent): AddEvent {
  if (before === 'ADD' && now !== 'DELETE') return 'ADD'
  return before === 'UPDATE' && now === 'NOOP' ? 'UPDATE' : now
}
