import { cosine } from '@keepsake/text'
import type { ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { knownFacts } from '../merge/merge-facts.ts'
import { ownSubject } from '../merge/own-subject.ts'
import { KEPT_REQUEST, tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import { subjectOfRole } from '../turns/who-speaks.ts'
import { memoriesOf, originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { type RequestMeaning, isSpoken } from './ask-meant.ts'
import {
  candidatesFor,
  openingOf,
  placesAround,
  restingOn,
  saidIn,
  speakersOf,
  turnsBefore,
  turnsJustSaid,
  withEvidence,
  type ActingRequest,
} from './find-targets.ts'
import { type Forgetting, dropReplies, dropRequest, forgetTopic } from './forget-topic.ts'
import { holdBackPlausible } from './hold-back.ts'
import { addRequestNote, noteText, type NoteWords } from './hold-requests.ts'
import { matchRequest } from './match-request.ts'
import { namedIn } from './read-topic.ts'
import type { Similarity } from './related-words.ts'
import { isPronoun, whoIsMeant } from './who-is-meant.ts'

const NOTE: NoteWords = {
  en: (day, who) => `On ${day} ${who === 'user' ? 'the user' : who} asked the agent to forget something.`,
  zh: (day, who) => `${day}，${who === 'user' ? '用户' : who}要求助手忘掉一件事。`,
}

/**
 * Records that a request to forget was made, and on which day, without its content. It is based on the turn of the request, so both are
 * erased together. One record per day.
 */
function keepRequest(unit: UnitOfWork, segment: Segment, request: ForgetRequest): void {
  const { engine, changes } = unit
  const asker = segment.turns.find(({ id }) => id === request.evidence.turn)
  if (engine.preset.keepsRequests !== true || asker === undefined || !isSpoken(segment, request)) return
  const text = noteText(NOTE, asker)
  const isKept = [...memoriesOf(unit), ...changes.memories].some(
    (memory) => tellsOfRequest(memory) && memory.text === text && changes.read(memory.id)?.status === 'live',
  )
  if (!isKept) addRequestNote(unit, segment, asker, { text, step: KEPT_REQUEST })
}

/** Turns of the session in which a pronoun's referent is searched. */
const MOST_TURNS_BEFORE = 12

function end(
  { engine, changes }: UnitOfWork,
  ids: readonly string[],
  request: Extract<ActingRequest, { kind: 'end' }>,
  step: string,
): void {
  for (const id of ids) {
    const memory = changes.read(id)
    if (memory === undefined || memory.validUntil !== null) continue
    const change = { validUntil: request.at, evidence: [...memory.evidence, request.evidence] }
    changes.change('modify', id, change, originOf(engine, step))
  }
}

/** Resolves the request: finds whom “him” means; without one it means “what I just said”. */
async function readAsked(
  unit: UnitOfWork,
  segment: Segment,
  request: ActingRequest,
  asker: Turn | undefined,
): Promise<ActingRequest> {
  if (request.kind !== 'forget' || request.about === null || !isPronoun(request.about)) return request
  const before = await turnsBefore(unit, request, MOST_TURNS_BEFORE)
  const said = [openingOf(request, asker), ...before.map(({ text }) => text)]
  return { ...request, about: whoIsMeant(said, speakersOf(segment)) }
}

/** Finds the memories that a request's words match. */
async function findMatches(
  unit: UnitOfWork,
  request: ActingRequest,
  asker: Turn | undefined,
  similarity: Similarity,
): Promise<readonly string[]> {
  const just = await turnsJustSaid(unit, request, asker)
  const candidates = request.about === null ? restingOn(unit, just) : candidatesFor(unit, request.about)
  const { keyTable } = unit.engine.preset
  const matches = matchRequest(request, withEvidence(candidates, await saidIn(unit, candidates)), {
    speaker: ownSubject(unit, knownFacts(unit))(asker?.speaker ?? subjectOfRole(asker?.role ?? 'user')),
    justSaid: just,
    placeOf: placesAround(unit.state, request, asker),
    similarity,
    namesOf: (key) => Object.values(keyTable.get(key)?.names ?? {}).flat(),
  })
  return [...new Set(matches.map((match) => match.memory))]
}

/**
 * Applies requests: deletes what is to be forgotten with the request itself, and expires facts. Only earlier
 * statements are affected.
 *
 * @param meant a model's reading of requests, in addition to word matches
 */
export async function applyRequests(
  unit: UnitOfWork,
  segment: Segment,
  requests: readonly Request[],
  {
    step,
    meant = new Map(),
  }: { readonly step: string; readonly meant?: ReadonlyMap<Request, RequestMeaning> },
): Promise<void> {
  const { engine, state, changes } = unit
  const similarity = similarityBy(engine.wordVectors)
  const why = { reason: ASKED_TO_FORGET, origin: originOf(engine, step) }
  const topics: string[] = []
  for (const asked of requests) {
    if (asked.kind === 'change') continue
    const asker = segment.turns.find((turn) => turn.id === asked.evidence.turn)
    const request = await readAsked(unit, segment, asked, asker)
    const ids = await findMatches(unit, request, asker, similarity)
    if (request.kind === 'end') {
      end(unit, ids, request, step)
      continue
    }
    const before = state.turns.get(request.evidence.turn)?.position ?? 0
    const given: Forgetting = { ...unit, why, before, similarity }
    const { turns = [], memories = [], names = [] } = meant.get(asked) ?? {}
    const involved = await forgetTopic(given, request.about, { memories: [...ids, ...memories], turns })
    for (const name of new Set([...involved, ...names])) {
      const found = await findMatches(unit, { ...request, about: name }, asker, similarity)
      await forgetTopic(given, name, { memories: found, turns: [] })
    }
    const isMeant = isHeard(segment, request) || changes.memories.some((one) => isGone(one, request))
    if (!changes.memories.some((one) => isGone(one, request)))
      await holdBackPlausible(unit, request, why.origin)
    dropRequest(given, request.evidence.turn)
    if (isMeant) keepRequest(unit, segment, request)
    topics.push(...(request.about === null ? [] : [request.about]), ...involved, ...names)
  }
  topics.push(...(await askedBefore(unit, segment)))
  await dropReplies({ ...unit, why, before: Number.POSITIVE_INFINITY, similarity }, segment, topics)
}

/** Checks that rules heard the request. A request only a model reported, which matched nothing but its own turn, may be none. */
function isHeard(segment: Segment, { evidence }: ForgetRequest): boolean {
  return askedIn(segment).some((one) => one.evidence.turn === evidence.turn)
}

/** Matches an earlier memory that was deleted on request. */
function isGone({ status, reason, evidence }: Memory, request: ForgetRequest): boolean {
  const isDropped = status === 'deleted' && reason === ASKED_TO_FORGET
  return isDropped && evidence.every(({ turn }) => turn !== request.evidence.turn)
}

/** Returns the text right before the segment, which its first turn may answer. */
async function askedBefore(unit: UnitOfWork, segment: Segment): Promise<string[]> {
  const own = new Set(segment.turns.map((turn) => turn.id))
  const before = (segment.asked ?? []).filter(({ evidence }) => !own.has(evidence.turn))
  const asked = await Promise.all(before.map((request) => readAsked(unit, segment, request, undefined)))
  const topics = asked.flatMap(({ about }) => about ?? [])
  const dropped =
    topics.length === 0 ? [] : [...unit.state.listMemories({ scopes: new Set([unit.row.scope]) })]
  const texts = dropped.flatMap(({ reason, text }) => (reason === ASKED_TO_FORGET ? [text] : []))
  return [...topics, ...topics.flatMap((about) => namedIn(about, texts))]
}

/** Caches the vector of each text. */
function similarityBy(vectors: UnitOfWork['engine']['wordVectors']): Similarity {
  const made = new Map<string, Float32Array>()
  const vectorOf = (text: string): Float32Array => {
    const known = made.get(text) ?? vectors.embedNow(text)
    made.set(text, known)
    return known
  }
  return (one, other) => cosine(vectorOf(one), vectorOf(other))
}
