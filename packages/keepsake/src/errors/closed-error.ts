import { KeepsakeError } from '@keepsake/text/names'

/** The memory was closed. Open it again to go on. */
export class ClosedError extends KeepsakeError {
  override readonly name = 'ClosedError'

  constructor() {
    super('closed', 'This memory is closed. Open it again with openMemory() to go on.')
  }
}
