// Finds the memories and turns that a request may mean.
import { BM25_ONLY } from '@keepsake/search'
import {
  conceptOf,
  findKeptTerms,
  findTerms,
  meansLastWords,
  readPartOfLife,
  readStatedKind,
  type StatedKind,
} from '@keepsake/text'
import type { ForgetRequest, Segment, Request } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Evidence } from '../memories/evidence.ts'
import { isRequestNote } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { containsAny, type EvidenceOrder, type RequestTarget } from './match-request.ts'
import { continuingSentences } from './resolve-pronouns.ts'
import { cacheSimilarity, contentWords } from './topic-meaning.ts'
import { listNames } from './topic-names.ts'

/** Maximum number of utterances that are compared with a request, which bounds its time. */
const MAX_UTTERANCES = 5_000
/** If this many words come before a request in its turn, "what I just said" means these words. */
const MIN_JUST_SAID_WORDS = 4
/** Maximum number of the user's turns that "what I just said" means. */
const MAX_JUST_SAID_TURNS = 4

function isStatement(memory: Memory): boolean {
  const { form } = memory
  return (form === 'fact' || form === 'note') && !isRequestNote(memory)
}

/** Reads a kind of statement ("my address") or a part of life ("my work") from a request's words. */
function readKind(about: string): StatedKind | null {
  return readStatedKind(about) ?? readPartOfLife(about)
}

/** Returns the live facts and notes, including uncommitted ones, and the utterances nearest to the request's words. */
export function listCandidates({ engine, row, state, changes }: UnitOfWork, about: string): Memory[] {
  const stored = state.listMemories({ scopes: new Set([row.scope]), forms: ['fact', 'note'] })
  const facts = [...stored].filter(isStatement)
  const uncommitted = changes.memories.filter((memory) => isStatement(memory) || memory.form === 'utterance')
  const now = engine.now()
  const words = `${about} ${readKind(about)?.words ?? ''}`
  const read = readQuestionFor(state.index, words, { now })
  const { hits } = searchIndex(state.index, { read, vector: null }, BM25_ONLY, {
    limit: MAX_UTTERANCES,
    now,
    kind: 'turn',
    scopes: new Set([row.scope]),
  })
  const utterances = hits.flatMap((hit) => state.utteranceOf(hit.id) ?? [])
  return withChanges(changes, [...facts, ...uncommitted, ...utterances])
}

/** Minimum share of a request's words that a plausible memory contains. Chosen, not measured. */
const MIN_SHARE = 0.5
/** A word in more memories than this is too general to identify one. */
const MAX_MEMORIES_PER_WORD = 8

/**
 * Finds memories that a request may mean although none contains all of its words: the earlier memories with most of the
 * words. They are deleted only after the user confirms it.
 *
 * @returns ids of the memories
 */
export async function findPlausible(
  unit: UnitOfWork,
  request: ForgetRequest & { readonly about: string },
): Promise<string[]> {
  const before = unit.state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
  const isEarlier = (source: Evidence): boolean => (unit.state.turns.get(source.turn)?.position ?? 0) < before
  const textOf = ({ turn, quote }: Evidence): string => quote ?? unit.state.turns.get(turn)?.text ?? ''
  const excluded = findKeptTerms(request.evidence.quote ?? '')
  const wordsOf = ({ text, evidence }: Memory): string => text || evidence.map(textOf).join(' ')
  const isPossible = (memory: Memory): boolean =>
    memory.evidence.every(isEarlier) && !containsAny(wordsOf(memory), excluded)
  const candidates = listCandidates(unit, request.about).filter(isPossible)
  const kind = readKind(request.about)
  const candidatesOfKind = candidates.filter(({ key, text, evidence }) => {
    const hasKey = key !== null && kind?.keys?.includes(key) === true
    return hasKey || [text, ...evidence.map(textOf)].some((words) => kind?.states.test(words))
  })
  if (candidatesOfKind.length > 0) return candidatesOfKind.map(({ id }) => id)
  // The index already has the terms of whole turns.
  const termsOf = ({ turn, quote }: Evidence): readonly string[] =>
    quote === null ? (unit.state.index.get(turn)?.terms ?? []) : findTerms(quote)
  const memories = await flatMapInPieces(candidates, ({ id, text, evidence }) => ({
    id,
    terms: new Set([...findTerms(text), ...evidence.flatMap(termsOf)].map(conceptOf)),
  }))
  const requestTerms = [...new Set(findTerms(request.about).map(conceptOf))]
  const specific = requestTerms.filter((term) => {
    const count = memories.filter(({ terms }) => terms.has(term)).length
    return count > 0 && count <= MAX_MEMORIES_PER_WORD
  })
  if (specific.length === 0)
    return request.doubt === undefined ? findSimilar(unit, request.about, wordsOf, isPossible) : []
  // A number of three digits or more identifies a memory by itself.
  const hasNumber = specific.some((term) => /\d{3}/.test(term))
  const isMostlyUnknown = specific.length < MIN_SHARE * requestTerms.length && !hasNumber
  if (request.doubt !== undefined && request.doubt !== 'topic' && isMostlyUnknown) return []
  const counts = memories.map(({ terms }) => specific.filter((term) => terms.has(term)).length)
  const best = Math.max(...counts)
  if (best < MIN_SHARE * specific.length) return []
  return memories.flatMap(({ id }, index) => (counts[index] === best ? [id] : []))
}

