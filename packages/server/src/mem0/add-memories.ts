import { createHash } from 'node:crypto'
import { KeepsakeError, type ScopedMemory, type ScopeKey, type TurnInput } from 'keepsake'
import { requireAccess } from '../access/require-access.ts'
import type { ServerRequest } from '../server-context.ts'
import { personOf, requireUtterances, tenantOf, type Mem0Door } from './mem0-door.ts'
import type { AddResult, Mem0Event } from './mem0-events.ts'
import { scopeFor } from './mem0-names.ts'
import type { Person } from './mem0-notes.ts'
import { readAdd, type AddRequest } from './read-add.ts'
import { resultsOf } from './add-results.ts'
import type { Watching } from './watch-changes.ts'

/** Mem0's client waits a minute; what takes longer is answered with an event to ask about. */
const LONGEST_WAIT_MS = 20_000

/** What an add is answered: what was made of it, or that it is under way. */
export type AddAnswer =
  | { readonly results: readonly AddResult[] }
  | (Pick<Mem0Event, 'status'> & { readonly event_id: string; readonly message: string })

interface Recorded {
  readonly turns: readonly string[]
  readonly session: string | null
  /** None was new. */
  readonly isKnown: boolean
}

interface Adding {
  readonly person: Person
  /** Resolves once the messages are durable. */
  readonly recorded: Promise<unknown>
  readonly finished: Promise<readonly AddResult[]>
}

/** Requests made at the same time reach a server one after another, and a client that lost an answer asks again. */
const SAME_MS = 2_000

/**
 * Adds messages, once for equal requests that come at the same time: all of a request being equal (messages, names,
 * metadata, timestamp), it is the same request for two seconds after it was done, and gets the same answer.
 */
export class MemoryAdder {
  readonly #door: Mem0Door
  readonly #underWay = new Map<string, Adding>()
  readonly #done = new Map<string, Adding>()

  constructor(door: Mem0Door) {
    this.#door = door
  }

  /** Remembers the messages of a request and says what was made of them. */
  async add(c: ServerRequest): Promise<AddAnswer> {
    const request = await readAdd(c)
    const key = scopeFor(request.entities, tenantOf(c))
    requireAccess(c, 'write', key)
    if (!request.infer) requireUtterances(this.#door)
    const adding = this.#begin(key, request)
    await adding.recorded
    const done = request.isAsync ? null : await within(adding.finished, this.#door.deps.stopping)
    if (done !== null) return { results: done }
    const { id, status } = this.#door.events.begin(
      this.#door.deps.newId(),
      c.get('grant').id,
      adding.finished,
    )
    return {
      event_id: id,
      status,
      message: 'The messages are remembered. What is drawn from them follows; ask for the event.',
    }
  }

  #begin(key: ScopeKey, request: AddRequest): Adding {
    const fingerprint = fingerprintOf(key, request)
    const same = this.#underWay.get(fingerprint) ?? this.#done.get(fingerprint)
    if (same !== undefined) return same
    const adding = startAdding(this.#door, key, request)
    this.#underWay.set(fingerprint, adding)
    adding.finished.then(
      () => this.#keep(fingerprint, adding),
      () => this.#underWay.delete(fingerprint),
    )
    return adding
  }

  #keep(fingerprint: string, adding: Adding): void {
    this.#underWay.delete(fingerprint)
    this.#done.set(fingerprint, adding)
    const drop = (): void => {
      if (this.#done.get(fingerprint) === adding) this.#done.delete(fingerprint)
    }
    setTimeout(drop, SAME_MS).unref()
  }

  /** Takes equal requests for new ones: what was added may have been deleted or changed since. Of everybody when nobody is named. */
  forgetRecent(person?: Person): void {
    for (const [fingerprint, adding] of this.#done) {
      const isOf = person === undefined || isSamePerson(person, adding.person)
      if (isOf) this.#done.delete(fingerprint)
    }
  }
}

const isSamePerson = (one: Person, other: Person): boolean =>
  one.tenant === other.tenant && one.user === other.user

function fingerprintOf(key: ScopeKey, { entities, turns, metadata, infer }: AddRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([key, entities.run, turns, metadata, infer]))
    .digest('base64')
}

function startAdding(door: Mem0Door, key: ScopeKey, request: AddRequest): Adding {
  const scope = door.deps.keepsake.scope(key)
  const { tenant, user } = personOf(key)
  const watching = door.changes.watch({ tenant, user, agent: key.agent ?? null, app: key.app ?? null })
  const recorded = door.queue.run({ tenant, user }, () => record(door, scope, request))
  const finished = recorded
    .then((turns) => finish(door, scope, request, turns, watching))
    .finally(() => watching.stop())
  // Whoever waits for it is told; nobody may be waiting when messages could not be stored.
  finished.catch(() => undefined)
  return { person: { tenant, user }, recorded, finished }
}

/** Durable when it resolves. What is noted of the turns stands before they do, so that no kill parts the two. */
async function record(door: Mem0Door, scope: ScopedMemory, request: AddRequest): Promise<Recorded> {
  const { deps, notes } = door
  const person = personOf(scope.key)
  const turns = request.turns.map((turn): TurnInput & { readonly id: string } => ({
    ...turn,
    id: turn.id ?? deps.newId(),
  }))
  const ids = turns.map((turn) => turn.id)
  const { run } = request.entities
  if (request.metadata !== null) notes.noteTurns(person, ids, request.metadata)
  if (run !== null) notes.noteRun(person, run)
  try {
    const { added, session } = await scope.remember(turns, run === null ? {} : { session: run })
    return { turns: ids, session, isKnown: added === 0 }
  } catch (error) {
    const fresh = request.turns.every((turn) => turn.id === undefined)
    if (fresh && request.metadata !== null) notes.erase(person, { memories: [], turns: ids, runs: [] })
    throw error
  }
}

async function finish(
  door: Mem0Door,
  scope: ScopedMemory,
  { infer }: AddRequest,
  recorded: Recorded,
  watching: Watching,
): Promise<readonly AddResult[]> {
  await drainAsFarAsPossible(door, scope)
  if (!infer && !recorded.isKnown && !isKept(recorded.turns, watching)) {
    // Something before it waits for an answer and holds it back; the end of the session closes that.
    if (recorded.session !== null) await scope.endSession(recorded.session)
    await drainAsFarAsPossible(door, scope)
  }
  return resultsOf(door, scope, recorded, watching.changes)
}

/** A language model that fails leaves its work parked, with the messages safe: what was made without it counts. */
async function drainAsFarAsPossible({ deps }: Mem0Door, scope: ScopedMemory): Promise<void> {
  try {
    await scope.drain()
  } catch (error) {
    if (!(error instanceof KeepsakeError) || !error.code.startsWith('model-')) throw error
    deps.log({ level: 'warn', event: 'mem0-add-without-model', code: error.code })
  }
}

function isKept(turns: readonly string[], { changes }: Watching): boolean {
  const kept = new Set(changes.flatMap(({ memory }) => memory.evidence.map(({ turn }) => turn)))
  return turns.every((turn) => kept.has(turn))
}

/** The results; `null` when they take too long or the server is stopping. */
async function within<Value>(work: Promise<Value>, stopping: AbortSignal): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), LONGEST_WAIT_MS)
  const stop = (): void => resolve(null)
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', stop)
  }
}
