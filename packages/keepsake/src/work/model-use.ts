// Accounts for the calls of language models, by user, task and model.
import { setTimeout as wait } from 'node:timers/promises'
import { NotFoundError } from '../errors/errors.ts'
import type { ModelCall, ModelTask } from '../models/ask-model.ts'
import type { EventScope } from '../scopes/scope.ts'
import type { Store } from '../store/store.ts'

/** Calls of a language model for one user and one task, and their cost. */
export interface ModelUse {
  readonly task: ModelTask | null
  readonly model: string
  readonly calls: number
  /** Calls without a usable answer. */
  readonly failed: number
  /** Tokens as the provider counted them. Calls that it did not count add nothing. */
  readonly inputTokens: number
  readonly outputTokens: number
}

const COLLECTION = 'model-use'
/** Delay after which costs are written. A process that is killed loses the costs of this time. */
const WRITE_AFTER_MS = 1_000
/** Maximum number of tries to write a record that other processes change at the same time. */
const MAX_TRIES = 8
/** Delay before the second try. It grows with each try. */
const WAIT_MS = 20

/** Outcomes of calls with a usable answer. */
const USABLE = new Set<ModelCall['outcome']>(['answered', 'repaired'])

/** Costs of one user that are not written yet. */
interface PendingUse {
  readonly scope: EventScope
  readonly use: ModelUse
}

/** Adds up the costs of models in the store, by user, task and model. Costs are written once a second, and erased with the user. */
export class ModelAccounts {
  readonly #store: Pick<Store, 'findScope' | 'getRecord' | 'listRecords' | 'putRecord'>
  readonly #report: (error: unknown) => void
  #pending = new Map<string, PendingUse>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(
    store: Pick<Store, 'findScope' | 'getRecord' | 'listRecords' | 'putRecord'>,
    report: (error: unknown) => void,
  ) {
    this.#store = store
    this.#report = report
  }

  /** Adds the cost of a call. */
  note(call: ModelCall): void {
    const { scope, task = null, model, outcome, inputTokens, outputTokens } = call
    const use: ModelUse = {
      task,
      model,
      calls: 1,
      failed: USABLE.has(outcome) ? 0 : 1,
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
    }
    const key = JSON.stringify([scope, task, model])
    const known = this.#pending.get(key)?.use
    this.#pending.set(key, { scope, use: known === undefined ? use : addUse(known, use) })
    this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref()
  }

  /** Writes the pending costs. Errors are reported. */
  async write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#writePending())
    await this.#writing
  }

  /** Returns the costs of a user by task and model, including pending ones. */
  async read(owner: number): Promise<readonly ModelUse[]> {
    await this.write()
    const rows = await this.#store.listRecords({ collection: COLLECTION, owner })
    return rows.map(({ value }) => readUse(value))
  }

  async #writePending(): Promise<void> {
    const pending = this.#pending
    this.#pending = new Map()
    for (const use of pending.values()) await this.#add(use).catch(this.#report)
  }

  async #add({ scope, use }: PendingUse): Promise<void> {
    const row = await this.#store.findScope(scope)
    if (row === null) return
    const key = JSON.stringify([row.owner, use.task, use.model])
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const known = await this.#store.getRecord(COLLECTION, key)
      const value = { ...addUse(readUse(known?.value), use), task: use.task, model: use.model }
      const record = { collection: COLLECTION, key, owner: row.owner, value, isDerived: true }
      const written = await this.#store
        .putRecord({ ...record, expect: known?.version ?? null })
        .catch((error: unknown) => {
          // The user was erased meanwhile.
          if (error instanceof NotFoundError) return 'erased' as const
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
