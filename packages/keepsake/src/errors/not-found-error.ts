import { KeepsakeError } from '@keepsake/text/names'

/** Nothing with that id in this scope. A number is the store's own, of a scope that was erased meanwhile. */
export class NotFoundError extends KeepsakeError {
  override readonly name = 'NotFoundError'

  constructor(
    what: 'memory' | 'operation' | 'session' | 'scope' | 'turn' | 'file' | 'entity' | 'erasure' | 'block',
    id: string | number,
  ) {
    const hint = what === 'memory' ? 'run `keepsake list` to see them' : 'list what there is and try again'
    super('not-found', `There is no ${what} "${id}" here. Ids are per user; ${hint}.`, {
      details: { what, id },
    })
  }
}
