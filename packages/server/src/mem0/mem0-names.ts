import type { ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { PersonNotes } from './mem0-notes.ts'

/** Whose memory it is, as Mem0 says it. */
export interface Entities {
  readonly user: string | null
  readonly agent: string | null
  readonly app: string | null
  readonly run: string | null
}

export type EntityType = keyof Entities

export const ENTITY_TYPES: readonly EntityType[] = ['user', 'agent', 'app', 'run']

/** Mem0 keeps memories of an agent, app or run that belong to no user; Keepsake's wall stands around people. */
const STAND_IN = /^mem0:(agent|app|run):(.+)$/s

/** The user that stands for an entity without a user: `mem0:agent:support-bot`. */
export const standInFor = (type: 'agent' | 'app' | 'run', name: string): string => `mem0:${type}:${name}`

/** Whose a stored scope is: what stands in for an agent, app or run is no user. */
export function entitiesOf(row: Pick<ScopeRow, 'user' | 'agent' | 'app'>): Omit<Entities, 'run'> {
  const [, type, name] = STAND_IN.exec(row.user) ?? []
  if (name === undefined) return { user: row.user, agent: row.agent, app: row.app }
  return {
    user: null,
    agent: type === 'agent' ? name : row.agent,
    app: type === 'app' ? name : row.app,
  }
}

interface ScopeRow {
  readonly user: string
  readonly agent: string | null
  readonly app: string | null
}

/**
 * The scope that memories of these entities are added to. `run` is the session, not part of it.
 *
 * @throws Problem 400 when no entity is named, or a user by a name that stands for something else.
 */
export function scopeFor(entities: Entities, tenant: string | undefined): ScopeKey {
  const { user, agent, app, run } = entities
  const ofTenant = tenant === undefined ? {} : { tenant }
  if (user !== null) {
    requireUserName(user)
    return { ...ofTenant, user, ...(agent === null ? {} : { agent }), ...(app === null ? {} : { app }) }
  }
  if (agent !== null)
    return { ...ofTenant, user: standInFor('agent', agent), ...(app === null ? {} : { app }) }
  if (app !== null) return { ...ofTenant, user: standInFor('app', app) }
  if (run !== null) return { ...ofTenant, user: standInFor('run', run) }
  throw new Problem(
    400,
    'no-entity',
    'Say whose memory it is: at least one of user_id, agent_id, app_id and run_id.',
    {
      fields: [{ field: 'body.user_id', problem: 'is missing, and so are agent_id, app_id and run_id' }],
    },
  )
}

/** @throws Problem 400 for a user named like a stand-in. */
export function requireUserName(user: string): void {
  if (!STAND_IN.test(user)) return
  throw new Problem(
    400,
    'invalid-input',
    'user_id must not begin with "mem0:agent:", "mem0:app:" or "mem0:run:": those stand for entities without a user. Name the agent_id, app_id or run_id itself.',
    { fields: [{ field: 'user_id', problem: 'begins with a reserved word' }] },
  )
}

/** Sessions that the engine named: no caller's run. */
const ENGINE_SESSION = /^session-\d+$/

/** The run that a session is; `null` for one that no caller named. */
export function runOf(session: string, notes: Pick<PersonNotes, 'hasRun'>): string | null {
  if (session === '') return null
  return !ENGINE_SESSION.test(session) || notes.hasRun(session) ? session : null
}