/** Minimum similarity of each word of a topic to a word of a memory: “pregnancy” and “pregnant” have 0.67, “rent” and “landlord” 0.6. */
const MIN_WORD_SIMILARITY = 0.55
/** Maximum number of memories that are compared by meaning, the latest first. */
const MAX_COMPARED = 1_000

/** Finds memories with other words of the same meaning. Names are not compared, because all names are similar. */
async function findSimilar(
  { engine, row, state, changes }: UnitOfWork,
  about: string,
  wordsOf: (memory: Memory) => string,
  isPossible: (memory: Memory) => boolean,
): Promise<string[]> {
  const words = contentWords(about)
  if (words.length === 0 || listNames(about).length > 0) return []
  const similarity = cacheSimilarity(engine.wordVectors)
  const stored = state.listMemories({ scopes: new Set([row.scope]), forms: ['fact', 'note', 'utterance'] })
  const latest = withChanges(changes, [...stored].slice(-MAX_COMPARED)).filter(
    (memory) => !isRequestNote(memory),
  )
  return flatMapInPieces(latest, (memory) => {
    const others = contentWords(wordsOf(memory))
    const isMet = (word: string): boolean =>
      others.some((other) => similarity(word, other) >= MIN_WORD_SIMILARITY)
    return isPossible(memory) && words.every(isMet) ? [memory.id] : []
  })
}

/** Returns the memories that are live after the change set, each once. */
function withChanges(changes: ChangeSet, memories: readonly Memory[]): Memory[] {
  const current = new Map(memories.map((memory) => [memory.id, changes.read(memory.id) ?? memory]))
  return [...current.values()].filter((memory) => memory.status === 'live')
}

/** Makes targets of memories, with the texts of their evidence. */
export function toTargets(memories: readonly Memory[], turns: ReadonlyMap<string, Turn>): RequestTarget[] {
  return memories.map((memory) => ({
    memory,
    evidenceTexts: memory.evidence.map(({ turn, quote }) => quote ?? turns.get(turn)?.text ?? ''),
  }))
}

/** Reads the turns of the memories' evidence, by id. */
export async function readEvidenceTurns(
  { engine, row }: Pick<UnitOfWork, 'engine' | 'row'>,
  memories: readonly Memory[],
): Promise<ReadonlyMap<string, Turn>> {
  return readTurns(engine, row.owner, memories.flatMap(turnsOf))
}

/** Returns a function that orders evidence relative to the request: by turn, and within the request's turn by position. */
export function orderEvidence(
  state: UserState,
  request: Request,
  source: Turn | undefined,
): (evidence: Evidence) => EvidenceOrder {
  const { turn, quote } = request.evidence
  const position = state.turns.get(turn)?.position ?? Number.POSITIVE_INFINITY
  return (evidence) => {
    if (evidence.turn !== turn)
      return (state.turns.get(evidence.turn)?.position ?? 0) < position ? 'before' : 'after'
    if (quote === null || evidence.quote === null || evidence.quote === quote) return 'request'
    if (source === undefined) return 'request'
    return source.text.indexOf(evidence.quote) < source.text.indexOf(quote) ? 'before' : 'after'
  }
}

/** Returns the words before a request in its own turn. */
export function textBefore(request: Request, source: Turn | undefined): string {
  const { quote } = request.evidence
  const before = source?.text.slice(0, Math.max(0, source.text.indexOf(quote ?? source.text))) ?? ''
  return request.kind === 'forget' ? `${before} ${request.lead ?? ''}` : before
}

/** Returns the turns of the session before a request, the latest first. */
export function turnsBefore(
  { row, state }: Pick<UnitOfWork, 'row' | 'state'>,
  request: Request,
  maxTurns: number,
): Turn[] {
  const source = state.turns.get(request.evidence.turn)
  if (source === undefined) return []
  const from = Math.max(0, source.position - maxTurns - 1)
  return state
    .turnsAfter(row.scope, from, { upTo: source.position - 1 })
    .filter(({ session }) => session === source.session)
    .toReversed()
}

/**
 * Returns ids of the turns that “what I just said” means. If enough words come before the request in its turn, its turn is
 * meant. Else the user's previous turn is meant, and the turns that this one continues by a pronoun.
 */
export function findJustSaid(unit: UnitOfWork, request: Request, requestTurn: Turn | undefined): string[] {
  const before = textBefore(request, requestTurn)
  const words = before.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []
  if (words.length >= MIN_JUST_SAID_WORDS && !meansLastWords(before, before)) return [request.evidence.turn]
  const earlier = turnsBefore(unit, request, 2 * MAX_JUST_SAID_TURNS).filter((turn) => turn.role === 'user')
  // The latest turn comes first. A turn that continues none by a pronoun begins the statement.
  const first = earlier.findIndex(({ text }) => continuingSentences(text, []).length === 0)
  const statement = earlier.slice(0, first < 0 ? 1 : Math.min(first + 1, MAX_JUST_SAID_TURNS))
  return statement.map((turn) => turn.id)
}

/** Returns the live memories with evidence in any of these turns, including uncommitted ones. */
export function listMemoriesOfTurns({ state, changes }: UnitOfWork, turns: Iterable<string>): Memory[] {
  const ids = new Set(turns)
  const stored = [...ids].flatMap((turn) => [...state.memoriesOfTurn(turn)])
  const added = changes.memories.filter((memory) => memory.evidence.some((source) => ids.has(source.turn)))
  return withChanges(changes, [...stored, ...added]).filter((memory) => !isRequestNote(memory))
}

/** Returns the names of the speakers of a segment. */
export function speakersOf({ turns }: Segment): string[] {
  return [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))]
}
