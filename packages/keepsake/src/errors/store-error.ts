import { KeepsakeError, type ErrorDetails } from '@keepsake/text/names'

/** Why a store could not do its work; each has its own advice in the message. */
export type StoreErrorCode =
  'store-busy' | 'store-read-only' | 'store-full' | 'store-corrupt' | 'store-schema' | 'store-failed'

/** The store (file, disk, database) failed. What was acknowledged before is safe; this call changed nothing. */
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
