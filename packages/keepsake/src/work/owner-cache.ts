import type { StandingFacts } from '../facts/standing-facts.ts'
import { AnalysedTexts } from '../read/analysed-text.ts'
import type { KnownMemory } from '../memories/change-set.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { DocumentIndex } from '../retrieval/document-index.ts'
import type { ImageSections } from '../retrieval/image-sections.ts'
import type { IndexedDocument } from '../retrieval/indexed-document.ts'
import type { StoryUnit } from '../story/pack-units.ts'
import type { IndexRow, OwnerVersion, ScopeProgress } from '../stores/store.ts'
import { ChangedRows } from './changed-rows.ts'
import { rowsOf, type KnownFilter } from './known-filter.ts'
import { turnOf, type KnownTurn } from './known-turn.ts'
import { LiveMemories } from './live-memories.ts'
import { MadeProfiles } from './made-profiles.ts'
import { MemoryTable } from './memory-table.ts'
import type { MadeForm } from './row-lists.ts'
import type { OwnerCacheKept } from './owner-cache-kept.ts'
import { TURN_BYTES } from './recent-turns.ts'
import { SaidTurns } from './said-turns.ts'
import { saysOther } from './says-other.ts'
import { ScopesAtHand } from './scopes-at-hand.ts'
import { SearchableDocuments } from './searchable-documents.ts'
import { TurnKeepers } from './turn-keepers.ts'
import { TurnLinks } from './turn-links.ts'
import { TurnOrder } from './turn-order.ts'

/**
 * One person's memories and index in memory, as of a version of the store. Derived: can be dropped and read
 * again at any time.
 */
export class OwnerCache {
  readonly owner: number
  readonly index: DocumentIndex
  version: OwnerVersion = { revision: 0, epoch: -1 }
  /** Whether it takes in much, in several goes: not to be kept as it stands. */
  isTakingIn = false
  /** Whether some of it is not stored yet ({@link GatheredSteps}): not to be kept as it stands either. */
  hasUnstored = false
  /** Turns read lately: see {@link OwnerCaches.said}. */
  readonly said: SaidTurns
  readonly profiles = new MadeProfiles()
  readonly readings = new AnalysedTexts()
  readonly live: LiveMemories
  readonly atHand: ScopesAtHand
  /** Documents that have no vector of the embedder in use yet. */
  readonly unembedded = new Set<string>()
  readonly #keepingBranch: string
  readonly #memories: MemoryTable
  readonly #searchable: SearchableDocuments
  readonly #keepers: TurnKeepers
  readonly #links: TurnLinks
  readonly #order: TurnOrder
  readonly #progress = new Map<number, ScopeProgress>()
  #changes = 0
  #edits = 0
  #heard = 0
  /** Of memories: what recalls strengthen is a few of them, again and again. */
  readonly #changedMemories = new ChangedRows()
  #changedDocuments = 0
  #isFree = false

