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
import { isUnremembered, type Place, chooseSession } from './sessions.ts'
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

/** What a call of `remember()` returns: the ids of the turns it stored and what their author should know. */
export interface RememberResult {
  /** Ids of the turns, in the order given; those not to be remembered are left out. */
  readonly turns: readonly string[]
  /** How many of the turns were new. The others had been stored by an earlier call. */
  readonly added: number
  readonly session: string | null
  /** Number of the last operation in the person's log when the turns were stored: `log({ after })` lists what they and later turns change. */
  readonly lastOperation: number
  /** Secrets that were masked before storage, by kind; never the secrets themselves. */
  readonly maskedSecrets: readonly MaskedSecret[]
  /** Requests that wait for the person's yes (to forget everything, or doubtful ones), with what they would remove. The application asks the person. Absent where there are none. */
  readonly pendingRequests?: readonly PendingRequest[]
  /** Sentences that seem to ask to forget something and remove nothing. Absent where there are none. */
  readonly unheardRequests?: readonly UnheardRequest[]
}

/** A call of at most this size is one message of a user. Its steps together take less than a millisecond, so they need no pauses. */
const FEW = { turns: 4, characters: 2_000 } as const

/** The scope's row, created when missing. @throws InvalidInputError for a name that holds a secret */
export async function ensureScope({ textGate, users, store }: Engine, scope: ScopeKey): Promise<ScopeRow> {
  const key = readScopeKey(scope)
  const { tenant, user, agent, app } = key
  const names = { 'scope.tenant': tenant, 'scope.user': user, 'scope.agent': agent, 'scope.app': app }
  await textGate.requireNames(names)
  const { rows } = await users.find(key)
  return rows.find((row) => isScopeOf(row, key)) ?? store.ensureScope(key)
}

/** Reads, masks, indexes and stores turns in one transaction: durable and searchable on return. The rest follows later. */
export async function recordTurns(
  engine: Engine,
  row: ScopeRow,
  input: TurnInput | readonly TurnInput[],
  options: RememberOptions,
): Promise<RememberResult> {
  const started = performance.now()
  const id = options.id === undefined ? undefined : readName(options.id, 'id')
  // What came with many turns was parsed and checked on the way here, all in one go.
  await yieldToEventLoop()
  const read = readTurns(input, {
    id,
    now: engine.now(),
    newId: engine.newId,
    maxLength: engine.maxTurnLength,
  })
  if (options.remember === false || read.length === 0)
    return { turns: [], added: 0, session: null, lastOperation: 0, maskedSecrets: [] }
  await betweenSteps(read)
  await engine.textGate.requireNames({
    session: options.session,
    ...Object.fromEntries(read.map((turn, index) => [`turns[${index}].id`, turn.id])),
  })
  const target = { row, state: await engine.users.current(row.owner) }
  const isDescribed = options.describe ?? engine.describe
  const worded = isDescribed ? await describeTurns(engine, row, read, options.abortSignal) : read
  const { turns, masked } = await admitTurns(engine, target, worded)
  if (turns.length === 0) return { turns: [], added: 0, session: null, lastOperation: 0, maskedSecrets: [] }
  const time = turns[0]?.at ?? engine.now()
  const { session, over } = await chooseSession(engine, target, options.session, time)
  options.abortSignal?.throwIfAborted()
  const [documents, isLeftOut] = await Promise.all([
    indexTurns(engine, turns),
    isUnremembered(engine.store, row, session),
  ])
  if (isLeftOut) return { turns: [], added: 0, session, lastOperation: 0, maskedSecrets: [] }
  const { owner, scope } = row
  const request = { userId: owner, scope, session, turns: documents, jobs: jobsAfter(engine, row, over) }
  const result = await appendTurns(engine, request)
  engine.worker.wake(row)
  engine.events.emit('turns-recorded', {
    scope: eventScope(row),
    session,
    turns: result.added.map((turn) => turn.id),
    milliseconds: performance.now() - started,
  })
  const { added, sequence: logged } = result
  await betweenSteps(turns)
  const { pending, unheard } = await previewRequestsOf(engine, row, turns)
  return {
    turns: turns.map((turn) => turn.id),
    added: added.length,
    session,
    lastOperation: logged,
    maskedSecrets: masked,
    ...(pending.length === 0 ? {} : { pendingRequests: pending }),
    ...(unheard.length === 0 ? {} : { unheardRequests: unheard }),
  }
}

