import type { MemoryForm, ScopeKey, ScopeRow } from 'keepsake'
import { given } from '../given.ts'
import { decodeName } from '../openai/read-memory-headers.ts'
import type { ServerDeps, ServerRequest } from '../server-context.ts'
import type { Adds } from './adds.ts'
import type { Mem0Events } from './mem0-events.ts'

/** What all handlers of this door share. */
export interface Mem0Door {
  readonly deps: ServerDeps
  readonly adds: Adds
  readonly events: Mem0Events
}

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

/** The forms that this door calls memories: those that are recalled. Stories, summaries and portraits are made of them. */
export function shownForms({ keepsake }: ServerDeps): readonly MemoryForm[] {
  return [...keepsake.preset.recalls, 'note']
}

/** Stored scopes, person by person. */
export function byPerson(
  rows: readonly ScopeRow[],
): readonly { readonly person: Person; readonly rows: readonly ScopeRow[] }[] {
  return [...Map.groupBy(rows, ({ owner }) => owner).values()].flatMap((own) => {
    const [first] = own
    return first === undefined ? [] : { person: personOf(first), rows: own }
  })
}

/** The key of exactly a stored scope; for one without agent and app, of the whole person. */
export function keyOf({ tenant, user, agent, app }: ScopeRow): ScopeKey {
  return { tenant, user, ...given({ agent: agent ?? undefined, app: app ?? undefined }) }
}

export function personOf({ tenant = DEFAULT_TENANT, user }: Pick<ScopeKey, 'tenant' | 'user'>): Person {
  return { tenant, user }
}
