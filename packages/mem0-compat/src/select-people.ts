import { Problem, requireAccess, type Action, type ServerRequest, type ServerDeps } from '@keepsake/server'
import { InvalidInputError, type Memory, type MetadataFilter, type ScopeKey, type ScopeRow } from 'keepsake'
import { matchesMetadata, readMetadataFilter } from 'keepsake/store'
import {
  byPerson,
  entitiesOf,
  keyOf,
  openRows,
  requireUserName,
  tenantOf,
  type Person,
} from './mem0-names.ts'
import { filterable } from './present-memory.ts'
import { asMetadataFilter, namesEntity, narrow, usersIn } from './read-filters.ts'

interface SelectedScope {
  readonly row: ScopeRow
  /** The part of the filter that the scope does not decide, for its memories; `true` if all of them match. */
  readonly rest: true | MetadataFilter
}

/** A user whose memories a filter may match. */
export interface SelectedPerson {
  /** Never empty. */
  readonly scopes: readonly SelectedScope[]
  /** The narrowest scope that contains all matches. */
  readonly key: ScopeKey
  /** The part of the filter that the engine can apply. */
  readonly where: MetadataFilter | null
  /** Whether `key` and `where` select exactly the matches, so that memories need no further check. */
  readonly isExact: boolean
}

/** Maximum number of users in one request, since each needs a separate search. */
const MAX_USERS = 100

/** Selects the users that a filter may match. @throws Problem 403 for a named user that the key may not access; 400 for none or too many */
export async function selectPeople(
  deps: ServerDeps,
  c: ServerRequest,
  filter: MetadataFilter,
  action: Action,
): Promise<readonly SelectedPerson[]> {
  if (!namesEntity(filter)) {
    const detail = 'The filters must name at least one of user_id, agent_id, app_id and run_id.'
    throw filterProblem('no-entity', detail, 'names no entity')
  }
  const rows = await rowsOf(deps, c, filter, action)
  const selected = byPerson(rows).flatMap(([person, rowsOfUser]) => selectScopes(person, rowsOfUser, filter))
  if (selected.length <= MAX_USERS) return selected
  const detail = `These filters select ${selected.length} users, but a request searches at most ${MAX_USERS}. Name the user_id.`
  throw filterProblem('too-many-people', detail, 'selects too many users')
}

/** Returns the scope of a memory if the filter matches it, otherwise `null`. */
export function scopeIfMatching({ scopes }: SelectedPerson, memory: Memory): ScopeRow | null {
  const selectedScope = scopes.find(({ row }) => row.scope === memory.scope)
  if (selectedScope === undefined) return null
  const { row, rest } = selectedScope
  return rest === true || matchesMetadata(rest, filterable(memory, row)) ? row : null
}

function filterProblem(code: string, detail: string, problem: string): Problem {
  return new Problem(400, code, detail, { fields: [{ field: 'body.filters', problem }] })
}

/** Returns the scopes of the users that the filter names; without names, of all users whom the key may read. */
async function rowsOf(
  deps: ServerDeps,
  c: ServerRequest,
  filter: MetadataFilter,
  action: Action,
): Promise<readonly ScopeRow[]> {
  const users = usersIn(filter)
  if (users === null) return openRows(deps, c, action)
  const rows: ScopeRow[] = []
  for (const user of users) {
    const person = { tenant: tenantOf(c), user }
    requireUserName(user)
    requireAccess(c, action, person)
    rows.push(...(await deps.keepsake.scopes(person)))
  }
  return rows
}

/** Selects the scopes of a user that the filter may match; an empty list if there are none. */
function selectScopes(person: Person, rows: readonly ScopeRow[], filter: MetadataFilter): SelectedPerson[] {
  const scopes = rows.flatMap((row): SelectedScope[] => {
    const rest = narrow(filter, { ...entitiesOf(row) })
    return rest === false ? [] : [{ row, rest }]
  })
  const [first] = scopes
  if (first === undefined) return []
  const haveSameRest = scopes.every(({ rest }) => JSON.stringify(rest) === JSON.stringify(first.rest))
  const where = haveSameRest && first.rest !== true ? engineFilter(first.rest) : null
  const isDecided = where !== null || scopes.every(({ rest }) => rest === true)
  // A scope without agent and app also reads the user's other scopes, so it cannot be queried separately.
  const isNarrow = scopes.length === 1 && (first.row.agent ?? first.row.app) !== null
  const key = isNarrow ? keyOf(first.row) : person
  const coversKey = isNarrow || scopes.length === rows.length
  return [{ scopes, key, where, isExact: isDecided && coversKey }]
}

/** Converts a filter for the engine; `null` when the engine cannot apply it or it is too large. */
function engineFilter(filter: MetadataFilter): MetadataFilter | null {
  const where = asMetadataFilter(filter)
  if (where === null) return null
  try {
    return readMetadataFilter(where, 'filters')
  } catch (error) {
    if (error instanceof InvalidInputError) return null
    throw error
  }
}
