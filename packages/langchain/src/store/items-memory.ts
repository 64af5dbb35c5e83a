import { setTimeout as sleep } from 'node:timers/promises'
import { NotFoundError, type Keepsake, type ScopedMemory } from 'keepsake'
import type { ItemRow, ItemsFile } from './items-file.ts'
import { asScopeKey, type ScopeKeyRow } from './namespace.ts'

/** How long the old words of an item may take to be consolidated before they are erased instead of deleted. */
const PATIENCE_MS = 1_000
const POLL_MS = 5
/** Every status of a memory that still has words. */
const WITH_WORDS = ['live', 'quarantined', 'deleted', 'forgotten'] as const

type Recorded = Pick<ItemRow, 'id'> & { readonly version: number }

/** The turn that holds an item's words. */
export function turnOf({ id, version }: Recorded): string {
  return `langgraph/${id}/${version}`
}

/** The item that a turn holds the words of. */
export function itemOfTurn(turn: string): Recorded | null {
  const [, id, version] = /^langgraph\/([0-9a-f-]{36})\/(\d+)$/.exec(turn) ?? []
  return id === undefined ? null : { id, version: Number(version) }
}

/**
 * Brings what Keepsake holds in line with the items file. An item is a session of its own with one turn, of neither user
 * nor agent: nobody's word, so that no fact about a person is drawn from it, and with no neighbours to be found by. Each
 * step can be repeated: what was left half done is done again.
 */
export class ItemsMemory {
  readonly #keepsake: Keepsake
  readonly #file: ItemsFile
  /** Receipts of erasures made here, which the store need not look into. */
  readonly ownReceipts = new Set<string>()

  constructor(keepsake: Keepsake, file: ItemsFile) {
    this.#keepsake = keepsake
    this.#file = file
  }

  /** The person's row in Keepsake; `null` when there is none. */
  async ownerOf({ tenant, user }: Pick<ScopeKeyRow, 'tenant' | 'user'>): Promise<number | null> {
    return (await this.#keepsake.scopes({ tenant, user }))[0]?.owner ?? null
  }

  scopeOf(row: ScopeKeyRow): ScopedMemory {
    return this.#keepsake.scope(asScopeKey(row))
  }

  /** Does what is left to do for items that Keepsake does not hold as they are. @throws what Keepsake throws; the rest stays to do. */
  async settle(): Promise<void> {
    await this.#eraseDeleted()
    // Again, as long as another process changes what was just recorded.
    for (let isAhead = true; isAhead;) {
      isAhead = false
      for (const row of this.#file.pending())
        if (row.value !== null && !(await this.#isGone(row))) isAhead = (await this.#record(row)) || isAhead
    }
  }

  /** Erases the words of deleted items, a scope at a time: each erasure writes the memory's file afresh. */
  async #eraseDeleted(): Promise<void> {
    const deleted = this.#file.pending().filter(({ value }) => value === null)
    const scopes = new Map<string, { scope: ScopedMemory; sessions: string[] }>()
    for (const row of deleted) {
      if (row.recorded === 0 || (await this.#isGone(row))) continue
      const key = JSON.stringify([row.tenant, row.user, row.agent, row.app])
      const known = scopes.get(key)
      if (known === undefined) scopes.set(key, { scope: this.scopeOf(row), sessions: [row.id] })
      else known.sessions.push(row.id)
    }
    for (const { scope, sessions } of scopes.values()) await this.#erase(scope, sessions)
    this.#file.remove(deleted.map(({ item }) => item))
  }

  /** Whether the person was erased since: what was theirs must not make them anew. */
  async #isGone({ recorded, owner, ...row }: ItemRow): Promise<boolean> {
    return recorded > 0 && (await this.ownerOf(row)) !== owner
  }

  /** @returns whether it was recorded; not when another process changed it meanwhile. */
  async #record(row: ItemRow): Promise<boolean> {
    const scope = this.scopeOf(row)
    if (row.recorded > 0) await this.#leaveRecall(scope, { id: row.id, version: row.recorded })
    const turn = { role: 'other', id: turnOf(row), text: row.text, at: row.updatedAt } as const
    await scope.remember(turn, { session: row.id })
    // A turn without words stands for an item that no query finds, so that it is erased as the others are.
    if (row.text === '') await this.#takeFromRecall(scope, row)
    const owner = await this.ownerOf(row)
    if (owner === null) return false
    if (!this.#file.markRecorded(row, owner)) await this.#leaveRecall(scope, row)
    return true
  }

  /** Erases items' sessions; those that others erased first are passed over. */
  async #erase(scope: ScopedMemory, sessions: readonly string[]): Promise<void> {
    try {
      this.#keep(await scope.erase({ sessions }))
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
      if (sessions.length > 1) for (const session of sessions) await this.#erase(scope, [session])
    }
  }

  /** Takes words that an item no longer says from recall; they stay in its history until the item is deleted. */
  async #leaveRecall(scope: ScopedMemory, old: Recorded): Promise<void> {
    if (await this.#takeFromRecall(scope, old)) return
    try {
      this.#keep(await scope.erase({ turns: [turnOf(old)] }))
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
    }
  }

  /** Deletes the memories that rest on an item's turn. @returns `false` when it was not consolidated in time. */
  async #takeFromRecall(scope: ScopedMemory, old: Recorded): Promise<boolean> {
    const turn = turnOf(old)
    const deadline = performance.now() + (this.#keepsUtterances() ? PATIENCE_MS : 0)
    for (;;) {
      const memories = await scope.memories({ session: old.id, statuses: WITH_WORDS })
      const resting = memories.filter(({ evidence }) => evidence.some((one) => one.turn === turn))
      if (resting.some(({ form }) => form === 'utterance')) {
        for (const { id, status } of resting) if (status === 'live') await scope.remove(id)
        return true
      }
      if (performance.now() > deadline) return false
      await sleep(POLL_MS)
    }
  }

  /** Without utterances a turn is found by itself until it was read, and no memory stands for it. */
  #keepsUtterances(): boolean {
    return this.#keepsake.preset.branches.some(({ kind }) => kind === 'utterances')
  }

  #keep(receipt: { readonly id: string } | null): void {
    if (receipt !== null) this.ownReceipts.add(receipt.id)
  }
}
