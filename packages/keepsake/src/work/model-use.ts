import { setTimeout as wait } from 'node:timers/promises'
import { NotFoundError } from '../errors/errors.ts'
import type { ModelCall, ModelTask } from '../models/ask-model.ts'
import type { EventScope } from '../scopes/scope.ts'
import type { Store } from '../store/store.ts'

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
/** How long what calls cost waits to be written: as much may be lost when the process is killed. */
const WRITE_EVERY_MS = 1_000
/** How often a row is written again that another process was first to change. */
const TRIES = 8
const WAIT_MS = 20

const USED = new Set<ModelCall['outcome']>(['answered', 'repaired'])

/** What calls about one scope's person cost that is not written yet. */
interface Waiting {
  readonly scope: EventScope
  readonly use: ModelUse
}

/**
 * Keeps an account of what models cost, a row a person, task and model, in the store's records: it outlives the process, adds up over
 * several, and goes with the person. Gathered, about a second's worth: a round takes several calls.
 */
export class ModelAccounts {
  readonly #store: Pick<Store, 'findScope' | 'getRecord' | 'listRecords' | 'putRecord'>
  readonly #report: (error: unknown) => void
  #waiting = new Map<string, Waiting>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(
    store: Pick<Store, 'findScope' | 'getRecord' | 'listRecords' | 'putRecord'>,
    report: (error: unknown) => void,
  ) {
    this.#store = store
    this.#report = report
  }

  /** Takes note of a call. */
  note(call: ModelCall): void {
    const { scope, task = null, model, outcome, inputTokens, outputTokens } = call
    const use: ModelUse = {
      task,
      model,
      calls: 1,
      failed: USED.has(outcome) ? 0 : 1,
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
    }
    const key = JSON.stringify([scope, task, model])
    const known = this.#waiting.get(key)?.use
    this.#waiting.set(key, { scope, use: known === undefined ? use : addUse(known, use) })
    this.#timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS).unref()
  }

  /** Writes what waits. What fails is reported. */
  async write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#writeWaiting())
    await this.#writing
  }

  /** Reads what models cost for a user, task by task, with what waits to be written. */
  async read(owner: number): Promise<readonly ModelUse[]> {
    await this.write()
    const rows = await this.#store.listRecords({ collection: COLLECTION, owner })
    return rows.map(({ value }) => readUse(value))
  }

  async #writeWaiting(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    for (const use of waiting.values()) await this.#add(use).catch(this.#report)
  }

  async #add({ scope, use }: Waiting): Promise<void> {
    const row = await this.#store.findScope(scope)
    if (row === null) return
    const key = JSON.stringify([row.owner, use.task, use.model])
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const known = await this.#store.getRecord(COLLECTION, key)
      const value = { ...addUse(readUse(known?.value), use), task: use.task, model: use.model }
      const record = { collection: COLLECTION, key, owner: row.owner, value, isDerived: true }
      const written = await this.#store
        .putRecord({ ...record, expect: known?.version ?? null })
        .catch((error: unknown) => {
          // Erased meanwhile: no user is left whose account it could be.
          if (error instanceof NotFoundError) return 'gone' as const
          throw error
        })
      if (written !== null) return
      await wait(WAIT_MS * tries)
    }
  }
}

function addUse(first: ModelUse, second: ModelUse): ModelUse {
  return {
    ...first,
    calls: first.calls + second.calls,
    failed: first.failed + second.failed,
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
  }
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
