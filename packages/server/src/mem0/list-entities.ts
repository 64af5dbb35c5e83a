import type { ScopeRow } from 'keepsake'
import { allows, type Action } from '../access/access.ts'
import { requireAccess } from '../access/require-access.ts'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { keyOf, shownForms, tenantOf, type Mem0Door } from './mem0-door.ts'
import { ENTITY_TYPES, entitiesOf, type EntityType } from './mem0-names.ts'
import { isOver, isoTime } from './present-memory.ts'
import { sweepPerson } from './sweep-notes.ts'

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
export interface EntityPlaces {
  readonly type: EntityType
  readonly name: string
  /** Scopes that hold its memories; for a run, scopes of the people who have it. */
  readonly rows: readonly ScopeRow[]
}

/** Every entity that the key opens, in order of type and name. Nothing of a memory is read yet. */
export async function findEntities(
  door: Mem0Door,
  c: ServerRequest,
  action: Action,
): Promise<readonly EntityPlaces[]> {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  requireAccess(c, action, { tenant, user: grant.users?.[0] ?? '' })
  const rows = (await door.deps.keepsake.scopes({ tenant })).filter((row) =>
    allows(grant, action, personOfRow(row)),
  )
  const places = new Map<string, { type: EntityType; name: string; rows: ScopeRow[] }>()
  const put = (type: EntityType, name: string, row: ScopeRow): void => {
    const key = `${ENTITY_TYPES.indexOf(type)} ${name}`
    const known = places.get(key) ?? { type, name, rows: [] }
    known.rows.push(row)
    places.set(key, known)
  }
  for (const row of rows) {
    const { user, agent, app } = entitiesOf(row)
    if (user !== null) put('user', user, row)
    if (agent !== null) put('agent', agent, row)
    if (app !== null) put('app', app, row)
  }
  const rowsOf = Map.groupBy(rows, (row) => row.user)
  for (const { user, run } of door.notes.runs(tenant))
    for (const row of rowsOf.get(user) ?? []) put('run', run, row)
  return [...places].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found)
}

const personOfRow = ({ tenant, user }: ScopeRow): { tenant: string; user: string } => ({ tenant, user })

/** One entity with its counts. */
export async function presentEntity(
  { deps, ...door }: Mem0Door,
  c: ServerRequest,
  places: EntityPlaces,
): Promise<Mem0Entity> {
  const { type, name } = places
  const now = deps.now()
  let total = 0
  const times: number[] = []
  for (const [, rows] of Map.groupBy(places.rows, (row) => row.owner)) {
    const [first] = rows
    if (first === undefined) continue
    const ids = new Set(rows.map((row) => row.scope))
    const scope = deps.keepsake.scope(personOfRow(first))
    const isOf = (one: { readonly scope: number; readonly session: string }): boolean =>
      ids.has(one.scope) && (type !== 'run' || one.session === name)
    const memories = await scope.memories({
      forms: shownForms({ deps, ...door }),
      ...(type === 'run' ? { session: name } : {}),
    })
    total += memories.filter((memory) => isOf(memory) && !isOver(memory, now)).length
    const sessions = (await scope.sessions()).filter((session) =>
      isOf({ scope: session.scope, session: session.id }),
    )
    times.push(...sessions.flatMap(({ startedAt, lastAt }) => [startedAt, lastAt]))
  }
  return {
    id: name,
    name,
    type,
    created_at: isoTime(times.length === 0 ? now : Math.min(...times)),
    updated_at: isoTime(times.length === 0 ? now : Math.max(...times)),
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
  if (wanted === undefined)
    throw new Problem(
      400,
      'invalid-input',
      `There are no entities of that type: those are ${ENTITY_TYPES.join(', ')}.`,
      {
        fields: [{ field: 'path.type', problem: 'is no type of entity' }],
      },
    )
  if (wanted === 'user') requireAccess(c, 'erase', { tenant: tenantOf(c), user: name })
  const found = (await findEntities(door, c, 'erase')).find((one) => one.type === wanted && one.name === name)
  if (found === undefined)
    throw new Problem(404, 'not-found', `There is no such ${wanted} that this key opens.`)
  for (const [, rows] of Map.groupBy(found.rows, (row) => row.owner))
    await eraseRows(door, wanted, name, rows)
}

async function eraseRows(
  door: Mem0Door,
  type: EntityType,
  name: string,
  rows: readonly ScopeRow[],
): Promise<void> {
  const { keepsake } = door.deps
  const [first] = rows
  if (first === undefined) return
  const person = personOfRow(first)
  const isWhole = (await keepsake.scopes(person)).length === rows.length
  if (type === 'run') await eraseRun(door, name, first)
  else if (isWhole) await keepsake.scope(person).erase()
  else for (const row of rows) await keepsake.scope(keyOf(row)).erase()
  await sweepPerson(door, person)
}

async function eraseRun({ deps, notes }: Mem0Door, run: string, row: ScopeRow): Promise<void> {
  const scope = deps.keepsake.scope(personOfRow(row))
  const sessions = await scope.sessions()
  if (sessions.some((session) => session.id === run)) await scope.erase({ sessions: [run] })
  notes.erase(row, { memories: [], turns: [], runs: [run] })
}
