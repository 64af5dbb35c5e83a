// Holds everything that the engine knows about one user in memory.
import { lookUpLive, type FactLookup } from '../facts/fact-lookup.ts'
import { AnalysedTexts } from './analysed-text.ts'
import { isRawUnit, type Memory, type MemoryForm, type MemoryStatus } from '../memories/memory.ts'
import type { Profile } from '../persona/profile.ts'
import { SearchIndex } from '@keepsake/search'
import type { SearchDocument } from '@keepsake/search'
import type { Tally } from '../memories/operation.ts'
import { countUse } from '../memories/apply-operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { ScopeProgress, SessionRow } from '../store/store.ts'
import type { StoryUnit } from '../story/story-units.ts'
import type { Turn } from '../turns/turn.ts'

/** Narrows a list of memories. An absent field does not narrow. */
export interface MemoryFilter {
  readonly scopes?: ReadonlySet<number> | undefined
  readonly forms?: readonly MemoryForm[] | undefined
  readonly statuses?: readonly MemoryStatus[] | undefined
}

/** Counts live memories and the characters of their own texts. Utterances have none: their words are their turns'. */
export interface LiveCount {
  readonly memories: number
  readonly characters: number
}

/** A cached profile, and when it is out of date. */
export interface ProfileCacheEntry {
  /** `UserState.changes` when it was made. */
  readonly changes: number
  readonly hour: number
  /** No fact ends between these times. */
  readonly from: number
  readonly to: number
  readonly profile: Profile
}

/** Says which documents the preset finds. */
export interface Visibility {
  /** Forms of memories that the preset recalls. */
  readonly recalls: readonly MemoryForm[]
  /** The branch after whose work a turn is recalled only through live memories. */
  readonly keepingBranch: string
  /** Whether vectors are kept as they are, for a preset that ranks by their cosines alone: the index rounds them. */
  readonly keepsVectors: boolean
}

/** One session of a scope, with its turns in order of position. */
export interface SessionState {
  row: SessionRow
  readonly turns: Turn[]
}

/** How far each branch has read a scope, and its last position. */
export type Progress = Pick<ScopeProgress, 'lastPosition' | 'branches'>

/** Everything that is known of one scope of a user. */
export interface ScopeState {
  progress: Progress
  /** Turns by position, from 1. An erased turn leaves a hole. */
  readonly turns: (Turn | undefined)[]
  /** Positions of the user's turns, rising. */
  readonly userPositions: number[]
  /** Sessions by id, in order of their numbers. */
  readonly sessions: Map<string, SessionState>
  /** Ids of memories of any status, in order of making. */
  readonly memoriesByForm: Map<MemoryForm, string[]>
  readonly liveCounts: Map<MemoryForm, LiveCount>
  /** Ids of live notes and blocks by name. */
  readonly noteNames: Map<string, string>
  /** The live facts; `null` until they are needed after a change. */
  facts: FactLookup<Memory> | null
}

/** Keys of facts that say what a person is called. */
export const NAME_KEYS: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])

const NOTHING_LIVE: LiveCount = { memories: 0, characters: 0 }
/** Bytes that a turn and a memory take on the heap beside their texts, measured roughly. */
const TURN_BYTES = 400
const MEMORY_BYTES = 1_200

/** Everything the engine knows about one user. Loaded from the store, kept in an LRU cache, changed only by `apply`. */
export class UserState {
  readonly user: number
  /** The only version: every commit names the revision it was decided on. */
  revision = 0
  /** Revision of the last erasure: what was prepared before it may quote what was erased. */
  erasedRevision = 0
  /** The user's scopes, erased ones left out. */
  rows: readonly ScopeRow[] = []
  readonly turns = new Map<string, Turn>()
  readonly memories = new Map<string, Memory>()
  /** Counters of recalls, beside what the log counted: see {@link counted}. */
  readonly usage = new Map<string, Tally>()
  readonly index = new SearchIndex()
  /** Vectors of documents; `null` where the preset needs only those of the index. */
  readonly vectors: Map<string, Float32Array> | null
  /** Documents without a vector of the embedder in use. */
  readonly unembedded = new Set<string>()
  readonly profiles = new Map<string, ProfileCacheEntry>()
  readonly texts = new AnalysedTexts((turn, text) =>
    this.turns.get(turn)?.text === text ? this.index.get(turn) : undefined,
  )
  /** Rises when a memory is made, says something else or ends; not when talk is kept or a memory is used. */
  changes = 0
  readonly #visibility: Visibility
  readonly #recalls: ReadonlySet<MemoryForm>
  readonly #scopes = new Map<number, ScopeState>()
  /** The live utterances that keep turns, by turn. */
  readonly #utteranceByTurn = new Map<string, Memory>()
  /** Ids of memories that rest on a turn, or did. */
  readonly #memoriesByTurn = new Map<string, string[]>()
  readonly #namingFacts = new Map<string, Memory>()
  /** Live facts that rest on words which were corrected since. */
  readonly #correctedFacts = new Map<string, Memory>()
  /** Documents whose visibility has to be decided again. */
  readonly #unsettled = new Set<string>()
  #textBytes = 0

  constructor(user: number, visibility: Visibility) {
    this.user = user
    this.#visibility = visibility
    this.vectors = visibility.keepsVectors ? new Map() : null
    // Notes and blocks are found whatever the preset makes of talk.
    this.#recalls = new Set([...visibility.recalls, 'note', 'block'])
  }

