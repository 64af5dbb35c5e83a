// Carries out remember(): checks turns, masks secrets, analyses texts, and stores all in one transaction.
import { asksForSecret, readName, type MaskedSecret } from '@keepsake/text'
import { maskMetadata } from '../metadata/admit-metadata.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Engine } from '../work/engine.ts'
import { eventScope, readScopeKey, type ScopeKey, type ScopeRow } from '../scopes/scope.ts'
import { isScopeOf } from '../work/scope-handle.ts'
import type { AppendRequest, AppendResult, NewJob } from '../store/store.ts'
import { newJob } from '../work/jobs.ts'
import { indexText } from '../work/index-text.ts'
import { describeTurns } from './describe-attachments.ts'
import { isUnremembered, type RecordTarget, chooseSession } from './sessions.ts'
import { readTurns, type ReadTurn } from '../turns/read-turns.ts'
import { previewRequestsOf, type PendingRequest, type UnheardRequest } from '../requests/confirm-request.ts'
import type { TurnInput } from '../turns/turn.ts'

/** Options of `remember()`. */
export interface RememberOptions {
  /** The session the turns belong to. Without one, a silence longer than the preset's gap starts a new one. */
  readonly session?: string
  /** Makes the call idempotent: turns without an id of their own get `<id>/<index>`. */
  readonly id?: string
  /** `false`: do not remember any of these turns. Nothing is stored. */
  readonly remember?: boolean
  /** `true`: the replying model describes each picture before the call returns. Default: `openMemory({ describe })`. */
  readonly describe?: boolean
  readonly abortSignal?: AbortSignal
}

/** The result of `remember()`: the ids of the turns, and notices for the user. */
export interface RememberResult {
  /** Ids of the turns, in the given order, without those marked `remember: false`. */
  readonly turns: readonly string[]
  /** Number of new turns. An earlier call stored the others. */
  readonly added: number
  readonly session: string | null
  /** Number of the last operation in the user's log when the turns were stored. `log({ after })` lists the changes by these and later turns. */
  readonly lastOperation: number
  /** Number of secrets that were masked before storage, by kind. */
  readonly maskedSecrets: readonly MaskedSecret[]
  /** Requests that the user must confirm first, with what they would remove. The application asks the user. Absent if there are none. */
  readonly pendingRequests?: readonly PendingRequest[]
  /** Sentences that seem to ask to forget something but remove nothing. Absent if there are none. */
  readonly unheardRequests?: readonly UnheardRequest[]
}

/** Maximum size of a small call, such as one message. Its steps together take less than a millisecond. */
const SMALL_CALL = { turns: 4, characters: 2_000 } as const

/** Returns the scope's row, and creates it when missing. @throws InvalidInputError for a name that contains a secret */
export async function ensureScope({ textGate, users, store }: Engine, scope: ScopeKey): Promise<ScopeRow> {
  const key = readScopeKey(scope)
  const { tenant, user, agent, app } = key
  const names = { 'scope.tenant': tenant, 'scope.user': user, 'scope.agent': agent, 'scope.app': app }
  await textGate.requireNames(names)
  const { rows } = await users.find(key)
  return rows.find((row) => isScopeOf(row, key)) ?? store.ensureScope(key)
}

/** Checks, masks, indexes and stores turns. They are durable and searchable on return. The worker makes memories of them later. */
export async function recordTurns(
  engine: Engine,
  row: ScopeRow,
  input: TurnInput | readonly TurnInput[],
  options: RememberOptions,
): Promise<RememberResult> {
  const started = performance.now()
  const id = options.id === undefined ? undefined : readName(options.id, 'id')
  // The caller may have parsed many turns without a pause.
  await yieldToEventLoop()
  const read = readTurns(input, {
    id,
    now: engine.now(),
    newId: engine.newId,
    maxLength: engine.maxTurnLength,
  })
  if (options.remember === false || read.length === 0)
    return { turns: [], added: 0, session: null, lastOperation: 0, maskedSecrets: [] }
  await yieldIfLarge(read)
  await engine.textGate.requireNames({
    session: options.session,
    ...Object.fromEntries(read.map((turn, index) => [`turns[${index}].id`, turn.id])),
  })
  const target = { row, state: await engine.users.current(row.owner) }
  const describesPictures = options.describe ?? engine.describe
  const described = describesPictures ? await describeTurns(engine, row, read, options.abortSignal) : read
  const { turns, masked } = await admitTurns(engine, target, described)
  if (turns.length === 0) return { turns: [], added: 0, session: null, lastOperation: 0, maskedSecrets: [] }
  const time = turns[0]?.at ?? engine.now()
  const { session, endedSession } = await chooseSession(engine, target, options.session, time)
  options.abortSignal?.throwIfAborted()
  const [indexedTurns, isSessionIgnored] = await Promise.all([
    indexTurns(engine, turns),
    isUnremembered(engine.store, row, session),
  ])
  if (isSessionIgnored) return { turns: [], added: 0, session, lastOperation: 0, maskedSecrets: [] }
  const { owner, scope } = row
  const jobs = jobsAfter(engine, row, endedSession)
  const request = { userId: owner, scope, session, turns: indexedTurns, jobs }
  const result = await appendTurns(engine, request)
  engine.worker.wake(row)
  engine.events.emit('turns-recorded', {
    scope: eventScope(row),
    session,
    turns: result.added.map((turn) => turn.id),
    milliseconds: performance.now() - started,
  })
  const { added, sequence } = result
  await yieldIfLarge(turns)
  const { pending, unheard } = await previewRequestsOf(engine, row, turns)
  return {
    turns: turns.map((turn) => turn.id),
    added: added.length,
    session,
    lastOperation: sequence,
    maskedSecrets: masked,
    ...(pending.length === 0 ? {} : { pendingRequests: pending }),
    ...(unheard.length === 0 ? {} : { unheardRequests: unheard }),
  }
}

