import type { Item, SearchItem, SearchOperation } from '@langchain/langgraph-checkpoint'
import type { JsonObject } from './check-json.ts'
import { matchesFilter } from './item-filter.ts'
import type { ItemRow, ItemsFile } from './items-file.ts'
import { itemOfTurn, type ItemsMemory } from './items-memory.ts'
import type { KnownPersons } from './known-persons.ts'
import { pathOf, type ScopeKeyRow } from './namespace.ts'

/** As many as a recall gives: of a scope with more items, those beyond are not ranked. */
const RANKED = 1_000

/** What a search goes by. */
export interface SearchedItems {
  readonly file: ItemsFile
  readonly memory: ItemsMemory
  readonly persons: KnownPersons
}

/** An item as LangGraph has it, of values that nobody else holds. */
export function asItem({ namespace, key, value, createdAt, updatedAt }: ItemRow): Item {
  return {
    namespace: JSON.parse(namespace) as string[],
    key,
    value: JSON.parse(value ?? 'null') as JsonObject,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

/**
 * Items under a prefix that pass the filter: those found by the query first, best first, then the others, oldest first,
 * without a score.
 */
export async function searchItems(items: SearchedItems, operation: SearchOperation): Promise<SearchItem[]> {
  const { namespacePrefix, filter = {}, limit = 10, offset = 0, query = '' } = operation
  const path = pathOf(namespacePrefix)
  const ranked = query.trim() === '' ? new Map<string, number>() : await rankItems(items, path, query)
  const passes = (row: ItemRow) => items.persons.isThere(row) && matchesFilter(asItem(row).value, filter)
  const isRanked = (row: ItemRow) => row.text !== '' && ranked.has(row.id)
  const found = items.file
    .byIds([...ranked.keys()])
    .filter((row) => isRanked(row) && isUnder(row, namespacePrefix) && passes(row))
    .sort((one, other) => (ranked.get(other.id) ?? 0) - (ranked.get(one.id) ?? 0))
    .slice(0, offset + limit)
  if (found.length < offset + limit)
    for (const row of items.file.under(path)) {
      if (isRanked(row) || !passes(row)) continue
      found.push(row)
      if (found.length === offset + limit) break
    }
  return found.slice(offset).map((row) => {
    const score = ranked.get(row.id)
    return score === undefined || !isRanked(row) ? asItem(row) : { ...asItem(row), score }
  })
}

function isUnder(row: ItemRow, prefix: readonly string[]): boolean {
  return pathOf(asItem(row).namespace).startsWith(pathOf(prefix))
}

/** Scores of items by id, from a recall in each scope that has items under the path. */
async function rankItems(
  { file, memory, persons }: SearchedItems,
  path: string,
  query: string,
): Promise<Map<string, number>> {
  const scores = new Map<string, number>()
  const scopes = new Map<string, ScopeKeyRow>()
  for (const row of file.scopesUnder(path))
    if (persons.isThere(row)) scopes.set(JSON.stringify([row.tenant, row.user, row.agent, row.app]), row)
  for (const scope of scopes.values()) {
    // Searching a store is not remembering: it strengthens nothing.
    const options = { limit: RANKED, tokens: 1, forms: ['utterance' as const], reinforce: false }
    const { memories } = await memory.scopeOf(scope).recall(query, options)
    for (const { score, evidence } of memories) {
      const item = itemOfTurn(evidence[0]?.turn ?? '')
      if (item !== null && !scores.has(item.id)) scores.set(item.id, score)
    }
  }
  return scores
}
