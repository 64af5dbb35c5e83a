// Converts values of the engine into the JSON that clients receive.
import type { Keepsake, ScopeKey } from 'keepsake'

/** The agent and app of one of a user's scopes. */
export interface Narrowing {
  readonly agent: string | null
  readonly app: string | null
}

/** Finds the agent and app of a scope's row number. */
export type NarrowingOf = (scope: number) => Narrowing

/** Returns how agent and app are found: those of the scope key if it names any, else those of the user's stored scopes. */
export async function narrowingsOf(keepsake: Keepsake, key: ScopeKey): Promise<NarrowingOf> {
  const { tenant = 'default', user, agent = null, app = null } = key
  if (agent !== null || app !== null) return () => ({ agent, app })
  const rows = await keepsake.scopes({ tenant, user })
  const narrowings = new Map(
    rows.map(({ scope, agent, app }): [number, Narrowing] => [scope, { agent, app }]),
  )
  return (scope) => narrowings.get(scope) ?? { agent: null, app: null }
}

/** Fields that hold milliseconds since 1970. */
const TIME_FIELDS = [
  'at',
  'startedAt',
  'lastAt',
  'endedAt',
  'nextTryAt',
  'learnedAt',
  'validFrom',
  'validUntil',
  'purgedAt',
] as const
const TIME_FIELD_SET: ReadonlySet<string> = new Set(TIME_FIELDS)

/** An engine value in JSON: times in ISO 8601, agent and app in place of a scope's row number, `metadata` unchanged. */
export type Shown<Value> = Value extends readonly (infer Item)[]
  ? Shown<Item>[]
  : Value extends object
    ? ShownFields<Value> & (Value extends { readonly scope: number } ? Narrowing : unknown)
    : Value
type ShownFields<Value extends object> = {
  -readonly [Name in keyof Value as KeptField<Value, Name>]: Name extends (typeof TIME_FIELDS)[number]
    ? ShownTime<Value[Name]>
    : Name extends 'metadata'
      ? Value[Name]
      : Shown<Value[Name]>
}
type KeptField<Value, Name extends keyof Value> = Name extends 'scope'
  ? Value[Name] extends number
    ? never
    : Name
  : Name
type ShownTime<Moment> = Moment extends number ? string : Moment

/** Converts an engine value to its JSON form. */
export function show<Value>(value: Value, narrowingOf: NarrowingOf): Shown<Value> {
  return showAny(value, narrowingOf) as Shown<Value>
}

function showAny(value: unknown, narrowingOf: NarrowingOf): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => showAny(item, narrowingOf))
  const json: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    if (name === 'metadata') json[name] = field
    else if (typeof field !== 'number') json[name] = showAny(field, narrowingOf)
    else if (name === 'scope') Object.assign(json, narrowingOf(field))
    else json[name] = TIME_FIELD_SET.has(name) ? new Date(field).toISOString() : field
  }
  return json
}
