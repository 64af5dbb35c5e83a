import { given, faultOfId } from '@keepsake/text/names'
import {
  type Action,
  allows,
  decodeName,
  Problem,
  requireAccess,
  type ServerDeps,
  type ServerRequest,
} from '@keepsake/server'
import {
  NotFoundError,
  type MemoryForm,
  type ScopeKey,
  type ScopeRow,
  type RememberResult,
  type ScopedMemory,
} from 'keepsake'
import type { NewRecord, Records, ProcessHolder } from 'keepsake/store'
import { refuse } from './read-body.ts'

/** A user within a tenant: the isolation boundary of memories. */
export interface Person {
  readonly tenant: string
  readonly user: string
}

const DEFAULT_TENANT = 'default'

/**
 * The request's tenant. Mem0 identifies organisations and projects by key, so a key for one tenant means that one. With a key for
 * several, the header `X-Keepsake-Tenant` names it (percent-encoded), or else the default tenant is meant.
 */
export function tenantOf(c: ServerRequest): string {
  const header = 'x-keepsake-tenant'
  const value = c.req.header(header)
  if (value !== undefined && value.trim() !== '') return decodeName(value, header)
  const { tenants } = c.get('grant')
  const [only] = tenants ?? []
  return tenants?.length === 1 && only !== undefined ? only : DEFAULT_TENANT
}

export function personOf({ tenant = DEFAULT_TENANT, user }: Pick<ScopeKey, 'tenant' | 'user'>): Person {
  return { tenant, user }
}

/** The key of a stored scope. Without agent and app it is the key of the whole user. */
export function keyOf({ tenant, user, agent, app }: ScopeRow): ScopeKey {
  return { tenant, user, ...given({ agent: agent ?? undefined, app: app ?? undefined }) }
}

/** Groups stored scopes by user; no group is empty. */
export function byPerson(rows: readonly ScopeRow[]): readonly (readonly [Person, readonly ScopeRow[]])[] {
  return [...Map.groupBy(rows, ({ owner }) => owner).values()].flatMap((rowsOfUser) => {
    const [first] = rowsOfUser
    return first === undefined ? [] : [[personOf(first), rowsOfUser] as const]
  })
}

