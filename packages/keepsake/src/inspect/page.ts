import { InvalidInputError, describeValue } from '@keepsake/text'

export interface PageOptions {
  /** Maximum number of items; 100 when absent. */
  readonly limit?: number
  /** Cursor: `next` of the page before. The first page when absent. */
  readonly cursor?: string
  readonly newestFirst?: boolean
}

/** A page of a list. Concurrent changes neither repeat nor skip other items. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** `null` on the last page. */
  readonly next: string | null
}

/** A position in a list that is ordered by scope. */
export interface Place {
  readonly scope: number
  readonly place: number
}

const USUAL_LIMIT = 100
const MOST = 1_000

/** @throws InvalidInputError */
export function readPageLimit(limit: number | undefined): number {
  if (limit === undefined) return USUAL_LIMIT
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit
  throw new InvalidInputError(
    `limit must be a whole number from 1 to ${MOST}, but it is ${describeValue(limit)}.`,
  )
}

/**
 * Returns a page of a list that is ordered by scope, reading no more than the page.
 *
 * @param read returns up to that many items of one scope after a position, in order; from the start after `null`
 * @throws InvalidInputError for a limit out of its range and an invalid cursor
 */
export async function pageByScope<Item>(
  scopes: readonly number[],
  options: PageOptions,
  read: (scope: number, after: number | null, limit: number) => Promise<readonly Item[]>,
  placeOf: (item: Item) => Place,
): Promise<Page<Item>> {
  const limit = readPageLimit(options.limit)
  const from = options.cursor === undefined ? null : readPlace(options.cursor)
  const inOrder = options.newestFirst === true ? scopes.toReversed() : scopes
  const found: Item[] = []
  for (const scope of from === null ? inOrder : inOrder.slice(startOf(inOrder, from.scope, options))) {
    if (found.length > limit) break
    found.push(...(await read(scope, scope === from?.scope ? from.place : null, limit + 1 - found.length)))
  }
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? writePlace(placeOf(last)) : null }
}

/** Finds the index of a cursor's scope, or where it was if it has been erased. */
function startOf(scopes: readonly number[], scope: number, { newestFirst = false }: PageOptions): number {
  const index = scopes.findIndex((one) => (newestFirst ? one <= scope : one >= scope))
  return index < 0 ? scopes.length : index
}

const writePlace = ({ scope, place: index }: Place): string => writeCursor([scope, index])

function readPlace(cursor: string): Place {
  const [scope = 0, index = 0] = readCursor(cursor, 2)
  return { scope, place: index }
}

/** Writes the place of a page's last item, as numbers. */
export function writeCursor(position: readonly number[]): string {
  return Buffer.from(position.join('.')).toString('base64url')
}

/** Reads a place of as many numbers. @throws InvalidInputError */
export function readCursor(cursor: string, count: number): readonly number[] {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const parts = text.split('.')
  if (parts.length === count && parts.every((part) => /^-?\d{1,16}$/.test(part))) return parts.map(Number)
  throw new InvalidInputError('cursor is none of this list: give `next` of the page before as it was.')
}
