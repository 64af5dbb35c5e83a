import { createHash } from 'node:crypto'
import { requestIdFor, requireAccess, type ServerRequest, type ServerDeps } from '@keepsake/server'
import type { ScopeKey } from 'keepsake'
import {
  finishAdding,
  isSettledBefore,
  presentResults,
  storeMessages,
  type AddRequest,
} from './add-messages.ts'
import { beginEvent } from './mem0-events.ts'
import { scopeFor, tenantOf } from './mem0-names.ts'
import { applyInstructions } from './project-settings.ts'
import { readAdd } from './read-add.ts'

/** Time after which an add is answered with an event. It is well below the minute for which Mem0's client waits. */
const MAX_WAIT_MS = 20_000
/** Time within which equal requests count as one, because a client that lost an answer repeats its request. */
const REPEAT_MS = 2_000
/** Request ids by content, shared by all processes. */
const COLLECTION = 'mem0-adds'

/** Remembers the messages of a request and returns the changes. @throws Problem 400, 403 */
export async function addMemories(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const request = await readAdd(c)
  if (request.messages.length === 0) return { results: [] }
  const key = scopeFor(request.entities, tenantOf(c))
  requireAccess(c, 'write', key)
  const id = requestIdFor(c.get('grant'), c.req) ?? (await sharedId(deps, key, request))
  if (request.infer) await applyInstructions(deps, key, request.instructions)
  const scope = deps.keepsake.scope(key)
  const stored = await storeMessages(deps, scope, request, id)
  // The answer is stored under an `Idempotency-Key`, and erased with this user.
  c.set('about', key)
  const finished = finishAdding(deps, scope, stored)
  const waitEnd = request.isAsync ? AbortSignal.abort() : waitSignal(deps)
  if (await isSettledBefore(waitEnd, finished))
    return { results: await presentResults(deps, scope, await finished) }
  return {
    event_id: await beginEvent(deps, c, { scope: key, stored }),
    status: 'PENDING',
    message: 'The messages are remembered. Facts are extracted in the background: ask for the event.',
  }
}

/** Aborted when an add has waited long enough for its facts, or when the server stops. */
const waitSignal = ({ stopping }: ServerDeps): AbortSignal =>
  AbortSignal.any([stopping, AbortSignal.timeout(MAX_WAIT_MS)])

/** Returns the id of an equal request that just came to any process; else a new one. */
async function sharedId(deps: ServerDeps, scope: ScopeKey, request: AddRequest): Promise<string> {
  const { records } = deps.keepsake
  const { entities, messages, metadata, infer } = request
  const content = JSON.stringify([scope, entities.run_id, messages, metadata, infer])
  const key = createHash('sha256').update(content).digest('base64')
  for (;;) {
    const found = await records.getRecord(COLLECTION, key)
    if (found !== null) return (found.value as { readonly id: string }).id
    const id = `mem0-${deps.newId()}`
    const record = { collection: COLLECTION, key, value: { id }, lastsMs: REPEAT_MS, isDerived: true }
    if ((await records.putRecord({ ...record, expect: null })) !== null) return id
  }
}
