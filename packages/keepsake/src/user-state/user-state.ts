// Holds everything that the engine knows about one user in memory.
import { lookUpLive, type FactLookup } from '../facts/fact-lookup.ts'
import { AnalysedTexts } from './analysed-text.ts'
import { isRawUnit, type Memory, type MemoryForm, type MemoryStatus } from '../memories/memory.ts'
import { SearchIndex } from '@keepsake/search'
import type { SearchDocument } from '@keepsake/search'
import type { Tally } from '../memories/operation.ts'
import { countUse } from '../memories/apply-operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { SessionRow } from '../store/store.ts'
import type { StoryUnit } from '../story/story-units.ts'
import type { Turn } from '../turns/turn.ts'
import type { LiveCount, ProfileCacheEntry, Progress, ScopeState, Visibility } from './state-parts.ts'

/** Narrows a list of memories. An absent field does not narrow. */
export interface MemoryFilter {
  readonly scopes?: ReadonlySet<number> | undefined
  readonly forms?: readonly MemoryForm[] | undefined
  readonly statuses?: readonly MemoryStatus[] | undefined
}

/** Keys of facts that state a person's name. */
export const NAME_KEYS: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])

const NOTHING_LIVE: LiveCount = { memories: 0, characters: 0 }
/** Bytes on the heap of a turn and of a memory without their texts, measured roughly. */
const TURN_BYTES = 400
const MEMORY_BYTES = 1_200

/** Everything the engine knows about one user. Loaded from the store, kept in an LRU cache, changed only by `apply`. */
export class UserState {
  readonly user: number
  /** The only version number. Every commit names the revision on which it was decided. */
  revision = 0
  /** Revision of the last erasure. Results that were prepared before it may quote erased text. */
  erasedRevision = 0
  /** The user's scopes, without erased ones. */
  rows: readonly ScopeRow[] = []
  readonly turns = new Map<string, Turn>()
  readonly memories = new Map<string, Memory>()
  /** Usage counters, in addition to the counts in the log: see {@link counted}. */
  readonly usage = new Map<string, Tally>()
  readonly index = new SearchIndex()
  /** Exact vectors of documents; `null` if the preset needs only those of the index. */
  readonly vectors: Map<string, Float32Array> | null
  /** Documents without a vector of the current embedding model. */
  readonly unembedded = new Set<string>()
  readonly profiles = new Map<string, ProfileCacheEntry>()
  readonly texts = new AnalysedTexts((turn, text) =>
    this.turns.get(turn)?.text === text ? this.index.get(turn) : undefined,
  )
  /** Rises when a memory is added, changed or ended. Utterances and usage do not count, so that profiles stay cached. */
  changes = 0
  readonly #visibility: Visibility
  readonly #recalls: ReadonlySet<MemoryForm>
  readonly #scopes = new Map<number, ScopeState>()
  /** The live utterances that keep turns, by turn. */
  readonly #utteranceByTurn = new Map<string, Memory>()
  /** Ids of memories that have or had evidence in a turn, by turn. */
  readonly #memoriesByTurn = new Map<string, string[]>()
  readonly #namingFacts = new Map<string, Memory>()
  /** Live facts with evidence that was corrected. */
  readonly #correctedFacts = new Map<string, Memory>()
  /** Documents whose visibility must be decided again. */
  readonly #unsettled = new Set<string>()
  #textBytes = 0

  constructor(user: number, visibility: Visibility) {
    this.user = user
    this.#visibility = visibility
    this.vectors = visibility.keepsVectors ? new Map() : null
    // Every preset recalls notes and blocks, because the application or the agent wrote them.
    this.#recalls = new Set([...visibility.recalls, 'note', 'block'])
  }

  /** Estimated bytes of memory. */
  get bytes(): number {
    const objects = this.turns.size * TURN_BYTES + this.memories.size * MEMORY_BYTES
    const [vector] = this.vectors?.values() ?? []
    const vectors = (this.vectors?.size ?? 0) * (vector?.byteLength ?? 0)
    return this.index.bytes + objects + vectors + this.#textBytes + this.texts.bytes
  }

