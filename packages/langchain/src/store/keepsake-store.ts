import { createHash } from 'node:crypto'
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import {
  InvalidInputError,
  type Keepsake,
  type ScopeKey,
  type Memory,
  type Metadata,
  type MetadataFilter,
  type ScopedMemory,
} from 'keepsake'
import { readMetadata } from 'keepsake/store'
import { checkFilter, matchesFilter } from './item-filter.ts'
import { itemText, type IndexedFields } from './item-text.ts'
import {
  checkNamespace,
  firstLabelIsUser,
  listNamespaces,
  pathOf,
  scopeKeyOf,
  type Namespace,
  type ScopeOf,
} from './namespace.ts'

/** Options of `KeepsakeStore`. */
export interface KeepsakeStoreOptions {
  /**
   * Reads the user from a namespace. By default the first label is the user: `['ana', 'notes']`. For `['memories', 'ana']`:
   * `([, user]) => ({ user, app: 'langgraph' })`; with a tenant first: `([tenant, user]) => ({ tenant, user, app: 'langgraph' })`.
   * Without an `app` the items are stored among the user's other memories.
   */
  readonly scopeOf?: ScopeOf
  /** Fields that a query searches, unless a put names its own. Default: the whole value. */
  readonly index?: IndexedFields
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Keepsake as a store of LangGraph.js. An item is a note in the user's memory. Its value comes back exactly as it was put, a
 * query is a recall over its text, deleting it erases the note, and erasing the user erases it too.
 *
 * @example
 * const store = new KeepsakeStore(keepsake)
 * await store.put(['ana', 'notes'], 'food', { text: 'Likes pizza with olives' })
 * const [best] = await store.search(['ana'], { query: 'What does she like to eat?' })
 * const graph = builder.compile({ store })
 */
export class KeepsakeStore extends BaseStore {
  readonly #keepsake: Keepsake
  readonly #scopeOf: ScopeOf
  readonly #index: IndexedFields
  readonly #now: () => number

  constructor(keepsake: Keepsake, options: KeepsakeStoreOptions = {}) {
    super()
    if (typeof (keepsake as Keepsake | undefined)?.scope !== 'function')
      throw new InvalidInputError(
        'KeepsakeStore needs an open memory: new KeepsakeStore(await openMemory()).',
      )
    this.#keepsake = keepsake
    this.#scopeOf = options.scopeOf ?? firstLabelIsUser
    this.#index = options.index ?? ['$']
    this.#now = options.now ?? Date.now
  }

