import { digestId, digestPerson, type ErasureEntry, type UnheardErasure } from '../ledger/erasure-ledger.ts'
import type { Memory } from '../memories/memory.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { EraseReceipt } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { resolveScope, type ResolvedScope } from '../work/scope-handle.ts'
import { eraseIds, erasePerson } from './erase-memories.ts'

/** An erasure later than the stored data, after a restored backup or an import. */
export interface UnappliedErasure {
  /** The erasure's id, as in its receipt. */
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

interface PresentData {
  readonly scope: ResolvedScope
  readonly key: ScopeRow
  readonly turns: ReadonlySet<string>
  readonly memories: ReadonlySet<string>
  /** Whether the user has no other data: then the whole user is erased, with the key. */
  readonly isAll: boolean
}

/** Lists the erasures that the stored data does not reflect, oldest first, with the data of each that is present. */
export async function listMissed(engine: Engine): Promise<UnappliedErasure[]> {
  const missed: UnappliedErasure[] = []
  const finder = new Finder(engine)
  for (const unheard of await engine.ledger.unheard()) {
    const standing = await finder.find(unheard)
    const { id, at, person } = unheard.entry
    missed.push({
      id,
      at,
      of: person === null ? 'part' : 'person',
      user: standing?.key.user ?? null,
      tenant: standing?.key.tenant ?? null,
      turns: standing?.turns.size ?? 0,
      memories: standing?.memories.size ?? 0,
    })
  }
  return missed
}

/**
 * Repeats the missing erasures in order. For a user who was erased and has returned since, only the earlier data is erased. After a crash
 * the next call continues.
 *
 * @returns the receipts; none for erasures whose data is not present
 */
export async function repeatMissed(engine: Engine): Promise<EraseReceipt[]> {
  const receipts: EraseReceipt[] = []
  const finder = new Finder(engine)
  for (const unheard of await engine.ledger.unheard()) {
    const standing = await finder.find(unheard)
    if (standing !== null) {
      const { scope, turns, memories, isAll } = standing
      receipts.push(isAll ? await erasePerson(engine, scope) : await eraseIds(engine, scope, turns, memories))
    }
    await engine.ledger.hear(unheard)
  }
  return receipts
}

/** Records, after an import, which known erasures are later than the imported data. */
export async function noteReturned(engine: Engine, owner: number): Promise<void> {
  const entries = await engine.ledger.all()
  const finder = new Finder(engine)
  for (const entry of entries)
    if ((await finder.find({ entry, owner })) !== null) await engine.ledger.noteReturned(entry, owner)
}

/** Finds data of erasures that is present here. Each user's name is hashed once per salt. */
class Finder {
  readonly #engine: Engine
  readonly #digests = new Map<string, Promise<string>>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async find({ entry, owner }: UnheardErasure): Promise<PresentData | null> {
    for await (const key of this.#candidates(entry, owner)) {
      if (entry.person !== null && (await this.#digest(entry.salt, key)) !== entry.person) continue
      const scope = await resolveScope(this.#engine.users, { ...key, agent: null, app: null })
      const standing = scope === null ? null : await this.#standing(entry, key, scope)
      if (standing !== null) return standing
    }
    return null
  }

  /** Yields the user of that number first, then all others when this may be no copy of the original store. */
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
    const digest = this.#digests.get(key) ?? digestPerson(salt, { tenant, user })
    this.#digests.set(key, digest)
    return digest
  }

  async #standing(entry: ErasureEntry, key: ScopeRow, scope: ResolvedScope): Promise<PresentData | null> {
    const state = await this.#engine.users.load(key.owner)
    const allTurns = [...state.turns.values()]
    const kept = [...state.memories.values()].filter(({ status }) => status !== 'erased')
    const named = { turns: new Set(entry.turns), memories: new Set(entry.memories) }
    const isNamed = (kind: 'turns' | 'memories', id: string): boolean =>
      named[kind].has(digestId(entry.salt, key, id))
    const isBefore = ({ evidence, learnedAt }: Memory): boolean =>
      evidence.length > 0 ? evidence.every(({ turn }) => turns.has(turn)) : learnedAt <= entry.at
    const isPerson = entry.person !== null
    const turns = new Set(
      allTurns.filter(({ id, at }) => (isPerson ? at <= entry.at : isNamed('turns', id))).map(({ id }) => id),
    )
    const memories = new Set(
      kept
        .filter((memory) => (isPerson ? isBefore(memory) : isNamed('memories', memory.id)))
        .map(({ id }) => id),
    )
    const isAll = isPerson && turns.size === allTurns.length && memories.size === kept.length
    if (turns.size + memories.size === 0 && !isAll) return null
    return { scope, key, turns, memories, isAll }
  }
}
