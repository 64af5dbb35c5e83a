import { isRawUnit } from '../memories/is-raw-unit.ts'
import { StandingFacts } from '../facts/standing-facts.ts'
import type { KnownMemory } from '../memories/change-set.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { DocumentIndex } from '../retrieval/document-index.ts'
import type { IndexedDocument } from '../retrieval/indexed-document.ts'
import type { IndexRow, OwnerVersion, ScopeProgress } from '../stores/store.ts'

/** What the cache keeps of a turn: enough to tell rounds, neighbours and who spoke. */
export interface KnownTurn {
  readonly id: string
  readonly scope: number
  readonly session: string
  readonly position: number
  readonly role: IndexRow['role']
}

/** Forms that are made of talk, and few beside it. */
export type MadeForm = Exclude<MemoryForm, 'fact' | 'note' | 'utterance'>

/** How much is live. */
export interface LiveCount {
  readonly memories: number
  /** Of their own texts: utterances have none, their words are their turns'. */
  readonly characters: number
}

const NOTHING_LIVE: LiveCount = { memories: 0, characters: 0 }

/** Keys of what somebody is called. */
const CALLINGS: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])
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
  readonly #keepingBranch: string
  readonly #memories = new Map<string, KnownMemory>()
  readonly #callings = new Map<string, Memory>()
  readonly #turns = new Map<string, KnownTurn>()
  /** Which memories rest on each turn; made when first asked for, since a recall seldom does. */
  #ofTurn: Map<string, string[]> | null = null
  /** The live utterance that keeps each turn. */
  readonly #keeper = new Map<string, Memory>()
  readonly #userPositions = new Map<number, number[]>()
  readonly #byPosition = new Map<number, string[]>()
  readonly #progress = new Map<number, ScopeProgress>()
  readonly #lastSessions = new Map<number, number>()
  /** What is live of a form in a scope. */
  readonly #live = new Map<string, LiveCount>()
  readonly #facts = new Map<number, StandingFacts>()
  /** Ids of what was made of a scope's talk, by form, and of a session's utterances; in the order of becoming known. */
  readonly #made = new Map<string, string[]>()
  /** Ids of live notes by scope and name. */
  readonly #names = new Map<string, string>()
  #metadataBytes = 0
  #changes = 0
  #heard = 0
  /** Documents of which something changed that decides whether they are searchable. */
  readonly #unjudged = new Set<string>()

  /** @param keepingBranch the branch after whose work a turn is recalled only through live memories. */
  constructor(owner: number, index: DocumentIndex, recalls: readonly MemoryForm[], keepingBranch: string) {
    this.owner = owner
    this.index = index
    // What the application keeps is found whatever the preset makes of talk.
    this.#recalls = new Set([...recalls, 'note'])
    this.#keepingBranch = keepingBranch
  }

  get bytes(): number {
    const records = this.#memories.size * RECORD_BYTES + this.#turns.size * TURN_BYTES
    return this.index.bytes + records + this.#metadataBytes
  }

  /** Turns that were ever heard here; only ever rises. */
  get heard(): number {
    return this.#heard
  }

  /** Rises with each memory that is new, says something else or is no longer live; not with talk that is kept, nor with mere use. */
  get changes(): number {
    return this.#changes
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
    this.#ofTurn ??= this.#linkAll()
    for (const id of this.#ofTurn.get(turn) ?? []) {
      const known = this.#memories.get(id)
      if (known !== undefined) yield known.memory
    }
  }

  /** The live note of a scope that has this name. */
  named(scope: number, name: string): Memory | undefined {
    return this.#memories.get(this.#names.get(`${scope}/${name}`) ?? '')?.memory
  }

  /** Live facts that say what somebody is called. */
  callings(scopes: ReadonlySet<number>): Memory[] {
    return [...this.#callings.values()].filter(({ scope }) => scopes.has(scope))
  }

  /** The live facts of a scope. */
  facts(scope: number): StandingFacts {
    const known = this.#facts.get(scope) ?? new StandingFacts()
    this.#facts.set(scope, known)
    return known
  }

  /** What was made of a scope's talk, whatever became of it, in the order of becoming known. */
  made(scope: number, form: MadeForm): Memory[] {
    return this.#listed(`${scope}/${form}`)
  }

  /** What was kept of a session's rounds, whatever became of it. */
  utterancesOf(scope: number, session: string): Memory[] {
    return this.#listed(`${scope}/utterance/${session}`)
  }

  #listed(place: string): Memory[] {
    return (this.#made.get(place) ?? []).flatMap((id) => this.#memories.get(id)?.memory ?? [])
  }

  #list({ id, scope, form, session }: Memory): void {
    if (form === 'fact' || form === 'note') return
    const place = form === 'utterance' ? `${scope}/utterance/${session}` : `${scope}/${form}`
    const ids = this.#made.get(place)
    if (ids === undefined) this.#made.set(place, [id])
    else ids.push(id)
  }

  /** What a scope has live of a form. The story's raw units, which are the talk itself, are not counted. */
  liveOf(scope: number, form: MemoryForm): LiveCount {
    return this.#live.get(`${scope}/${form}`) ?? NOTHING_LIVE
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
    const turns = this.#byPosition.get(scope) ?? []
    const after = Math.min(this.consolidatedTo(scope), turns.length - 1)
    for (let position = before + 1; position <= after; position += 1) {
      const id = turns[position]
      if (id !== undefined) this.#unjudged.add(id)
    }
  }

  /**
   * Puts a document into the index, searchable if it should be by what is known now. So progress and memories
   * come first: a document that is shown and hidden again later costs several times as much.
   */
  putDocument(document: IndexedDocument): void {
    this.index.upsert(document)
    this.#unjudged.delete(document.id)
    this.#judge(document.id)
  }

  /** Shows and hides documents as the changes since the last time ask. */
  settle(): void {
    for (const id of this.#unjudged) this.#judge(id)
    this.#unjudged.clear()
  }

  addTurn(row: IndexRow): void {
    this.#lastSessions.delete(row.scope)
    const { id, scope, session, position, role } = row
    if (role === 'user' && !this.#turns.has(id)) this.#notePosition(scope, position)
    this.#turns.set(id, { id, scope, session, position, role })
    this.#heard += 1
    const turns = this.#byPosition.get(scope)
    if (turns !== undefined) turns[position] = id
    else {
      const first: string[] = []
      first[position] = id
      this.#byPosition.set(scope, first)
    }
  }

  #notePosition(scope: number, position: number): void {
    const positions = this.#userPositions.get(scope)
    if (positions === undefined) this.#userPositions.set(scope, [position])
    else if ((positions.at(-1) ?? 0) < position) positions.push(position)
    // Rows come in order of their last writing: what was indexed anew comes later than its place.
    else positions.splice(this.roundAt(scope, position), 0, position)
  }

  setMemory(known: KnownMemory): void {
    const { memory } = known
    const before = this.#memories.get(memory.id)?.memory
    this.#memories.set(memory.id, known)
    if (memory.form === 'fact') this.facts(memory.scope).set(memory)
    else if (before === undefined) this.#list(memory)
    if (memory.status === 'live' && memory.form === 'fact' && CALLINGS.has(memory.key ?? ''))
      this.#callings.set(memory.id, memory)
    else this.#callings.delete(memory.id)
    const isTalkKept = memory.form === 'utterance' && memory.status === 'live'
    // One that comes as dropped takes back what was told of its turns while they waited.
    if (before === undefined ? !isTalkKept : saysOther(before, memory)) this.#changes += 1
    this.#count(before, -1)
    this.#count(memory, 1)
    this.#metadataBytes += bytesOf(memory.metadata) - bytesOf(before?.metadata ?? null)
    if (this.#ofTurn !== null) {
      if (before !== undefined) unlink(this.#ofTurn, before)
      link(this.#ofTurn, memory)
    }
    if (memory.form === 'utterance') this.#keepTurns(before, memory)
    else this.#askAgain(memory.id)
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

  #keepTurns(before: Memory | undefined, memory: Memory): void {
    for (const { turn } of before?.evidence ?? []) this.#letGo(turn, memory)
    for (const { turn } of memory.evidence) {
      if (memory.status === 'live') this.#keeper.set(turn, memory)
      else this.#letGo(turn, memory)
      this.#askAgain(turn)
    }
  }

  #letGo(turn: string, memory: Memory): void {
    if (this.#keeper.get(turn)?.id === memory.id) this.#keeper.delete(turn)
    this.#askAgain(turn)
  }

  #linkAll(): Map<string, string[]> {
    const links = new Map<string, string[]>()
    for (const { memory } of this.#memories.values()) link(links, memory)
    return links
  }

  /** A document that is yet to come is judged when it does. */
  #askAgain(id: string): void {
    if (this.index.has(id)) this.#unjudged.add(id)
  }

  #judge(id: string): void {
    const turn = this.#turns.get(id)
    if (turn !== undefined) this.index.setSearchable(id, this.#isTurnSearchable(turn))
    else {
      const memory = this.#memories.get(id)?.memory
      if (memory === undefined || memory.form === 'utterance') return
      const hasWords = memory.form !== 'note' || memory.text !== ''
      this.index.setSearchable(id, hasWords && memory.status === 'live' && this.#recalls.has(memory.form))
    }
  }

  /** A turn is searchable while it waits for consolidation, and then only through a live utterance. */
  #isTurnSearchable(turn: KnownTurn): boolean {
    return (this.#recalls.has('utterance') && this.#keeper.has(turn.id)) || this.isPending(turn)
  }
}

/** Whether a memory tells something else than before, or is told no more. */
function saysOther(before: Memory, after: Memory): boolean {
  const { text, value, key, subject, status, validFrom, validUntil, evidence, past } = before
  return (
    text !== after.text ||
    value !== after.value ||
    key !== after.key ||
    subject !== after.subject ||
    status !== after.status ||
    validFrom !== after.validFrom ||
    validUntil !== after.validUntil ||
    evidence.length !== after.evidence.length ||
    past.length !== after.past.length
  )
}

/** What metadata takes on the heap, roughly. */
function bytesOf(metadata: Memory['metadata']): number {
  return metadata === null ? 0 : 2 * JSON.stringify(metadata).length
}

function link(links: Map<string, string[]>, memory: Memory): void {
  for (const { turn } of memory.evidence) {
    const ids = links.get(turn)
    if (ids === undefined) links.set(turn, [memory.id])
    else if (!ids.includes(memory.id)) ids.push(memory.id)
  }
}

function unlink(links: Map<string, string[]>, memory: Memory): void {
  for (const { turn } of memory.evidence) {
    const rest = links.get(turn)?.filter((id) => id !== memory.id)
    if (rest !== undefined) links.set(turn, rest)
  }
}
