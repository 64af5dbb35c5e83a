// Checks the requests to forget that a language model extracted: their meaning, their words, and how much they would delete.
import { HYBRID } from '@keepsake/search'
import { findTerms, maskUnspoken, ModelError, readInstruction } from '@keepsake/text'
import type { Extraction, ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { supportsForgetRequest, likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import { findAddressedPerson } from '../extraction/rules/find-addressee.ts'
import { sureRequestsIn } from '../extraction/rules/hear-requests.ts'
import { restsOn } from '../memories/evidence.ts'
import { isLiveFact } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { chooseMeantPrompt, type ChooseMeantAnswer } from '../prompts/choose-meant.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import type { Turn } from '../turns/turn.ts'
import { memoriesOf, type ScopeView } from '../work/scope-view.ts'
import { speakersOf, turnsBefore } from './find-targets.ts'
import { withoutRequests } from './pending-requests.ts'
import { mentionsTopic, readTopic } from './read-topic.ts'

/** The meaning of a request that a model found. It is used in addition to the words of the request. */
export interface RequestMeaning {
  /** `false` for a joke or a figure of speech. */
  readonly isRequest: boolean
  /** Ids of the turns to forget. */
  readonly turns: readonly string[]
  /** Ids of the memories to forget. */
  readonly memories: readonly string[]
  /** Names of people in the topic. Other turns and memories with these names are forgotten as well. */
  readonly names: readonly string[]
}

function isForgetRequest(request: Request): request is ForgetRequest {
  return request.kind === 'forget'
}

/** Returns the user's own words of a turn, without quoted and pasted text. */
function ownWords({ turns }: Segment, id: string): string {
  return maskUnspoken(turns.find((turn) => turn.id === id)?.text ?? '')
}

/** Adds the requests to forget that only rules found. Removes the model's requests that the user's own words do not support. */
export function addHeardRequests(segment: Segment, extraction: Extraction): Extraction {
  const byRules = sureRequestsIn(segment)
  const isSupported = ({ evidence: { turn: id, quote } }: ForgetRequest): boolean => {
    const turn = segment.turns.find((candidate) => candidate.id === id)
    if (turn?.role !== 'user' || findAddressedPerson(turn, quote, segment.users ?? []) !== null) return false
    if (byRules.some(({ evidence }) => evidence.turn === id)) return true
    // “Never mention Tom” asks how to reply, and forgets nothing.
    return supportsForgetRequest(turn.text, quote) && readInstruction(quote ?? turn.text)?.isStanding !== true
  }
  const requests = extraction.requests.filter((request) => !isForgetRequest(request) || isSupported(request))
  const turns = new Set(requests.filter(isForgetRequest).map(({ evidence }) => evidence.turn))
  const missed = byRules.filter(({ evidence }) => !turns.has(evidence.turn))
  return { ...extraction, requests: [...requests, ...missed] }
}

/** Limits of the prompt. With them it has at most about 46 lines or 1,600 tokens. */
const MAX_HITS = 12
const MAX_TURNS_BEFORE = 8
const TURNS_AROUND_HIT = 2
const MAX_TURNS = 28
const MAX_MEMORIES = 18
/** Maximum number of requests of a segment about which the model is asked. More requests are probably pasted text. */
const MAX_REQUESTS = 4

/** The turns and memories that a request may mean. */
interface RequestCandidates {
  readonly turns: readonly Turn[]
  readonly memories: readonly Memory[]
}

/**
 * Asks a language model, once per request, which turns and memories a request to forget means. A request without a usable
 * answer is not in the result, so that only its words count.
 *
 * @throws ModelError when the call fails
 */
export async function askMeanings(
  view: ScopeView,
  segment: Segment,
  requests: readonly Request[],
  ask: AskModel,
): Promise<ReadonlyMap<Request, RequestMeaning>> {
  const meanings = new Map<Request, RequestMeaning>()
  const ownRequests = requests.filter(isForgetRequest).filter((request) => isOwn(segment, request))
  for (const request of ownRequests.slice(0, MAX_REQUESTS)) {
    const candidates = await listCandidates(view, segment, request)
    if (candidates.turns.length + candidates.memories.length === 0) continue
    const answer = await askMeaning(segment, request, candidates, ask)
    if (answer !== null) meanings.set(request, readMeaning(answer, candidates, speakersOf(segment)))
  }
  return meanings
}

/** Checks that the request is in the user's own words and not inside quotation marks. */
function isOwn(segment: Segment, { evidence: { turn: id, quote } }: ForgetRequest): boolean {
  const text = segment.turns.find((turn) => turn.id === id)?.text ?? ''
  const start = quote === null ? 0 : text.indexOf(quote)
  const words = ownWords(segment, id).slice(start, start + (quote ?? text).length)
  return start >= 0 && /[\p{L}\p{N}]/u.test(words)
}

/** Asks the model about one request; `null` without a usable answer. */
async function askMeaning(
  segment: Segment,
  { about, evidence }: ForgetRequest,
  { turns, memories }: RequestCandidates,
  ask: AskModel,
): Promise<ChooseMeantAnswer | null> {
  const turn = segment.turns.find(({ id }) => id === evidence.turn)
  const request = turn?.text ?? evidence.quote ?? about ?? ''
  const language = promptLanguage([request, ...turns.map(({ text }) => text)])
  try {
    return await ask.ask(chooseMeantPrompt, { request, about, turns, memories }, { language })
  } catch (error) {
    if (error instanceof ModelError && error.code === 'model-answer') return null
    throw error
  }
}

/** Lists the turns that a request may mean, and their facts. The turns are those before it, and hits with their neighbours. */
async function listCandidates(
  view: ScopeView,
  segment: Segment,
  request: ForgetRequest,
): Promise<RequestCandidates> {
  const { state } = view
  const position = state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
  const hits = await searchRequest(view, segment, request)
  const before = turnsBefore(view, request, MAX_TURNS_BEFORE)
  const near = listTurnsAround(view, hits.turns)
  const chosen = new Map([...before, ...near].map((turn) => [turn.id, turn]))
  const turns = [...chosen.values()]
    .filter((turn) => turn.position < position)
    .slice(0, MAX_TURNS)
    .sort((a, b) => a.position - b.position)
  const facts = turns.flatMap((turn) => [...state.memoriesOfTurn(turn.id)]).filter(isLiveFact)
  const memories = new Map([...hits.memories, ...facts].map((memory) => [memory.id, memory]))
  return { turns, memories: [...memories.values()].slice(0, MAX_MEMORIES) }
}

interface SearchHits {
  /** Ids of turns. */
  readonly turns: readonly string[]
  readonly memories: readonly Memory[]
}

/**
 * Searches by the request's topic and by its whole turn, because other words of the turn may make a vague topic clear: “that
 * call on Tuesday”. Hits of both searches alternate.
 */
async function searchRequest(
  view: ScopeView,
  { turns }: Segment,
  { about, evidence }: ForgetRequest,
): Promise<SearchHits> {
  const now = turns.at(-1)?.at ?? view.engine.now()
  const turnText = turns.find(({ id }) => id === evidence.turn)?.text ?? evidence.quote ?? ''
  const queries = new Set([about ?? evidence.quote ?? turnText, turnText])
  const found = await Promise.all([...queries].map((query) => search(view, query, now)))
  return {
    turns: interleave(found.map((hits) => hits.turns)),
    memories: interleave(found.map((hits) => hits.memories)),
  }
}

/** Interleaves lists of hits, and removes repetitions. */
function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const items = new Set<Item>()
  for (let rank = 0; rank < MAX_HITS; rank += 1)
    for (const item of lists.flatMap((list) => list[rank] ?? [])) items.add(item)
  return [...items]
}

async function search({ engine, row, state }: ScopeView, text: string, now: number): Promise<SearchHits> {
  const read = readQuestionFor(state.index, text, { now })
  const [embedded] = await engine.embedding.embed([read.about])
  const vector = embedded !== undefined && state.index.takes(embedded) ? embedded : null
  const options = { limit: MAX_HITS, now, scopes: new Set([row.scope]) }
  const turns = searchIndex(state.index, { read, vector }, HYBRID, { ...options, kind: 'turn' })
  const memories = searchIndex(state.index, { read, vector }, HYBRID, { ...options, kind: 'memory' })
  return {
    turns: turns.hits.map(({ id }) => id),
    memories: memories.hits.flatMap(({ id }) => state.memories.get(id) ?? []).filter(isLiveFact),
  }
}

/** Returns the hits with the turns around them, the best hit first. Neighbours whose utterance was deleted are left out. */
function listTurnsAround({ row, state }: ScopeView, hits: readonly string[]): readonly Turn[] {
  return hits.flatMap((id) => {
    const hit = state.turns.get(id)
    if (hit === undefined) return []
    const from = Math.max(0, hit.position - TURNS_AROUND_HIT - 1)
    return state
      .turnsAfter(row.scope, from, { limit: 2 * TURNS_AROUND_HIT + 1 })
      .filter(
        (turn) =>
          turn.session === hit.session && (turn.id === id || state.utteranceOf(turn.id) !== undefined),
      )
  })
}

/** Reads a model's choice. A name is accepted only if the chosen lines mention it and no other line mentions it. */
function readMeaning(
  answer: ChooseMeantAnswer,
  { turns, memories }: RequestCandidates,
  speakers: readonly string[],
): RequestMeaning {
  const chosenTurns = turns.filter((_, index) => answer.turns.includes(index + 1))
  const chosenMemories = memories.filter((_, index) => answer.memories.includes(index + 1))
  const chosen: readonly { readonly text: string }[] = [...chosenTurns, ...chosenMemories]
  const others = [...turns, ...memories].filter((line) => !chosen.includes(line))
  const isAccepted = (name: string): boolean => {
    if (name.length <= 1 || speakers.includes(name)) return false
    const topic = readTopic(name)
    const mentions = ({ text }: { readonly text: string }): boolean => mentionsTopic(topic, text)
    return chosen.some(mentions) && !others.some(mentions)
  }
  return {
    isRequest: answer.earnest,
    turns: chosenTurns.map(({ id }) => id),
    memories: chosenMemories.map(({ id }) => id),
    names: answer.names.map((name) => name.trim()).filter(isAccepted),
  }
}

/**
 * Removes the requests that the model's answer about their meaning denies. Requests that rules found in the same turns
 * replace them, because one wrong answer must not lose a request. A deletion stays if its memory is part of the meaning, or
 * is named in the turn.
 *
 * @param related the memories that deletions refer to by number
 */
export function applyMeanings(
  segment: Segment,
  extraction: Extraction,
  meanings: ReadonlyMap<Request, RequestMeaning>,
  related: readonly Memory[],
): Extraction {
  const isDenied = (request: ForgetRequest): boolean =>
    deniesRequest(meanings.get(request), request.about, ownWords(segment, request.evidence.turn))
  const deniedRequests = extraction.requests.filter(isForgetRequest).filter(isDenied)
  const denied = new Set(deniedRequests.map(({ evidence }) => evidence.turn))
  const byRules = sureRequestsIn(segment).filter(({ evidence }) => denied.has(evidence.turn))
  const { requests, operations = [], ...rest } = withoutRequests(extraction, denied, (why) => why === 'asked')
  const isMeant = (memory: Memory | undefined, turn: string): boolean => {
    const requestsOfTurn = requests.filter(isForgetRequest).filter(({ evidence }) => evidence.turn === turn)
    const meaningsOfTurn = requestsOfTurn.flatMap((request) => meanings.get(request) ?? [])
    if (memory === undefined || meaningsOfTurn.length === 0) return true
    const isInMeaning = meaningsOfTurn.some(
      ({ memories, turns }) => memories.includes(memory.id) || turns.some((id) => restsOn(memory, id)),
    )
    return isInMeaning || sharesTerm(memory.text, ownWords(segment, turn))
  }
  return {
    ...rest,
    requests: [...requests, ...byRules],
    operations: operations.filter(
      (operation) =>
        operation.kind !== 'delete' ||
        operation.why !== 'asked' ||
        operation.evidence.some(({ turn }) => isMeant(related[operation.index - 1], turn)),
    ),
  }
}

/** Checks whether the meaning denies a request: the request is a joke, or it means nothing and its turn lacks the topic. */
function deniesRequest(meaning: RequestMeaning | undefined, about: string | null, words: string): boolean {
  const isSaid = about !== null && sharesTerm(about, words)
  if (meaning === undefined) return !isSaid && !likelyAsksToForget(words)
  const isEmpty = meaning.memories.length + meaning.turns.length === 0
  return !meaning.isRequest || (isEmpty && about !== null && !isSaid)
}

/** Terms of every memory, which identify none. */
const GENERAL_TERMS = new Set(findTerms('user users 用户'))

function sharesTerm(first: string, second: string): boolean {
  const terms = new Set(findTerms(second))
  return findTerms(first).some((term) => terms.has(term) && !GENERAL_TERMS.has(term))
}

/** A request that deletes at least this many facts, and more than this share of all facts, deletes nearly everything. Chosen, not measured. */
const MIN_WIDE_FACTS = 3
const MAX_SHARE = 2 / 3

/** An extraction with the meanings of its requests. */
export interface InterpretedExtraction {
  readonly extraction: Extraction
  readonly meanings: ReadonlyMap<Request, RequestMeaning>
}

/**
 * Removes requests that would delete nearly everything because of the model's answer. A narrower request that rules found in
 * the turn replaces such a request. Without one, the turn is listed in `pending`, and waits for a confirmation.
 */
export function limitRequests(
  view: ScopeView,
  segment: Segment,
  { extraction, meanings }: InterpretedExtraction,
  related: readonly Memory[],
): InterpretedExtraction & { readonly pending: ReadonlySet<string> } {
  const requests = extraction.requests.filter(isForgetRequest)
  // Lists all facts only if there is a request, which is rare.
  if (requests.length === 0) return { extraction, meanings, pending: new Set() }
  const facts = memoriesOf(view).filter(isLiveFact)
  const isWide = (request: ForgetRequest): boolean => {
    const { turn } = request.evidence
    const meaning = meanings.get(request)
    const deletions = (extraction.operations ?? []).filter(
      (operation) =>
        operation.kind === 'delete' &&
        operation.why === 'asked' &&
        operation.evidence.some((source) => source.turn === turn),
    )
    const deletedIds = deletions.flatMap((operation) =>
      operation.kind === 'delete' ? (related[operation.index - 1]?.id ?? []) : [],
    )
    const ids = new Set([...deletedIds, ...(meaning?.memories ?? [])])
    const turns = new Set(meaning?.turns)
    const deletedFacts = facts.filter(({ id, evidence }) => {
      const restsOnTurns = evidence.length > 0 && evidence.every((source) => turns.has(source.turn))
      return ids.has(id) || restsOnTurns
    })
    return deletedFacts.length >= MIN_WIDE_FACTS && deletedFacts.length > facts.length * MAX_SHARE
  }
  const wide = new Set(requests.filter(isWide).map(({ evidence }) => evidence.turn))
  if (wide.size === 0) return { extraction, meanings, pending: wide }
  const byRules = sureRequestsIn(segment).filter(({ evidence }) => wide.has(evidence.turn))
  const rest = withoutRequests(extraction, wide)
  const isOfWideTurn = (request: Request): boolean =>
    isForgetRequest(request) && wide.has(request.evidence.turn)
  return {
    extraction: { ...rest, requests: [...rest.requests, ...byRules] },
    meanings: new Map([...meanings].filter(([request]) => !isOfWideTurn(request))),
    pending: wide.difference(new Set(byRules.map(({ evidence }) => evidence.turn))),
  }
}
