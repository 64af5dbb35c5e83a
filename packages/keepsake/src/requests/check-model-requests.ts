// Checks the requests to forget that a language model extracted: what they mean, whether they were said, how much they delete.
import { HYBRID } from '@keepsake/search'
import { findTerms, maskUnspoken, ModelError } from '@keepsake/text'
import type { Extraction, ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { isAskedIn, likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
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

/** What a model says that a request means. It is used in addition to the words of the request. */
export interface RequestMeaning {
  /** `false` for a joke or a figure of speech. */
  readonly isRequest: boolean
  /** Ids of the turns that are meant. */
  readonly turns: readonly string[]
  /** Ids of the memories that are meant. */
  readonly memories: readonly string[]
  /** Names of people in the topic. Other turns and memories with these names are meant as well. */
  readonly names: readonly string[]
}

function isForgetRequest(request: Request): request is ForgetRequest {
  return request.kind === 'forget'
}

/** Returns the user's own words of a turn, without what is quoted or pasted. */
function ownWords({ turns }: Segment, id: string): string {
  return maskUnspoken(turns.find((turn) => turn.id === id)?.text ?? '')
}

/**
 * Adds the requests to forget that rules found in turns where the model found none, and removes the model's requests whose
 * turn does not ask in the user's own words.
 */
export function addHeardRequests(segment: Segment, extraction: Extraction): Extraction {
  const byRules = askedIn(segment)
  const isSupported = ({ evidence: { turn: id, quote } }: ForgetRequest): boolean => {
    const turn = segment.turns.find((one) => one.id === id)
    if (turn?.role !== 'user') return false
    return isAskedIn(turn.text, quote) || byRules.some(({ evidence }) => evidence.turn === id)
  }
  const requests = extraction.requests.filter((request) => !isForgetRequest(request) || isSupported(request))
  const turns = new Set(requests.filter(isForgetRequest).map(({ evidence }) => evidence.turn))
  const missed = byRules.filter(({ evidence }) => !turns.has(evidence.turn))
  return { ...extraction, requests: [...requests, ...missed] }
}

/** Limits of the prompt, which has at most about 46 lines or 1,600 tokens. */
const MAX_HITS = 12
const MAX_TURNS_BEFORE = 8
const TURNS_AROUND_HIT = 2
const MAX_TURNS = 28
const MAX_MEMORIES = 18
/** Maximum number of requests of a segment that a model is asked about. A longer list is pasted text. */
const MAX_REQUESTS = 4

interface RequestCandidates {
  readonly turns: readonly Turn[]
  readonly memories: readonly Memory[]
}

/**
 * Asks a language model, once per request, which turns and memories a request to forget means. A request without a usable
 * answer has no meaning in the result, so that only its words count.
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
  const own = requests.filter(isForgetRequest).filter((request) => isOwn(segment, request))
  for (const request of own.slice(0, MAX_REQUESTS)) {
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

/** Lists what a request may mean: hits for its words with the turns around them, the turns before it, and the facts of all these turns. */
async function listCandidates(
  view: ScopeView,
  segment: Segment,
  request: ForgetRequest,
): Promise<RequestCandidates> {
  const { state } = view
  const position = state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
  const found = await searchRequest(view, segment, request)
  const before = turnsBefore(view, request, MAX_TURNS_BEFORE)
  const near = listTurnsAround(view, found.turns)
  const chosen = new Map([...before, ...near].map((turn) => [turn.id, turn]))
  const turns = [...chosen.values()]
    .filter((turn) => turn.position < position)
    .slice(0, MAX_TURNS)
    .sort((a, b) => a.position - b.position)
  const facts = turns.flatMap((turn) => [...state.memoriesOfTurn(turn.id)]).filter(isLiveFact)
  const memories = new Map([...found.memories, ...facts].map((memory) => [memory.id, memory]))
  return { turns, memories: [...memories.values()].slice(0, MAX_MEMORIES) }
}

interface SearchHits {
  /** Ids of turns. */
  readonly turns: readonly string[]
  readonly memories: readonly Memory[]
}

/**
 * Searches by the request's topic and by its whole turn, because a vague topic ("that call") often stands beside a time or an
 * occasion. Hits of both searches alternate.
 */
async function searchRequest(
  view: ScopeView,
  { turns }: Segment,
  { about, evidence }: ForgetRequest,
): Promise<SearchHits> {
  const now = turns.at(-1)?.at ?? view.engine.now()
  const whole = turns.find(({ id }) => id === evidence.turn)?.text ?? evidence.quote ?? ''
  const texts = new Set([about ?? evidence.quote ?? whole, whole])
  const found = await Promise.all([...texts].map((text) => search(view, text, now)))
  const alternate = <Item>(lists: readonly (readonly Item[])[]): Item[] => {
    const ranks = Array.from({ length: MAX_HITS }, (_, rank) => rank)
    return [...new Set(ranks.flatMap((rank) => lists.flatMap((list) => list[rank] ?? [])))]
  }
  return {
    turns: alternate(found.map((hits) => hits.turns)),
    memories: alternate(found.map((hits) => hits.memories)),
  }
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

/** Returns the turns around hits, the best hit first, without deleted turns. */
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

/** Reads a model's choice. A name is accepted only if chosen lines mention it and no other line does. */
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
 * Removes the requests that the model's second answer denies. Requests that rules found in the same turns replace them,
 * because a request must not depend on one answer. A deletion stays if its memory is meant, or named in the turn.
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
  const denied = new Set(
    extraction.requests
      .filter(isForgetRequest)
      .filter(isDenied)
      .map(({ evidence }) => evidence.turn),
  )
  const byRules = askedIn(segment).filter(({ evidence }) => denied.has(evidence.turn))
  const { requests, operations = [], ...rest } = withoutRequests(extraction, denied, (why) => why === 'asked')
  const isMeant = (memory: Memory | undefined, turn: string): boolean => {
    const ofTurn = requests
      .filter(isForgetRequest)
      .filter(({ evidence }) => evidence.turn === turn)
      .flatMap((request) => meanings.get(request) ?? [])
    if (memory === undefined || ofTurn.length === 0) return true
    const isNamed = ofTurn.some(
      ({ memories, turns }) => memories.includes(memory.id) || turns.some((id) => restsOn(memory, id)),
    )
    return isNamed || sharesTerm(memory.text, ownWords(segment, turn))
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

/** Checks whether a meaning denies its request: it is a joke, or nothing is meant and the topic was not said. */
function deniesRequest(meaning: RequestMeaning | undefined, about: string | null, words: string): boolean {
  const isSaid = about !== null && sharesTerm(about, words)
  if (meaning === undefined) return !isSaid && !likelyAsksToForget(words)
  const isEmpty = meaning.memories.length + meaning.turns.length === 0
  return !meaning.isRequest || (isEmpty && about !== null && !isSaid)
}

/** Terms of every memory, which identify none. */
const GENERAL_TERMS = new Set(findTerms('user users 用户'))

function sharesTerm(one: string, other: string): boolean {
  const terms = new Set(findTerms(other))
  return findTerms(one).some((term) => terms.has(term) && !GENERAL_TERMS.has(term))
}

/** Minimum number of facts that count as nearly everything. */
const MIN_WIDE_FACTS = 3
/** Maximum share of the known facts that one topic can cover. */
const MAX_SHARE = 2 / 3

/** An extraction with what the model says that its requests mean. */
export interface InterpretedExtraction {
  readonly extraction: Extraction
  readonly meanings: ReadonlyMap<Request, RequestMeaning>
}

/**
 * Removes requests that would delete nearly everything because only a model understood them so. A narrower request that
 * rules found in the turn replaces it; without one, the turn is listed in `pending`: it waits for a confirmation.
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
    const deletions = (extraction.operations ?? []).flatMap((operation) =>
      operation.kind === 'delete' &&
      operation.why === 'asked' &&
      operation.evidence.some((source) => source.turn === turn)
        ? (related[operation.index - 1]?.id ?? [])
        : [],
    )
    const ids = new Set([...deletions, ...(meaning?.memories ?? [])])
    const turns = new Set(meaning?.turns)
    const deleted = facts.filter(
      ({ id, evidence }) =>
        ids.has(id) || (evidence.length > 0 && evidence.every((source) => turns.has(source.turn))),
    )
    return deleted.length >= MIN_WIDE_FACTS && deleted.length > facts.length * MAX_SHARE
  }
  const wide = new Set(requests.filter(isWide).map(({ evidence }) => evidence.turn))
  if (wide.size === 0) return { extraction, meanings, pending: wide }
  const byRules = askedIn(segment).filter(({ evidence }) => wide.has(evidence.turn))
  const rest = withoutRequests(extraction, wide)
  const isOfWideTurn = (request: Request): boolean =>
    isForgetRequest(request) && wide.has(request.evidence.turn)
  return {
    extraction: { ...rest, requests: [...rest.requests, ...byRules] },
    meanings: new Map([...meanings].filter(([request]) => !isOfWideTurn(request))),
    pending: wide.difference(new Set(byRules.map(({ evidence }) => evidence.turn))),
  }
}
