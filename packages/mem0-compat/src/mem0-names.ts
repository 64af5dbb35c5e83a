import type { ScopeKey, ScopeRow } from 'keepsake'
import { given } from './given.ts'
import { decodeName, Problem, type ServerRequest } from '@keepsake/server'
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
