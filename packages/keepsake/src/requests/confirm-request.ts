import { readCorrection, readInstruction } from '@keepsake/text'
import { NotFoundError, NotPossibleError } from '../errors/errors.ts'
import { likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import type { ForgetRequest, Segment } from '../extraction/extractor.ts'
import {
  hearAllRequests,
  hearRequests,
  hearWideRequests,
  sentencesOf,
} from '../extraction/rules/hear-requests.ts'
import { ASKED_TO_FORGET, deleteAlone } from '../memories/delete-memory.ts'
import { HELD_REQUEST, HELD_TOPIC, isHeld } from '../memories/kept-request.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { withTexts } from '../work/read-memories.ts'
import { memoriesOf, originOf, viewScope } from '../work/scope-view.ts'
import { decideAndCommit, tryDecision, type UnitOfWork } from '../work/unit-of-work.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { applyRequests } from './apply-requests.ts'
import { findPlausible } from './find-targets.ts'
import { answerOf, asksBetween, forgetEverything, hold, liveIn, restsOn } from './hold-requests.ts'

/** A request to forget everything, or one that is doubtful. It runs only after the user or the application confirms it. */
export interface PendingRequest {
  /** The turn that asked. `confirmRequest` takes it. */
  readonly turn: string
  /** What it names, in its words; `null` for everything. */
  readonly about: string | null
  /** Number of live memories of each form that it would delete. */
  readonly removes: Readonly<Partial<Record<MemoryForm, number>>>
}

/** A sentence that seems to ask to forget something and removes nothing. */
export interface UnheardRequest {
  readonly turn: string
  readonly quote: string
  /** `not-understood`: no rule reads it. `nothing-found`: no memory holds what it names. */
  readonly why: 'not-understood' | 'nothing-found'
}

/** A segment of one turn, or of none, for requests outside of an extraction. */
function segmentOf({ row, moment }: UnitOfWork, turns: readonly Turn[]): Segment {
  const { sessionNumber, round } = moment
  return { scope: row.scope, session: turns[0]?.session ?? '', sessionNumber, round, turns }
}

/**
 * Stores requests that need a yes as pending memories, and applies or drops those that a turn answers. The memory rests on the turn of the
 * request and is erased with it.
 *
 * @param byModel turns in which only a model read a request to forget everything
 */
export async function holdRequests(
  unit: UnitOfWork,
  segment: Segment,
  byModel: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { engine, row, state } = unit
  const wide = new Set(hearWideRequests(segment.turns, engine.rules).map(({ turn }) => turn))
  for (const turn of segment.turns) {
    if (wide.has(turn.id) || byModel.has(turn.id)) hold(unit, segment, turn, HELD_REQUEST)
    if ((await doubtfulIn(unit, turn)).length > 0) hold(unit, segment, turn, HELD_TOPIC)
    const before = answerOf(turn, true) === null ? undefined : state.userTurnBefore(row.scope, turn.position)
    const wasAsked = before === undefined ? null : asksBetween(segment, before.position, turn.position)
    const answer = wasAsked === null ? null : answerOf(turn, wasAsked)
    if (before === undefined || answer === null) continue
    const held = liveIn(unit).find((memory) => isHeld(memory) && restsOn(memory, before.id))
    if (held === undefined) continue
    if (answer === 'yes') await carryOut(unit, held, turn.position)
    else deleteAlone(unit.changes, held, { reason: 'a no', origin: originOf(engine, held.origin.step) })
  }
}

/** Returns the doubtful requests of a turn for which some memory may be meant. */
async function doubtfulIn(unit: UnitOfWork, turn: Turn): Promise<readonly ForgetRequest[]> {
  const doubtful = hearAllRequests([turn], unit.engine.rules).filter(({ doubt }) => doubt !== undefined)
  const found: ForgetRequest[] = []
  for (const request of doubtful) {
    const { about } = request
    if (about !== null && (await findPlausible(unit, { ...request, about })).length > 0) found.push(request)
  }
  return found
}

/** Applies a pending request that was confirmed. @param before deletes only what was said before this position */
async function carryOut(unit: UnitOfWork, held: Memory, before?: number): Promise<void> {
  const turn = unit.state.turns.get(held.evidence[0]?.turn ?? '')
  if (held.origin.step === HELD_REQUEST) forgetEverything(unit, held, before)
  if (held.origin.step === HELD_REQUEST || turn === undefined) return
  const origin = originOf(unit.engine, HELD_TOPIC)
  const { id: parent } = deleteAlone(unit.changes, held, { reason: ASKED_TO_FORGET, origin })
  const requests = hearAllRequests([turn], unit.engine.rules)
  const meant = new Map(
    await Promise.all(
      requests.map(async (request) => {
        const { about } = request
        const memories = about === null ? [] : await findPlausible(unit, { ...request, about })
        return [request, { isRequest: true, turns: [], memories, names: [] }] as const
      }),
    ),
  )
  await applyRequests(unit, segmentOf(unit, [turn]), requests, { step: HELD_TOPIC, meant, parent })
}

/** Returns what a pending request of a unit names, and counts what it would delete now. The unit is not committed. */
async function describeHeld(unit: UnitOfWork, held: Memory): Promise<PendingRequest> {
  const { state, changes, engine } = unit
  const turn = held.evidence[0]?.turn ?? ''
  const said = held.origin.step === HELD_REQUEST ? undefined : state.turns.get(turn)
  const [request] = said === undefined ? [] : hearAllRequests([said], engine.rules)
  await carryOut(unit, held)
  const removes: Partial<Record<MemoryForm, number>> = {}
  for (const { id, status, form } of changes.memories)
    if (status === 'deleted' && state.memories.get(id)?.status === 'live')
      removes[form] = (removes[form] ?? 0) + Number(id !== held.id)
  return { turn, about: request?.about ?? null, removes }
}

/** Returns what becomes of the requests among new turns: those that wait for a yes, and those that remove nothing. */
export async function heldAmong(
  engine: Engine,
  row: ScopeRow,
  turns: readonly Pick<Turn, 'id' | 'role' | 'text'>[],
): Promise<{ readonly pending: readonly PendingRequest[]; readonly unheard: readonly UnheardRequest[] }> {
  const pending: PendingRequest[] = []
  const unheard: UnheardRequest[] = []
  // Requests are only read by a facts branch.
  const isHeard = engine.preset.branches.some(({ kind }) => kind === 'facts')
  for (const [index, { id, role, text }] of (isHeard ? turns : []).entries()) {
    // Yields, because many turns may arrive at once.
    if (index > 0) await yieldToEventLoop()
    if (role !== 'user' || !(engine.rules.mayAsk(text) || likelyAsksToForget(text))) continue
    const { result } = await tryDecision(engine, row, (unit) => previewRequests(unit, id))
    if (result.held !== null) pending.push(result.held)
    if (result.held === null && !result.isActing) unheard.push(...(await unheardIn(engine, row, id)))
  }
  return { pending, unheard }
}

/** Applies the requests of a turn in a unit that is not committed. */
async function previewRequests(
  unit: UnitOfWork,
  id: string,
): Promise<{ readonly held: PendingRequest | null; readonly isActing: boolean }> {
  const turn = unit.state.turns.get(id)
  if (turn === undefined) return { held: null, isActing: true }
  const segment = segmentOf(unit, [turn])
  await applyRequests(unit, segment, hearRequests([turn], unit.engine.rules), { step: HELD_TOPIC })
  await holdRequests(unit, segment)
  const isActing = unit.changes.memories.some((memory) => memory.status === 'deleted' && !restsOn(memory, id))
  const held = unit.changes.memories.find((memory) => isHeld(memory) && restsOn(memory, id))
  return { held: held === undefined ? null : await describeHeld(unit, held), isActing }
}

/** Returns the sentences of a turn that seem to ask and remove nothing. */
async function unheardIn(engine: Engine, row: ScopeRow, id: string): Promise<UnheardRequest[]> {
  const turn = (await viewScope(engine, row)).state.turns.get(id)
  if (turn === undefined) return []
  const heard = hearAllRequests([turn], engine.rules).filter(
    ({ evidence }) => readInstruction(evidence.quote ?? '')?.isStanding !== true,
  )
  const asking = sentencesOf(turn).filter(
    ({ text }) =>
      likelyAsksToForget(text) &&
      readInstruction(text)?.isStanding !== true &&
      readCorrection([text]) === null,
  )
  return heard.length > 0
    ? heard.map(({ evidence }) => ({ turn: id, quote: evidence.quote ?? turn.text, why: 'nothing-found' }))
    : asking.map(({ quote }) => ({ turn: id, quote, why: 'not-understood' }))
}

export async function listPendingRequests(
  engine: Engine,
  resolved: ResolvedScope | null,
): Promise<readonly PendingRequest[]> {
  const held: PendingRequest[] = []
  for (const row of resolved?.rows ?? [])
    for (const waiting of memoriesOf(await viewScope(engine, row)).filter(isHeld))
      held.push((await tryDecision(engine, row, (unit) => describeHeld(unit, waiting))).result)
  return held
}

/**
 * Applies a pending request: deletes what it names, or all memories of its scope, which `undo` restores.
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
      const held = [...unit.state.memoriesOfTurn(turn)].find(isHeld)
      if (held !== undefined) await carryOut(unit, held)
      return held
    })
    const [first] = operations
    if (result !== undefined && first !== undefined) return first
    if (
      memoriesOf(await viewScope(engine, row)).some((memory) =>
        memory.evidence.some((source) => source.turn === turn),
      )
    )
      throw new NotPossibleError(
        `No request of turn ${turn} waits to be confirmed: it was none, was confirmed or removed, or its session has not ended yet under a preset that reads sessions whole.`,
        { turn },
      )
  }
  throw new NotFoundError('turn', turn)
}

/** What a topic covers. */
export interface ForgottenTopic {
  /** The live memories that tell of it. They are gone, or would go with `dryRun`. */
  readonly memories: readonly Memory[]
  /** Memories that hold most of its words, and stay: forget them by id if they are meant. */
  readonly unsure: readonly Memory[]
  /** The operations, for `undo`; none with `dryRun`. */
  readonly operations: readonly Operation[]
}

/** Options of `forgetAbout()`. */
export interface ForgetAboutOptions {
  /** Changes nothing, and returns what would go. */
  readonly dryRun?: boolean
}

/** Forgets a topic as a user's request does. */
export async function forgetAbout(
  engine: Engine,
  resolved: ResolvedScope | null,
  about: string,
  { dryRun = false }: ForgetAboutOptions,
): Promise<ForgottenTopic> {
  const gone: Memory[] = []
  const unsure: Memory[] = []
  const operations: Operation[] = []
  const request = { kind: 'forget', about, evidence: { turn: '', quote: null } } as const
  for (const row of resolved?.rows ?? []) {
    const decide = async (unit: UnitOfWork): Promise<UnitOfWork> => {
      await applyRequests(unit, segmentOf(unit, []), [request], { step: 'api' })
      return unit
    }
    const done = dryRun ? null : await decideAndCommit(engine, row, decide)
    const unit = done?.result ?? (await tryDecision(engine, row, decide)).unit
    operations.push(...(done?.operations ?? []))
    const before = [...unit.changes.memories].filter(({ status }) => status === 'deleted')
    gone.push(...withTexts(unit.state, before))
    const near = before.length > 0 ? [] : await findPlausible(unit, request)
    const meant = near.flatMap((id) => unit.state.memories.get(id) ?? [])
    unsure.push(...withTexts(unit.state, meant))
  }
  return { memories: gone, unsure, operations }
}
