// Finds and repeats erasures that the stored data does not have, after a restored backup or an import.
import { digestId, digestUser, type ErasureEntry, type MissedErasure } from '../ledger/erasure-ledger.ts'
import type { Memory } from '../memories/memory.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { EraseReceipt } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { resolveScope, type ResolvedScope } from '../work/scope-handle.ts'
import { eraseIds, eraseUser } from './erase-memories.ts'

/** An erasure later than the stored data, after a restored backup or an import. */
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

/** The data of an erasure that is present again. */
interface PresentData {
  readonly scope: ResolvedScope
  readonly key: ScopeRow
  readonly turns: ReadonlySet<string>
  readonly memories: ReadonlySet<string>
  /** Whether the user has no other data: then the whole user is erased, with the key. */
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

/** Repeats missed erasures in order. If a user has returned, only data from before the erasure is erased. Returns the receipts. */
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

/** Records which erasures have data in a user who was just imported. */
export async function noteReturned(engine: Engine, owner: number): Promise<void> {
  const entries = await engine.ledger.all()
  const finder = new Finder(engine)
  for (const entry of entries)
    if ((await finder.find({ entry, owner })) !== null) await engine.ledger.noteReturned(entry, owner)
}

/** Finds the present data of erasures. It hashes each user's name once per salt, because that is slow. */
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

  /** Yields the user with the entry's row number first, and then all others if the store is not a copy of the original one. */
  async *#candidates(entry: ErasureEntry, owner: number | null): AsyncGenerator<ScopeRow> {
    const { store, ledger } = this.#engine
    const likely = owner ?? entry.owner
    yield* (await store.listScopes({ owner: likely })).slice(0, 1)
    if (owner !== null || (await ledger.salt()) === entry.salt) return
    const otherRows = (await store.listScopes()).filter((row) => row.owner !== likely)
    yield* new Map(otherRows.map((row) => [row.owner, row])).values()
  }

  #digest(salt: string, { owner, tenant, user }: ScopeRow): Promise<string> {
    const key = `${salt}/${owner}`
    const digest = this.#digests.get(key) ?? digestUser(salt, { tenant, user })
    this.#digests.set(key, digest)
    return digest
  }

  async #findData(entry: ErasureEntry, key: ScopeRow, scope: ResolvedScope): Promise<PresentData | null> {
    const state = await this.#engine.users.load(key.owner)
    const allTurns = [...state.turns.values()]
    const allMemories = [...state.memories.values()].filter(({ status }) => status !== 'erased')
    const digests = { turns: new Set(entry.turns), memories: new Set(entry.memories) }
    const isNamed = (kind: 'turns' | 'memories', id: string): boolean =>
      digests[kind].has(digestId(entry.salt, key, id))
    // The ledger lists no ids for an erased user. All data from before the erasure was erased.
    const isUser = entry.person !== null
    const wasErasedTurn = ({ id, at }: Turn): boolean => (isUser ? at <= entry.at : isNamed('turns', id))
    const turns = new Set(allTurns.filter(wasErasedTurn).map(({ id }) => id))
    const isFromBefore = ({ evidence, learnedAt }: Memory): boolean =>
      evidence.length > 0 ? evidence.every(({ turn }) => turns.has(turn)) : learnedAt <= entry.at
    const wasErasedMemory = (memory: Memory): boolean =>
      isUser ? isFromBefore(memory) : isNamed('memories', memory.id)
    const memories = new Set(allMemories.filter(wasErasedMemory).map(({ id }) => id))
    const isAll = isUser && turns.size === allTurns.length && memories.size === allMemories.length
    if (turns.size + memories.size === 0 && !isAll) return null
    return { scope, key, turns, memories, isAll }
  }
}