/** The turns as they may be stored, and what was masked in them. */
async function admitTurns(engine: Engine, target: Place, turns: readonly ReadTurn[]) {
  const { textGate } = engine
  const counts = new Map<MaskedSecret['kind'], number>()
  const tell = ({ kind, count }: MaskedSecret): unknown => counts.set(kind, (counts.get(kind) ?? 0) + count)
  const admit = (text: string): Promise<string> => textGate.admit(text, tell)
  const admitted: ReadTurn[] = []
  for (const [index, turn] of turns.entries()) {
    await betweenSteps(turns)
    const isAsked = async (): Promise<boolean> =>
      asksForSecret(turns[index - 1]?.text ?? (await saidBefore(engine, target, turn.id)))
    const speaker = turn.speaker === null ? null : (await admit(turn.speaker)) || null
    const metadata = turn.metadata === null ? null : await maskMetadata(turn.metadata, admit)
    const text = await textGate.admitTurn(turn, isAsked, tell)
    // An answer that holds only a thought says nothing.
    if (text === '' && turn.text !== '') continue
    const { attached: _, ...kept } = turn
    admitted.push({ ...kept, text, speaker, metadata })
  }
  return { turns: admitted, masked: Array.from(counts, ([kind, count]) => ({ kind, count })) }
}

/** The text said right before this turn, by whichever process stored it. For a turn that is sent again: the text before its first arrival. */
async function saidBefore({ store }: Engine, { row, state }: Place, turn: string): Promise<string> {
  const { owner, scope } = row
  if (state !== undefined) {
    const before = state.turns.get(turn)?.position ?? Number.POSITIVE_INFINITY
    return (
      state.scope(scope).turns.findLast((said, position) => said !== undefined && position < before)?.text ??
      ''
    )
  }
  const of = { userId: owner, scopes: [scope], limit: 1 }
  const [known] = await store.listTurns({ ...of, ids: [turn] })
  const [last] = await store.listTurns({ ...of, newestFirst: true, beforePosition: known?.position })
  return last?.text ?? ''
}

async function indexTurns({ embedding }: Engine, turns: readonly ReadTurn[]) {
  const indexed = []
  for (const turn of turns) {
    await betweenSteps(turns)
    indexed.push({ ...turn, document: indexText(embedding, turn) })
  }
  return indexed
}

/** Jobs to queue together with these turns: form memories, and end the session `over` if the turns began another. */
function jobsAfter(engine: Engine, row: ScopeRow, over: string | null): NewJob[] {
  const consolidate = newJob(engine, row, 'consolidate')
  return over === null ? [consolidate] : [consolidate, newJob(engine, row, 'end-session', over)]
}

/** Stores turns, and applies them to the user's state. */
function appendTurns({ users, store }: Engine, request: AppendRequest): Promise<AppendResult> {
  return users.lock(request.userId, async () => {
    const result = await store.append(request)
    users.applyAppend(request, result)
    return result
  })
}

/** Lets others go first between the steps of a call that brings much. One that brings little would wait longer in line, at each step, than it holds anybody. */
async function betweenSteps(turns: readonly Pick<ReadTurn, 'text'>[]): Promise<void> {
  const characters = turns.reduce((sum, { text }) => sum + text.length, 0)
  if (turns.length > FEW.turns || characters > FEW.characters) await yieldToEventLoop()
}
