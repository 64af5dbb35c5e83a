import type { Keepsake, ScopeKey, ScopeRow } from 'keepsake'

/** The agent and app of a scope within a person. */
export interface Place {
  readonly agent: string | null
  readonly app: string | null
}

/** Says which agent and app a row of the store belongs to: callers know those, and no row numbers. */
export interface Places {
  of(scope: number): Place
}

const GENERAL: Place = { agent: null, app: null }

/** The places of what a key sees: one, when it names an agent or app, else all of the person's. */
export async function findPlaces(keepsake: Keepsake, key: ScopeKey): Promise<Places> {
  const { agent, app } = key
  if (agent !== undefined || app !== undefined) return samePlace({ agent: agent ?? null, app: app ?? null })
  return placesAmong(await keepsake.scopes({ tenant: key.tenant ?? 'default', user: key.user }))
}

export function samePlace({ agent, app }: Place): Places {
  const place = { agent, app }
  return { of: () => place }
}

function placesAmong(rows: readonly ScopeRow[]): Places {
  const places = new Map(rows.map(({ scope, agent, app }): [number, Place] => [scope, { agent, app }]))
  return { of: (scope) => places.get(scope) ?? GENERAL }
}
