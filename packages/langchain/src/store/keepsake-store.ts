import { randomUUID } from 'node:crypto'
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
import { ClosedError, InvalidInputError, type EventMap, type Keepsake } from 'keepsake'
import { writeJson, type JsonObject } from './check-json.ts'
import { removeErasedItems } from './erased-items.ts'
import { checkFilter } from './item-filter.ts'
import { itemText, type IndexedFields } from './item-text.ts'
import { ItemsFile, type ItemRow, type ItemWrite } from './items-file.ts'
import { ItemsMemory } from './items-memory.ts'
import { KnownPersons } from './known-persons.ts'
import {
  checkNamespace,
  firstLabelIsUser,
  listNamespaces,
  pathOf,
  scopeKeyOf,
  type Namespace,
  type ScopeKeyRow,
  type ScopeOf,
} from './namespace.ts'
import { asItem, searchItems } from './search-items.ts'

export interface KeepsakeStoreOptions {
  /** The SQLite file of the items' values, made when missing; `:memory:` keeps nothing. Not the memory's own file. */
  readonly path: string
  /**
   * Whose memory a namespace is. When absent the first label is the user: `['ana', 'notes']`. For `['memories', 'ana']`:
   * `([, user]) => ({ user, app: 'langgraph' })`; with a tenant first: `([tenant, user]) => ({ tenant, user, app: 'langgraph' })`.
   * Without an `app` the items lie among what the person said.
   */
  readonly scopeOf?: ScopeOf
  /** Fields that a query searches, where a put does not name its own. The whole value when absent. */
  readonly index?: IndexedFields
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Keepsake as a store of LangGraph.js. Values come back exactly as they were put; a query is a recall over what they
 * say. Deleting an item erases both, and erasing a person in Keepsake takes their items with it.
 *
 * @example
 * const store = new KeepsakeStore(keepsake, { path: 'items.db' })
 * await store.put(['ana', 'notes'], 'food', { text: 'Likes pizza with olives' })
 * const [best] = await store.search(['ana'], { query: 'What does she like to eat?' })
 * const graph = builder.compile({ store })
 */
export class KeepsakeStore extends BaseStore {
  readonly #keepsake: Keepsake
  readonly #file: ItemsFile
  readonly #memory: ItemsMemory
  readonly #options: KeepsakeStoreOptions
  readonly #persons: KnownPersons
  readonly #receipts = new Set<string>()
  readonly #onErased = ({ receipt }: EventMap['scope-erased'][0]): void => this.#followErasure(receipt.id)
  /** Ends when all writes that were begun have; one at a time. */
  #writes: Promise<unknown> = Promise.resolve()
  #stopped = false

  /** @throws InvalidInputError when the file is another program's. */
  constructor(keepsake: Keepsake, options: KeepsakeStoreOptions) {
    super()
    this.#keepsake = keepsake
    this.#options = options
    this.#file = new ItemsFile(options.path)
    this.#memory = new ItemsMemory(keepsake, this.#file)
    this.#persons = new KnownPersons(keepsake)
    keepsake.on('scope-erased', this.#onErased)
    this.#inBackground(async () => {
      await this.#persons.ask()
      await this.#memory.settle()
    })
  }

