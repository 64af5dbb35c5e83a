import type { SearchHit } from '@keepsake/search'
import type { Evidence } from '../memories/evidence.ts'
import { keptText } from '../memories/kept-words.ts'
import { BLANK, type Memory } from '../memories/memory.ts'
import type { RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import type { Score } from '../retrieval/score.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { textOf, turnsOf } from '../work/read-memories.ts'
import { originOf } from '../work/scope-view.ts'

/** A memory found, with the turns that were found for it. */
export interface FoundMemory extends Score {
  readonly memory: Memory
  /** Scores of its turns that were found by themselves. */
  readonly turns: ReadonlyMap<string, number>
  readonly pending: boolean
  /** Of words that told what is no longer so: since when something else is, by what was found. */
  readonly changed?: number
  /** The probability that it bears on the question, where a reranking model gives one. */
  readonly relevance?: number
}

export interface MemoryRanking {
  /** Best first; more than were asked for, so that those that are only counted are among them. */
  readonly memories: readonly FoundMemory[]
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  readonly confidence: number
}

/** What was found, and how it is to be told. */
export interface FoundAnswer extends MemoryRanking {
  /** `answer`: a question's, the likeliest first. `told`: of a person, a talk or a time, the most telling first. */
  readonly as: 'answer' | 'told'
  /** Whether one line could not answer it: it asks for two states of a thing, or of a time in which something was said. */
  readonly isWide: boolean
}

/** What is looked for among hits. */
export interface Wanted {
  /** Memories that are looked for: behind so many that still hold, only what else was found for them is taken in. */
  readonly most: number
  readonly isMeant: (memory: Memory) => boolean
}

type Found = FoundMemory & { readonly turns: Map<string, number> }

/**
 * Turns that were found become the memories that keep them; a memory's score is its best turn's. What is over may come to stand
 * lower, so that it does not count among those that are enough.
 */
export function groupHits(
  engine: Engine,
  state: UserState,
  hits: readonly SearchHit[],
  { most, isMeant }: Wanted,
): FoundMemory[] {
  const found = new Map<string, Found>()
  let holding = 0
  let at = 0
  for (; at < hits.length && holding < most; at++) {
    const hit = hits[at] as SearchHit
    const { id } = hit
    const keeper = state.utteranceOf(id)
    // A turn that no utterance keeps yet counts for itself.
    const key = keeper?.id ?? id
    const earlier = found.get(key)
    const known = earlier ?? foundBy(engine, state, hit)
    if (known === undefined || !isMeant(known.memory)) continue
    if (keeper !== undefined || known.pending) known.turns.set(id, hit.score)
    if (earlier !== undefined) continue
    found.set(key, known)
    if (known.memory.validUntil === null) holding += 1
  }
  // Further hits only add turns to the memories found.
  for (const { id, score } of hits.slice(at)) found.get(state.utteranceOf(id)?.id ?? '')?.turns.set(id, score)
  return [...found.values()]
}

function foundBy(engine: Engine, state: UserState, { id, score, parts }: SearchHit): Found | undefined {
  const entry = searchableMemory(engine, state, id)
  return entry === null ? undefined : { ...entry, score, parts, turns: new Map() }
}

/** The memory that a document of the index stands for: a turn's is the utterance that keeps it, or one it may become. */
export function searchableMemory(
  engine: Engine,
  state: UserState,
  document: string,
): Pick<FoundMemory, 'memory' | 'pending'> | null {
  const memory = state.utteranceOf(document) ?? state.memories.get(document)
  if (memory !== undefined) return { memory, pending: false }
  const turn = state.turns.get(document)
  if (turn === undefined || !state.isPending(turn)) return null
  return { memory: pendingMemory(engine, turn), pending: true }
}

/** A turn that waits for consolidation, in the shape of the memory it may become. It is in no log, and its id does not last. */
export function pendingMemory(
  engine: Engine,
  turn: Pick<Turn, 'id' | 'scope' | 'session' | 'role'> | undefined,
): Memory {
  return {
    ...BLANK,
    id: `pending:${turn?.id ?? ''}`,
    scope: turn?.scope ?? 0,
    form: 'utterance',
    subject: turn?.role ?? 'other',
    label: turn?.role === 'user' ? 'user-stated' : turn?.role === 'agent' ? 'agent-stated' : 'other',
    evidence: turn === undefined ? [] : [{ turn: turn.id, quote: null }],
    session: turn?.session ?? '',
    origin: originOf(engine, 'pending'),
  }
}

/** Presents found memories as they may be handed out, as they were at the time that was asked about. */
export function presentMemories(
  asOf: number | null,
  state: UserState,
  found: readonly FoundMemory[],
): RecalledMemory[] {
  const versions = asOf === null ? found : found.flatMap((one) => versionOf(one, asOf))
  return versions.map((one) => presentOne(state, one))
}

/** A memory as it was at a time; none where it said nothing yet. */
function versionOf(found: FoundMemory, asOf: number): FoundMemory[] {
  const { memory } = found
  if (memory.form === 'utterance' || memory.validFrom <= asOf) return [found]
  const past = memory.past.find((version) => version.validFrom <= asOf && asOf < version.validUntil)
  return past === undefined ? [] : [{ ...found, memory: { ...memory, ...past, past: [] } }]
}

function presentOne(state: UserState, found: FoundMemory): RecalledMemory {
  const { score, parts, pending } = found
  const worded = presentMemory(state, found.memory)
  const last = pending ? state.turns.get(found.memory.evidence.at(-1)?.turn ?? '') : undefined
  const memory =
    last === undefined
      ? worded
      : { ...worded, learnedAt: last.at, validFrom: last.at, metadata: last.metadata }
  return { memory, score, parts, pending, evidence: presentEvidence(state, found) }
}

/** A memory with its words, and without quotes from withdrawn turns. */
function presentMemory(state: UserState, memory: Memory): Memory {
  const text = textOf(state, memory)
  const evidence = withoutWithdrawn(state, memory.evidence)
  const past = memory.past.map((version) => ({
    ...version,
    evidence: withoutWithdrawn(state, version.evidence),
  }))
  return { ...memory, text, evidence, past }
}

function presentEvidence(state: UserState, found: FoundMemory): RecalledEvidence[] {
  const evidence = restsOn(found.memory).flatMap(({ turn: id, quote }): RecalledEvidence[] => {
    const turn = state.turns.get(id)
    if (turn === undefined) return []
    const { session, role, speaker, at, timeZone } = turn
    const text = shownText(state, turn, quote)
    const metadata = text === null ? null : turn.metadata
    const score = found.turns.get(id) ?? 0
    return [{ turn: id, session, role, speaker, at, timeZone, text, metadata, score }]
  })
  return evidence.sort((one, other) => other.score - one.score)
}

/** The evidence that is shown: each turn of an utterance once, and the quotes of a statement. */
function restsOn(memory: Memory): readonly Evidence[] {
  if (memory.form !== 'utterance') return memory.evidence
  return [...new Set(turnsOf(memory))].map((turn) => ({ turn, quote: null }))
}

/** The words of a turn that may be shown: all while it is kept or waits, else the quoted ones, and none once it was withdrawn. */
function shownText(state: UserState, turn: Turn, quote: string | null): string | null {
  const keeper = state.utteranceOf(turn.id)
  if (keeper !== undefined) return keptText(turn, keeper)
  if (state.isPending(turn)) return turn.text
  return isWithdrawn(state, turn.id) ? null : quote
}

/** Whether something that rests on a turn was deleted and no live utterance keeps it: its words may no longer be shown. */
function isWithdrawn(state: UserState, turn: string): boolean {
  if (state.utteranceOf(turn) !== undefined) return false
  const { done = false } = state.memoriesOfTurn(turn, { statuses: ['deleted'] }).next()
  return !done
}

function withoutWithdrawn(state: UserState, evidence: readonly Evidence[]): readonly Evidence[] {
  if (!evidence.some(({ turn, quote }) => quote !== null && isWithdrawn(state, turn))) return evidence
  return evidence.map((one) => (isWithdrawn(state, one.turn) ? { ...one, quote: null } : one))
}
