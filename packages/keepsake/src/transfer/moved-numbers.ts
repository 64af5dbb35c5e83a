import type { Store } from '../store/store.ts'

const PAGE = 1_000

/**
 * Maps the numbers of a migrated store to the new ones: users and scopes are renumbered, and so are the places
 * of a log that has gaps.
 */
export class MovedNumbers {
  readonly #from: Store
  readonly #to: Store
  readonly #owners: ReadonlyMap<number, number>
  /** Of the person who was asked for last: records are asked for person by person. */
  #log: { readonly owner: number; readonly sequences: readonly number[] } | null = null

  constructor(from: Store, to: Store, owners: ReadonlyMap<number, number>) {
    this.#from = from
    this.#to = to
    this.#owners = owners
  }

  /** A person; `undefined` where they are not there any more. */
  owner(owner: number): number | undefined {
    return this.#owners.get(owner)
  }

  /** A person's scopes, by their numbers before. */
  async scopes(owner: number): Promise<ReadonlyMap<number, number>> {
    const target = this.owner(owner)
    if (target === undefined) return new Map()
    const there = await this.#to.listScopes({ owner: target })
    const rows = await this.#from.listScopes({ owner })
    return new Map(
      rows.flatMap(({ scope, agent, app }) => {
        const same = there.find((row) => row.agent === agent && row.app === app)
        return same === undefined ? [] : [[scope, same.scope] as const]
      }),
    )
  }

  /** A place in a person's log: as many operations lie before it as did before. */
  async sequence(owner: number, sequence: number): Promise<number> {
    if (this.#log?.owner !== owner) this.#log = { owner, sequences: await this.#sequencesOf(owner) }
    return this.#log.sequences.filter((one) => one <= sequence).length
  }

  async #sequencesOf(owner: number): Promise<readonly number[]> {
    const sequences: number[] = []
    for (;;) {
      const afterSequence = sequences.at(-1) ?? 0
      const page = await this.#from.listOperations({ userId: owner, afterSequence, limit: PAGE })
      sequences.push(...page.map(({ sequence }) => sequence))
      if (page.length < PAGE) return sequences
    }
  }
}
