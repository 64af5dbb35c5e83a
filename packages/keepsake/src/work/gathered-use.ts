import { giveWay } from '../give-way.ts'
import { ChangeSet, type KnownMemory } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import type { ChangeMoment, Touched } from '../memories/operation.ts'
import { countUse, joinTallies, tallyOf, type TouchMoment } from '../memories/tally.ts'
import type { Tally } from '../memories/operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { CommitRequest, CommitResult } from '../stores/store.ts'
import { commitAll, readerOf, type Committing } from './commit-changes.ts'
import type { Engine } from './engine.ts'
import { LogGathering } from './gather-log.ts'
import { originOf } from './scope-view.ts'

/** How long what recalls reinforced waits to be written: as much may be lost when the process is killed. */
const WAITS_MS = 1_000
/** Who would be due so soon is written with those who are. */
const SOON_MS = 100
/** So many people's at a time: a transaction holds this thread, and other processes that write, and nobody who asks should notice. */
const PEOPLE_AT_A_TIME = 8
/** How often what another process changed in between is tried again before it is reported. */
const TRIES = 12

/** What recalls of one scope did that is not written yet. */
interface ScopeUse {
  readonly row: ScopeRow
  readonly tallies: Map<string, Tally>
  /** The latest recall's. */
  moment: TouchMoment
  tries: number
}

/** What recalls of one person did, by scope. */
interface OwnerUse {
  /** When the first of it came, in milliseconds of `performance.now()`. */
  readonly since: number
  readonly scopes: Map<number, ScopeUse>
}

/**
 * What recalls reinforced, gathered and written for many of them at once: about a second's worth, and before whatever reads the
 * log. Each person's is written as their second ends, so that nobody who asks comes upon everybody's. Whoever judges memories sees
 * it at once, by {@link counted}. Killed, a process loses what it holds here and nothing else.
 */
export class GatheredUse {
  readonly #engine: () => Engine
  readonly #report: (error: unknown) => void
  /** Who waits longest first. */
  readonly #waiting = new Map<number, OwnerUse>()
  readonly #log: LogGathering
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(engine: () => Engine, report: (error: unknown) => void) {
    this.#engine = engine
    this.#report = report
    this.#log = new LogGathering(engine)
  }

  /** Whether anything waits to be written. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Takes note of a recall. */
  note(row: ScopeRow, touched: readonly Touched[], moment: TouchMoment): void {
    this.#add({
      row,
      tallies: new Map(touched.map((one) => [one.memory, tallyOf(one, moment)])),
      moment,
      tries: 0,
    })
  }

  #add(use: ScopeUse): void {
    const { owner, scope } = use.row
    const ofOwner = this.#waiting.get(owner) ?? { since: performance.now(), scopes: new Map() }
    this.#waiting.set(owner, ofOwner)
    this.#wake()
    const known = ofOwner.scopes.get(scope)
    if (known === undefined) ofOwner.scopes.set(scope, use)
    else {
      for (const [memory, tally] of use.tallies) {
        const before = known.tallies.get(memory)
        known.tallies.set(memory, before === undefined ? tally : joinTallies(before, tally))
      }
      known.moment = use.moment
      known.tries = Math.max(known.tries, use.tries)
    }
  }

  /** A memory with what waits to be written of it. */
  counted(owner: number, memory: Memory): Memory {
    const tally = this.#waiting.get(owner)?.scopes.get(memory.scope)?.tallies.get(memory.id)
    return tally === undefined || memory.status !== 'live'
      ? memory
      : { ...memory, use: countUse(memory.use, tally) }
  }

  /** Forgets what waits of a person who is erased. */
  drop(owner: number): void {
    this.#waiting.delete(owner)
  }

  /** Writes what waits, of one person or of all: a few people's in one transaction, where the store can. What fails is reported. */
  async write(owner?: number): Promise<void> {
    if (owner !== undefined && !this.#waiting.has(owner)) return this.#writing
    return this.#writeNext(() => (owner === undefined ? [...this.#waiting.keys()] : [owner]))
  }

  /** Sets the clock for whoever is due first; while those who were due are written it is not set again. */
  #wake(): void {
    const [first] = this.#waiting.values()
    if (first === undefined || this.#timer !== null) return
    const wait = first.since + WAITS_MS - performance.now()
    const write = async (): Promise<void> => {
      await this.#writeNext(() => this.#due())
      this.#timer = null
      this.#wake()
    }
    this.#timer = setTimeout(() => void write(), wait).unref()
  }

  #due(): number[] {
    const due = performance.now() + SOON_MS - WAITS_MS
    return [...this.#waiting].flatMap(([owner, { since }]) => (since <= due ? [owner] : []))
  }

  /** Once what is being written is: whoever waits by then. */
  async #writeNext(owners: () => readonly number[]): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll(owners())).catch(this.#report)
    await this.#writing
  }

  async #writeAll(owners: readonly number[]): Promise<void> {
    for (let from = 0; from < owners.length; from += PEOPLE_AT_A_TIME) {
      await giveWay()
      await this.#writeSome(owners.slice(from, from + PEOPLE_AT_A_TIME))
    }
  }

  async #writeSome(owners: readonly number[]): Promise<void> {
    const { caches } = this.#engine()
    // In one order, so that nobody waits for somebody who waits for them.
    const [free, busy] = [
      owners.filter((one) => !caches.isWriting(one)),
      owners.filter((one) => caches.isWriting(one)),
    ]
    if (free.length > 0)
      await lockAll(
        this.#engine(),
        free.toSorted((one, other) => one - other),
        () => this.#commit(free),
      )
    for (const one of busy) await caches.lock(one, 'write', () => this.#commit([one]))
  }

  async #commit(owners: readonly number[]): Promise<void> {
    const engine = this.#engine()
    const taken = owners.flatMap((owner) => [...(this.#waiting.get(owner)?.scopes.values() ?? [])])
    for (const owner of owners) this.#waiting.delete(owner)
    const prepared = (await Promise.all(taken.map((use) => prepare(engine, use)))).flat()
    const results = await commitAll(engine, prepared).catch((error: unknown) => {
      for (const use of taken) this.#again(use, error)
      return [] as CommitResult[]
    })
    for (const [index, result] of results.entries()) {
      const { use } = prepared[index] as Prepared
      if (result.outcome === 'conflict') this.#again(use, new Error(result.reason))
      else await this.#log.after(use.row)
    }
  }

  /** What could not be written now waits on, for a while. */
  #again(use: ScopeUse, error: unknown): void {
    const tries = use.tries + 1
    if (tries >= TRIES) return this.#report(error)
    this.#add({ ...use, tries })
  }
}

