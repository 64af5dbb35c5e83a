import { Problem, requireAccess, type Action, type ServerRequest } from '@keepsake/server'
import { InvalidInputError, type Memory, type MetadataFilter, type ScopeKey, type ScopeRow } from 'keepsake'
import { matchesMetadata, readMetadataFilter } from 'keepsake/store'
import {
  byPerson,
  entitiesOf,
  keyOf,
  openRows,
  requireUserName,
  tenantOf,
  type Mem0Context,
  type Person,
} from './mem0-names.ts'
import { filterable } from './present-memory.ts'
import { asMetadataFilter, namesEntity, narrow, usersNamed } from './read-filters.ts'

/** A scope that a filter may match. */
interface SelectedScope {
  readonly row: ScopeRow
  /** The remaining filter on memories; `true`: all match. */
  readonly left: true | MetadataFilter
}

/** A user whose memories a filter may match, with the scopes. */
export interface SelectedPerson {
  /** Never empty. */
  readonly scopes: readonly SelectedScope[]
  /** The narrowest scope that holds all matches. */
  readonly key: ScopeKey
  /** Whether that scope holds nothing else. */
  readonly isWhole: boolean
  /** The part of the filter that the engine can apply. */
  readonly where: MetadataFilter | null
  /** Whether that part is the whole filter. */
  readonly isExact: boolean
}

/** Users that one request may search when its filter names none: each is a separate search. */
const MOST_PEOPLE = 100

/**
 * Selects the users that a filter matches and the key opens. Named users must be open (403 otherwise); of the rest, closed ones are left
 * out.
 *
 * @throws Problem 400 when the filter names no entity, or matches too many users.
 */
export async function selectPeople(
  context: Mem0Context,
  c: ServerRequest,
  filter: MetadataFilter,
  action: Action,
): Promise<readonly SelectedPerson[]> {
  if (!namesEntity(filter)) {
    const detail =
      'Say whose memories are meant: filters must name at least one of user_id, agent_id, app_id and run_id.'
    throw refused('no-entity', detail, 'names no entity')
  }
  const rows = await rowsOf(context, c, filter, action)
  const selected = byPerson(rows).flatMap(([person, own]) => selectScopes(person, own, filter))
  if (selected.length <= MOST_PEOPLE) return selected
  const detail = `These filters mean ${selected.length} people; one request looks through at most ${MOST_PEOPLE}. Name the user_id.`
  throw refused('too-many-people', detail, 'means too many people')
}

/** The scope of a memory, where the filter matches it. */
export function scopeIfMeant({ scopes }: SelectedPerson, memory: Memory): ScopeRow | null {
  const found = scopes.find(({ row }) => row.scope === memory.scope)
  if (found === undefined) return null
  const { row, left } = found
  return left === true || matchesMetadata(left, filterable(memory, row)) ? row : null
}

function refused(code: string, detail: string, problem: string): Problem {
  return new Problem(400, code, detail, { fields: [{ field: 'body.filters', problem }] })
}

/** Rows of open users that are not excluded by name. */
async function rowsOf(
  context: Mem0Context,
  c: ServerRequest,
  filter: MetadataFilter,
  action: Action,
): Promise<readonly ScopeRow[]> {
  const named = usersNamed(filter)
  if (named === null) return openRows(context, c, action)
  const rows: ScopeRow[] = []
  for (const user of named) {
    const person = { tenant: tenantOf(c), user }
    requireUserName(user)
    requireAccess(c, action, person)
    rows.push(...(await context.deps.keepsake.scopes(person)))
  }
  return rows
}

function selectScopes(person: Person, all: readonly ScopeRow[], filter: MetadataFilter): SelectedPerson[] {
  const scopes = all.flatMap((row): SelectedScope[] => {
    const left = narrow(filter, { ...entitiesOf(row) })
    return left === false ? [] : [{ row, left }]
  })
  const [first] = scopes
  if (first === undefined) return []
  const isOne = scopes.every(({ left }) => JSON.stringify(left) === JSON.stringify(first.left))
  const where = isOne && first.left !== true ? pushedDown(first.left) : null
  const isDecided = where !== null || scopes.every(({ left }) => left === true)
  // The scope without agent and app sees the others: alone, it is queried as the whole user.
  const isNarrow = scopes.length === 1 && (first.row.agent ?? first.row.app) !== null
  const key = isNarrow ? keyOf(first.row) : person
  const isWhole = isNarrow || scopes.length === all.length
  return [{ scopes, key, isWhole, where, isExact: isDecided && isWhole }]
}

/** The metadata filter for the engine; `null` when the engine cannot apply it or it is too large. */
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
