import {
  findPreset,
  ModelError,
  openMemory,
  type EventMap,
  type Keepsake,
  type LanguageModel,
  type PresetName,
  type ScopedMemory,
} from 'keepsake'
import { Meter } from './meter.ts'
import type { TakenRounds } from './take-rounds.ts'

/** A whole run may wait for an answer written by hand. */
const ANSWER_TIMEOUT_MS = 24 * 3_600_000
/** Node ends a request whose answer does not begin within five minutes; then it is asked again. */
const RETRIES = 20

export interface RejectedOperation {
  readonly kind: 'add' | 'modify' | 'delete'
  readonly reason: string
  readonly prompt: string
}

/** What the engine told on the way that its memory does not show. */
export interface Happenings {
  readonly rejected: readonly RejectedOperation[]
  /** Sessions that left no summary, and why. */
  readonly notSummarised: readonly { readonly session: string; readonly outcome: 'nothing' | 'unsafe' }[]
  readonly failures: readonly string[]
}

/** A talk remembered with one preset. */
export interface IngestedTalk extends Happenings {
  readonly keepsake: Keepsake
  readonly memory: ScopedMemory
  readonly meter: Meter
  readonly milliseconds: number
}

export interface IngestOptions {
  readonly preset: PresetName
  readonly model: LanguageModel
  readonly user: string
  readonly taken: TakenRounds
  readonly onProgress?: (sessions: number) => void
}

/** Ids that rise with the order of making, the same in every run. */
function countingIds(): () => string {
  let made = 0
  return () => `m${String((made += 1)).padStart(9, '0')}`
}

/**
 * Remembers a talk session by session in a memory of its own, each consolidated before the next comes. Clock and ids
 * come from the talk, so that the same answers always lead to the same questions.
 *
 * @throws ModelError when the model cannot be reached, or a recording lacks an answer.
 */
export async function ingestTalk(options: IngestOptions): Promise<IngestedTalk> {
  const { preset, model, user, taken } = options
  const meter = new Meter()
  let now = taken.sessions[0]?.turns[0]?.at ?? 0
  const keepsake = await openMemory({
    path: ':memory:',
    preset: findPreset(preset, { model: true }),
    model: meter.model(model),
    modelOptions: { timeoutMs: ANSWER_TIMEOUT_MS, retries: RETRIES },
    now: () => now,
    newId: countingIds(),
  })
  try {
    const happenings = listen(keepsake, meter)
    const memory = keepsake.scope({ user })
    const started = performance.now()
    for (const [index, session] of taken.sessions.entries()) {
      now = session.turns.at(-1)?.at ?? now
      const turns = session.turns.map(({ zone, ...turn }) => ({ ...turn, timeZone: zone }))
      await memory.remember(turns, { session: session.id })
      await memory.endSession(session.id)
      await drain(memory)
      options.onProgress?.(index + 1)
    }
    return { keepsake, memory, meter, ...happenings, milliseconds: performance.now() - started }
  } catch (error) {
    await keepsake.close()
    throw error
  }
}

function listen(keepsake: Keepsake, meter: Meter): Happenings {
  const rejected: RejectedOperation[] = []
  const notSummarised: Happenings['notSummarised'][number][] = []
  const failures: string[] = []
  keepsake.on('model-called', (call) => meter.ended(call))
  keepsake.on('operation-rejected', ({ kind, reason, prompt }) => rejected.push({ kind, reason, prompt }))
  keepsake.on('session-not-summarised', ({ session, outcome }) => notSummarised.push({ session, outcome }))
  const tellFailure = ({ error }: EventMap['background-failed'][0]): void => {
    failures.push(error.message)
  }
  keepsake.on('job-failed', tellFailure)
  keepsake.on('background-failed', tellFailure)
  return { rejected, notSummarised, failures }
}

/** An unusable answer ends no run: it is counted, and its job waits to be looked at. */
async function drain(memory: ScopedMemory): Promise<void> {
  try {
    await memory.drain()
  } catch (error) {
    const causes: unknown[] = error instanceof AggregateError ? error.errors : [error]
    if (!causes.every((cause) => cause instanceof ModelError && cause.code === 'model-answer')) throw error
  }
}
