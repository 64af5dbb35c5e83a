import type { ScopeRow } from 'keepsake'
import { allows, type Action } from '../access/access.ts'
import { requireAccess } from '../access/require-access.ts'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { matches, namesEntity, usersNamed, type Filterable } from './match-filters.ts'
import { tenantOf, type Mem0Door } from './mem0-door.ts'
import { entitiesOf, requireUserName } from './mem0-names.ts'
import type { Person } from './mem0-notes.ts'
import type { Filter } from './read-filters.ts'

/** A person whose memories a filter may mean, and in which of their scopes. */
export interface SelectedPerson {
  readonly person: Person
  /** The scopes that the filter does not rule out. Never empty. */
  readonly rows: readonly ScopeRow[]
  /** Whether these are all of the person's. */
  readonly isWhole: boolean
  /** Whether the scopes' names alone decide, so that each memory in them is meant. */
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
  filter: Filter,
  action: Action,
): Promise<readonly SelectedPerson[]> {
  if (!namesEntity(filter)) {
    throw new Problem(
      400,
      'no-entity',
      'Say whose memories are meant: filters must name at least one of user_id, agent_id, app_id and run_id.',
      { fields: [{ field: 'body.filters', problem: 'names no entity' }] },
    )
  }
  const tenant = tenantOf(c)
  const selected = (await rowsFor(door, c, filter, tenant, action)).flatMap((rows) =>
    selectRows(rows, filter),
  )
  if (selected.length > MOST_PEOPLE) {
    throw new Problem(
      400,
      'too-many-people',
      `These filters mean ${selected.length} people; one request looks through at most ${MOST_PEOPLE}. Name the user_id.`,
      { fields: [{ field: 'body.filters', problem: 'means too many people' }] },
    )
  }
  return selected
}

/** Rows of each person that is open and not ruled out by name. */
async function rowsFor(
  { deps }: Mem0Door,
  c: ServerRequest,
  filter: Filter,
  tenant: string,
  action: Action,
): Promise<readonly (readonly ScopeRow[])[]> {
  const named = usersNamed(filter)
  if (named === null) {
    requireAction(c, action, tenant)
    const rows = await deps.keepsake.scopes({ tenant })
    return [
      ...Map.groupBy(
        rows.filter((row) => allows(c.get('grant'), action, keyOf(row))),
        ({ owner }) => owner,
      ).values(),
    ]
  }
  const all: (readonly ScopeRow[])[] = []
  for (const user of named) {
    requireUserName(user)
    requireAccess(c, action, { tenant, user })
    all.push(await deps.keepsake.scopes({ tenant, user }))
  }
  return all
}

/** A key without the action or the tenant is told so, instead of being shown nothing. */
function requireAction(c: ServerRequest, action: Action, tenant: string): void {
  const { users } = c.get('grant')
  requireAccess(c, action, { tenant, user: users?.[0] ?? '' })
}

const keyOf = ({ tenant, user }: ScopeRow): Person => ({ tenant, user })

function selectRows(all: readonly ScopeRow[], filter: Filter): SelectedPerson[] {
  const verdicts = all.map((row) => ({ row, verdict: matches(filter, namesOf(row)) }))
  const rows = verdicts.filter(({ verdict }) => verdict !== false).map(({ row }) => row)
  const [first] = rows
  if (first === undefined) return []
  return [
    {
      person: keyOf(first),
      rows,
      isWhole: rows.length === all.length,
      isDecided: verdicts.every(({ verdict }) => verdict !== null),
    },
  ]
}

/** What is known of a memory by its scope alone. */
function namesOf(row: ScopeRow): Filterable {
  const { user, agent, app } = entitiesOf(row)
  return { fields: { user_id: user, agent_id: agent, app_id: app } }
}