export const ENTITY_TYPES = ['user', 'agent', 'app', 'run'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Names of the entities of a memory, `null` where it has none. */
export type Entities = { readonly [Type in EntityType as `${Type}_id`]: string | null }

/** Users that stand for an agent, app or run without a user, such as `mem0:agent:support-bot`: Keepsake isolates by user. */
const STAND_IN_USER = /^mem0:(agent|app|run):(.+)$/s

/** The entities of a stored scope, with the agent, app or run for which a stand-in user stands. */
export function entitiesOf({ user, agent, app }: ScopeRow): Omit<Entities, 'run_id'> {
  const [, type, name = null] = STAND_IN_USER.exec(user) ?? []
  return {
    user_id: name === null ? user : null,
    agent_id: type === 'agent' ? name : agent,
    app_id: type === 'app' ? name : app,
  }
}

/**
 * The scope to which memories of these entities are added. Without a user it is that of a stand-in. The `run` is the
 * session, not part of it.
 *
 * @throws Problem 400 when no entity is named, or a user by a stand-in's name.
 */
export function scopeFor(entities: Entities, tenant: string): ScopeKey {
  const { user_id: user, agent_id: agent, app_id: app, run_id: run } = entities
  if (user !== null) {
    requireUserName(user)
    return { tenant, user, ...given({ agent: agent ?? undefined, app: app ?? undefined }) }
  }
  if (agent !== null) return { tenant, user: `mem0:agent:${agent}`, ...given({ app: app ?? undefined }) }
  if (app !== null) return { tenant, user: `mem0:app:${app}` }
  if (run !== null) return { tenant, user: `mem0:run:${run}` }
  const detail = 'Say whose memory it is: at least one of user_id, agent_id, app_id and run_id.'
  const problem = 'is missing, and so are agent_id, app_id and run_id'
  throw new Problem(400, 'no-entity', detail, { fields: [{ field: 'body.user_id', problem }] })
}

/** @throws Problem 400 for a user named like a stand-in. */
export function requireUserName(user: string): void {
  const fault = faultOfId(user)
  if (fault !== null) throw refuse('user_id', fault)
  if (!STAND_IN_USER.test(user)) return
  const detail =
    'user_id must not begin with "mem0:agent:", "mem0:app:" or "mem0:run:": those stand for entities without a user. Name the agent_id, app_id or run_id itself.'
  throw refuse('user_id', 'begins with a reserved word', detail)
}

/** A session that the engine named: `session-12`. */
const ENGINE_SESSION = /^session-\d+$/
/** The escaped name of a caller's run that looks like an engine session: `run:session-12`. */
const ESCAPED_RUN = /^run:(session-\d+)$/

export function sessionOf(run: string): string {
  return ENGINE_SESSION.test(run) ? `run:${run}` : run
}

/** The run of a session; `null` when the engine named it. */
export function runOf(session: string): string | null {
  if (session === '' || ENGINE_SESSION.test(session)) return null
  return ESCAPED_RUN.exec(session)?.[1] ?? session
}

export interface Mem0Context {
  readonly deps: ServerDeps
  /** Asynchronous adds of this process, by event id. */
  readonly unawaited: Map<string, RunningAdd>
  readonly holder: ProcessHolder
}

/** Scopes of all users in the request's tenant that its key opens. @throws Problem 403 for a key without the action or the tenant. */
export async function openRows(
  { deps }: Mem0Context,
  c: ServerRequest,
  action: Action,
): Promise<readonly ScopeRow[]> {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  requireAccess(c, action, { tenant, user: grant.users?.[0] ?? '' })
  return (await deps.keepsake.scopes({ tenant })).filter((row) => allows(grant, action, personOf(row)))
}

/** The forms that are memories in Mem0's protocol: those that are recalled. */
export function recalledForms({ keepsake }: ServerDeps): readonly MemoryForm[] {
  return [...keepsake.preset.recalls, 'note']
}

/** The forms that a list without a filter shows: facts and notes, without the messages from which facts were extracted. */
export function listedForms(deps: ServerDeps): readonly MemoryForm[] {
  return deps.keepsake.preset.recalls.includes('fact') ? ['fact', 'note'] : recalledForms(deps)
}

const ID_COLLECTION = 'mem0-ids'
const RUN_COLLECTION = 'mem0-runs'

/** Records the users of memories, so that an id alone finds them later. Known ids are not written again. */
export async function recordIds(records: Records, row: ScopeRow, ids: Iterable<string>): Promise<void> {
  const { tenant, user, owner } = row
  for (const key of ids) {
    if ((await records.getRecord(ID_COLLECTION, key)) === null)
      await storeRecord(records, { collection: ID_COLLECTION, key, owner, value: { tenant, user } })
  }
}

/** Finds the user of a memory; `null` for an id that this protocol never returned. */
export async function findPersonOfId(records: Records, id: string): Promise<Person | null> {
  const known = await records.getRecord(ID_COLLECTION, id)
  return known === null ? null : (known.value as unknown as Person)
}

/** Records a run that a caller named, with its user. */
export async function recordRun(records: Records, row: ScopeRow, run: string): Promise<void> {
  const { tenant, user, owner } = row
  const key = keyOfRun(row, run)
  if ((await records.getRecord(RUN_COLLECTION, key)) === null)
    await storeRecord(records, { collection: RUN_COLLECTION, key, owner, value: { tenant, user, run } })
}

/** The runs that callers named in a tenant, with their users. */
export async function listRuns(
  records: Records,
  tenant: string,
): Promise<readonly { readonly user: string; readonly run: string }[]> {
  const found = await records.listRecords({ collection: RUN_COLLECTION, prefix: prefixOf(tenant) })
  return found.map(({ value }) => value as { readonly user: string; readonly run: string })
}

export async function forgetRun(records: Records, person: Person, run: string): Promise<void> {
  await records.removeRecord(RUN_COLLECTION, keyOfRun(person, run))
}

function prefixOf(tenant: string): string {
  return `${JSON.stringify(tenant)},`
}

function keyOfRun({ tenant, user }: Person, run: string): string {
  return `${prefixOf(tenant)}${JSON.stringify([user, run])}`
}

/** Stores a record, unless its user was erased meanwhile. */
export async function storeRecord(records: Records, record: NewRecord): Promise<void> {
  try {
    await records.putRecord({ ...record, isDerived: true })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}

/** Mem0's events: created, changed, superseded, or known before. */
export type AddEvent = 'ADD' | 'UPDATE' | 'DELETE' | 'NOOP'

/** Events by the engine's memory ids. Texts are read on request, since they may be erased by then. */
export type MemoryEvents = ReadonlyMap<string, AddEvent>

export interface RunningAdd {
  /** Resolves once the messages are durable, with the remaining work. */
  readonly recorded: Promise<StoredMessages>
  readonly finished: Promise<MemoryEvents>
  readonly scope: ScopedMemory
}

/** Durable messages, which any process can finish. */
export type StoredMessages =
  | { readonly kind: 'notes'; readonly made: MemoryEvents }
  | ({ readonly kind: 'turns' } & Pick<RememberResult, 'turns' | 'added' | 'session' | 'lastOperation'>)
