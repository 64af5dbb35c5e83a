import type { ScopeRow } from 'keepsake'
import { allows, type Action } from '../access/access.ts'
import { requireAccess } from '../access/require-access.ts'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { EVERY_STATUS } from './find-memory.ts'
import { forgetRun, runsOf } from './known-names.ts'
import { keyOf, personOf, shownForms, tenantOf, type Mem0Door } from './mem0-door.ts'
import { entitiesOf, ENTITY_TYPES, sessionOf, type EntityType } from './mem0-names.ts'
import { pageOf, readPage, type Mem0Page } from './mem0-page.ts'
import { isOver, isoTime } from './present-memory.ts'

/** A user, agent, app or run as Mem0 lists them. */
export interface Mem0Entity {
  readonly id: string
  readonly name: string
  readonly type: EntityType
  readonly created_at: string
  readonly updated_at: string
  readonly total_memories: number
  readonly owner: string
  readonly metadata: null
}

/** Where an entity's memories are. */
interface EntityPlaces {
  readonly type: EntityType
  readonly name: string
  /** Scopes that hold its memories; for a run, scopes of the people who have it. */
  readonly rows: readonly ScopeRow[]
}

/** `GET /v1/entities/`: users, agents, apps and runs that the key opens. Only those of the page are counted. */
export async function answerEntities(door: Mem0Door, c: ServerRequest): Promise<Mem0Page<Mem0Entity>> {
  const asked = readPage(c)
  const found = pageOf(c, await findEntities(door, c, 'read'), asked)
  const results: Mem0Entity[] = []
  for (const entity of found.results) results.push(await presentEntity(door, c, entity))
  return { ...found, results }
}

/** Every entity that the key opens, in order of type and name. Nothing of a memory is read yet. */
async function findEntities(
  { deps: { keepsake } }: Mem0Door,
  c: ServerRequest,
  action: Action,
): Promise<readonly EntityPlaces[]> {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  requireAccess(c, action, { tenant, user: grant.users?.[0] ?? '' })
  const rows = (await keepsake.scopes({ tenant })).filter((row) => allows(grant, action, personOf(row)))
  const runs = Map.groupBy(await runsOf(keepsake.records, tenant), ({ user }) => user)
  const named = rows.flatMap((row) => {
    const { user, agent, app } = entitiesOf(row)
    const own = (runs.get(row.user) ?? []).map(({ run }) => ['run', run] as const)
    return ([['user', user], ['agent', agent], ['app', app], ...own] as const).flatMap(([type, name]) =>
      name === null ? [] : { type, name, row },
    )
  })
  const places = Map.groupBy(named, ({ type, name }) => `${ENTITY_TYPES.indexOf(type)} ${name}`)
  return [...places]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, of]) => {
      const [first] = of
      return first === undefined ? [] : { type: first.type, name: first.name, rows: of.map(({ row }) => row) }
    })
}

/** One entity with its counts. */
async function presentEntity(
  { deps }: Mem0Door,
  c: ServerRequest,
  { type, name, rows }: EntityPlaces,
): Promise<Mem0Entity> {
  const now = deps.now()
  let total = 0
  const times: number[] = []
  for (const own of Map.groupBy(rows, (row) => row.owner).values()) {
    const [first] = own
    if (first === undefined) continue
    const scope = deps.keepsake.scope(personOf(first))
    const session = type === 'run' ? sessionOf(name) : null
    const isOf = (one: { readonly scope: number }): boolean => own.some((row) => row.scope === one.scope)
    const ofRun = session === null ? {} : { session }
    const memories = (await scope.memories({ forms: shownForms(deps), ...ofRun })).filter(isOf)
    total += memories.filter((memory) => !isOver(memory, now)).length
    times.push(...memories.map(({ learnedAt }) => learnedAt))
    for (const { id, startedAt, lastAt, ...row } of await scope.sessions())
      if (isOf(row) && (session === null || id === session)) times.push(startedAt, lastAt)
  }
  const from = times.reduce((one, other) => Math.min(one, other), times[0] ?? now)
  const to = times.reduce((one, other) => Math.max(one, other), times[0] ?? now)
  return {
    id: name,
    name,
    type,
    created_at: isoTime(from),
    updated_at: isoTime(to),
    total_memories: total,
    owner: c.get('grant').name,
    metadata: null,
  }
}

/**
 * Erases an entity and all its memories for good, as far as the key opens them.
 *
 * @throws Problem 404 when there is none, 403 for a key that may not erase.
 */
export async function eraseEntity(
  door: Mem0Door,
  c: ServerRequest,
  type: string,
  name: string,
): Promise<void> {
  const wanted = ENTITY_TYPES.find((one) => one === type)
  if (wanted === undefined) {
    const detail = `There are no entities of that type: those are ${ENTITY_TYPES.join(', ')}.`
    const fields = [{ field: 'path.type', problem: 'is no type of entity' }]
    throw new Problem(400, 'invalid-input', detail, { fields })
  }
  if (wanted === 'user') requireAccess(c, 'erase', { tenant: tenantOf(c), user: name })
  const found = (await findEntities(door, c, 'erase')).find((one) => one.type === wanted && one.name === name)
  if (found === undefined)
    throw new Problem(404, 'not-found', `There is no such ${wanted} that this key opens.`)
  for (const rows of Map.groupBy(found.rows, (row) => row.owner).values()) {
    if (wanted === 'run') await eraseRun(door, rows, name)
    else await eraseScopes(door, rows)
  }
}

async function eraseScopes({ deps: { keepsake } }: Mem0Door, rows: readonly ScopeRow[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const person = personOf(first)
  const isWhole = (await keepsake.scopes({ ...person })).length === rows.length
  const keys = isWhole ? [person] : rows.map(keyOf)
  for (const key of keys) await keepsake.scope(key).erase()
}

/** What was said in it, and what was handed in with it. */
async function eraseRun(
  { deps: { keepsake } }: Mem0Door,
  rows: readonly ScopeRow[],
  run: string,
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const session = sessionOf(run)
  const scope = keepsake.scope(personOf(first))
  const notes = await scope.memories({ session, forms: ['note'], statuses: EVERY_STATUS })
  const hasTurns = (await scope.turns({ session, limit: 1 })).length > 0
  const memories = notes.map(({ id }) => id)
  if (hasTurns || memories.length > 0) await scope.erase({ memories, sessions: hasTurns ? [session] : [] })
  await forgetRun(keepsake.records, first, run)
}
