import {
  type Action,
  allows,
  decodeName,
  given,
  Problem,
  requireAccess,
  type ServerDeps,
  type ServerRequest,
} from '@keepsake/server'
import {
  NotFoundError,
  type MemoryForm,
  type NewRecord,
  type Records,
  type ScopeKey,
  type ScopeRow,
} from 'keepsake'
import type { ProcessHolder } from 'keepsake/store-kit'
import type { Adding } from './add-messages.ts'
import { refuse } from './read-body.ts'

/** The wall that memories stand behind. */
export interface Person {
  readonly tenant: string
  readonly user: string
}

const DEFAULT_TENANT = 'default'

/**
 * Mem0 knows organisations and projects by the key alone, and so it is here: a key that opens one tenant means that one.
 * For a key that opens several, the header `X-Keepsake-Tenant` says which (percent-encoded); without it, the default tenant is meant.
 */
export function tenantOf(c: ServerRequest): string {
  const header = 'x-keepsake-tenant'
  const named = c.req.header(header)
  if (named !== undefined && named.trim() !== '') return decodeName(named, header)
  const { tenants } = c.get('grant')
  const [only] = tenants ?? []
  return tenants?.length === 1 && only !== undefined ? only : DEFAULT_TENANT
}

export function personOf({ tenant = DEFAULT_TENANT, user }: Pick<ScopeKey, 'tenant' | 'user'>): Person {
  return { tenant, user }
}

/** The key of exactly a stored scope; for one without agent and app, of the whole person. */
export function keyOf({ tenant, user, agent, app }: ScopeRow): ScopeKey {
  return { tenant, user, ...given({ agent: agent ?? undefined, app: app ?? undefined }) }
}

/** Stored scopes, person by person; none of the lists is empty. */
export function byPerson(rows: readonly ScopeRow[]): readonly (readonly [Person, readonly ScopeRow[]])[] {
  return [...Map.groupBy(rows, ({ owner }) => owner).values()].flatMap((own) => {
    const [first] = own
    return first === undefined ? [] : [[personOf(first), own] as const]
  })
}

export const ENTITY_TYPES = ['user', 'agent', 'app', 'run'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Whose memory it is, as Mem0 says it. */
export type Entities = { readonly [Type in EntityType as `${Type}_id`]: string | null }

/** Mem0 keeps memories of an agent, app or run that belong to no user; Keepsake's wall stands around people. */
const STAND_IN = /^mem0:(agent|app|run):(.+)$/s

/** Whose a stored scope is: what stands in for an agent, app or run is no user. */
export function entitiesOf({ user, agent, app }: ScopeRow): Omit<Entities, 'run_id'> {
  const [, type, name = null] = STAND_IN.exec(user) ?? []
  return {
    user_id: name === null ? user : null,
    agent_id: type === 'agent' ? name : agent,
    app_id: type === 'app' ? name : app,
  }
}

/**
 * The scope that memories of these entities are added to: of an entity without a user, that of a user who stands for it,
 * `mem0:agent:support-bot`. `run` is the session, not part of it.
 *
 * @throws Problem 400 when no entity is named, or a user by a name that stands for something else.
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
  if (!STAND_IN.test(user)) return
  const said =
    'user_id must not begin with "mem0:agent:", "mem0:app:" or "mem0:run:": those stand for entities without a user. Name the agent_id, app_id or run_id itself.'
  throw refuse('user_id', 'begins with a reserved word', said)
}

/** Sessions that the engine named. */
const ENGINE_SESSION = /^session-\d+$/
/** Callers' runs of such names are kept apart from those. */
const LIKE_ENGINE = /^run:(session-\d+)$/

/** The session that a run is. */
export function sessionOf(run: string): string {
  return ENGINE_SESSION.test(run) ? `run:${run}` : run
}

/** The run that a session is; `null` for one that no caller named. */
export function runOf(session: string): string | null {
  if (session === '' || ENGINE_SESSION.test(session)) return null
  return LIKE_ENGINE.exec(session)?.[1] ?? session
}

/** What all handlers share. */
export interface Mem0Context {
  readonly deps: ServerDeps
  /** Adds that nobody waited for and that this process ends, by the id of their event. */
  readonly unawaited: Map<string, Adding>
  /** By which other processes know whether this one will. */
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

/** The forms that Mem0's protocol shows as memories: those that are recalled. */
export function shownForms({ keepsake }: ServerDeps): readonly MemoryForm[] {
  return [...keepsake.preset.recalls, 'note']
}

const IDS = 'mem0-ids'
const RUNS = 'mem0-runs'

/** Whose these memories are, so that an id alone finds them afterwards. Those that are known cost no write. */
export async function noteIds(records: Records, row: ScopeRow, ids: Iterable<string>): Promise<void> {
  const { tenant, user, owner } = row
  for (const key of ids) {
    if ((await records.getRecord(IDS, key)) === null)
      await put(records, { collection: IDS, key, owner, value: { tenant, user } })
  }
}

/** Finds the user of a memory; `null` for an id that this protocol never gave out. */
export async function personOfId(records: Records, id: string): Promise<Person | null> {
  const known = await records.getRecord(IDS, id)
  return known === null ? null : (known.value as unknown as Person)
}

/** That a caller named a run of a person. */
export async function noteRun(records: Records, row: ScopeRow, run: string): Promise<void> {
  const { tenant, user, owner } = row
  const key = keyOfRun(row, run)
  if ((await records.getRecord(RUNS, key)) === null)
    await put(records, { collection: RUNS, key, owner, value: { tenant, user, run } })
}

/** The runs that callers named in a tenant, and whose they are. */
export async function runsOf(
  records: Records,
  tenant: string,
): Promise<readonly { readonly user: string; readonly run: string }[]> {
  const found = await records.listRecords({ collection: RUNS, prefix: prefixOf(tenant) })
  return found.map(({ value }) => value as { readonly user: string; readonly run: string })
}

export async function forgetRun(records: Records, person: Person, run: string): Promise<void> {
  await records.removeRecord(RUNS, keyOfRun(person, run))
}

function prefixOf(tenant: string): string {
  return `${JSON.stringify(tenant)},`
}

function keyOfRun({ tenant, user }: Person, run: string): string {
  return `${prefixOf(tenant)}${JSON.stringify([user, run])}`
}

async function put(records: Records, record: NewRecord): Promise<void> {
  try {
    await records.putRecord({ ...record, isDerived: true })
  } catch (error) {
    // The person was erased meanwhile, and nothing of them is to be known.
    if (!(error instanceof NotFoundError)) throw error
  }
}