  /** Bytes of memory taken, estimated. */
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
    const made: ScopeState = {
      progress: { lastPosition: 0, branches: {} },
      turns: [],
      userPositions: [],
      sessions: new Map(),
      memoriesByForm: new Map(),
      liveCounts: new Map(),
      noteNames: new Map(),
      facts: null,
    }
    this.#scopes.set(scope, made)
    return made
  }

  /** Lists memories in order of making. */
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

  /** Memories of one form in one scope, of any status, in order of making. */
  memoriesOf(scope: number, form: MemoryForm): Memory[] {
    const ids = this.#scopes.get(scope)?.memoriesByForm.get(form) ?? []
    return ids.flatMap((id) => this.memories.get(id) ?? [])
  }

  /** The memory that became valid last, of those that the filter takes. */
  newest(filter: MemoryFilter): Memory | undefined {
    let newest: Memory | undefined
    for (const memory of this.listMemories(filter))
      if (newest === undefined || memory.validFrom >= newest.validFrom) newest = memory
    return newest
  }

  /** Memories that rest on a turn now. */
  *memoriesOfTurn(turn: string, { forms, statuses }: Omit<MemoryFilter, 'scopes'> = {}): Generator<Memory> {
    for (const id of this.#memoriesByTurn.get(turn) ?? []) {
      const memory = this.memories.get(id)
      if (memory === undefined || forms?.includes(memory.form) === false) continue
      if (statuses?.includes(memory.status) === false) continue
      if (memory.evidence.some((source) => source.turn === turn)) yield memory
    }
  }

  /** The live facts of a scope. */
  facts(scope: number): FactLookup<Memory> {
    return (this.scope(scope).facts ??= lookUpLive(this.memoriesOf(scope, 'fact')))
  }

  /** Units of a scope's story of any status, in order of making. */
  storyUnits(scope: number): StoryUnit[] {
    return this.memoriesOf(scope, 'story').map(({ id, level }) => ({ ref: id, level }))
  }

  /** Utterances of a session, of any status. */
  utterancesOf(scope: number, session: string): Memory[] {
    return this.memoriesOf(scope, 'utterance').filter((memory) => memory.session === session)
  }

  /** The live utterance that keeps a turn. */
  utteranceOf(turn: string): Memory | undefined {
    return this.#utteranceByTurn.get(turn)
  }

  /** Counts the live memories of a form, without the raw units of a story, which are the talk itself. */
  liveCount(scope: number, form: MemoryForm): LiveCount {
    return this.#scopes.get(scope)?.liveCounts.get(form) ?? NOTHING_LIVE
  }

  /** The live note or block of a scope that has this name. */
  memoryNamed(scope: number, name: string): Memory | undefined {
    return this.memories.get(this.#scopes.get(scope)?.noteNames.get(name) ?? '')
  }

  /** Whether a live fact rests on words of a turn that were corrected since. */
  isCorrected(id: string): boolean {
    for (const { evidence } of this.#correctedFacts.values())
      if (evidence.some(({ turn, corrected }) => turn === id && corrected === true)) return true
    return false
  }

  /** Live facts that say what a person is called. */
  namingFacts(scopes: ReadonlySet<number>): Memory[] {
    return [...this.#namingFacts.values()].filter(({ scope }) => scopes.has(scope))
  }

  /** A memory with the usage counted since it was stored. What is committed is decided on memories without it. */
  counted(memory: Memory): Memory {
    const tally = this.usage.get(memory.id)
    return tally === undefined ? memory : { ...memory, use: countUse(memory.use, tally) }
  }

  /** Counts rounds up to a position. The user's turn closes a round. */
  roundAt(scope: number, position: number): number {
    return countUpTo(this.#scopes.get(scope)?.userPositions ?? [], position)
  }

  /** The user's turn nearest before a position. */
  userTurnBefore(scope: number, position: number): Turn | undefined {
    const state = this.#scopes.get(scope)
    const before = state?.userPositions.findLast((userPosition) => userPosition < position)
    return before === undefined ? undefined : state?.turns[before]
  }

  /** The next turns after a position, up to another, in order. */
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

  /** How far each branch has read a scope. */
  progress(scope: number): Progress {
    return this.scope(scope).progress
  }

  /** How far the keeping branch has read a scope. Every turn after it is recalled as it stands. */
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

  /** Adds a turn, once its session is there. One that is there already is left alone. */
  addTurn(turn: Turn): void {
    if (this.turns.has(turn.id)) return
    this.turns.set(turn.id, turn)
    this.#textBytes += turn.text.length
    const scope = this.scope(turn.scope)
    scope.turns[turn.position] = turn
    scope.sessions.get(turn.session)?.turns.push(turn)
    if (turn.role === 'user') scope.userPositions.push(turn.position)
  }

  /** Puts a document into the index. Progress and memories come first, since they decide whether it is found. */
  putDocument(document: SearchDocument): void {
    this.index.add(document)
    if (document.vector === null) this.vectors?.delete(document.id)
    else this.vectors?.set(document.id, document.vector)
    this.#unsettled.delete(document.id)
    this.#settleOne(document.id)
  }

  /** Makes a memory, or puts it in the place of what it was. */
  setMemory(memory: Memory): void {
    const before = this.memories.get(memory.id)
    this.memories.set(memory.id, memory)
    const scope = this.scope(memory.scope)
    if (before === undefined) addTo(scope.memoriesByForm, memory.form, memory.id)
    if (memory.form === 'fact') scope.facts = null
    const isTalkKept = memory.form === 'utterance' && memory.status === 'live'
    if (before === undefined ? !isTalkKept : hasContentChanged(before, memory)) this.changes += 1
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

  /** Shows and hides documents in the index as the changes since the last call require. */
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

  /** A turn is found while it waits for consolidation, and then only through a live utterance. */
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

/** Whether a memory says something else than before, or is no longer recalled. */
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