/** Masks secrets in turns, and counts them. */
async function admitTurns(engine: Engine, target: RecordTarget, turns: readonly ReadTurn[]) {
  const { textGate } = engine
  const counts = new Map<MaskedSecret['kind'], number>()
  const countMasked = ({ kind, count }: MaskedSecret): void =>
    void counts.set(kind, (counts.get(kind) ?? 0) + count)
  const admit = (text: string): Promise<string> => textGate.admit(text, countMasked)
  const admitted: ReadTurn[] = []
  for (const [index, turn] of turns.entries()) {
    await yieldIfLarge(turns)
    // After “What's your PIN?” a bare number is a secret.
    const isAsked = async (): Promise<boolean> =>
      asksForSecret(turns[index - 1]?.text ?? (await readTextBefore(engine, target, turn.id)))
    const speaker = turn.speaker === null ? null : (await admit(turn.speaker)) || null
    const metadata = turn.metadata === null ? null : await maskMetadata(turn.metadata, admit)
    const text = await textGate.admitTurn(turn, isAsked, countMasked)
    // A model's answer that was only a thought is empty by now.
    if (text === '' && turn.text !== '') continue
    const { attached: _, ...kept } = turn
    admitted.push({ ...kept, text, speaker, metadata })
  }
  return { turns: admitted, masked: Array.from(counts, ([kind, count]) => ({ kind, count })) }
}

/** Reads the text of the turn before this one. If this turn is a repeat, it is the turn before its first arrival. */
async function readTextBefore(
  { store }: Engine,
  { row, state }: RecordTarget,
  turn: string,
): Promise<string> {
  const { owner, scope } = row
  if (state !== undefined) {
    const end = state.turns.get(turn)?.position ?? Number.POSITIVE_INFINITY
    const { turns } = state.scope(scope)
    return turns.findLast((earlier, position) => earlier !== undefined && position < end)?.text ?? ''
  }
  const query = { userId: owner, scopes: [scope], limit: 1 }
  const [known] = await store.listTurns({ ...query, ids: [turn] })
  const [last] = await store.listTurns({ ...query, newestFirst: true, beforePosition: known?.position })
  return last?.text ?? ''
}

async function indexTurns({ embedding }: Engine, turns: readonly ReadTurn[]) {
  const indexed = []
  for (const turn of turns) {
    await yieldIfLarge(turns)
    indexed.push({ ...turn, document: indexText(embedding, turn) })
  }
  return indexed
}

/** Returns the jobs that are queued with new turns: to consolidate them, and to end the session before them if it has ended. */
function jobsAfter(engine: Engine, row: ScopeRow, endedSession: string | null): NewJob[] {
  const consolidate = newJob(engine, row, 'consolidate')
  if (endedSession === null) return [consolidate]
  return [consolidate, newJob(engine, row, 'end-session', endedSession)]
}

/** Stores turns, and applies them to the user's state. */
function appendTurns({ users, store }: Engine, request: AppendRequest): Promise<AppendResult> {
  return users.lock(request.userId, async () => {
    const result = await store.append(request)
    users.applyAppend(request, result)
    return result
  })
}

/** Yields to the event loop between the steps of a large call. A small call does not yield, since each wait would take longer than its steps. */
async function yieldIfLarge(turns: readonly Pick<ReadTurn, 'text'>[]): Promise<void> {
  const characters = turns.reduce((sum, { text }) => sum + text.length, 0)
  if (turns.length > SMALL_CALL.turns || characters > SMALL_CALL.characters) await yieldToEventLoop()
}
