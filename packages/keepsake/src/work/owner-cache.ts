import { isRawUnit } from '../memories/is-raw-unit.ts'
import { StandingFacts } from '../facts/standing-facts.ts'
import type { KnownMemory } from '../memories/change-set.ts'
import type { Memory, MemoryForm, MemoryStatus } from '../memories/memory.ts'
import { ROLES_BY_CODE } from '../retrieval/document-table.ts'
import type { DocumentIndex } from '../retrieval/document-index.ts'
import type { ImageSections } from '../retrieval/image-sections.ts'
import type { IndexedDocument } from '../retrieval/indexed-document.ts'
import type { Turn } from '../turns/turn.ts'
import type { IndexRow, OwnerVersion, ScopeProgress } from '../stores/store.ts'
import { MemoryTable } from './memory-table.ts'
import { RecentTurns } from './recent-turns.ts'
import type { MadeForm } from './row-lists.ts'
import type { LiveCount, MadeProfile, OwnerCacheKept } from './owner-cache-kept.ts'
import { saysOther } from './says-other.ts'
import { TurnKeepers } from './turn-keepers.ts'
import { TurnLinks } from './turn-links.ts'
import { TurnOrder } from './turn-order.ts'

/** What the cache keeps of a turn: enough to tell rounds, neighbours and who spoke. */
export interface KnownTurn {
  readonly id: string
  readonly scope: number
  readonly session: string
  readonly position: number
  readonly role: IndexRow['role']
}

/** Which memories are asked for. What is absent does not narrow. */
export interface KnownFilter {
  readonly scopes?: ReadonlySet<number> | undefined
  readonly forms?: readonly MemoryForm[] | undefined
  readonly statuses?: readonly MemoryStatus[] | undefined
}

/** Bytes of a turn with its words on the heap; measured roughly, for the budget. */
const TURN_BYTES = 800

const NOTHING_LIVE: LiveCount = { memories: 0, characters: 0 }

/** Keys of what somebody is called. */
const CALLINGS: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])

/**
 * One person's memories and index in memory, as of a version of the store. Derived: can be dropped and read
 * again at any time.
 */
export class OwnerCache {
  readonly owner: number
  readonly index: DocumentIndex
  version: OwnerVersion = { revision: 0, epoch: -1 }
  /** Turns read lately: see {@link OwnerCaches.said}. */
  readonly said = new Map<string, Turn>()
  readonly #profiles = new Map<string, MadeProfile>()
  #hasNewProfile = false
  /** Documents that have no vector of the embedder in use yet. */
  readonly unembedded = new Set<string>()
  readonly #recalls: ReadonlySet<MemoryForm>
  readonly #keepingBranch: string
  readonly #memories: MemoryTable
  readonly #callings = new Map<string, Memory>()
  readonly #keepers: TurnKeepers
  readonly #links: TurnLinks
  readonly #order: TurnOrder
  readonly #progress = new Map<number, ScopeProgress>()
  readonly #lastSessions = new Map<number, number>()
  /** What is live of a form in a scope. */
  readonly #live = new Map<string, LiveCount>()
  /** By scope; made when first asked for, since a recall seldom does. */
  readonly #facts = new Map<number, StandingFacts>()
  readonly #sessionNumbers = new Map<number, Map<string, number>>()
  readonly #recent = new Map<number, RecentTurns>()
  /** Ids of live notes by scope and name. */
  readonly #names = new Map<string, string>()
  #changes = 0
  #heard = 0
  #changedRows = 0
  #isFree = false
  /** Documents of which something changed that decides whether they are searchable. */
  readonly #unjudged = new Set<string>()

  /** @param keepingBranch the branch after whose work a turn is recalled only through live memories. */
  constructor(owner: number, index: DocumentIndex, recalls: readonly MemoryForm[], keepingBranch: string) {
    this.owner = owner
    this.index = index
    const rowOf = (turn: string): number | undefined => index.rowOf(turn)
    this.#memories = new MemoryTable({ rowOf, idOf: (row) => index.table.idOf(row) })
    this.#keepers = new TurnKeepers(rowOf)
    this.#links = new TurnLinks(this.#memories, { rowOf, rows: () => index.table.length })
    this.#order = new TurnOrder(index.table)
    // What the application keeps is found whatever the preset makes of talk.
    this.#recalls = new Set([...recalls, 'note'])
    this.#keepingBranch = keepingBranch
  }

