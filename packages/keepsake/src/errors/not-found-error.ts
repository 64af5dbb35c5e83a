import { KeepsakeError } from '@keepsake/text'

/** Nothing with that id in this scope. */
export class NotFoundError extends KeepsakeError {
  override readonly name = 'NotFoundError'

  constructor(what: 'memory' | 'operation' | 'session' | 'scope' | 'turn' | 'file' | 'erasure', id: string) {
    super(
      'not-found',
      `There is no ${what} "${id}" here. Ids are those of this scope alone; list what there is and try again.`,
      {
        details: { what, id },
      },
    )
  }
}