  /** Runs operations. Reads see the state before the batch. Of several puts to one key the last counts. */
  override async batch<Operations extends Operation[]>(
    operations: Operations,
  ): Promise<OperationResults<Operations>> {
    for (const operation of operations) checkOperation(operation)
    const writes = this.#readPuts(operations)
    const results: (Item | null | SearchItem[] | string[][] | undefined)[] = []
    for (const operation of operations) results.push(await this.#read(operation))
    await this.#write(writes)
    return results as OperationResults<Operations>
  }

  #readPuts(operations: readonly Operation[]): readonly Write[] {
    const lastWrites = new Map<string, Write>()
    for (const operation of operations)
      if ('value' in operation)
        lastWrites.set(`${pathOf(operation.namespace)}${operation.key}`, this.#readPut(operation))
    return [...lastWrites.values()]
  }

  #readPut({ namespace, key, value, index }: PutOperation): Write {
    const scope = scopeKeyOf(namespace, this.#scopeOf)
    if (scope === null)
      throw new InvalidInputError(
        `The namespace [${namespace.join(', ')}] names no user. Use the labels that the store's scopeOf reads.`,
      )
    if (value === null) return { scope, namespace, key, item: null }
    const json = readMetadata(value, 'value')
    const text = itemText(json, index ?? this.#index)
    return { scope, namespace, key, item: { namespace, key, updatedAt: this.#now(), value: json, text } }
  }

  async #write(writes: readonly Write[]): Promise<void> {
    const deleted = new Map<string, { readonly scope: ScopeKey; readonly memories: string[] }>()
    for (const { scope, namespace, key, item } of writes) {
      const memory = this.#keepsake.scope(scope)
      if (item !== null) {
        await storeItem(memory, item)
        continue
      }
      const existing = await findItem(memory, namespace, key)
      if (existing === null) continue
      const group = JSON.stringify(scope)
      deleted.set(group, { scope, memories: [...(deleted.get(group)?.memories ?? []), existing.memory] })
    }
    // Erases once for each scope, because every erasure rewrites the file.
    for (const { scope, memories } of deleted.values()) await this.#keepsake.scope(scope).erase({ memories })
  }

  async #read(operation: Operation): Promise<Item | null | SearchItem[] | string[][] | undefined> {
    if ('value' in operation) return undefined
    if ('namespacePrefix' in operation) return this.#search(operation)
    return 'key' in operation ? this.#get(operation) : this.#list(operation)
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const scope = scopeKeyOf(namespace, this.#scopeOf)
    if (scope === null) return null
    return (await findItem(this.#keepsake.scope(scope), namespace, key))?.item ?? null
  }

  /**
   * Finds items under a prefix that match the filter. Items that the query finds come first, best first. The others follow without a score,
   * oldest first.
   */
  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix: prefix, filter = {}, limit = 10, offset = 0, query = '' } = operation
    const matches = ({ item }: FoundItem): boolean => matchesFilter(item.value, filter)
    const people = await usersUnder(this.#keepsake, scopeKeyOf(prefix, this.#scopeOf))
    const ranked: FoundItem[] = []
    if (query.trim() !== '')
      for (const scope of people) ranked.push(...(await rankItems(scope, prefix, query)))
    const results = ranked
      .filter(matches)
      .sort((left, right) => (right.item.score ?? 0) - (left.item.score ?? 0))
      .map(({ item }) => item)
    const rankedIds = new Set(ranked.map(({ memory }) => memory))
    for (const scope of people) {
      if (results.length >= offset + limit) break
      for await (const found of itemsUnder(scope, prefix)) {
        if (!rankedIds.has(found.memory) && matches(found)) results.push(found.item)
        if (results.length >= offset + limit) break
      }
    }
    return results.slice(offset, offset + limit)
  }

  async #list(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [] } = operation
    const prefix = matchConditions.find(({ matchType }) => matchType === 'prefix')?.path ?? []
    const fixedPrefix = prefix.slice(0, prefix.includes('*') ? prefix.indexOf('*') : undefined)
    const namespaces: Namespace[] = []
    for (const scope of await usersUnder(this.#keepsake, scopeKeyOf(fixedPrefix, this.#scopeOf)))
      for await (const { item } of itemsUnder(scope, fixedPrefix)) namespaces.push(item.namespace)
    return listNamespaces(namespaces, operation)
  }
}

/** A put; a deletion if the item is `null`. */
interface Write {
  readonly scope: ScopeKey
  readonly namespace: Namespace
  readonly key: string
  readonly item: NewItem | null
}

function checkOperation(operation: Operation): void {
  if ('namespacePrefix' in operation) {
    checkNamespace(operation.namespacePrefix, true)
    checkFilter(operation.filter ?? {})
    checkPage(operation)
  } else if ('key' in operation) {
    checkNamespace(operation.namespace, !('value' in operation))
    if (typeof operation.key !== 'string' || operation.key === '')
      throw new InvalidInputError('The key of an item must be a non-empty string.')
  } else checkPage(operation)
}

function checkPage({ limit, offset }: { limit?: number; offset?: number }): void {
  for (const [name, value] of Object.entries({ limit, offset }))
    if (value !== undefined && (!Number.isInteger(value) || value < 0))
      throw new InvalidInputError(`${name} must be a whole number of at least 0, but it is ${String(value)}.`)
}

/** The engine's maximum for a recall. Further items of a user are not ranked. */
const MAX_RANKED = 1_000
const PAGE_SIZE = 500

interface ItemMetadata {
  readonly namespace: Namespace
  readonly key: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  readonly value: Metadata
}

interface NewItem extends ItemMetadata {
  /** The text that queries search. */
  readonly text: string
}

interface FoundItem {
  readonly memory: string
  readonly item: SearchItem
}

/** Stores an item as a note. The note's text is for queries; its metadata hold the item unchanged. */
async function storeItem(scope: ScopedMemory, { text, ...item }: NewItem): Promise<void> {
  const { namespace, key, updatedAt } = item
  await scope.note(text, {
    name: nameOf(namespace, key),
    metadata: { langgraph: { ...item } },
    at: updatedAt,
    maskMetadata: false,
  })
}

/** Returns the item of a key, or `null`. */
async function findItem(scope: ScopedMemory, namespace: Namespace, key: string): Promise<FoundItem | null> {
  const [note] = await scope.memories({ names: [nameOf(namespace, key)] })
  return note === undefined ? null : asItem(note)
}

/** Finds items under a prefix by a query, best first, each with its score. This strengthens no memory. */
async function rankItems(
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
async function* itemsUnder(scope: ScopedMemory, prefix: Namespace): AsyncGenerator<FoundItem> {
  const filter = { forms: ['note'], where: prefixFilter(prefix), limit: PAGE_SIZE } as const
  let after: string | undefined
  for (;;) {
    const page = await scope.memories(after === undefined ? filter : { ...filter, after })
    yield* page.map(asItem)
    after = page.at(-1)?.id
    if (page.length < PAGE_SIZE) return
  }
}

/**
 * Returns the memories of all users who may have items under a prefix: of one user if it names one, otherwise of all.
 * They are without agent and app, because a prefix may be shorter than the labels that name these.
 */
async function usersUnder(keepsake: Keepsake, user: ScopeKey | null): Promise<ScopedMemory[]> {
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

/** Returns the name of an item's note: unique in a scope, of limited length, and without words of the item. */
function nameOf(namespace: Namespace, key: string): string {
  const hash = createHash('sha256').update(`${pathOf(namespace)}${key}`)
  return `langgraph:${hash.digest('hex')}`
}

function prefixFilter(prefix: Namespace): MetadataFilter {
  const labels = prefix.map((label, index) => ({ path: ['langgraph', 'namespace', index], is: label }))
  return { all: [{ path: ['langgraph', 'key'], exists: true }, ...labels] }
}
