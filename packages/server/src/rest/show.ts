// Converts values of the engine into the JSON that clients receive.
import type { Keepsake, ScopeKey } from 'keepsake'

/** The agent and app of a scope within a person. */
export interface Narrowing {
  readonly agent: string | null
  readonly app: string | null
}

/** Finds the agent and app of a scope's row number. */
export type NarrowingOf = (scope: number) => Narrowing

/** The narrowings visible to a key: one when it names an agent or app, else all of the user's. */
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
  'learnedAt',
  'validFrom',
  'validUntil',
  'purgedAt',
] as const
const TIME_FIELD_SET: ReadonlySet<string> = new Set(TIME_FIELDS)

/** An engine value in JSON: moments in ISO 8601, agent and app instead of a scope number, `metadata` unchanged. */
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

/** Returns values without moments and scopes uncopied, which is most of an answer. */
function showAny(value: unknown, narrowingOf: NarrowingOf): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => showAny(item, narrowingOf))
  const fields = value as Readonly<Record<string, unknown>>
  return needsConversion(fields) ? showFields(fields, narrowingOf) : fields
}

function needsConversion(fields: Readonly<Record<string, unknown>>): boolean {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'object' && value !== null) return true
    if (typeof value === 'number' && (name === 'scope' || TIME_FIELD_SET.has(name))) return true
  }
  return false
}

function showFields(
  fields: Readonly<Record<string, unknown>>,
  narrowingOf: NarrowingOf,
): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (name === 'metadata') json[name] = value
    else if (typeof value === 'object') json[name] = showAny(value, narrowingOf)
    else if (typeof value !== 'number') json[name] = value
    else if (name === 'scope') {
      const { agent, app } = narrowingOf(value)
      json['agent'] = agent
      json['app'] = app
    } else json[name] = TIME_FIELD_SET.has(name) ? formatTime(value) : value
  }
  return json
}

/** Caches formatted moments, which repeat within and between answers; about 100 bytes each. */
const timeCache = new Map<number, string>()
const MAX_CACHED_TIMES = 8_192

function formatTime(time: number): string {
  const cached = timeCache.get(time)
  if (cached !== undefined) return cached
  const text = new Date(time).toISOString()
  if (timeCache.size >= MAX_CACHED_TIMES) timeCache.clear()
  timeCache.set(time, text)
  return text
}
