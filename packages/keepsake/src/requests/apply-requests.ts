// Applies the requests of a segment: deletes topics that are to be forgotten, and expires facts that have ended.
import type { ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { sureRequestsIn } from '../extraction/rules/hear-requests.ts'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { PENDING_TOPIC } from '../memories/kept-request.ts'
import { isOver } from '../memories/memory.ts'
import { expireStatedFact } from '../merge/end-facts.ts'
import { knownFacts, mapSubjects } from '../merge/merge-facts.ts'
import { subjectOfRole, type Turn } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type { RequestMeaning } from './check-model-requests.ts'
import {
  findJustSaid,
  findPlausible,
  listCandidates,
  listMemoriesOfTurns,
  orderEvidence,
  readEvidenceTurns,
  speakersOf,
  textBefore,
  toTargets,
  turnsBefore,
} from './find-targets.ts'
import { deleteReplies, deleteRequest, forgetTopic, type TopicDeletion } from './forget-topic.ts'
import { findDoubtful } from './find-doubtful.ts'
import { matchRequest } from './match-request.ts'
import { addPendingRequest } from './pending-requests.ts'
import { mentionsTopic, readTopic, type TopicContext } from './read-topic.ts'
import { cacheSimilarity } from './topic-meaning.ts'
import { findNamesOf, nameIn } from './topic-names.ts'
import { isSharedName, relationIn } from './topic-relations.ts'
import { findReferent, isPronoun } from './resolve-pronouns.ts'

/** Number of earlier turns of the session in which the person of a pronoun is searched. Chosen, not measured. */
const MAX_TURNS_BEFORE = 12

/** Options of `applyRequests`. */
interface ApplyOptions {
  /** The step that is recorded as the origin of all changes. */
  readonly step: string
  /** The meanings of requests that a model found. They are used in addition to the words of the request. */
  readonly meanings?: ReadonlyMap<Request, RequestMeaning>
  /** The operation that caused these deletions, so that one undo reverts all. */
  readonly parent?: string | null
  /** Whether the user has confirmed the requests, so that none waits. */
  readonly isConfirmed?: boolean
}

/** Applies requests: deletes topics together with the request, and expires facts. Only statements before the request are affected. */
export async function applyRequests(
  unit: UnitOfWork,
  segment: Segment,
  requests: readonly Request[],
  { step, meanings = new Map(), parent = null, isConfirmed = false }: ApplyOptions,
): Promise<void> {
  const { engine, state } = unit
  const context = {
    similarity: cacheSimilarity(engine.wordVectors),
    texts: requests.length === 0 ? [] : textsOf(unit),
  }
  const why = { reason: ASKED_TO_FORGET, origin: originOf(engine, step), parent }
  const topics: string[] = []
  // The operation that an undo of all these deletions reverts.
  let undoable = parent
  for (const original of requests) {
    const turn = segment.turns.find(({ id }) => id === original.evidence.turn)
    const request = resolvePronoun(unit, segment, original, turn)
    if (request.kind === 'forget' && !isConfirmed && meansSeveralPeople(request, context.texts)) {
      if (turn !== undefined) addPendingRequest(unit, turn, PENDING_TOPIC)
      continue
    }
    const ids = await findMatches(unit, request, turn, context)
    if (request.kind === 'end') {
      expireMatches(unit, request, ids, step)
      continue
    }
    const start = unit.changes.operations.length
    const before = state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
    const deletion: TopicDeletion = { ...unit, why, before, ...context }
    const { turns = [], memories = [], names = [] } = meanings.get(original) ?? {}
    const namesFound = await forgetTopic(deletion, request.about, { memories: [...ids, ...memories], turns })
    for (const name of new Set([...namesFound, ...names])) {
      const found = await findMatches(unit, { ...request, about: name }, turn, context)
      await forgetTopic(deletion, name, { memories: found, turns: [] })
    }
    const found = [...ids, ...memories]
    const isFound =
      found.some((id) => !isOnlyOfAgent(unit, id, before)) || turns.length > 0 || isInOwnTurn(request, turn)
    const isPending = !isFound && turn !== undefined && (await storeAsPending(unit, segment, request, turn))
    // A message that names nothing known may be no request: “You can forget about Karl ever paying me back.”
    if (!isFound && !isPending && found.length === 0) continue
    deleteRequest(deletion, request.evidence.turn)
    undoable = unit.changes.joinOperations(start, parent)
    topics.push(...(request.about === null ? [] : [request.about]), ...namesFound, ...names)
    if (request.about === null || turn === undefined) continue
    const doubtful = await findDoubtful(unit, request.about, before)
    if (doubtful.length > 0) addPendingRequest(unit, turn, PENDING_TOPIC, doubtful)
  }
  topics.push(...listTopicsAskedBefore(unit, segment))
  const start = unit.changes.operations.length
  await deleteReplies({ ...unit, why, before: Number.POSITIVE_INFINITY, ...context }, segment, topics)
  unit.changes.joinOperations(start, undoable)
}

/** Checks whether a request names a person without a relation, and several people have this name. Then only the user can tell which. */
export function meansSeveralPeople(
  { about }: Pick<ForgetRequest, 'about'>,
  texts: readonly string[],
): boolean {
  const name = about === null || relationIn(about) !== null ? null : nameIn(about)
  return name !== null && isSharedName(name, texts)
}

/** Expires the facts that a request ends. */
function expireMatches(
  unit: UnitOfWork,
  { at, evidence, about }: Extract<Request, { kind: 'end' }>,
  ids: readonly string[],
  step: string,
): void {
  for (const id of ids) {
    const memory = unit.changes.read(id)
    if (memory !== undefined && !isOver(memory, at))
      expireStatedFact(unit, memory, { at, evidence, words: about, step })
  }
}

/** Checks whether a memory is an utterance whose turns before the request are only the agent's. */
function isOnlyOfAgent({ state, changes }: UnitOfWork, id: string, before: number): boolean {
  const { form, evidence = [] } = changes.read(id) ?? {}
  const turns = evidence.flatMap(({ turn }) => state.turns.get(turn) ?? [])
  const earlier = turns.filter(({ position }) => position < before)
  return form === 'utterance' && earlier.every(({ role }) => role === 'assistant')
}

/** Checks whether a request means words before it in its own turn: “I have Crohn's. Forget the Crohn's.” */
function isInOwnTurn(request: ForgetRequest, turn: Turn | undefined): boolean {
  if (request.about === null) return request.isByVerb !== true
  return mentionsTopic(readTopic(request.about), textBefore(request, turn))
}

/** Replaces a pronoun ("forget him") by the person that it means. */
function resolvePronoun(
  unit: UnitOfWork,
  segment: Segment,
  request: Request,
  turn: Turn | undefined,
): Request {
  if (request.kind !== 'forget' || request.about === null || !isPronoun(request.about)) return request
  const earlier = turnsBefore(unit, request, MAX_TURNS_BEFORE).map(({ text }) => text)
  return { ...request, about: findReferent([textBefore(request, turn), ...earlier], speakersOf(segment)) }
}

/** Returns ids of the memories that match the words of a request. */
async function findMatches(
  unit: UnitOfWork,
  request: Request,
  turn: Turn | undefined,
  context: TopicContext,
): Promise<readonly string[]> {
  const { engine, state } = unit
  const justSaid = findJustSaid(unit, request, turn)
  const candidates =
    request.about === null ? listMemoriesOfTurns(unit, justSaid) : listCandidates(unit, request.about)
  const targets = toTargets(candidates, await readEvidenceTurns(unit, candidates))
  const toKnownSubject = mapSubjects(unit, knownFacts(unit))
  const matches = await matchRequest(request, targets, {
    speaker: toKnownSubject(turn?.speaker ?? subjectOfRole(turn?.role ?? 'user')),
    justSaid,
    orderOf: orderEvidence(state, request, turn),
    ...context,
    namesOf: (key) => Object.values(engine.preset.keyTable.get(key)?.names ?? {}).flat(),
  })
  return [...new Set(matches.map((match) => match.memory))]
}

/** Stores a request as pending if some memories have most of its words. @returns whether it was stored */
async function storeAsPending(
  unit: UnitOfWork,
  segment: Segment,
  request: ForgetRequest,
  turn: Turn,
): Promise<boolean> {
  const { about } = request
  if (about === null || !sureRequestsIn(segment).some(({ evidence }) => evidence.turn === turn.id))
    return false
  if ((await findPlausible(unit, { ...request, about })).length === 0) return false
  addPendingRequest(unit, turn, PENDING_TOPIC)
  return true
}

/** Returns the topics of requests in the turns before the segment, because its first turn may reply to them. */
function listTopicsAskedBefore(unit: UnitOfWork, segment: Segment): string[] {
  const ids = new Set(segment.turns.map((turn) => turn.id))
  const earlier = (segment.asked ?? []).filter(({ evidence }) => !ids.has(evidence.turn))
  const topics = earlier.flatMap((request) => resolvePronoun(unit, segment, request, undefined).about ?? [])
  if (topics.length === 0) return []
  const memories = [...unit.state.listMemories({ scopes: new Set([unit.row.scope]) })]
  const texts = memories.flatMap(({ reason, text }) => (reason === ASKED_TO_FORGET ? [text] : []))
  return [...topics, ...topics.flatMap((about) => findNamesOf(about, texts))]
}

/** Returns the texts of a user's turns and memories. */
export function textsOf({ state }: UnitOfWork): readonly string[] {
  return [...state.turns.values(), ...state.memories.values()].map(({ text }) => text)
}
