import type { KnownMemory } from '../operations/change-set.ts'
import type { Memory, MemoryForm } from '../operations/memory.ts'
import type { DocumentIndex } from '../retrieval/document-index.ts'
import type { IndexRow, OwnerVersion, ScopeProgress } from '../stores/store.ts'

/** What the cache keeps of a turn: enough to tell rounds, neighbours and who spoke. */
export interface KnownTurn {
  readonly id: string
  readonly scope: number
  readonly session: string
  readonly position: number
  readonly role: IndexRow['role']
}

/** Bytes a memory's record takes on the heap beside its index rows; measured roughly, for the budget. */
const RECORD_BYTES = 900
const TURN_BYTES = 220

/**
 * One person's memories and index in memory, as of a version of the store. Derived: can be dropped and read
 * again at any time.
 */
export class OwnerCache {
  readonly owner: number
  readonly index: DocumentIndex
  version: OwnerVersion = { revision: 0, epoch: -1 }
  readonly #recalls: ReadonlySet<MemoryForm>
  readonly #gate: string
  readonly #memories = new Map<string, KnownMemory>()
  readonly #turns = new Map<string, KnownTurn>()
  readonly #ofTurn = new Map<string, Set<string>>()
  /** The live utterance that keeps each turn. */
  readonly #keeper = new Map<string, Memory>()
  readonly #userPositions = new Map<number, number[]>()
  readonly #byPosition = new Map<number, string[]>()
  readonly #progress = new Map<number, ScopeProgress>()
  readonly #live = new Map<number, number>()

  /** @param gate the branch after whose work a turn is recalled only through live memories. */
  constructor(owner: number, index: DocumentIndex, recalls: readonly MemoryForm[], gate: string) {
    this.owner = owner
    this.index = index
    this.#recalls = new Set(recalls)
    this.#gate = gate
  }

  get bytes(): number {
    return this.index.bytes + this.#memories.size * RECORD_BYTES + this.#turns.size * TURN_BYTES
  }

  known(id: string): KnownMemory | undefined {
    return this.#memories.get(id)
  }

  turn(id: string): KnownTurn | undefined {
    return this.#turns.get(id)
  }

  *memories(filter: { readonly scopes?: ReadonlySet<number> | undefined } = {}): Generator<Memory> {
    for (const { memory } of this.#memories.values()) {
      if (filter.scopes === undefined || filter.scopes.has(memory.scope)) yield memory
    }
  }

  *memoriesOfTurn(turn: string): Generator<Memory> {
    for (const id of this.#ofTurn.get(turn) ?? []) {
      const known = this.#memories.get(id)
      if (known !== undefined) yield known.memory
    }
  }

  /** How many live memories a scope has. */
  liveCount(scope: number): number {
    return this.#live.get(scope) ?? 0
  }

  /** The live utterance that keeps a turn, if any. */
  utteranceOf(turn: string): Memory | undefined {
    return this.#keeper.get(turn)
  }

  /** Rounds up to a position: a round is closed by a user's turn. */
  roundAt(scope: number, position: number): number {
    const positions = this.#userPositions.get(scope) ?? []
    let low = 0
    let high = positions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((positions[middle] ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The user's turn nearest before a position. */
  userTurnBefore(scope: number, position: number): string | undefined {
    const before = (this.#userPositions.get(scope) ?? []).findLast((one) => one < position)
    return before === undefined ? undefined : this.#byPosition.get(scope)?.[before]
  }

  /** How far the gate branch has read a scope; everything after is recalled as it stands. */
  consolidatedTo(scope: number): number {
    return this.#progress.get(scope)?.branches[this.#gate] ?? 0
  }

  isPending(turn: KnownTurn): boolean {
    return turn.position > this.consolidatedTo(turn.scope)
  }

  setProgress(scope: number, progress: ScopeProgress): void {
    const before = this.consolidatedTo(scope)
    this.#progress.set(scope, progress)
    const after = this.consolidatedTo(scope)
    const turns = this.#byPosition.get(scope) ?? []
    for (let position = before + 1; position <= after; position += 1) {
      const id = turns[position]
      if (id !== undefined) this.#judgeTurn(id)
    }
  }

  addTurn(row: IndexRow): void {
    const { id, scope, session, position, role } = row
    if (!this.#turns.has(id) && role === 'user') this.#notePosition(scope, position)
    this.#turns.set(id, { id, scope, session, position, role })
    const turns = this.#byPosition.get(scope) ?? []
    turns[position] = id
    this.#byPosition.set(scope, turns)
  }

  #notePosition(scope: number, position: number): void {
    const positions = this.#userPositions.get(scope)
    if (positions === undefined) this.#userPositions.set(scope, [position])
    else positions.push(position)
  }

  setMemory(known: KnownMemory): void {
    const { memory } = known
    const before = this.#memories.get(memory.id)?.memory
    this.#memories.set(memory.id, known)
    const gained = (memory.status === 'live' ? 1 : 0) - (before?.status === 'live' ? 1 : 0)
    this.#live.set(memory.scope, this.liveCount(memory.scope) + gained)
    if (before?.evidence !== memory.evidence) this.#linkEvidence(before, memory)
    if (memory.form === 'utterance') this.#keepTurns(before, memory)
    else this.index.setSearchable(memory.id, memory.status === 'live' && this.#recalls.has(memory.form))
  }

  #keepTurns(before: Memory | undefined, memory: Memory): void {
    const turns = new Set([...(before?.evidence ?? []), ...memory.evidence].map((evidence) => evidence.turn))
    for (const turn of turns) {
      const keeps = memory.status === 'live' && memory.evidence.some((evidence) => evidence.turn === turn)
      if (keeps) this.#keeper.set(turn, memory)
      else if (this.#keeper.get(turn)?.id === memory.id) this.#keeper.delete(turn)
      this.#judgeTurn(turn)
    }
  }

  #linkEvidence(before: Memory | undefined, memory: Memory): void {
    for (const { turn } of before?.evidence ?? []) this.#ofTurn.get(turn)?.delete(memory.id)
    for (const { turn } of memory.evidence) {
      const ids = this.#ofTurn.get(turn)
      if (ids === undefined) this.#ofTurn.set(turn, new Set([memory.id]))
      else ids.add(memory.id)
    }
  }

  /** A turn is searchable while it waits for consolidation, and then only through a live utterance. */
  #judgeTurn(id: string): void {
    const turn = this.#turns.get(id)
    if (turn === undefined) return
    const isKept = this.#recalls.has('utterance') && this.utteranceOf(id) !== undefined
    this.index.setSearchable(id, isKept || this.isPending(turn))
  }

  judgeTurns(ids: Iterable<string>): void {
    for (const id of ids) this.#judgeTurn(id)
  }
}
