// Parts that the lists of memories and of turns share.
import { InvalidInputError, describeValue } from '@keepsake/text'
import { readMetadataFilter, type MetadataFilter } from '../metadata/metadata-filter.ts'
import type { ScopeKey } from '../scopes/scope.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** The part of a key that selects a user's scopes. */
export type Place = Pick<ScopeKey, 'agent' | 'app'>

/** Returns the scopes of a list: all that the key opens, or with `exactScope` only the one it names. */
export function selectScopes(
  { rows, scopes }: ResolvedScope,
  { exactScope = false }: { readonly exactScope?: boolean },
  { agent, app }: Place,
): readonly number[] {
  if (!exactScope) return scopes
  return rows
    .filter((row) => row.agent === (agent ?? null) && row.app === (app ?? null))
    .map(({ scope }) => scope)
}

/** Checks a metadata filter. @throws InvalidInputError */
export function readWhere(where: MetadataFilter | undefined): MetadataFilter | undefined {
  return where === undefined ? undefined : readMetadataFilter(where, 'where')
}

/** Checks a number of items. @throws InvalidInputError */
export function requireLimit(limit: number | undefined, name = 'limit'): void {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 0))
    throw new InvalidInputError(`${name} must be a whole number from 0, but it is ${describeValue(limit)}.`)
}

/** Items that are filtered before the event loop is yielded to. */
const BATCH_SIZE = 500

/** Filters in batches, and yields to the event loop in between. Stops once at least `minCount` items match. */
export async function filterInBatches<Item>(
  items: readonly Item[],
  isMatching: (item: Item) => boolean,
  minCount = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const matching: Item[] = []
  for (let from = 0; from < items.length && matching.length < minCount; from += BATCH_SIZE) {
    matching.push(...items.slice(from, from + BATCH_SIZE).filter(isMatching))
    await yieldToEventLoop()
  }
  return matching
}
