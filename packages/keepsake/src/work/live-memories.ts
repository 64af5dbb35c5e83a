import { isRawUnit } from '../memories/is-raw-unit.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { LiveCount, OwnerCacheKept } from './owner-cache-kept.ts'

const NOTHING_LIVE: LiveCount = { memories: 0, characters: 0 }

/** Keys of what somebody is called. */
export const CALLINGS: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])

/** What is live of a person's memories, so that it need not be counted or looked for: how much, notes by name, what somebody is called. */
export class LiveMemories {
  readonly #memoryOf: (id: string) => Memory | undefined
  /** By scope and form. */
  readonly #counts = new Map<string, LiveCount>()
  /** Ids of notes by scope and name. */
  readonly #names = new Map<string, string>()
  readonly #callings = new Map<string, Memory>()

  constructor(memoryOf: (id: string) => Memory | undefined) {
    this.#memoryOf = memoryOf
  }

  /** What a scope has live of a form. The story's raw units, which are the talk itself, are not counted. */
  of(scope: number, form: MemoryForm): LiveCount {
    return this.#counts.get(`${scope}/${form}`) ?? NOTHING_LIVE
  }

  /** The live note of a scope that has this name. */
  named(scope: number, name: string): Memory | undefined {
    return this.#memoryOf(this.#names.get(`${scope}/${name}`) ?? '')
  }

  /** Live facts that say what somebody is called. */
  callings(scopes: ReadonlySet<number>): Memory[] {
    return [...this.#callings.values()].filter(({ scope }) => scopes.has(scope))
  }

  /** Takes in a memory in the place of what it was. */
  set(before: Memory | undefined, memory: Memory): void {
    if (memory.status === 'live' && memory.form === 'fact' && CALLINGS.has(memory.key ?? ''))
      this.#callings.set(memory.id, memory)
    else this.#callings.delete(memory.id)
    this.#count(before, -1)
    this.#count(memory, 1)
  }

  get kept(): Pick<OwnerCacheKept, 'live' | 'names' | 'callings'> {
    return { live: [...this.#counts], names: [...this.#names], callings: [...this.#callings.keys()] }
  }

  /** Takes in what an image kept, once the memories are there. */
  restore({ live, names, callings }: Pick<OwnerCacheKept, 'live' | 'names' | 'callings'>): void {
    for (const [place, count] of live) this.#counts.set(place, count)
    for (const [name, id] of names) this.#names.set(name, id)
    for (const id of callings) {
      const memory = this.#memoryOf(id)
      if (memory !== undefined) this.#callings.set(id, memory)
    }
  }

  #count(memory: Memory | undefined, by: 1 | -1): void {
    if (memory?.status !== 'live') return
    const { scope, name, id, form, text } = memory
    if (!isRawUnit(memory)) {
      const { memories, characters } = this.of(scope, form)
      const counted = { memories: memories + by, characters: characters + by * text.length }
      this.#counts.set(`${scope}/${form}`, counted)
    }
    if (name === null) return
    if (by === 1) this.#names.set(`${scope}/${name}`, id)
    else if (this.#names.get(`${scope}/${name}`) === id) this.#names.delete(`${scope}/${name}`)
  }
}