  get bytes(): number {
    const recent = [...this.#recent.values()].reduce((sum, { size }) => sum + size, 0)
    return (
      this.index.bytes + this.#memories.bytes + this.#keepers.bytes + (this.said.size + recent) * TURN_BYTES
    )
  }

  /** Turns that were ever heard here; only ever rises. */
  get heard(): number {
    return this.#heard
  }

  /** Rises with each memory that is new, says something else or is no longer live; not with talk that is kept, nor with mere use. */
  get changes(): number {
    return this.#changes
  }

  /** Rows that came or changed since the cache was last kept as an image. */
  get changedRows(): number {
    return this.#changedRows
  }

  /** Whether its image lacks a profile that was made since, which takes longer to make than an image. */
  get hasNewProfile(): boolean {
    return this.#hasNewProfile
  }

  /** The profile made last of these scopes. */
  profileOf(scopes: string): MadeProfile | undefined {
    return this.#profiles.get(scopes)
  }

  noteProfile(scopes: string, made: MadeProfile): void {
    this.#profiles.set(scopes, made)
    this.#hasNewProfile = true
  }

  /** Whether it was let go of. */
  get isFree(): boolean {
    return this.#isFree
  }

  /** Takes note that an image of it is kept; where it has changed since, that will be due again. */
  noteSaved(version: OwnerVersion): void {
    if (version !== this.version) return
    this.#changedRows = 0
    this.#hasNewProfile = false
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
    const { table } = this.index
    const row = table.rowOf(id)
    if (row === undefined || table.isTurn[row] !== 1) return undefined
    const session = table.sessions[table.sessionOf[row] ?? -1]?.session ?? ''
    const role = ROLES_BY_CODE[table.roles[row] ?? 0] ?? 'other'
    return { id, scope: table.scopes[row] ?? 0, session, position: table.position[row] ?? 0, role }
  }

  *memories(filter: KnownFilter = {}): Generator<Memory> {
    for (const row of this.#rows(filter)) yield this.#memories.at(row)
  }

  /** The one that became so last, of those that are asked for. */
  newest(filter: KnownFilter): Memory | undefined {
    let newest = -1
    for (const row of this.#rows(filter))
      if (newest < 0 || this.#memories.validFromOf(row) >= this.#memories.validFromOf(newest)) newest = row
    return newest < 0 ? undefined : this.#memories.at(newest)
  }

  *#rows({ scopes, forms, statuses }: KnownFilter): Generator<number> {
    for (let row = 0; row < this.#memories.length; row++) {
      if (scopes !== undefined && !scopes.has(this.#memories.scopeOf(row))) continue
      if (forms !== undefined && !forms.includes(this.#memories.formOf(row))) continue
      if (statuses !== undefined && !statuses.includes(this.#memories.statusOf(row))) continue
      yield row
    }
  }

  memoriesOfTurn(turn: string): Generator<Memory> {
    return this.#links.of(turn)
  }

  /** The live note of a scope that has this name. */
  named(scope: number, name: string): Memory | undefined {
    return this.known(this.#names.get(`${scope}/${name}`) ?? '')?.memory
  }

  /** Live facts that say what somebody is called. */
  callings(scopes: ReadonlySet<number>): Memory[] {
    return [...this.#callings.values()].filter(({ scope }) => scopes.has(scope))
  }

  /** The live facts of a scope. */
  facts(scope: number): StandingFacts {
    const known = this.#facts.get(scope)
    if (known !== undefined) return known
    const facts = new StandingFacts()
    for (const fact of this.memories({ scopes: new Set([scope]), forms: ['fact'] })) facts.set(fact)
    this.#facts.set(scope, facts)
    return facts
  }

  /** What was made of a scope's talk, whatever became of it, in the order of becoming known; without the first so many. */
  made(scope: number, form: MadeForm, from = 0): Memory[] {
    return this.#memories.made(scope, form, from)
  }

  /** What was kept of a session's rounds, whatever became of it. */
  utterancesOf(scope: number, session: string): Memory[] {
    return this.#memories.utterancesOf(scope, session)
  }

  /** Numbers of a scope's sessions by their ids, as far as they were read; whoever reads more adds them. */
  sessionNumbers(scope: number): Map<string, number> {
    const known = this.#sessionNumbers.get(scope) ?? new Map<string, number>()
    this.#sessionNumbers.set(scope, known)
    return known
  }

  /** The latest turns of a scope that were read or stored lately. */
  recentTurns(scope: number): RecentTurns {
    const known = this.#recent.get(scope) ?? new RecentTurns()
    this.#recent.set(scope, known)
    return known
  }

  /** What a scope has live of a form. The story's raw units, which are the talk itself, are not counted. */
  liveOf(scope: number, form: MemoryForm): LiveCount {
    return this.#live.get(`${scope}/${form}`) ?? NOTHING_LIVE
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

  isPending(turn: KnownTurn): boolean {
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

  /** The number of the scope's latest session; `undefined` until it is noted. */
  lastSession(scope: number): number | undefined {
    return this.#lastSessions.get(scope)
  }

  noteLastSession(scope: number, number: number): void {
    this.#lastSessions.set(scope, number)
  }

  setProgress(scope: number, progress: ScopeProgress): void {
    const before = this.consolidatedTo(scope)
    this.#progress.set(scope, progress)
    if (this.index.size === 0) return
    const after = Math.min(this.consolidatedTo(scope), this.#order.lastAt(scope))
    for (let position = before + 1; position <= after; position += 1) {
      const row = this.#order.rowAt(scope, position)
      if (row !== undefined) this.#unjudged.add(this.index.table.idOf(row))
    }
  }

  /**
   * Puts a document into the index, searchable if it should be by what is known now. So progress and memories
   * come first: a document that is shown and hidden again later costs several times as much.
   */
  putDocument(document: IndexedDocument): void {
    const isNew = !this.index.has(document.id)
    this.index.upsert(document)
    this.#changedRows += 1
    if (isNew && document.kind === 'turn') {
      this.#order.add(this.index.rowOf(document.id) ?? 0)
      this.#keepers.arrive(document.id)
    }
    this.#unjudged.delete(document.id)
    this.#judge(document.id)
  }

  /** Shows and hides documents as the changes since the last time ask. */
  settle(): void {
    for (const id of this.#unjudged) this.#judge(id)
    this.#unjudged.clear()
  }

  /** Takes note of a turn, before its document is put in. */
  addTurn({ scope }: Pick<IndexRow, 'scope'>): void {
    this.#lastSessions.delete(scope)
    this.#heard += 1
  }

  setMemory(known: KnownMemory): void {
    const { memory } = known
    const before = this.known(memory.id)?.memory
    const row = this.#memories.set(known)
    this.#changedRows += 1
    if (memory.form === 'fact') this.#facts.get(memory.scope)?.set(memory)
    if (memory.status === 'live' && memory.form === 'fact' && CALLINGS.has(memory.key ?? ''))
      this.#callings.set(memory.id, memory)
    else this.#callings.delete(memory.id)
    const isTalkKept = memory.form === 'utterance' && memory.status === 'live'
    // One that comes as dropped takes back what was told of its turns while they waited.
    if (before === undefined ? !isTalkKept : saysOther(before, memory)) this.#changes += 1
    this.#count(before, -1)
    this.#count(memory, 1)
    this.#links.add(row, memory)
    if (memory.form === 'utterance') this.#keepTurns(before, memory, row)
    else this.#askAgain(memory.id)
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
        callings: [...this.#callings.keys()],
        progress: [...this.#progress],
        live: [...this.#live],
        names: [...this.#names],
        changes: this.#changes,
        heard: this.#heard,
        unembedded: [...this.unembedded],
        profiles: [...this.#profiles],
      },
    }
  }

  /** Takes in what an image kept, into an empty cache. @throws Error where it is none of ours. */
  restore(sections: ImageSections, kept: OwnerCacheKept): void {
    this.index.restore(sections, kept.index)
    this.#memories.restore(sections, kept.memories)
    this.#keepers.restore(sections, kept.waitingKeepers)
    for (const [scope, progress] of kept.progress) this.#progress.set(scope, progress)
    for (const [scope, live] of kept.live) this.#live.set(scope, live)
    for (const [name, id] of kept.names) this.#names.set(name, id)
    for (const id of kept.unembedded) this.unembedded.add(id)
    for (const [scopes, made] of kept.profiles) this.#profiles.set(scopes, made)
    this.#changes = kept.changes
    this.#heard = kept.heard
    for (const id of kept.callings) {
      const memory = this.known(id)?.memory
      if (memory !== undefined) this.#callings.set(id, memory)
    }
    this.version = kept.version
  }

  #count(memory: Memory | undefined, by: 1 | -1): void {
    if (memory?.status !== 'live') return
    const { scope, name, id, form, text } = memory
    if (!isRawUnit(memory)) {
      const { memories, characters } = this.liveOf(scope, form)
      const counted = { memories: memories + by, characters: characters + by * text.length }
      this.#live.set(`${scope}/${form}`, counted)
    }
    if (name === null) return
    if (by === 1) this.#names.set(`${scope}/${name}`, id)
    else if (this.#names.get(`${scope}/${name}`) === id) this.#names.delete(`${scope}/${name}`)
  }

  #keepTurns(before: Memory | undefined, memory: Memory, row: number): void {
    for (const { turn } of before?.evidence ?? []) this.#letGo(turn, row)
    for (const { turn } of memory.evidence) {
      if (memory.status === 'live') this.#keepers.set(turn, row)
      else this.#letGo(turn, row)
      this.#askAgain(turn)
    }
  }

  #letGo(turn: string, row: number): void {
    if (this.#keepers.of(turn) === row) this.#keepers.delete(turn)
    this.#askAgain(turn)
  }

  /** A document that is yet to come is judged when it does. */
  #askAgain(id: string): void {
    if (this.index.has(id)) this.#unjudged.add(id)
  }

  #judge(id: string): void {
    const turn = this.turn(id)
    if (turn !== undefined) this.index.setSearchable(id, this.#isTurnSearchable(turn))
    else {
      const memory = this.known(id)?.memory
      if (memory === undefined || memory.form === 'utterance') return
      const hasWords = memory.form !== 'note' || memory.text !== ''
      this.index.setSearchable(id, hasWords && memory.status === 'live' && this.#recalls.has(memory.form))
    }
  }

  /** A turn is searchable while it waits for consolidation, and then only through a live utterance. */
  #isTurnSearchable(turn: KnownTurn): boolean {
    return (this.#recalls.has('utterance') && this.#keepers.of(turn.id) !== undefined) || this.isPending(turn)
  }
}
