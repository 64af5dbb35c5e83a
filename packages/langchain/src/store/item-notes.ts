import { createHash } from 'node:crypto'
import type { Item, SearchItem } from '@langchain/langgraph-checkpoint'
import type { Keepsake, Memory, Metadata, MetadataFilter, ScopedMemory, ScopeKey } from 'keepsake'
import { pathOf, type Namespace } from './namespace.ts'

/** The most that a recall returns. Further items of a user are not ranked. */
const MAX_RANKED = 1_000
const PAGE_SIZE = 500

interface ItemMetadata {
  readonly namespace: Namespace
  readonly key: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  readonly value: Metadata
}

export interface NewItem extends ItemMetadata {
  /** The text that queries search. */
  readonly text: string
}

export interface FoundItem {
  readonly memory: string
  readonly item: SearchItem
}

/** Stores an item as a note. The note's text is for queries; its metadata hold the item unchanged. */
export async function storeItem(scope: ScopedMemory, { text, ...item }: NewItem): Promise<void> {
  const { namespace, key, updatedAt } = item
  await scope.note(text, {
    name: nameOf(namespace, key),
    metadata: { langgraph: { ...item } },
    at: updatedAt,
    maskMetadata: false,
  })
}

/** Returns the item of a key, or `null`. */
export async function findItem(
  scope: ScopedMemory,
  namespace: Namespace,
  key: string,
): Promise<FoundItem | null> {
  const [note] = await scope.memories({ names: [nameOf(namespace, key)] })
  return note === undefined ? null : asItem(note)
}

/** Finds items under a prefix by a query, best first, each with its score. This strengthens no memory. */
export async function rankItems(
  scope: ScopedMemory,
  prefix: Namespace,
  query: string,
): Promise<readonly FoundItem[]> {
  const options = { limit: MAX_RANKED, tokens: 1, reinforce: false } as const
  const { memories } = await scope.recall(query, { ...options, forms: ['note'], where: prefixFilter(prefix) })
  return memories.map(({ memory, score }) => {
    const found = asItem(memory)
    return { ...found, item: { ...found.item, score } }
  })
}

/** Reads items under a prefix page by page, oldest first. */
export async function* itemsUnder(scope: ScopedMemory, prefix: Namespace): AsyncGenerator<FoundItem> {
  const filter = { forms: ['note'], where: prefixFilter(prefix), limit: PAGE_SIZE } as const
  let after: string | undefined
  for (;;) {
    const page = await scope.memories(after === undefined ? filter : { ...filter, after })
    yield* page.map(asItem)
    after = page.at(-1)?.id
    if (page.length < PAGE_SIZE) return
  }
}

/** Returns the memories of all users who may have items under a prefix: of one user if it names one, otherwise of all. */
export async function usersUnder(keepsake: Keepsake, user: ScopeKey | null): Promise<ScopedMemory[]> {
  const memoryOf = ({ tenant, user }: ScopeKey): ScopedMemory =>
    keepsake.scope({ user, ...(tenant === undefined ? {} : { tenant }) })
  if (user !== null) return [memoryOf(user)]
  const users = new Map((await keepsake.scopes()).map((row) => [row.owner, row]))
  return [...users.values()].map(({ tenant, user }) => memoryOf({ tenant, user }))
}

function asItem({ id, learnedAt, metadata }: Memory): FoundItem {
  const { namespace, key, updatedAt, value } = (metadata ?? {})['langgraph'] as unknown as ItemMetadata
  const times = { createdAt: new Date(learnedAt), updatedAt: new Date(updatedAt) }
  // Callers may change the returned value.
  const item: Item = { namespace: [...namespace], key, value: structuredClone(value), ...times }
  return { memory: id, item }
}

/** The note's name: unique in a scope, of bounded length, and without words of the item. */
function nameOf(namespace: Namespace, key: string): string {
  return `langgraph:${createHash('sha256')
    .update(`${pathOf(namespace)}${key}`)
    .digest('hex')}`
}

function prefixFilter(prefix: Namespace): MetadataFilter {
  const labels = prefix.map((label, index) => ({ path: ['langgraph', 'namespace', index], is: label }))
  return { all: [{ path: ['langgraph', 'key'], exists: true }, ...labels] }
}
