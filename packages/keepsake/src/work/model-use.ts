import { setTimeout as wait } from 'node:timers/promises'
import { NotFoundError } from '../errors/not-found-error.ts'
import type { ModelCall } from '../models/model-call.ts'
import type { ModelTask } from '../models/model-task.ts'
import type { Engine } from './engine.ts'

/** What a language model was asked for about one person, for one task, and what it cost. */
export interface ModelUse {
  readonly task: ModelTask | null
  readonly model: string
  readonly calls: number
  /** Calls of which nothing could be used. */
  readonly failed: number
  /** As the provider counted them; what it did not count is in neither. */
  readonly inputTokens: number
  readonly outputTokens: number
}

const COLLECTION = 'model-use'
/** How often a row is written again that another process was first to change. */
const TRIES = 8
const WAIT_MS = 20

const USED = new Set<ModelCall['outcome']>(['answered', 'repaired'])

/**
 * Keeps an account of what models cost, a row a person, task and model, in the store's records: it outlives the process, adds up over
 * several, and goes with the person. Off the path of whoever asked.
 */
export function keepModelUse(engine: Engine): void {
  engine.events.on('model-called', (call) => engine.worker.later(() => addCall(engine, call)))
}

async function addCall({ store }: Engine, call: ModelCall): Promise<void> {
  const row = await store.findScope(call.scope)
  if (row === null) return
  const { task = null, model, outcome, inputTokens, outputTokens } = call
  const key = JSON.stringify([row.owner, task, model])
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const known = await store.record(COLLECTION, key)
    const before = readUse(known?.value)
    const value = {
      task,
      model,
      calls: before.calls + 1,
      failed: before.failed + (USED.has(outcome) ? 0 : 1),
      inputTokens: before.inputTokens + (inputTokens ?? 0),
      outputTokens: before.outputTokens + (outputTokens ?? 0),
    }
    const record = { collection: COLLECTION, key, owner: row.owner, value, flush: false }
    const written = await store
      .putRecord({ ...record, expect: known?.version ?? null })
      .catch((error: unknown) => {
        // Erased meanwhile: there is nobody whose account it could be.
        if (error instanceof NotFoundError) return 'gone' as const
        throw error
      })
    if (written !== null) return
    await wait(WAIT_MS * tries)
  }
}

/** What models cost for a person, task by task. */
export async function readModelUse(
  { store }: Pick<Engine, 'store'>,
  owner: number,
): Promise<readonly ModelUse[]> {
  const rows = await store.records({ collection: COLLECTION, owner })
  return rows.map(({ value }) => readUse(value))
}

function readUse(value: unknown): ModelUse {
  const { task, model, calls, failed, inputTokens, outputTokens } = (value ?? {}) as Partial<ModelUse>
  return {
    task: task ?? null,
    model: model ?? '',
    calls: calls ?? 0,
    failed: failed ?? 0,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
  }
}
