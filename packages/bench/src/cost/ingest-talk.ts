import { ModelError, type Keepsake, type LanguageModel, type ScopedMemory } from 'keepsake'
import { findPreset, type PresetName } from '@keepsake/papers'
import { Meter } from '../recordings/meter.ts'
import { openPreset } from '../systems/keepsake.ts'
import type { Dialogue, SystemMemory } from '../systems/memory-system.ts'
import type { TakenRounds } from './take-rounds.ts'

/** A run may wait for an answer that a person writes by hand. */
const ANSWER_TIMEOUT_MS = 24 * 3_600_000
/** Node ends a request whose answer does not begin within five minutes. It is then sent again, so a long wait needs many retries. */
const RETRIES = 20

export interface EventCounts {
  /** Operations (changes of memories) that the model proposed and the rules rejected. */
  rejected: number
  /** Sessions without a summary. */
  notSummarised: number
  failures: number
}

export interface IngestedTalk {
  readonly eventCounts: EventCounts
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
  readonly say?: ((what: string) => void) | undefined
}

/** Remembers a talk session by session. Clock and ids come from the talk, so that a recording can be replayed. */
export async function ingestTalk({ preset, model, user, taken, say }: IngestOptions): Promise<IngestedTalk> {
  const meter = new Meter()
  const system = await openPreset(
    findPreset(preset, { model: true }),
    { user, model: meter.model(model), embedding: null },
    { modelOptions: { timeoutMs: ANSWER_TIMEOUT_MS, retries: RETRIES } },
  )
  const { keepsake, scope } = system.opened
  try {
    const eventCounts = countEvents(keepsake, meter)
    const started = performance.now()
    for (const [index, { id: session, turns }] of taken.sessions.entries()) {
      await add(system, { session, turns, endsSession: true })
      say?.(`${index + 1} of ${taken.sessions.length} sessions`)
    }
    return { keepsake, memory: scope, meter, eventCounts, milliseconds: performance.now() - started }
  } catch (error) {
    await keepsake.close()
    throw error
  }
}

function countEvents(keepsake: Keepsake, meter: Meter): EventCounts {
  const counts: EventCounts = { rejected: 0, notSummarised: 0, failures: 0 }
  keepsake.on('model-called', (call) => meter.ended(call))
  keepsake.on('operation-rejected', () => (counts.rejected += 1))
  keepsake.on('session-not-summarised', () => (counts.notSummarised += 1))
  keepsake.on('job-failed', () => (counts.failures += 1))
  keepsake.on('background-failed', () => (counts.failures += 1))
  return counts
}

/** Adds a dialogue. An unusable answer is counted and its job parked, without ending the run. */
async function add(system: SystemMemory, dialogue: Dialogue): Promise<void> {
  try {
    await system.addDialogue(dialogue)
  } catch (error) {
    const causes: unknown[] = error instanceof AggregateError ? error.errors : [error]
    if (!causes.every((cause) => cause instanceof ModelError && cause.code === 'model-answer')) throw error
  }
}