  get scopes(): Iterable<number> {
    return this.#scopes.keys()
  }

  scope(scope: number): ScopeState {
    const known = this.#scopes.get(scope)
    if (known !== undefined) return known
    const added: ScopeState = {
      progress: { lastPosition: 0, branches: {} },
      turns: [],
      userPositions: [],
      sessions: new Map(),
      memoriesByForm: new Map(),
      liveCounts: new Map(),
      noteNames: new Map(),
      facts: null,
    }
    this.#scopes.set(scope, added)
    return added
  }

  /** Lists memories in order of creation. */
  *listMemories({ scopes, forms, statuses }: MemoryFilter = {}): Generator<Memory> {
    for (const memory of this.#memoriesAmong(scopes, forms)) {
      if (scopes !== undefined && !scopes.has(memory.scope)) continue
      if (forms !== undefined && !forms.includes(memory.form)) continue
      if (statuses === undefined || statuses.includes(memory.status)) yield memory
    }
  }

  #memoriesAmong(scopes: MemoryFilter['scopes'], forms: MemoryFilter['forms']): Iterable<Memory> {
    const [scope, ...otherScopes] = scopes ?? []
    const [form, ...otherForms] = forms ?? []
    const isOne = otherScopes.length === 0 && otherForms.length === 0
    return isOne && scope !== undefined && form !== undefined
      ? this.memoriesOf(scope, form)
      : this.memories.values()
  }

  /** Lists the memories of one form in one scope, of any status, in order of creation. */
  memoriesOf(scope: number, form: MemoryForm): Memory[] {
    const ids = this.#scopes.get(scope)?.memoriesByForm.get(form) ?? []
    return ids.flatMap((id) => this.memories.get(id) ?? [])
  }

  /** Returns the memory that became valid last, among those that pass the filter. */
  newest(filter: MemoryFilter): Memory | undefined {
    let newest: Memory | undefined
    for (const memory of this.listMemories(filter))
      if (newest === undefined || memory.validFrom >= newest.validFrom) newest = memory
    return newest
  }

  /** Lists the memories that have evidence in a turn now. */
  *memoriesOfTurn(turn: string, { forms, statuses }: Omit<MemoryFilter, 'scopes'> = {}): Generator<Memory> {
    for (const id of this.#memoriesByTurn.get(turn) ?? []) {
      const memory = this.memories.get(id)
      if (memory === undefined || forms?.includes(memory.form) === false) continue
      if (statuses?.includes(memory.status) === false) continue
      if (memory.evidence.some((source) => source.turn === turn)) yield memory
    }
  }

  /** Returns the live facts of a scope. */
  facts(scope: number): FactLookup<Memory> {
    return (this.scope(scope).facts ??= lookUpLive(this.memoriesOf(scope, 'fact')))
  }

  /** Lists the units of a scope's story, of any status, in order of creation. */
  storyUnits(scope: number): StoryUnit[] {
    return this.memoriesOf(scope, 'story').map(({ id, level }) => ({ ref: id, level }))
  }

  /** Lists the utterances of a session, of any status. */
  utterancesOf(scope: number, session: string): Memory[] {
    return this.memoriesOf(scope, 'utterance').filter((memory) => memory.session === session)
  }

  /** Returns the live utterance that keeps a turn. */
  utteranceOf(turn: string): Memory | undefined {
    return this.#utteranceByTurn.get(turn)
  }

  /** Counts the live memories of a form. Raw units of a story do not count, since they are the talk itself. */
  liveCount(scope: number, form: MemoryForm): LiveCount {
    return this.#scopes.get(scope)?.liveCounts.get(form) ?? NOTHING_LIVE
  }

  /** Returns the live note or block with this name. */
  memoryNamed(scope: number, name: string): Memory | undefined {
    return this.memories.get(this.#scopes.get(scope)?.noteNames.get(name) ?? '')
  }

  /** Whether the words of a turn that support a live fact were corrected. */
  isCorrected(id: string): boolean {
    for (const { evidence } of this.#correctedFacts.values())
      if (evidence.some(({ turn, corrected }) => turn === id && corrected === true)) return true
    return false
  }

  /** Lists the live facts that state a person's name. */
  namingFacts(scopes: ReadonlySet<number>): Memory[] {
    return [...this.#namingFacts.values()].filter(({ scope }) => scopes.has(scope))
  }

  /** Returns a memory with its current usage. Decisions that are committed use memories without it. */
  counted(memory: Memory): Memory {
    const tally = this.usage.get(memory.id)
    return tally === undefined ? memory : { ...memory, use: countUse(memory.use, tally) }
  }

  /** Counts rounds up to a position. The user's turn closes a round. */
  roundAt(scope: number, position: number): number {
    return countUpTo(this.#scopes.get(scope)?.userPositions ?? [], position)
  }

  /** Returns the user's last turn before a position. */
  userTurnBefore(scope: number, position: number): Turn | undefined {
    const state = this.#scopes.get(scope)
    const before = state?.userPositions.findLast((userPosition) => userPosition < position)
    return before === undefined ? undefined : state?.turns[before]
  }

  /** Lists the turns after a position, up to another one, in order. */
  turnsAfter(
    scope: number,
    from: number,
    { upTo = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = {},
  ): Turn[] {
    const turns = this.#scopes.get(scope)?.turns ?? []
    const found: Turn[] = []
    const last = Math.min(upTo, turns.length - 1)
    for (let position = from + 1; position <= last && found.length < limit; position += 1) {
      const turn = turns[position]
      if (turn !== undefined) found.push(turn)
    }
    return found
  }

  turnsOfSession(scope: number, session: string): readonly Turn[] {
    return this.#scopes.get(scope)?.sessions.get(session)?.turns ?? []
  }

  sessions(scope: number): SessionRow[] {
    return Array.from(this.#scopes.get(scope)?.sessions.values() ?? [], ({ row }) => row)
  }

  sessionNumber(scope: number, session: string): number {
    return this.#scopes.get(scope)?.sessions.get(session)?.row.number ?? 0
  }

  /** Returns how far each branch has read a scope. */
  progress(scope: number): Progress {
    return this.scope(scope).progress
  }

  /** Returns how far the keeping branch has read a scope. Every later turn is recalled as a pending memory. */
  consolidatedTo(scope: number): number {
    return this.#scopes.get(scope)?.progress.branches[this.#visibility.keepingBranch] ?? 0
  }

  isPending(turn: Pick<Turn, 'scope' | 'position'>): boolean {
    return turn.position > this.consolidatedTo(turn.scope)
  }

  setProgress(scope: number, progress: Progress): void {
    const before = this.consolidatedTo(scope)
    this.scope(scope).progress = progress
    const after = this.consolidatedTo(scope)
    for (const turn of this.turnsAfter(scope, before, { upTo: after })) this.#unsettled.add(turn.id)
  }

  setSession(row: SessionRow): void {
    const { sessions } = this.scope(row.scope)
    const known = sessions.get(row.id)
    if (known === undefined) sessions.set(row.id, { row, turns: [] })
    else known.row = row
  }

  /** Adds a turn, unless it is known. Its session must be set before. */
  addTurn(turn: Turn): void {
    if (this.turns.has(turn.id)) return
    this.turns.set(turn.id, turn)
    this.#textBytes += turn.text.length
    const scope = this.scope(turn.scope)
    scope.turns[turn.position] = turn
    scope.sessions.get(turn.session)?.turns.push(turn)
    if (turn.role === 'user') scope.userPositions.push(turn.position)
  }

  /** Puts a document into the index. Progress and memories must be set before, since they decide whether it is found. */
  putDocument(document: SearchDocument): void {
    this.index.add(document)
    if (document.vector === null) this.vectors?.delete(document.id)
    else this.vectors?.set(document.id, document.vector)
    this.#unsettled.delete(document.id)
    this.#settleOne(document.id)
  }

  /** Adds a memory, or replaces its former state. */
  setMemory(memory: Memory): void {
    const before = this.memories.get(memory.id)
    this.memories.set(memory.id, memory)
    const scope = this.scope(memory.scope)
    if (before === undefined) addTo(scope.memoriesByForm, memory.form, memory.id)
    if (memory.form === 'fact') scope.facts = null
    const isLiveUtterance = memory.form === 'utterance' && memory.status === 'live'
    if (before === undefined ? !isLiveUtterance : hasContentChanged(before, memory)) this.changes += 1
    this.#textBytes += memory.text.length - (before?.text.length ?? 0)
    this.#countLive(before, -1)
    this.#countLive(memory, 1)
    const isLiveFact = memory.status === 'live' && memory.form === 'fact'
    if (isLiveFact && NAME_KEYS.has(memory.key ?? '')) this.#namingFacts.set(memory.id, memory)
    else this.#namingFacts.delete(memory.id)
    if (isLiveFact && memory.evidence.some((source) => source.corrected === true))
      this.#correctedFacts.set(memory.id, memory)
    else this.#correctedFacts.delete(memory.id)
    this.#linkTurns(before, memory)
  }

  #linkTurns(before: Memory | undefined, memory: Memory): void {
    const { id, form, status, evidence } = memory
    if (before?.evidence !== evidence)
      for (const { turn } of evidence)
        if (this.#memoriesByTurn.get(turn)?.includes(id) !== true) addTo(this.#memoriesByTurn, turn, id)
    if (form !== 'utterance') {
      this.#unsettled.add(id)
      return
    }
    for (const { turn } of before?.evidence ?? []) {
      if (this.#utteranceByTurn.get(turn)?.id === id) this.#utteranceByTurn.delete(turn)
      this.#unsettled.add(turn)
    }
    for (const { turn } of evidence) {
      if (status === 'live') this.#utteranceByTurn.set(turn, memory)
      this.#unsettled.add(turn)
    }
  }

  #countLive(memory: Memory | undefined, by: 1 | -1): void {
    if (memory?.status !== 'live') return
    const { name, id, form, text } = memory
    const { liveCounts, noteNames } = this.scope(memory.scope)
    if (!isRawUnit(memory)) {
      const { memories, characters } = liveCounts.get(form) ?? NOTHING_LIVE
      liveCounts.set(form, { memories: memories + by, characters: characters + by * text.length })
    }
    if (name === null) return
    if (by === 1) noteNames.set(name, id)
    else if (noteNames.get(name) === id) noteNames.delete(name)
  }

  /** Shows and hides the documents that the changes since the last call concern. */
  settle(): void {
    for (const id of this.#unsettled) this.#settleOne(id)
    this.#unsettled.clear()
  }

  #settleOne(id: string): void {
    const turn = this.turns.get(id)
    const memory = this.memories.get(id)
    if (turn !== undefined) this.index.setSearchable(id, this.#isTurnVisible(turn))
    else if (memory !== undefined && memory.form !== 'utterance') {
      const hasWords = (memory.form !== 'note' && memory.form !== 'block') || memory.text !== ''
      const isVisible = hasWords && memory.status === 'live' && this.#recalls.has(memory.form)
      this.index.setSearchable(id, isVisible)
    }
  }

  /** Whether a turn is found: while it waits for consolidation, or while a live utterance keeps it. */
  #isTurnVisible(turn: Turn): boolean {
    return (this.#recalls.has('utterance') && this.#utteranceByTurn.has(turn.id)) || this.isPending(turn)
  }
}

function addTo<Key>(lists: Map<Key, string[]>, key: Key, id: string): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [id])
  else known.push(id)
}

function countUpTo(rising: readonly number[], position: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether the content, validity or status of a memory has changed. */
function hasContentChanged(before: Memory, after: Memory): boolean {
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
