import { createHash } from 'node:crypto'

/**
 * What stands in the place of an id of the caller's whose content was erased: it may name someone ("chat with Maria"). A turn that comes
 * again under its id is known by it. Whoever has the store's rows and guesses an id can see that it was there.
 */
export function erasedId(id: string): string {
  return `erased-${createHash('sha256').update(`keepsake erased\0${id}`).digest('base64url').slice(0, 22)}`
}
