// Finds and repeats erasures that the stored data does not have, after a restored backup or an import.
import { digestId, digestUser, type ErasureEntry, type MissedErasure } from '../ledger/erasure-ledger.ts'
import type { Memory } from '../memories/memory.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { EraseReceipt } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { resolveScope, type ResolvedScope } from '../work/scope-handle.ts'
import { eraseIds, eraseUser } from './erase-memories.ts'

/** An erasure whose data may be stored again: a backup from before it was restored, or an import brought the data back. */
export interface UnappliedErasure {
  readonly id: string
  /** When it was made, in milliseconds since 1970. */
  readonly at: number
  /** Whether it erased the whole user, or some turns and memories. */
  readonly of: 'person' | 'part'
  /** The user, when erased data is present here. */
  readonly user: string | null
  readonly tenant: string | null
  /** Erased turns that are present here again. */
  readonly turns: number
  /** Erased memories that are present here again, without those based on the turns. */
  readonly memories: number
}

/** Ids of erased data that is present again. */
interface PresentIds {
  readonly turns: ReadonlySet<string>
  readonly memories: ReadonlySet<string>
}

interface PresentData extends PresentIds {
  readonly scope: ResolvedScope
  readonly key: ScopeRow
  /** Whether a whole user was erased who has no other data. Then the user is erased again, with the encryption key. */
  readonly isAll: boolean
}

/** Lists the erasures that the stored data does not have, oldest first, with the erased data that is present. */
export async function listMissed(engine: Engine): Promise<UnappliedErasure[]> {
  const erasures: UnappliedErasure[] = []
  const finder = new Finder(engine)
  for (const missed of await engine.ledger.listMissed()) {
    const present = await finder.find(missed)
    const { id, at, person } = missed.entry
    erasures.push({
      id,
      at,
      of: person === null ? 'part' : 'person',
      user: present?.key.user ?? null,
      tenant: present?.key.tenant ?? null,
      turns: present?.turns.size ?? 0,
      memories: present?.memories.size ?? 0,
    })
  }
  return erasures
}

/** Repeats missed erasures in order. If an erased user has stored new data since, that data stays. Returns the receipts. */
export async function repeatMissed(engine: Engine): Promise<EraseReceipt[]> {
  const receipts: EraseReceipt[] = []
  const finder = new Finder(engine)
  for (const missed of await engine.ledger.listMissed()) {
    const present = await finder.find(missed)
    if (present !== null) {
      const { scope, turns, memories, isAll } = present
      receipts.push(isAll ? await eraseUser(engine, scope) : await eraseIds(engine, scope, turns, memories))
    }
    await engine.ledger.markRepeated(missed)
  }
  return receipts
}

/** Records which erasures must be repeated for a user who was just imported, because their data was in the import. */
export async function recordReturnedData(engine: Engine, owner: number): Promise<void> {
  const entries = await engine.ledger.all()
  const finder = new Finder(engine)
  for (const entry of entries)
    if ((await finder.find({ entry, owner })) !== null) await engine.ledger.recordReturn(entry, owner)
}

/**
 * Finds the present data of erasures. The ledger has users and ids only as hashes, salted by the store that erased them. So the names and
 * ids of this store are hashed and compared. Hashing a name is slow, so each is hashed once per salt.
 */
class Finder {
  readonly #engine: Engine
  readonly #digests = new Map<string, Promise<string>>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async find({ entry, owner }: MissedErasure): Promise<PresentData | null> {
    for await (const key of this.#candidates(entry, owner)) {
      if (entry.person !== null && (await this.#digest(entry.salt, key)) !== entry.person) continue
      const scope = await resolveScope(this.#engine.users, { ...key, agent: null, app: null })
      const present = scope === null ? null : await this.#findData(entry, key, scope)
      if (present !== null) return present
    }
    return null
  }

  /**
   * Yields the users whom an entry may concern, each with one scope. The user with the entry's row number comes first. Only copies of one
   * store, which share a salt, number their users alike: in another store all other users follow.
   */
  async *#candidates(entry: ErasureEntry, importedOwner: number | null): AsyncGenerator<ScopeRow> {
    const { store, ledger } = this.#engine
    const likelyOwner = importedOwner ?? entry.owner
    yield* (await store.listScopes({ owner: likelyOwner })).slice(0, 1)
    if (importedOwner !== null) return
    const isSameStore = (await ledger.salt()) === entry.salt
    if (isSameStore) return
    const otherScopes = (await store.listScopes()).filter((scope) => scope.owner !== likelyOwner)
    yield* new Map(otherScopes.map((scope) => [scope.owner, scope])).values()
  }

  #digest(salt: string, { owner, tenant, user }: ScopeRow): Promise<string> {
    const key = `${salt}/${owner}`
    const digest = this.#digests.get(key) ?? digestUser(salt, { tenant, user })
    this.#digests.set(key, digest)
    return digest
  }

  async #findData(entry: ErasureEntry, key: ScopeRow, scope: ResolvedScope): Promise<PresentData | null> {
    const state = await this.#engine.users.load(key.owner)
    const turns = [...state.turns.values()]
    const memories = [...state.memories.values()].filter(({ status }) => status !== 'erased')
    // If only a part was erased, the entry lists the hashes of the erased ids.
    const findListed = (items: readonly { readonly id: string }[], digests: readonly string[]) => {
      const listed = new Set(digests)
      return idsOf(items.filter(({ id }) => listed.has(digestId(entry.salt, key, id))))
    }
    const isWholeUser = entry.person !== null
    const present = isWholeUser
      ? findOlder(entry.at, turns, memories)
      : { turns: findListed(turns, entry.turns), memories: findListed(memories, entry.memories) }
    const isAll =
      isWholeUser && present.turns.size === turns.length && present.memories.size === memories.length
    // A user without any data is erased too, because the name is stored.
    if (present.turns.size + present.memories.size === 0 && !isAll) return null
    return { scope, key, ...present, isAll }
  }
}

/** Finds the data of an erased user, whose ids no entry lists: all data from before the erasure. */
function findOlder(time: number, turns: readonly Turn[], memories: readonly Memory[]): PresentIds {
  const turnIds = idsOf(turns.filter(({ at }) => at <= time))
  const isOlder = ({ evidence, learnedAt }: Memory): boolean =>
    evidence.length > 0 ? evidence.every(({ turn }) => turnIds.has(turn)) : learnedAt <= time
  return { turns: turnIds, memories: idsOf(memories.filter(isOlder)) }
}

function idsOf(items: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ id }) => id))
}
