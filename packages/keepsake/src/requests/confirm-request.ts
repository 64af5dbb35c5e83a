// Confirms, previews and lists requests that wait for a confirmation.
import { findTerms, readCorrection, readInstruction } from '@keepsake/text'
import { NotFoundError, NotPossibleError } from '../errors/errors.ts'
import { likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import type { ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { findAddressedPerson, namesOfUsers } from '../extraction/rules/find-addressee.ts'
import {
  hearAllRequests,
  hearRequests,
  hearWideRequests,
  sentencesOf,
  mayHoldRequest,
} from '../extraction/rules/hear-requests.ts'
import { candidateOf, memoryOf } from '../memories/candidate.ts'
import { ASKED_TO_FORGET, deleteAlone } from '../memories/delete-memory.ts'
import { PENDING_FORGET_ALL, PENDING_TOPIC, isPendingRequest } from '../memories/kept-request.ts'
import { restsOn } from '../memories/evidence.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { isToAssistant, type Turn, whoSpeaks } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { memoriesOf, originOf, settingOfTurn, viewScope, type ScopeView } from '../work/scope-view.ts'
import { decideAndCommit, tryDecision, type UnitOfWork } from '../work/unit-of-work.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { applyRequests, meansSeveralPeople, textsOf } from './apply-requests.ts'
import { listMemoriesOf } from './find-doubtful.ts'
import { findJustSaid, findPlausible, listMemoriesOfTurns, turnsBefore } from './find-targets.ts'
import { withdrawsInstruction } from './instructions.ts'
import {
  addPendingRequest,
  deleteEverything,
  listLive,
  readReply,
  wasConfirmationAsked,
} from './pending-requests.ts'
import type { RequestMeaning } from './check-model-requests.ts'

/** A request to forget everything, or a doubtful one. It runs only after the user or the application confirms it. */
export interface PendingRequest {
  /** The turn of the request. `confirmRequest` takes it. */
  readonly turn: string
  /** The topic, in the words of the request; `null` for everything. */
  readonly about: string | null
  /** Number of live memories that the request would delete, by form. */
  readonly removes: Readonly<Partial<Record<MemoryForm, number>>>
}

/** A sentence that seems to ask to forget something, but deletes nothing. */
export interface UnheardRequest {
  readonly turn: string
  readonly quote: string
  /** `not-understood`: no rule reads it. `nothing-found`: no memory matches its topic. */
  readonly why: 'not-understood' | 'nothing-found'
}

/** Makes a segment of one turn, or of none, for requests outside of an extraction. */
export function makeSegment({ row, moment, state }: UnitOfWork, turns: readonly Turn[]): Segment {
  const { sessionNumber, round } = moment
  return {
    scope: row.scope,
    session: turns[0]?.session ?? '',
    sessionNumber,
    round,
    turns,
    users: namesOfUsers(state),
  }
}

/** Returns the requests of a turn, including doubtful ones. */
function requestsOf({ engine, state }: ScopeView, turn: Turn): ForgetRequest[] {
  return hearAllRequests([turn], engine.rules, namesOfUsers(state))
}

/**
 * Stores the requests of a segment that need a confirmation, and applies or removes those that a turn confirms or denies.
 *
 * @param wideTurns turns in which only a model read a request to forget everything
 */
export async function updatePendingRequests(
  unit: UnitOfWork,
  segment: Segment,
  wideTurns: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { engine } = unit
  const heard = hearWideRequests(segment.turns, engine.rules, segment.users)
  const wide = wideTurns.union(new Set(heard.map(({ turn }) => turn)))
  for (const turn of segment.turns) {
    if (wide.has(turn.id)) addPendingRequest(unit, turn, PENDING_FORGET_ALL)
    // “Yes, forget the bakery job” repeats the request that it answers.
    if (await answerPendingRequest(unit, segment, turn)) continue
    const direct = await findDirectRequest(unit, turn)
    const start = unit.changes.operations.length
    if (direct !== null) await applyRequests(unit, segment, [direct], { step: PENDING_TOPIC })
    // A request whose words match no memory whole may still mean one.
    if (unit.changes.operations.length > start) continue
    if (await hasDoubtfulRequest(unit, turn)) addPendingRequest(unit, turn, PENDING_TOPIC)
  }
}

/** Applies or removes the pending request that a turn confirms or denies. @returns whether there is one */
async function answerPendingRequest(unit: UnitOfWork, segment: Segment, turn: Turn): Promise<boolean> {
  const { engine, row, state } = unit
  if (readReply(turn, true) === null) return false
  const before = state.userTurnBefore(row.scope, turn.position)
  const wasAsked = before === undefined ? null : wasConfirmationAsked(segment, before.position, turn.position)
  const reply = wasAsked === null ? null : readReply(turn, wasAsked)
  if (before === undefined || reply === null) return false
  const pending = listLive(unit).find((memory) => isPendingRequest(memory) && restsOn(memory, before.id))
  if (pending === undefined) return false
  if (reply === 'yes') await applyPendingRequest(unit, pending, turn.position)
  else deleteAlone(unit.changes, pending, { reason: 'a no', origin: originOf(engine, pending.origin.step) })
  return true
}

/** Finds the memories that a doubtful request may mean, by its topic. Without a topic it means the turns before it. */
async function findMeant(unit: UnitOfWork, request: ForgetRequest, turn: Turn): Promise<readonly string[]> {
  const { about } = request
  if (about !== null) return findPlausible(unit, { ...request, about })
  const turnsJustSaid = findJustSaid(unit, request, turn).filter((id) => id !== turn.id)
  return listMemoriesOfTurns(unit, turnsJustSaid).map(({ id }) => id)
}

/** Checks whether a turn makes a doubtful request that may mean a memory. */
async function hasDoubtfulRequest(unit: UnitOfWork, turn: Turn): Promise<boolean> {
  for (const request of requestsOf(unit, turn)) {
    if (request.doubt === undefined || withdrawsInstruction(unit, turn, request)) continue
    if ((await findMeant(unit, request, turn)).length > 0) return true
  }
  return false
}

/** Number of turns before a request in which its topic is searched. Chosen, not measured. */
const TALK_BEFORE = 6
/** Maximum number of memories that a doubtful request deletes without the user's yes. Chosen, not measured. */
const MAX_DIRECT = 8

/**
 * Finds a doubtful request that is carried out without a yes. It must be the only request of its turn, and a few memories
 * must match its topic. If the agent, a question or an instruction has just mentioned the topic, the request may drop a plan
 * instead: “Shall we try the bakery?” – “Forget the bakery.” A verb such as “remove” may mean a file, so it needs a fact.
 */
async function findDirectRequest(unit: UnitOfWork, turn: Turn): Promise<ForgetRequest | null> {
  const [request, ...others] = requestsOf(unit, turn)
  if (request?.verb === undefined || request.about === null || others.length > 0) return null
  if (request.doubt !== 'verb' || withdrawsInstruction(unit, turn, request)) return null
  if (meansSeveralPeople(request, textsOf(unit))) return null
  const terms = findTerms(request.about)
  const mayProposePlan = ({ role, text }: Turn): boolean =>
    role === 'assistant' || /[?？]/.test(text) || readInstruction(text) !== null
  const isTopicOfTalk = turnsBefore(unit, request, TALK_BEFORE)
    .filter(mayProposePlan)
    .some(({ text }) => findTerms(text).some((term) => terms.includes(term)))
  if (isTopicOfTalk) return null
  const meant = await findPlausible(unit, { ...request, about: request.about })
  const isFact = meant.some((id) => unit.changes.read(id)?.form === 'fact')
  if (meant.length === 0 || meant.length > MAX_DIRECT || (request.verb === 'remove' && !isFact)) return null
  const { doubt: _, ...direct } = request
  return direct
}

/** Applies a confirmed request. @param before memories with evidence from this position on stay */
async function applyPendingRequest(unit: UnitOfWork, pending: Memory, before?: number): Promise<void> {
  if (pending.origin.step === PENDING_FORGET_ALL) {
    deleteEverything(unit, pending, before)
    return
  }
  const turn = unit.state.turns.get(pending.evidence[0]?.turn ?? '')
  if (turn === undefined) return
  const origin = originOf(unit.engine, PENDING_TOPIC)
  const { id: parent } = deleteAlone(unit.changes, pending, { reason: ASKED_TO_FORGET, origin })
  const requests = requestsOf(unit, turn)
  const meanings = new Map<Request, RequestMeaning>()
  const doubtful = pending.evidence.slice(1)
  for (const request of requests) {
    const memories =
      doubtful.length > 0
        ? listMemoriesOf(unit, doubtful).map(({ id }) => id)
        : await findMeant(unit, request, turn)
    meanings.set(request, { isRequest: true, turns: [], memories, names: [] })
  }
  const options = { step: PENDING_TOPIC, meanings, parent, isConfirmed: true }
  await applyRequests(unit, makeSegment(unit, [turn]), requests, options)
}

/** Returns the topic of a pending request and what it would delete now. Changes the unit, which must not be committed. */
async function describePendingRequest(unit: UnitOfWork, pending: Memory): Promise<PendingRequest> {
  const { state, changes } = unit
  const turn = pending.evidence[0]?.turn ?? ''
  const turnWithTopic = pending.origin.step === PENDING_FORGET_ALL ? undefined : state.turns.get(turn)
  const [request] = turnWithTopic === undefined ? [] : requestsOf(unit, turnWithTopic)
  await applyPendingRequest(unit, pending)
  const removes: Partial<Record<MemoryForm, number>> = {}
  for (const { id, status, form } of changes.memories)
    if (status === 'deleted' && id !== pending.id && state.memories.get(id)?.status !== 'deleted')
      removes[form] = (removes[form] ?? 0) + 1
  return { turn, about: request?.about ?? null, removes }
}

/** Returns the requests in new turns that will wait for a confirmation, and those that will delete nothing. */
export async function previewRequestsOf(
  engine: Engine,
  row: ScopeRow,
  turns: readonly Pick<Turn, 'id' | 'role' | 'text' | 'metadata'>[],
): Promise<{ readonly pending: readonly PendingRequest[]; readonly unheard: readonly UnheardRequest[] }> {
  const pending: PendingRequest[] = []
  const unheard: UnheardRequest[] = []
  // Only a fact branch reads requests.
  const readsRequests = engine.preset.branches.some(({ kind }) => kind === 'facts')
  for (const [index, { id, text, ...turn }] of (readsRequests ? turns : []).entries()) {
    // Yields, because many turns may arrive at once.
    if (index > 0) await yieldToEventLoop()
    if (!isToAssistant(turn) || !(mayHoldRequest(text, engine.rules) || likelyAsksToForget(text))) continue
    const { result } = await tryDecision(engine, row, (unit) => previewRequests(unit, id))
    if (result.pending !== null) pending.push(result.pending)
    else if (!result.deletes) unheard.push(...(await findUnheard(engine, row, id)))
  }
  return { pending, unheard }
}

/** Turns that are not consolidated yet are previewed if they share a word with the request, or are at most this far before it. */
const MAX_DISTANCE = 100

/** Adds turns that are not consolidated yet as utterances, in a unit that must not be committed. */
function addUnread(unit: UnitOfWork, { position, text }: Turn): void {
  const { engine, row, state, changes } = unit
  const terms = new Set(findTerms(text))
  for (const turn of state.turnsAfter(row.scope, state.consolidatedTo(row.scope), { upTo: position - 1 })) {
    const sharesTerm = state.index.get(turn.id)?.terms.some((term) => terms.has(term)) === true
    if (turn.role === 'other' || !(sharesTerm || turn.position >= position - MAX_DISTANCE)) continue
    const candidate = candidateOf({
      form: 'utterance',
      subject: whoSpeaks(turn),
      evidence: [{ turn: turn.id, quote: null }],
      validFrom: turn.at,
    })
    changes.add(memoryOf(candidate, settingOfTurn(unit, turn)), originOf(engine, 'preview/1'))
  }
}

/** Applies the requests of a turn in a unit that must not be committed, and returns the outcome. */
async function previewRequests(
  unit: UnitOfWork,
  id: string,
): Promise<{ readonly pending: PendingRequest | null; readonly deletes: boolean }> {
  const turn = unit.state.turns.get(id)
  if (turn === undefined) return { pending: null, deletes: true }
  const segment = makeSegment(unit, [turn])
  const requests = hearRequests([turn], unit.engine.rules, segment.users)
  if (requests.length > 0) addUnread(unit, turn)
  await applyRequests(unit, segment, requests, { step: PENDING_TOPIC })
  await updatePendingRequests(unit, segment)
  const changed = unit.changes.memories
  const deletes = changed.some((memory) => memory.status === 'deleted' && !restsOn(memory, id))
  const note = changed.find((memory) => isPendingRequest(memory) && restsOn(memory, id))
  return { pending: note === undefined ? null : await describePendingRequest(unit, note), deletes }
}

/** Returns the sentences of a turn that seem to ask to forget something. */
async function findUnheard(engine: Engine, row: ScopeRow, id: string): Promise<UnheardRequest[]> {
  const view = await viewScope(engine, row)
  const turn = view.state.turns.get(id)
  if (turn === undefined) return []
  const isStanding = (words: string): boolean => readInstruction(words)?.isStanding === true
  const heard = requestsOf(view, turn)
    .map(({ evidence }) => evidence.quote ?? '')
    .filter((quote) => !isStanding(quote))
  if (heard.length > 0)
    return heard.map((quote) => ({ turn: id, quote: quote === '' ? turn.text : quote, why: 'nothing-found' }))
  return sentencesOf(turn)
    .filter(({ text }) => likelyAsksToForget(text) && !isStanding(text) && readCorrection([text]) === null)
    .filter(({ quote }) => findAddressedPerson(turn, quote, namesOfUsers(view.state)) === null)
    .map(({ quote }) => ({ turn: id, quote, why: 'not-understood' }))
}

/** Lists the requests of the scopes that wait for a confirmation. */
export async function listPendingRequests(
  engine: Engine,
  resolved: ResolvedScope | null,
): Promise<readonly PendingRequest[]> {
  const pending: PendingRequest[] = []
  for (const row of resolved?.rows ?? [])
    for (const note of memoriesOf(await viewScope(engine, row)).filter(isPendingRequest))
      pending.push((await tryDecision(engine, row, (unit) => describePendingRequest(unit, note))).result)
  return pending
}

/**
 * Applies a pending request: deletes its topic, or all memories of its scope. `undo` restores them.
 *
 * @throws NotFoundError when the turn has no request; NotPossibleError when it is no longer pending
 */
export async function confirmRequest(
  engine: Engine,
  resolved: ResolvedScope | null,
  turn: string,
): Promise<Operation> {
  for (const row of resolved?.rows ?? []) {
    const { result, operations } = await decideAndCommit(engine, row, async (unit) => {
      const pending = [...unit.state.memoriesOfTurn(turn)].find(isPendingRequest)
      if (pending !== undefined) await applyPendingRequest(unit, pending)
      return pending
    })
    const [first] = operations
    if (result !== undefined && first !== undefined) return first
    if (memoriesOf(await viewScope(engine, row)).some((memory) => restsOn(memory, turn)))
      throw new NotPossibleError(
        `No request of turn ${turn} waits to be confirmed: it was none, was confirmed or removed, or its session has not ended yet under a preset that reads sessions whole.`,
        { turn },
      )
  }
  throw new NotFoundError('turn', turn)
}
