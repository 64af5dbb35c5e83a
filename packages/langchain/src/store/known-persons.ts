import type { Keepsake } from 'keepsake'
import type { ItemRow } from './items-file.ts'
import type { ScopeKeyRow } from './namespace.ts'

type Person = Pick<ScopeKeyRow, 'tenant' | 'user'>

/** Beyond so many persons one listing of all is cheaper than asking for each. */
const FEW = 4

/** Who is in Keepsake, as last asked: whoever was erased since an item was stored must not be found by it. */
export class KnownPersons {
  readonly #keepsake: Keepsake
  readonly #owners = new Map<string, number>()
  readonly #seen = new Set<string>()

  constructor(keepsake: Keepsake) {
    this.#keepsake = keepsake
  }

  /** Asks for persons anew; for all when none are named. */
  async ask(persons?: readonly Person[]): Promise<void> {
    const named = new Map((persons ?? []).map((person) => [personKey(person), person]))
    if (persons !== undefined && named.size <= FEW) {
      for (const [key, { tenant, user }] of named) {
        this.#owners.delete(key)
        this.#learn(await this.#keepsake.scopes({ tenant, user }))
      }
      return
    }
    const all = await this.#keepsake.scopes()
    this.#owners.clear()
    this.#learn(all)
  }

  /** Whether a person is still who they were when their item was stored. One made anew after an erasure is not. */
  isThere(row: Person & Pick<ItemRow, 'owner'>): boolean {
    return row.owner === null || this.#owners.get(personKey(row)) === row.owner
  }

  /** Whether a person who is not there now was there since the store was opened. */
  wasThere({ owner, ...person }: Person & Pick<ItemRow, 'owner'>): boolean {
    return this.#seen.has(`${personKey(person)}${owner}`)
  }

  #learn(rows: readonly (Person & { readonly owner: number })[]): void {
    for (const row of rows) {
      this.#owners.set(personKey(row), row.owner)
      this.#seen.add(`${personKey(row)}${row.owner}`)
    }
  }
}

/** A person as one text. */
export function personKey({ tenant, user }: Person): string {
  return JSON.stringify([tenant, user])
}