interface Prepared extends Committing {
  readonly use: ScopeUse
}

/** One entry of the log for what all recalls of a scope did to what is still live. */
async function prepare(engine: Engine, use: ScopeUse): Promise<Prepared[]> {
  const { row, tallies, moment } = use
  const known = await knownOf(engine, use)
  const touched = [...tallies].flatMap(([memory, tally]) =>
    known.get(memory)?.memory.status === 'live' ? [touchedBy(memory, tally, moment)] : [],
  )
  if (touched.length === 0) return []
  const at: ChangeMoment = { scope: row.scope, ...moment }
  const changes = new ChangeSet(at, engine.newId, (id) => known.get(id))
  changes.reinforce(touched.toSorted(byRank), originOf(engine, 'recall'))
  const request: CommitRequest = {
    owner: row.owner,
    scope: row.scope,
    operations: changes.operations,
    memories: changes.memories,
    documents: [],
    progress: [],
    epoch: null,
    expect: changes.expect,
    endSessions: [],
    queueJobs: [],
    finishJobs: [],
    flush: false,
  }
  return [{ request, row, use, memoryAfter: readerOf(changes) }]
}

/**
 * The memories as they stand: in the cache where it is at hand, so that nobody is read whole for this, and at first without asking
 * whether there is anything newer, which a commit over it would be refused for.
 */
async function knownOf(
  { caches, store }: Engine,
  { row: { owner }, tallies, tries }: ScopeUse,
): Promise<ReadonlyMap<string, KnownMemory>> {
  const ids = [...tallies.keys()]
  const cache = await (tries === 0 ? caches.inMemory(owner) : caches.peek(owner))
  const known =
    cache === undefined ? await store.memories({ owner, ids }) : ids.flatMap((id) => cache.known(id) ?? [])
  return new Map(known.map((one) => [one.memory.id, one]))
}

/** A tally that says no more than the entry's own moment does is left out. */
function touchedBy(memory: string, tally: Tally, moment: TouchMoment): Touched {
  const rank = tally.first > 0 ? 'first' : 'second'
  const plain = tallyOf({ memory, rank }, moment)
  return JSON.stringify(plain) === JSON.stringify(tally) ? { memory, rank } : { memory, rank, tally }
}

function byRank({ rank }: Touched, { rank: other }: Touched): number {
  return rank === other ? 0 : rank === 'first' ? -1 : 1
}

async function lockAll(engine: Engine, owners: readonly number[], work: () => Promise<void>): Promise<void> {
  const [first, ...rest] = owners
  if (first === undefined) return work()
  return engine.caches.lock(first, 'write', () => lockAll(engine, rest, work))
}
