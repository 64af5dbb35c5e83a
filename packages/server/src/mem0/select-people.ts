import {
  InvalidInputError,
  matchesMetadata,
  readMetadataFilter,
  type Memory,
  type MetadataFilter,
  type ScopeRow,
} from 'keepsake'
import { allows, type Action } from '../access/access.ts'
import { requireAccess } from '../access/require-access.ts'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { asMetadataFilter, namesEntity, narrow, usersNamed } from './mem0-filter.ts'
import { byPerson, personOf, tenantOf, type Mem0Door, type Person } from './mem0-door.ts'
import { entitiesOf, requireUserName } from './mem0-names.ts'
import { filterable } from './present-memory.ts'

/** A scope that a filter does not rule out. */
interface SelectedScope {
  readonly row: ScopeRow
  /** What is left of the filter to be asked of each memory; `true`: all are meant. */
  readonly left: true | MetadataFilter
}

/** A person whose memories a filter may mean, and in which of their scopes. */
export interface SelectedPerson {
  readonly person: Person
  /** Never empty. */
  readonly scopes: readonly SelectedScope[]
  /** Whether these are all of the person's. */
  readonly isWhole: boolean
  /** What the engine can ask of each memory's metadata; where the filter asks for nothing else, all that it finds is meant. */
  readonly where: MetadataFilter | null
  readonly isDecided: boolean
}

/** People that one request may look through when its filter names no user: each is a search of its own. */
const MOST_PEOPLE = 100

/**
 * Whose memories a filter means, as far as the request's key opens them: users that it names must be open (403
 * otherwise), of the rest those that are not are left out.
 *
 * @throws Problem 400 when the filter names no entity, or means too many people.
 */
export async function selectPeople(
  door: Mem0Door,
  c: ServerRequest,
  filter: MetadataFilter,
  action: Action,
): Promise<readonly SelectedPerson[]> {
  if (!namesEntity(filter)) {
    const detail =
      'Say whose memories are meant: filters must name at least one of user_id, agent_id, app_id and run_id.'
    throw refused('no-entity', detail, 'names no entity')
  }
  const rows = await openRows(door, c, filter, action)
  const selected = byPerson(rows).flatMap((one) => selectScopes(one.person, one.rows, filter))
  if (selected.length <= MOST_PEOPLE) return selected
  const detail = `These filters mean ${selected.length} people; one request looks through at most ${MOST_PEOPLE}. Name the user_id.`
  throw refused('too-many-people', detail, 'means too many people')
}

/** The scope of a memory, where the filter means it. */
export function scopeIfMeant({ scopes }: SelectedPerson, memory: Memory): ScopeRow | null {
  const found = scopes.find(({ row }) => row.scope === memory.scope)
  if (found === undefined) return null
  const { row, left } = found
  return left === true || matchesMetadata(left, filterable(memory, row)) ? row : null
}

function refused(code: string, detail: string, problem: string): Problem {
  return new Problem(400, code, detail, { fields: [{ field: 'body.filters', problem }] })
}

/** Rows of everybody who is open and not ruled out by name. */
async function openRows(
  { deps: { keepsake } }: Mem0Door,
  c: ServerRequest,
  filter: MetadataFilter,
  action: Action,
): Promise<readonly ScopeRow[]> {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  const named = usersNamed(filter)
  if (named === null) {
    // A key without the action or the tenant is told so, instead of being shown nothing.
    requireAccess(c, action, { tenant, user: grant.users?.[0] ?? '' })
    return (await keepsake.scopes({ tenant })).filter((row) => allows(grant, action, personOf(row)))
  }
  const rows: ScopeRow[] = []
  for (const user of named) {
    requireUserName(user)
    requireAccess(c, action, { tenant, user })
    rows.push(...(await keepsake.scopes({ tenant, user })))
  }
  return rows
}

function selectScopes(person: Person, all: readonly ScopeRow[], filter: MetadataFilter): SelectedPerson[] {
  const scopes = all.flatMap((row): SelectedScope[] => {
    const left = narrow(filter, namesOf(row))
    return left === false ? [] : [{ row, left }]
  })
  const [first] = scopes
  if (first === undefined) return []
  const isOne = scopes.every(({ left }) => JSON.stringify(left) === JSON.stringify(first.left))
  const where = isOne && first.left !== true ? pushedDown(first.left) : null
  return [
    {
      person,
      scopes,
      isWhole: scopes.length === all.length,
      where,
      isDecided: where !== null || scopes.every(({ left }) => left === true),
    },
  ]
}

/** `null` for what the engine cannot ask, or takes for too much. */
function pushedDown(filter: MetadataFilter): MetadataFilter | null {
  const where = asMetadataFilter(filter)
  if (where === null) return null
  try {
    return readMetadataFilter(where, 'filters')
  } catch (error) {
    if (error instanceof InvalidInputError) return null
    throw error
  }
}

/** What is known of a memory by its scope alone. */
function namesOf(row: ScopeRow): { readonly user_id: string | null; readonly [name: string]: string | null } {
  const { user, agent, app } = entitiesOf(row)
  return { user_id: user, agent_id: agent, app_id: app }
}
