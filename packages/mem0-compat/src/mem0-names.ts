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
import { NotFoundError, type MemoryForm, type ScopeKey, type ScopeRow, type RememberResult } from 'keepsake'
import type { NewRecord, Records } from 'keepsake/store'
import { refuse } from './read-body.ts'

/** A user within a tenant: the isolation boundary of memories. */
export interface Person {
  readonly tenant: string
  readonly user: string
}

const DEFAULT_TENANT = 'default'

/** Returns the tenant: the key's only one, or that of the header `X-Keepsake-Tenant` (percent-encoded), or the default. */
export function tenantOf(c: ServerRequest): string {
  const header = 'x-keepsake-tenant'
  const value = c.req.header(header)
  if (value !== undefined && value.trim() !== '') return decodeName(value, header)
  const { tenants } = c.get('grant')
  const [firstTenant] = tenants ?? []
  return tenants?.length === 1 && firstTenant !== undefined ? firstTenant : DEFAULT_TENANT
}

export function personOf({ tenant = DEFAULT_TENANT, user }: Pick<ScopeKey, 'tenant' | 'user'>): Person {
  return { tenant, user }
}

/** Returns the key of a stored scope. Without agent and app it is the key of the whole user. */
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

/** The names of a memory's entities; `null` for missing ones. */
export type Entities = { readonly [Type in EntityType as `${Type}_id`]: string | null }

/** Matches stand-in users. Every memory needs a user, so an agent, app or run without one gets a name such as `mem0:agent:support-bot`. */
const STAND_IN_USER = /^mem0:(agent|app|run):(.+)$/s

/** Returns the entities of a stored scope. For a stand-in user this is its agent or app. */
export function entitiesOf({ user, agent, app }: ScopeRow): Omit<Entities, 'run_id'> {
  const [, type, name = null] = STAND_IN_USER.exec(user) ?? []
  return {
    user_id: name === null ? user : null,
    agent_id: type === 'agent' ? name : agent,
    app_id: type === 'app' ? name : app,
  }
}

/** Returns the scope of entities; if no user is named, that of a stand-in user. The run becomes the session. @throws Problem 400 */
export function scopeFor(entities: Entities, tenant: string): ScopeKey {
  const { user_id: user, agent_id: agent, app_id: app, run_id: run } = entities
  if (user !== null) {
    requireUserName(user)
    return { tenant, user, ...given({ agent: agent ?? undefined, app: app ?? undefined }) }
  }
  if (agent !== null) return { tenant, user: `mem0:agent:${agent}`, ...given({ app: app ?? undefined }) }
  if (app !== null) return { tenant, user: `mem0:app:${app}` }
  if (run !== null) return { tenant, user: `mem0:run:${run}` }
  const detail = 'Name at least one of user_id, agent_id, app_id and run_id.'
  const problem = 'is missing, and so are agent_id, app_id and run_id'
  throw new Problem(400, 'no-entity', detail, { fields: [{ field: 'body.user_id', problem }] })
}

/** Checks the name of a user. @throws Problem 400 for an invalid name, or one that is reserved for stand-ins */
export function requireUserName(user: string): void {
  const fault = faultOfId(user)
  if (fault !== null) throw refuse('user_id', fault)
  if (!STAND_IN_USER.test(user)) return
  const detail =
    'user_id must not begin with "mem0:agent:", "mem0:app:" or "mem0:run:", which are names of entities without a user. Use agent_id, app_id or run_id instead.'
  throw refuse('user_id', 'begins with a reserved prefix', detail)
}

/** Matches a session that the engine named: `session-12`. */
const ENGINE_SESSION = /^session-\d+$/
/** Matches the session of a run that a caller named `session-12`. The prefix distinguishes it from the engine's session. */
const ESCAPED_RUN = /^run:(session-\d+)$/

/** Returns the session of a run. */
export function sessionOf(run: string): string {
  return ENGINE_SESSION.test(run) ? `run:${run}` : run
}

/** Returns the run of a session; `null` if the engine named the session. */
export function runOf(session: string): string | null {
  if (session === '' || ENGINE_SESSION.test(session)) return null
  return ESCAPED_RUN.exec(session)?.[1] ?? session
}

/** Lists the scopes in the request's tenant to which its key gives access. @throws Problem 403 for a key without the action or the tenant */
export async function openRows(
  deps: ServerDeps,
  c: ServerRequest,
  action: Action,
): Promise<readonly ScopeRow[]> {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  // Checks action and tenant. Which users the key opens is checked below.
  requireAccess(c, action, { tenant, user: grant.users?.[0] ?? '' })
  return (await deps.keepsake.scopes({ tenant })).filter((row) => allows(grant, action, personOf(row)))
}

/** Returns the forms that are memories in Mem0's protocol: all forms that recall finds. */
export function recalledForms({ keepsake }: ServerDeps): readonly MemoryForm[] {
  return [...keepsake.preset.recalls, 'note']
}

/** Returns the forms that a list without a filter shows. Messages from which facts were extracted are not listed. */
export function listedForms(deps: ServerDeps): readonly MemoryForm[] {
  return deps.keepsake.preset.recalls.includes('fact') ? ['fact', 'note'] : recalledForms(deps)
}

const ID_COLLECTION = 'mem0-ids'
const RUN_COLLECTION = 'mem0-runs'

/** Records which user each memory belongs to, so that later requests find it by its id. Skips recorded ids. */
export async function recordIds(records: Records, row: ScopeRow, ids: Iterable<string>): Promise<void> {
  const { tenant, user, owner } = row
  for (const key of ids) {
    if ((await records.getRecord(ID_COLLECTION, key)) === null)
      await storeRecord(records, { collection: ID_COLLECTION, key, owner, value: { tenant, user } })
  }
}

/** Finds the user of a memory; `null` for an id that this protocol never returned. */
export async function findPersonOfId(records: Records, id: string): Promise<Person | null> {
  const record = await records.getRecord(ID_COLLECTION, id)
  return record === null ? null : (record.value as unknown as Person)
}

/** Records a run that a caller named, with its user. */
export async function recordRun(records: Records, row: ScopeRow, run: string): Promise<void> {
  const { tenant, user, owner } = row
  const key = keyOfRun(row, run)
  if ((await records.getRecord(RUN_COLLECTION, key)) === null)
    await storeRecord(records, { collection: RUN_COLLECTION, key, owner, value: { tenant, user, run } })
}

/** Lists the runs that callers named in a tenant, with their users. */
export async function listRuns(
  records: Records,
  tenant: string,
): Promise<readonly { readonly user: string; readonly run: string }[]> {
  const stored = await records.listRecords({ collection: RUN_COLLECTION, prefix: prefixOf(tenant) })
  return stored.map(({ value }) => value as { readonly user: string; readonly run: string })
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

/** Mem0's events: `ADD` created a memory, `UPDATE` changed it, `DELETE` superseded it, `NOOP` found it unchanged. */
export type AddEvent = 'ADD' | 'UPDATE' | 'DELETE' | 'NOOP'

/** Events by the engine's memory ids. Texts are read on request, since they may be erased by then. */
export type MemoryEvents = ReadonlyMap<string, AddEvent>

/** Durable turns of an add, from which any process can extract facts. */
export type StoredTurns = { readonly kind: 'turns' } & Pick<
  RememberResult,
  'turns' | 'added' | 'session' | 'lastOperation'
>

/** Durable messages of an add: turns, or notes with their events. */
export type StoredMessages = StoredTurns | { readonly kind: 'notes'; readonly events: MemoryEvents }