  /**
   * Runs operations: reads see what was there before the batch, of several puts to one key the last counts.
   *
   * @throws InvalidInputError, InvalidNamespaceError: nothing of the batch is done then.
   */
  override async batch<Operations extends Operation[]>(
    operations: Operations,
  ): Promise<OperationResults<Operations>> {
    if (this.#stopped) throw new ClosedError()
    for (const operation of operations) checkOperation(operation)
    const writes = this.#readPuts(operations)
    const results: (Item | null | SearchItem[] | string[][] | undefined)[] = []
    for (const operation of operations) results.push(await this.#read(operation))
    if (writes.length > 0) await this.#inTurn(() => this.#write(writes))
    return results as OperationResults<Operations>
  }

  /**
   * Removes the values of items that were erased in Keepsake by another process, such as a server or the command line; what
   * this process erases is followed at once. Persons who are not in this memory count as erased: mind that it is the one the
   * items belong to.
   *
   * @returns how many were removed.
   */
  async dropErased(): Promise<number> {
    if (this.#stopped) throw new ClosedError()
    return this.#inTurn(() =>
      removeErasedItems({ keepsake: this.#keepsake, file: this.#file, isErased: () => true }),
    )
  }

  /** Finishes what runs and lets go of the file. The memory stays open. Stopping twice does nothing. */
  override async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    this.#keepsake.off('scope-erased', this.#onErased)
    await this.#writes
    this.#file.scrub()
    this.#file.close()
  }

  #readPuts(operations: readonly Operation[]): Write[] {
    const last = new Map<string, Write>()
    for (const operation of operations) {
      if (!('value' in operation)) continue
      const path = pathOf(operation.namespace)
      last.set(`${path}${operation.key}`, this.#readPut(operation, path))
    }
    return [...last.values()]
  }

  #readPut({ namespace, key, value, index }: PutOperation, path: string): Write {
    const scope = scopeKeyOf(namespace, this.#options.scopeOf ?? firstLabelIsUser)
    if (value === null) return { ...scope, path, key, item: null }
    const json = writeJson(value, 'value')
    const text = itemText(JSON.parse(json) as JsonObject, index ?? this.#options.index ?? ['$'])
    const at = this.#options.now?.() ?? Date.now()
    const item = {
      ...scope,
      path,
      namespace: JSON.stringify(namespace),
      key,
      id: randomUUID(),
      value: json,
      text,
      at,
    }
    return { ...scope, path, key, item }
  }

  async #write(writes: readonly Write[]): Promise<void> {
    // What an earlier write left to do comes first: a deleted item's words must be erased before its key is used again.
    await this.#memory.settle()
    await this.#persons.ask(writes)
    const gone = writes.flatMap(({ path, key }) => this.#file.get(path, key) ?? [])
    this.#file.remove(gone.filter((row) => !this.#persons.isThere(row)).map(({ item }) => item))
    this.#file.together(() => {
      for (const { path, key, item } of writes) {
        if (item === null) this.#file.markDeleted(path, key)
        else this.#file.put(item)
      }
    })
    await this.#memory.settle()
    await this.#persons.ask(writes)
  }

  async #read(operation: Operation): Promise<Item | null | SearchItem[] | string[][] | undefined> {
    if ('value' in operation) return undefined
    // What was erased a moment ago must not be read any more.
    if (this.#receipts.size > 0) await this.#writes
    if ('namespacePrefix' in operation) return this.#search(operation)
    return 'key' in operation ? this.#get(operation) : this.#list(operation)
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const row = this.#file.get(pathOf(namespace), key)
    if (row === undefined) return null
    await this.#persons.ask([row])
    return this.#persons.isThere(row) ? asItem(row) : null
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    await this.#persons.ask(this.#file.scopesUnder(pathOf(operation.namespacePrefix)))
    return searchItems({ file: this.#file, memory: this.#memory, persons: this.#persons }, operation)
  }

  async #list(operation: ListNamespacesOperation): Promise<string[][]> {
    await this.#persons.ask()
    const rows = this.#file.namespaces().filter((row) => this.#persons.isThere(row))
    return listNamespaces(
      rows.map(({ namespace }) => JSON.parse(namespace) as Namespace),
      operation,
    )
  }

  #followErasure(receipt: string): void {
    this.#receipts.add(receipt)
    this.#inBackground(async () => {
      for (const own of this.#memory.ownReceipts) this.#receipts.delete(own)
      this.#memory.ownReceipts.clear()
      if (this.#receipts.size === 0) return
      const isErased = (row: ItemRow) => this.#persons.wasThere(row)
      await removeErasedItems({ keepsake: this.#keepsake, file: this.#file, isErased })
      this.#receipts.clear()
    })
  }

  #inTurn<Result>(job: () => Promise<Result>): Promise<Result> {
    const run = this.#writes.then(job)
    // Whoever asked for it is told that it failed; the next one runs all the same.
    this.#writes = run.then(nothing, nothing)
    return run
  }

  /** Nobody waits for it: what fails is done again at the next write, or by `dropErased()`. */
  #inBackground(job: () => Promise<void>): void {
    this.#inTurn(job).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error)
      process.emitWarning(
        `The store could not bring its items in line with the memory. ${said}`,
        'KeepsakeWarning',
      )
    })
  }
}

function nothing(): undefined {
  return undefined
}

/** A put or, without an item, a delete. */
interface Write extends ScopeKeyRow {
  readonly path: string
  readonly key: string
  readonly item: ItemWrite | null
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
      throw new InvalidInputError(`${name} must be a whole number from 0, but it is ${String(value)}.`)
}