  /** @param keepingBranch the branch after whose work a turn is recalled only through live memories. */
  constructor(owner: number, index: DocumentIndex, recalls: readonly MemoryForm[], keepingBranch: string) {
    this.owner = owner
    this.index = index
    this.said = new SaidTurns(index.table)
    const rowOf = (turn: string): number | undefined => index.rowOf(turn)
    this.#memories = new MemoryTable({ rowOf, idOf: (row) => index.table.idOf(row) })
    this.#keepers = new TurnKeepers(rowOf)
    this.#links = new TurnLinks(this.#memories, { rowOf, rows: () => index.table.length })
    this.#order = new TurnOrder(index.table)
    this.#keepingBranch = keepingBranch
    const memoryOf = (id: string): Memory | undefined => this.known(id)?.memory
    this.live = new LiveMemories(memoryOf)
    this.atHand = new ScopesAtHand((scope) => this.memories({ scopes: new Set([scope]), forms: ['fact'] }))
    this.#searchable = new SearchableDocuments({
      index,
      keepers: this.#keepers,
      recalls,
      turnOf: (id) => this.turn(id),
      memoryOf,
      isPending: (turn) => this.isPending(turn),
    })
  }

  /** Whether it holds candidates alone, for one question: what is no candidate is not here. */
  get isPart(): boolean {
    return this.index.isPart
  }

  get bytes(): number {
    const held = this.index.bytes + this.#memories.bytes + this.#keepers.bytes
    return held + this.said.bytes + this.readings.bytes + this.atHand.turns * TURN_BYTES
  }

  /** Turns that were ever heard here; only ever rises. */
  get heard(): number {
    return this.#heard
  }

  /** Rises with each memory that is new, says something else or is no longer live; not with talk that is kept, nor with mere use. */
  get changes(): number {
    return this.#changes
  }

  /** Rises with everything that an image keeps, before the version does where much is taken in, in several goes. */
  get edits(): number {
    return this.#edits
  }

  /** Rows that came or changed since the cache was last kept as an image. */
  get changedRows(): number {
    return this.#changedMemories.count + this.#changedDocuments
  }

  /** Whether it was let go of. */
  get isFree(): boolean {
    return this.#isFree
  }

  /** Takes note that an image of it is kept; where it has changed since, that will be due again. */
  noteSaved(edits: number): void {
    if (edits !== this.#edits) return
    this.#changedMemories.clear()
    this.#changedDocuments = 0
    this.profiles.noteSaved()
  }

  /** Lets go of it: it cannot be used any more. */
  free(): void {
    this.#isFree = true
    this.index.free()
  }

  known(id: string): KnownMemory | undefined {
    return this.#memories.known(id)
  }

  turn(id: string): KnownTurn | undefined {
    return turnOf(this.index.table, id)
  }

  *memories(filter: KnownFilter = {}): Generator<Memory> {
    for (const row of rowsOf(this.#memories, filter)) yield this.#memories.at(row)
  }

  /** The one that became so last, of those that are asked for. */
  newest(filter: KnownFilter): Memory | undefined {
    let newest = -1
    for (const row of rowsOf(this.#memories, filter))
      if (newest < 0 || this.#memories.validFromOf(row) >= this.#memories.validFromOf(newest)) newest = row
    return newest < 0 ? undefined : this.#memories.at(newest)
  }

  memoriesOfTurn(turn: string, filter: KnownFilter = {}): Generator<Memory> {
    return this.#links.of(turn, filter)
  }

  /** The live facts of a scope. */
  facts(scope: number): StandingFacts {
    return this.atHand.facts(scope)
  }

  /** What was made of a scope's talk, whatever became of it, in the order of becoming known. */
  made(scope: number, form: MadeForm): Memory[] {
    return this.#memories.made(scope, form)
  }

  /** Units of a scope's story, whatever became of them, in the order of becoming known; without the first so many. */
  storyUnits(scope: number, from = 0): Iterable<StoryUnit> {
    return this.#memories.storyUnits(scope, from)
  }

  /** What was kept of a session's rounds, whatever became of it. */
  utterancesOf(scope: number, session: string): Memory[] {
    return this.#memories.utterancesOf(scope, session)
  }

  /** The live utterance that keeps a turn, if any. */
  utteranceOf(turn: string): Memory | undefined {
    const row = this.#keepers.of(turn)
    return row === undefined ? undefined : this.#memories.at(row)
  }

  /** The memory that a document of the index stands for, by its row there: a turn's is the live utterance that keeps it. @returns its own row, if any */
  memoryRowOf(document: number): number | undefined {
    if (this.index.table.isTurn[document] === 1) return this.#keepers.at(document)
    const row = this.#memories.rowOf(this.index.table.idOf(document))
    return row < 0 ? undefined : row
  }

  /** A memory by its own row. */
  memoryAt(row: number): Memory {
    return this.#memories.at(row)
  }

  /** Rounds up to a position: a round is closed by a user's turn. */
  roundAt(scope: number, position: number): number {
    return this.#order.usersUpTo(scope, position)
  }

  /** The user's turn nearest before a position. */
  userTurnBefore(scope: number, position: number): string | undefined {
    const before = this.#order.userBefore(scope, position)
    const row = before === undefined ? undefined : this.#order.rowAt(scope, before)
    return row === undefined ? undefined : this.index.table.idOf(row)
  }

  /** How far the keeping branch has read a scope; everything after is recalled as it stands. */
  consolidatedTo(scope: number): number {
    return this.#progress.get(scope)?.branches[this.#keepingBranch] ?? 0
  }

  isPending(turn: Pick<KnownTurn, 'scope' | 'position'>): boolean {
    return turn.position > this.consolidatedTo(turn.scope)
  }

  /** Scopes whose progress is known. */
  get scopes(): Iterable<number> {
    return this.#progress.keys()
  }

  /** How far each branch has read a scope. */
  progress(scope: number): ScopeProgress {
    return this.#progress.get(scope) ?? { lastPosition: 0, branches: {} }
  }

  setProgress(scope: number, progress: ScopeProgress): void {
    const before = this.consolidatedTo(scope)
    this.#edits += 1
    this.#progress.set(scope, progress)
    if (this.index.size === 0) return
    const after = Math.min(this.consolidatedTo(scope), this.#order.lastAt(scope))
    for (let position = before + 1; position <= after; position += 1) {
      const row = this.#order.rowAt(scope, position)
      if (row !== undefined) this.#searchable.askAgain(this.index.table.idOf(row))
    }
  }

  /**
   * Puts a document into the index, searchable if it should be by what is known now. So progress and memories
   * come first: a document that is shown and hidden again later costs several times as much.
   */
  putDocument(document: IndexedDocument): void {
    const isNew = !this.index.has(document.id)
    this.index.upsert(document)
    this.#edits += 1
    this.#changedDocuments += 1
    if (isNew && document.kind === 'turn') {
      this.#order.add(this.index.rowOf(document.id) ?? 0)
      this.#keepers.arrive(document.id)
    }
    this.#searchable.judge(document.id)
  }

  /** Shows and hides documents as the changes since the last time ask, and packs memories that changed where these are many. */
  settle(): void {
    this.#searchable.settle()
    this.#memories.packSome()
  }

  /** Takes note of a turn, before its document is put in. One that is there already, and is only indexed anew, begins no session. */
  addTurn({ id, scope }: Pick<IndexRow, 'id' | 'scope'>): void {
    if (!this.index.has(id)) this.atHand.noteTurn(scope)
    this.#heard += 1
  }

  setMemory(known: KnownMemory): void {
    const { memory } = known
    const before = this.known(memory.id)?.memory
    const row = this.#memories.set(known)
    this.#edits += 1
    this.#changedMemories.note(row)
    if (memory.form === 'fact') this.atHand.noteFact(memory)
    const isTalkKept = memory.form === 'utterance' && memory.status === 'live'
    // One that comes as dropped takes back what was told of its turns while they waited.
    if (before === undefined ? !isTalkKept : saysOther(before, memory)) this.#changes += 1
    this.live.set(before, memory)
    this.#links.add(row, memory)
    const judgedAnew = memory.form === 'utterance' ? this.#keepers.take(before, memory, row) : [memory.id]
    for (const id of judgedAnew) this.#searchable.askAgain(id)
  }

  /** Notes the last operation that changed a memory, where it was taken in before it was stored. */
  noteSequence(id: string, sequence: number): void {
    this.#edits += 1
    this.#memories.noteSequence(id, sequence)
  }

  /** Packs up to so many memories that changed. @returns whether any are left */
  pack(most: number): boolean {
    return this.#memories.pack(most)
  }

  /** What an image keeps of this: arrays as they stand, good until the next change, and the rest. */
  image(): { readonly sections: ImageSections; readonly kept: OwnerCacheKept } {
    this.settle()
    const index = this.index.image()
    const memories = this.#memories.image()
    return {
      sections: {
        ...index.sections,
        ...memories.sections,
        ...this.#keepers.sections(this.index.table.length),
      },
      kept: {
        version: this.version,
        index: index.kept,
        memories: memories.kept,
        waitingKeepers: this.#keepers.waiting,
        progress: [...this.#progress],
        ...this.live.kept,
        changes: this.#changes,
        heard: this.#heard,
        unembedded: [...this.unembedded],
        profiles: this.profiles.kept,
      },
    }
  }

  /** Takes in what an image kept, into an empty cache. @throws Error where it is none of ours. */
  restore(sections: ImageSections, kept: OwnerCacheKept): void {
    this.index.restore(sections, kept.index)
    this.#memories.restore(sections, kept.memories)
    this.#keepers.restore(sections, kept.waitingKeepers)
    for (const [scope, progress] of kept.progress) this.#progress.set(scope, progress)
    this.live.restore(kept)
    for (const id of kept.unembedded) this.unembedded.add(id)
    this.profiles.restore(kept.profiles)
    this.#changes = kept.changes
    this.#heard = kept.heard
    this.version = kept.version
  }
}
