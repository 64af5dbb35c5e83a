import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import type { Extraction, ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import { ModelError, findTerms, maskUnspoken } from '@keepsake/text'
import { tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { chooseMeantPrompt, type ChooseMeantAnswer } from '../prompts/choose-meant.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { HYBRID } from '@keepsake/search'
import type { Turn } from '../turns/turn.ts'
import type { ScopeView } from '../work/scope-view.ts'
import { speakersOf, turnsBefore } from './find-targets.ts'
import { withoutRequests } from './hold-requests.ts'
import { readTopic, tellsOf } from './read-topic.ts'

/** The model's reading of a request, in addition to word matches. */
export interface RequestMeaning {
  /** `false` for a joke or a figure of speech. */
  readonly isRequest: boolean
  readonly turns: readonly string[]
  readonly memories: readonly string[]
  /** Other turns and memories with these names belong to the matter. */
  readonly names: readonly string[]
}

/** Hits of each kind, preceding turns, and turns around a hit: at most some 46 lines or 1,600 tokens. */
const HITS = 12
const TURNS_BEFORE = 8
const TURNS_AROUND = 2
const MOST_TURNS = 28
const MOST_MEMORIES = 18
/** Maximum number of requests per segment put to a model; longer lists are pasted text. */
const MOST_REQUESTS = 4

interface RequestCandidates {
  readonly turns: readonly Turn[]
  readonly memories: readonly Memory[]
}

/**
 * Asks a language model, once per request, which candidates each request to forget refers to. An unusable answer falls back to the
 * request's words.
 *
 * @throws ModelError when the call fails
 */
export async function askMeant(
  view: ScopeView,
  segment: Segment,
  requests: readonly Request[],
  ask: AskModel,
): Promise<ReadonlyMap<Request, RequestMeaning>> {
  const meant = new Map<Request, RequestMeaning>()
  const forgetRequests = requests.filter(
    (request): request is ForgetRequest => request.kind === 'forget' && isSpoken(segment, request),
  )
  for (const request of forgetRequests.slice(0, MOST_REQUESTS)) {
    const candidates = await gatherCandidates(view, segment, request)
    if (candidates.turns.length + candidates.memories.length === 0) continue
    const answer = await choose(segment, request, candidates, ask)
    if (answer !== null) meant.set(request, readMeant(answer, candidates, speakersOf(segment)))
  }
  return meant
}

/**
 * Removes requests that the check denied, and those with a topic that was not said and for which it chose nothing. Those that rules heard in the
 * same turns take their place, because they must not depend on one answer. A deletion stays where the check or the user names its memory.
 *
 * @param related the memories that deletions number
 */
export function keepChecked(
  segment: Segment,
  extraction: Extraction,
  meant: ReadonlyMap<Request, RequestMeaning>,
  related: readonly Memory[],
): Extraction {
  const denied = new Set(
    extraction.requests.flatMap((request) =>
      request.kind === 'forget' && isDenied(segment, request, meant.get(request))
        ? [request.evidence.turn]
        : [],
    ),
  )
  const heard = askedIn(segment).filter(({ evidence }) => denied.has(evidence.turn))
  const { requests, operations = [], ...rest } = withoutRequests(extraction, denied, (why) => why === 'asked')
  const isNamed = (memory: Memory | undefined, turn: string): boolean => {
    const meanings = requests.flatMap((request) =>
      request.kind === 'forget' && request.evidence.turn === turn ? (meant.get(request) ?? []) : [],
    )
    if (memory === undefined || meanings.length === 0) return true
    const isMeant = ({ memories, turns }: RequestMeaning): boolean =>
      memories.includes(memory.id) || memory.evidence.some((source) => turns.includes(source.turn))
    return meanings.some(isMeant) || sharesTerm(memory.text, spokenIn(segment, turn))
  }
  return {
    ...rest,
    requests: [...requests, ...heard],
    operations: operations.filter(
      (one) =>
        one.kind !== 'delete' ||
        one.why !== 'asked' ||
        one.evidence.some(({ turn }) => isNamed(related[one.index - 1], turn)),
    ),
  }
}

function isDenied(
  segment: Segment,
  { about, evidence }: ForgetRequest,
  meaning: RequestMeaning | undefined,
): boolean {
  const spoken = spokenIn(segment, evidence.turn)
  const isSaid = about !== null && sharesTerm(about, spoken)
  if (meaning === undefined) return !isSaid && !likelyAsksToForget(spoken)
  const isEmpty = meaning.memories.length + meaning.turns.length === 0
  return !meaning.isRequest || (isEmpty && about !== null && !isSaid)
}

const spokenIn = ({ turns }: Segment, id: string): string =>
  maskUnspoken(turns.find((turn) => turn.id === id)?.text ?? '')

/** Words of every memory that name nothing. */
const OF_ANY = new Set(findTerms('user users 用户'))

function sharesTerm(one: string, other: string): boolean {
  const terms = new Set(findTerms(other))
  return findTerms(one).some((term) => terms.has(term) && !OF_ANY.has(term))
}

/** Checks that the user asserts the request: one inside quotation marks is another speaker's, and no candidates are searched. */
export function isSpoken({ turns }: Segment, { evidence: { turn: id, quote } }: ForgetRequest): boolean {
  const text = turns.find((turn) => turn.id === id)?.text ?? ''
  const index = quote === null ? 0 : text.indexOf(quote)
  return index >= 0 && /[\p{L}\p{N}]/u.test(maskUnspoken(text).slice(index, index + (quote ?? text).length))
}

async function choose(
  segment: Segment,
  { about, evidence }: ForgetRequest,
  { turns, memories }: RequestCandidates,
  ask: AskModel,
): Promise<ChooseMeantAnswer | null> {
  const asker = segment.turns.find((turn) => turn.id === evidence.turn)
  const request = asker?.text ?? evidence.quote ?? about ?? ''
  const language = promptLanguage([request, ...turns.map(({ text }) => text)])
  try {
    return await ask.ask(chooseMeantPrompt, { request, about, turns, memories }, { language })
  } catch (error) {
    if (error instanceof ModelError && error.code === 'model-answer') return null
    throw error
  }
}

/** Gathers candidates: the nearest to the request's words, their context, the turns before, and the facts of them all. */
async function gatherCandidates(
  view: ScopeView,
  segment: Segment,
  request: ForgetRequest,
): Promise<RequestCandidates> {
  const { state } = view
  const position = state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
  const found = await searchAll(view, segment, request)
  const near = turnsAround(view, found.turns)
  const before = turnsBefore(view, request, TURNS_BEFORE)
  const chosen = new Map([...before, ...near].map((turn) => [turn.id, turn]))
  const turns = [...chosen.values()]
    .filter((turn) => turn.position < position)
    .slice(0, MOST_TURNS)
    .sort((a, b) => a.position - b.position)
  const drawn = turns.flatMap((turn) => [...state.memoriesOfTurn(turn.id)]).filter(isKept)
  const memories = new Map([...found.memories, ...drawn].map((memory) => [memory.id, memory]))
  return { turns, memories: [...memories.values()].slice(0, MOST_MEMORIES) }
}

function isKept(memory: Memory): boolean {
  return memory.form === 'fact' && memory.status === 'live' && !tellsOfRequest(memory)
}

interface SearchResult {
  readonly turns: readonly string[]
  readonly memories: readonly Memory[]
}

/**
 * Searches by the request's subject and by its whole turn, because vague requests ("that call") often add a time or an occasion. Results
 * are interleaved.
 */
async function searchAll(view: ScopeView, { turns }: Segment, request: ForgetRequest): Promise<SearchResult> {
  const { about, evidence } = request
  const now = turns.at(-1)?.at ?? view.engine.now()
  const whole = turns.find(({ id }) => id === evidence.turn)?.text ?? evidence.quote ?? ''
  const texts = [...new Set([about ?? evidence.quote ?? whole, whole])]
  const found = await Promise.all(texts.map((text) => search(view, text, now)))
  const places = Array.from({ length: HITS }, (_, i) => i)
  const inTurn = <One>(lists: readonly (readonly One[])[]): One[] => [
    ...new Set(places.flatMap((index) => lists.flatMap((list) => list[index] ?? []))),
  ]
  return {
    turns: inTurn(found.map((result) => result.turns)),
    memories: inTurn(found.map((result) => result.memories)),
  }
}

async function search({ engine, row, state }: ScopeView, about: string, now: number): Promise<SearchResult> {
  const read = readQuestionFor(state.index, about, { now })
  const [made] = await engine.embedding.embed([read.about])
  const vector = made !== undefined && state.index.takes(made) ? made : null
  const options = { limit: HITS, now, scopes: new Set([row.scope]) }
  const turns = searchIndex(state.index, { read, vector }, HYBRID, { ...options, kind: 'turn' })
  const memories = searchIndex(state.index, { read, vector }, HYBRID, { ...options, kind: 'memory' })
  return {
    turns: turns.hits.map(({ id }) => id),
    memories: memories.hits.flatMap(({ id }) => {
      const memory = state.memories.get(id)
      return memory !== undefined && isKept(memory) ? [memory] : []
    }),
  }
}

/** Reads the turns around hits, best first, except for deleted ones. */
function turnsAround({ row, state }: ScopeView, found: readonly string[]): readonly Turn[] {
  const around: Turn[] = []
  for (const id of found) {
    const known = state.turns.get(id)
    if (known === undefined) continue
    const from = Math.max(0, known.position - TURNS_AROUND - 1)
    const turns = state.turnsAfter(row.scope, from, { limit: 2 * TURNS_AROUND + 1 })
    around.push(
      ...turns.filter(
        (turn) =>
          turn.session === known.session && (state.utteranceOf(turn.id) !== undefined || turn.id === id),
      ),
    )
  }
  return around
}

/** Accepts a name that occurs only in chosen lines. */
function readMeant(
  answer: ChooseMeantAnswer,
  candidates: RequestCandidates,
  speakers: readonly string[],
): RequestMeaning {
  const [turnsMeant, memoriesMeant] = [new Set(answer.turns), new Set(answer.memories)]
  const isTurnMeant = (_: unknown, i: number): boolean => turnsMeant.has(i + 1)
  const isMemoryMeant = (_: unknown, i: number): boolean => memoriesMeant.has(i + 1)
  const turns = candidates.turns.filter(isTurnMeant)
  const memories = candidates.memories.filter(isMemoryMeant)
  const meant = [...turns, ...memories].map(({ text }) => text)
  const otherNames = [
    ...candidates.turns.filter((turn, i) => !isTurnMeant(turn, i)),
    ...candidates.memories.filter((memory, index) => !isMemoryMeant(memory, index)),
  ].map(({ text }) => text)
  const names = answer.names
    .map((name) => name.trim())
    .filter((name) => {
      const topic = readTopic(name)
      const isIn = (texts: readonly string[]): boolean => texts.some((text) => tellsOf(topic, text))
      return name.length > 1 && !speakers.includes(name) && isIn(meant) && !isIn(otherNames)
    })
  return {
    isRequest: answer.earnest,
    turns: turns.map(({ id }) => id),
    memories: memories.map(({ id }) => id),
    names,
  }
}
