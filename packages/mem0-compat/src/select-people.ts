import { Problem, requireAccess, type Action, type ServerRequest } from '@keepsake/server'
import {
  InvalidInputError,
  matchesMetadata,
  readMetadataFilter,
  type Memory,
  type MetadataFilter,
  type ScopeKey,
  type ScopeRow,
} from 'keepsake'
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

/** A scope that a filter does not rule out. */
interface SelectedScope {
  readonly row: ScopeRow
  /** What is left of the filter to be asked of each memory; `true`: all are meant. */
  readonly left: true | MetadataFilter
}

/** A person whose memories a filter may mean, and in which of their scopes. */
export interface SelectedPerson {
  /** Never empty. */
  readonly scopes: readonly SelectedScope[]
  /** The narrowest scope that holds all that is meant. */
  readonly key: ScopeKey
  /** Whether that holds no other scope. */
  readonly isWhole: boolean
  /** What the engine can ask of each memory's metadata. */
  readonly where: MetadataFilter | null
  /** Whether all that the engine finds there is meant. */
  readonly isExact: boolean
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
  // The scope without agent and app sees the others: asked for alone, it is asked as the whole person.
  const isNarrow = scopes.length === 1 && (first.row.agent ?? first.row.app) !== null
  const key = isNarrow ? keyOf(first.row) : person
  const isWhole = isNarrow || scopes.length === all.length
  return [{ scopes, key, isWhole, where, isExact: isDecided && isWhole }]
}

/** A filter of what is kept with memories; `null` for what the engine cannot ask, or takes for too much. */
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
