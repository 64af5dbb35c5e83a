import type { ServerDeps, ServerRequest } from '../server-context.ts'
import {
  hashOf,
  idempotencyRefusal,
  ownerOf,
  readIdempotencyKey,
  replay,
} from '../serving/idempotency-key.ts'
import type { StoredReplay, NewRun } from '../serving/request-store.ts'
import type { MemoryRequest } from './read-memory-headers.ts'
import { currentSession } from './remember-exchange.ts'

/** The parts of a chat that identify a repeated request. */
export interface ChatInput {
  readonly scope: NonNullable<MemoryRequest['scope']>
  readonly options: MemoryRequest
  readonly json: string
  /** Arrival, milliseconds since 1970. */
  readonly askedAt: number
}

/** Maximum bytes of a stored answer. After a longer one, a repeated request goes to the upstream again. */
const MAX_STORED_BYTES = 1_000_000

/** A chat with an `Idempotency-Key`. Its answer is stored before it is remembered, so that a repeat after a crash gets the remembered answer. */
export class ChatOnce {
  /** The session of the first request, which is stored as the run's note. */
  readonly session: string | null
  /** The answer of the first request; `null` when this is the first. */
  readonly storedAnswer: Response | null
  readonly #run: NewRun | null
  readonly #findOwner: () => Promise<number | null>
  readonly #pieces: Uint8Array[] = []
  #size = 0

  private constructor(begun: NewRun | StoredReplay, findOwner: () => Promise<number | null>) {
    this.session = begun.note ?? null
    this.storedAnswer = begun.kind === 'replay' ? replay(begun.answer) : null
    this.#run = begun.kind === 'run' ? begun : null
    this.#findOwner = findOwner
  }

  /** @returns `null` for a chat without a key @throws Problem 409 `idempotency-conflict`, `idempotency-busy`. */
  static async begin(deps: ServerDeps, c: ServerRequest, chat: ChatInput): Promise<ChatOnce | null> {
    const key = readIdempotencyKey(c.req)
    if (key === null) return null
    const { scope, options, json, askedAt } = chat
    const { pathname, search } = new URL(c.req.url)
    const begun = await deps.idempotency.begin(
      c.get('grant').id,
      key,
      hashOf([pathname, search, options, json]),
      async () => options.session ?? (await currentSession(deps.keepsake, scope, askedAt)),
    )
    if (begun.kind !== 'run' && begun.kind !== 'replay') throw idempotencyRefusal(begun.kind)
    return new ChatOnce(begun, () => ownerOf(deps.keepsake, scope))
  }

  /** Collects the answer's bytes. */
  addBytes(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size <= MAX_STORED_BYTES) this.#pieces.push(bytes)
  }

  /** Stores the complete answer for repeated requests. */
  async storeAnswer(status: number, headers: Headers): Promise<void> {
    const body = this.#size <= MAX_STORED_BYTES ? textOf(this.#pieces) : null
    // Answers quote the conversation, so they belong to the user and are erased with them.
    const owner = body === null ? null : await this.#findOwner()
    if (body === null || owner === null) return this.discard()
    await this.#run?.finish({ status, headers: Object.fromEntries(headers), body }, () =>
      Promise.resolve(owner),
    )
  }

  /** Allows the same request again after a broken answer. */
  async discard(): Promise<void> {
    await this.#run?.finish(null)
  }
}

/** Decodes UTF-8; `null` for bytes that are not text. */
function textOf(pieces: readonly Uint8Array[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces))
  } catch {
    return null
  }
}
