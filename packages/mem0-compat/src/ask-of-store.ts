import type { CountFilter, MetadataFilter, ScopeKey } from 'keepsake'
import { given } from './given.ts'
import { fieldOf } from './mem0-filter.ts'
import { keyOf, runOf, sessionOf } from './mem0-names.ts'
import { isoTime } from './present-memory.ts'
import { pushedDown, type SelectedPerson, type SelectedScope } from './select-people.ts'

/** A list that the store is asked for, of one person or one of their scopes. */
export interface StoreList {
  readonly key: ScopeKey
  readonly filter: CountFilter
  /** Whether all that the store finds is meant. */
  readonly isExact: boolean
}

/** What the store is asked of a person: all at once where one question means all of their scopes, otherwise scope by scope. */
export function storeLists({ scopes, key, isWhole }: SelectedPerson): readonly StoreList[] {
  const [first] = scopes
  const isOne = scopes.every(({ left }) => JSON.stringify(left) === JSON.stringify(first?.left))
  if (first !== undefined && isWhole && isOne) return [{ key, ...askOfStore(first.left) }]
  return scopes.map(ofScope)
}

function ofScope({ row, left }: SelectedScope): StoreList {
  const { filter, isExact } = askOfStore(left)
  return { key: keyOf(row), filter: { ...filter, own: true }, isExact }
}

/** What of a filter the store can be asked. */
interface Asked {
  readonly run?: string
  readonly from?: number
  readonly to?: number
  /** Conditions on what is kept with memories. */
  readonly kept: readonly MetadataFilter[]
  readonly isExact: boolean
}

/** What a filter asks of the store: of conditions that all have to hold, those that it knows. */
function askOfStore(left: true | MetadataFilter): Pick<StoreList, 'filter' | 'isExact'> {
  let asked: Asked = { kept: [], isExact: true }
  for (const condition of left === true ? [] : conditionsOf(left))
    asked = askRun(asked, condition) ?? askTime(asked, condition) ?? askKept(asked, condition)
  const { run, from: learnedFrom, to: learnedTo, kept, isExact } = asked
  const session = run === undefined ? undefined : sessionOf(run)
  const where = kept.length === 0 ? undefined : (pushedDown({ all: kept }) ?? undefined)
  return { filter: given({ session, learnedFrom, learnedTo, where }), isExact }
}

function conditionsOf(filter: MetadataFilter): readonly MetadataFilter[] {
  return 'all' in filter ? filter.all.flatMap(conditionsOf) : [filter]
}

/** A run is a session, but for names that the engine gives. */
function askRun(asked: Asked, condition: MetadataFilter): Asked | null {
  if (asked.run !== undefined || !('path' in condition) || fieldOf(condition.path) !== 'run_id') return null
  const { path: _, in: among, ...others } = condition
  const [run, ...more] = new Set((among ?? []).map(String))
  const isThatAlone = run !== undefined && more.length === 0 && Object.keys(others).length === 0
  return isThatAlone && runOf(sessionOf(run)) === run ? { ...asked, run } : null
}

/** When it was made known, from a moment on or until one. */
function askTime(asked: Asked, condition: MetadataFilter): Asked | null {
  if (!('path' in condition) || fieldOf(condition.path) !== 'created_at') return null
  const { path: _, atLeast, atMost, ...others } = condition
  if (Object.keys(others).length > 0) return null
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, ...rest } = asked
  const times = { from: Math.max(from, momentOf(atLeast) ?? from), to: Math.min(to, momentOf(atMost) ?? to) }
  if (Number.isNaN(times.from) || Number.isNaN(times.to)) return null
  return { ...rest, ...Object.fromEntries(Object.entries(times).filter(([, at]) => Number.isFinite(at))) }
}

/** NaN for what is no moment as moments are shown. */
function momentOf(value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) || isoTime(at) !== value ? Number.NaN : at
}

function askKept(asked: Asked, condition: MetadataFilter): Asked {
  const kept = [...asked.kept, condition]
  return pushedDown({ all: kept }) === null ? { ...asked, isExact: false } : { ...asked, kept }
}
