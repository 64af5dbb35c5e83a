import { KeepsakeError, type ErrorDetails } from '@keepsake/text/names'

/** The memory was closed. Open it again to go on. */
export class ClosedError extends KeepsakeError {
  override readonly name = 'ClosedError'

  constructor() {
    super('closed', 'This memory is closed. Open it again with openMemory() to go on.')
  }
}

/** The scope has no object with that id. A numeric id is a row number of the store, whose user was erased. */
export class NotFoundError extends KeepsakeError {
  override readonly name = 'NotFoundError'

  constructor(
    what: 'memory' | 'operation' | 'session' | 'scope' | 'turn' | 'file' | 'entity' | 'erasure' | 'block',
    id: string | number,
  ) {
    super(
      'not-found',
      `There is no ${what} "${id}" here. Names and ids are per user: list what there is to see them.`,
      {
        details: { what, id },
      },
    )
  }
}

/** The object exists, but its state does not allow the call. The message says what to do. */
export class NotPossibleError extends KeepsakeError {
  override readonly name = 'NotPossibleError'

  constructor(message: string, details: ErrorDetails = {}) {
    super('not-possible', message, { details })
  }
}

/** Reasons why a store failed. */
export type StoreErrorCode =
  'store-busy' | 'store-read-only' | 'store-full' | 'store-corrupt' | 'store-schema' | 'store-failed'

/** The store (file, disk, database) failed. The call changed nothing, and what was acknowledged before is safe. */
export class StoreError extends KeepsakeError {
  override readonly name = 'StoreError'

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; details?: ErrorDetails } = {},
  ) {
    super(code, message, { ...options, isRetryable: code === 'store-busy' || code === 'store-full' })
  }
}

/** A turn id was used again with other content. The first turn stays, and no turn of the call was stored. */
export class TurnConflictError extends KeepsakeError {
  override readonly name = 'TurnConflictError'

  constructor(turn: string, session: string) {
    super(
      'turn-conflict',
      `Turn "${turn}" is already stored with other content (session "${session}"). Turns are never edited: the first was kept and nothing of this call was stored. Give the new turn an id of its own.`,
      { details: { turn, session } },
    )
  }
}
