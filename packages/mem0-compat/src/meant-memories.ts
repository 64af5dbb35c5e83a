import type { Memory, MemoryFilter, ScopeRow } from 'keepsake'
import { given } from './given.ts'
import type { ServerDeps } from '@keepsake/server'
import { storeLists, type StoreList } from './ask-of-store.ts'
import { shownForms } from './mem0-door.ts'
import type { Part } from './mem0-page.ts'
import { scopeIfMeant, type SelectedPerson } from './select-people.ts'

/** A memory that a filter means, and its scope. */
export interface ListedMemory {
  readonly memory: Memory
  readonly row: ScopeRow
}

/** A list of the store, and whom it is of. */
interface ListOfPerson extends StoreList {
  readonly selected: SelectedPerson
}

/** Memories read at a time where it has to be looked into each. */
const LOOKED_THROUGH = 200

/**
 * All live memories that a filter means, newest first. No more of them than a page is in hand: of one list that the store can be
 * asked for as it is, a page is read and the rest counted there; several are read in step, and what the store cannot ask is looked
 * through.
 */
export class MeantMemories {
  readonly #deps: ServerDeps
  readonly #lists: readonly ListOfPerson[]

  /** @param over those too that are no longer so */
  constructor(deps: ServerDeps, people: readonly SelectedPerson[], over: boolean) {
    this.#deps = deps
    const more = given({ forms: shownForms(deps), holdsAt: over ? undefined : deps.now() })
    this.#lists = people.flatMap((selected) =>
      storeLists(selected).map((list) => ({ ...list, selected, filter: { ...list.filter, ...more } })),
    )
  }

  /** So many from a place on, and how many there are in all. */
  async part({ start, size }: Part): Promise<{ readonly count: number; readonly results: ListedMemory[] }> {
    const [only, ...others] = this.#lists
    const isExact = this.#lists.every((list) => list.isExact)
    if (only !== undefined && others.length === 0 && isExact) {
      const results = await this.#read(only, { skip: start, limit: size })
      return { count: await this.#count(), results: results.flatMap((one) => meantOf(only, one)) }
    }
    const results: ListedMemory[] = []
    let seen = 0
    for await (const listed of this.#newestFirst()) {
      if (isExact && seen === start + size) break
      if (seen >= start && seen < start + size) results.push(listed)
      seen += 1
    }
    return { count: isExact ? await this.#count() : seen, results }
  }

  /** One after another, person by person; some may be removed meanwhile. */
  async *each(): AsyncGenerator<ListedMemory, void> {
    for (const list of this.#lists) yield* this.#eachOf(list)
  }

  async *#newestFirst(): AsyncGenerator<ListedMemory, void> {
    const readers = this.#lists.map((list) => this.#eachOf(list))
    const heads = await Promise.all(readers.map(async (reader) => nextOf(reader)))
    for (;;) {
      const newest = heads.reduce((best, head, at) => (isNewer(head, heads[best]) ? at : best), 0)
      const [head, reader] = [heads[newest], readers[newest]]
      if (head === undefined || head === null || reader === undefined) return
      yield head
      heads[newest] = await nextOf(reader)
    }
  }

  async *#eachOf(list: ListOfPerson): AsyncGenerator<ListedMemory, void> {
    for (let after: string | undefined; ;) {
      const read = await this.#read(list, { ...given({ after }), limit: LOOKED_THROUGH })
      for (const memory of read) yield* meantOf(list, memory)
      after = read.at(-1)?.id
      if (read.length < LOOKED_THROUGH) return
    }
  }

  #read({ key, filter }: StoreList, page: MemoryFilter): Promise<readonly Memory[]> {
    return this.#deps.keepsake
      .scope(key)
      .memories({ order: 'learned', newestFirst: true, ...filter, ...page })
  }

  async #count(): Promise<number> {
    let count = 0
    for (const { key, filter } of this.#lists)
      count += await this.#deps.keepsake.scope(key).countMemories(filter)
    return count
  }
}

function meantOf({ selected }: ListOfPerson, memory: Memory): ListedMemory[] {
  const row = scopeIfMeant(selected, memory)
  return row === null ? [] : [{ memory, row }]
}

async function nextOf(reader: AsyncGenerator<ListedMemory, void>): Promise<ListedMemory | null> {
  const { value } = await reader.next()
  return value ?? null
}

/** Whether a memory comes before another in a list: what was learned later, of equal ones that of the greater id. */
function isNewer(one: ListedMemory | null, other: ListedMemory | null | undefined): boolean {
  if (one === null || other === null || other === undefined) return one !== null
  const [mine, theirs] = [one.memory, other.memory]
  return mine.learnedAt === theirs.learnedAt ? mine.id > theirs.id : mine.learnedAt > theirs.learnedAt
}
