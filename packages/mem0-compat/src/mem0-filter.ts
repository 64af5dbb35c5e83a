import { matchesMetadata, type Json, type Metadata, type MetadataFilter } from 'keepsake'
import { OWN_FIELD } from './present-memory.ts'

/**
 * What a filter comes to once some fields are known: whether it holds, or what is left of it to be asked. So the same filter
 * chooses scopes by their names before it chooses memories by all they have.
 */
export function narrow(filter: MetadataFilter, known: Metadata): boolean | MetadataFilter {
  if ('not' in filter) {
    const inner = narrow(filter.not, known)
    return typeof inner === 'boolean' ? !inner : { not: inner }
  }
  if ('all' in filter || 'any' in filter) {
    const isAll = 'all' in filter
    const of = (isAll ? filter.all : filter.any).map((one) => narrow(one, known))
    if (of.includes(!isAll)) return !isAll
    const left = of.filter((one) => typeof one !== 'boolean')
    if (left.length === 0) return isAll
    return isAll ? { all: left } : { any: left }
  }
  return Object.hasOwn(known, fieldOf(filter.path)) ? matchesMetadata(filter, known) : filter
}

/** The filter as the engine can ask it of what is kept with a memory; `null` where it asks for anything else. */
export function asMetadataFilter(filter: MetadataFilter): MetadataFilter | null {
  if ('not' in filter) {
    const inner = asMetadataFilter(filter.not)
    return inner === null ? null : { not: inner }
  }
  if ('all' in filter || 'any' in filter) {
    const of = ('all' in filter ? filter.all : filter.any).map(asMetadataFilter)
    const known = of.filter((one) => one !== null)
    if (known.length < of.length) return null
    return 'all' in filter ? { all: known } : { any: known }
  }
  const [field, ...rest] = stepsOf(filter.path)
  if (field === 'metadata') return { ...filter, path: rest }
  return field === 'feedback' || field === 'feedback_reason' ? { ...filter, path: [OWN_FIELD, field] } : null
}

const ENTITY_FIELDS: ReadonlySet<string> = new Set(['user_id', 'agent_id', 'app_id', 'run_id'])

/** Whether a filter says anything about whose memories are meant. */
export function namesEntity(filter: MetadataFilter): boolean {
  if ('not' in filter) return namesEntity(filter.not)
  if ('all' in filter) return filter.all.some(namesEntity)
  if ('any' in filter) return filter.any.some(namesEntity)
  return ENTITY_FIELDS.has(fieldOf(filter.path))
}

/** The only users a filter can hold for; `null` when it does not limit them. Its own words, so that each can be checked. */
export function usersNamed(filter: MetadataFilter): ReadonlySet<string> | null {
  if ('not' in filter) return null
  if ('all' in filter) {
    const limits = filter.all.map(usersNamed).filter((limit) => limit !== null)
    return limits.reduce<ReadonlySet<string> | null>((all, one) => all?.intersection(one) ?? one, null)
  }
  if ('any' in filter) {
    const limits = filter.any.map(usersNamed)
    return limits.reduce(
      (all, one) => (all === null || one === null ? null : all.union(one)),
      new Set<string>(),
    )
  }
  if (fieldOf(filter.path) !== 'user_id') return null
  const values: readonly Json[] | undefined = filter.is === undefined ? filter.in : [filter.is]
  return values === undefined || values.includes(null) ? null : new Set(values.map(String))
}

function stepsOf(path: string | readonly (string | number)[]): readonly (string | number)[] {
  return typeof path === 'string' ? [path] : path
}

/** The first step of a path. */
export function fieldOf(path: string | readonly (string | number)[]): string {
  return String(stepsOf(path)[0])
}
