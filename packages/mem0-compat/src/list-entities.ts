import { type Action, Problem, requireAccess, type ServerRequest, type ServerDeps } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import type { ScopeRow } from 'keepsake'
import { ALL_STATUSES } from './find-memory.ts'
import {
  byPerson,
  entitiesOf,
  ENTITY_TYPES,
  forgetRun,
  keyOf,
  openRows,
  listRuns,
  sessionOf,
  listedForms,
  recalledForms,
  tenantOf,
  type EntityType,
  type Person,
} from './mem0-names.ts'
import { isoTime } from './present-memory.ts'
import { pageOf, readPage } from './read-body.ts'

interface EntityScopes {
  readonly type: EntityType
  readonly name: string
  /** The scopes with the entity's memories; for a run, the scopes of its users. */
  readonly rows: readonly ScopeRow[]
}

/** Answers `GET /v1/entities/`: users, agents, apps and runs that the key may read. Counts only the memories of this page. */
export async function answerEntities(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const pageRequest = readPage(c)
  const page = pageOf(c, await findEntities(deps, c, 'read'), pageRequest)
  const results: object[] = []
  for (const entity of page.results) results.push(await presentEntity(deps, c, entity))
  return { ...page, results }
}

/** Lists all entities to which the key gives access, sorted by type and name, without reading memories. */
async function findEntities(
  deps: ServerDeps,
  c: ServerRequest,
  action: Action,
): Promise<readonly EntityScopes[]> {
  const rows = await openRows(deps, c, action)
  const runs = Map.groupBy(await listRuns(deps.keepsake.records, tenantOf(c)), ({ user }) => user)
  const entityRows = rows.flatMap((row) => {
    const { user_id: user, agent_id: agent, app_id: app } = entitiesOf(row)
    const runNames = (runs.get(row.user) ?? []).map(({ run }) => ['run', run] as const)
    return ([['user', user], ['agent', agent], ['app', app], ...runNames] as const).flatMap(([type, name]) =>
      name === null ? [] : { type, name, row },
    )
  })
  const entities = new Map<string, EntityScopes>()
  for (const { type, name, row } of entityRows) {
    const key = `${ENTITY_TYPES.indexOf(type)} ${name}`
    entities.set(key, { type, name, rows: [...(entities.get(key)?.rows ?? []), row] })
  }
  return [...entities].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, entity]) => entity)
}

/** Formats a user, agent, app or run with its counts, as Mem0 lists it. */
async function presentEntity(
  deps: ServerDeps,
  c: ServerRequest,
  { type, name, rows }: EntityScopes,
): Promise<object> {
  const now = deps.now()
  const session = type === 'run' ? sessionOf(name) : undefined
  const filter = { ...given({ forms: recalledForms(deps), session }), exactScope: true }
  let total = 0
  const times: number[] = []
  for (const row of rows) {
    const scope = deps.keepsake.scope(keyOf(row))
    total += await scope.admin.countMemories({ ...filter, forms: listedForms(deps), validAt: now })
    // Reads the oldest and the newest memory.
    for (const newestFirst of [false, true]) {
      const found = await scope.memories({ ...filter, order: 'learned', newestFirst, limit: 1 })
      times.push(...found.map(({ learnedAt }) => learnedAt))
    }
  }
  const knownTimes = times.length === 0 ? [now] : times
  return {
    id: name,
    name,
    type,
    created_at: isoTime(Math.min(...knownTimes)),
    updated_at: isoTime(Math.max(...knownTimes)),
    total_memories: total,
    owner: c.get('grant').name,
    metadata: null,
  }
}

/** Erases an entity and all its memories to which the key gives access, for good. @throws Problem 404, 403 */
export async function eraseEntity(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { type, name = '' } = c.req.param() as { readonly type?: string; readonly name?: string }
  const entityType = ENTITY_TYPES.find((value) => value === type)
  if (entityType === undefined) {
    const detail = `There are no entities of this type. The types are ${ENTITY_TYPES.join(', ')}.`
    const fields = [{ field: 'path.type', problem: 'is no type of entity' }]
    throw new Problem(400, 'invalid-input', detail, { fields })
  }
  if (entityType === 'user') requireAccess(c, 'erase', { tenant: tenantOf(c), user: name })
  const entity = (await findEntities(deps, c, 'erase')).find(
    (entity) => entity.type === entityType && entity.name === name,
  )
  if (entity === undefined)
    throw new Problem(404, 'not-found', `There is no such ${entityType} that this key opens.`)
  for (const [person, rows] of byPerson(entity.rows)) {
    if (entityType === 'run') await eraseRun(deps, person, name)
    else await eraseScopes(deps, person, rows)
  }
  return { message: 'Entity deleted successfully!' }
}

async function eraseScopes(deps: ServerDeps, person: Person, rows: readonly ScopeRow[]): Promise<void> {
  const { keepsake } = deps
  const isWholeUser = (await keepsake.scopes({ ...person })).length === rows.length
  for (const key of isWholeUser ? [person] : rows.map(keyOf))
    await keepsake.scope(key).erase({ everything: true })
}

async function eraseRun({ keepsake }: ServerDeps, person: Person, run: string): Promise<void> {
  const session = sessionOf(run)
  const scope = keepsake.scope(person)
  const notes = await scope.memories({ session, forms: ['note'], statuses: ALL_STATUSES })
  const [turn] = await scope.turns({ session, limit: 1 })
  const sessions = turn === undefined ? [] : [session]
  const memories = notes.map(({ id }) => id)
  if (memories.length + sessions.length > 0) await scope.erase({ memories, sessions })
  await forgetRun(keepsake.records, person, run)
}
