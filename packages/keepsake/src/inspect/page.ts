// Divides lists into pages, with cursors.
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

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000

/** Checks the limit of a page. @throws InvalidInputError */
export function readPageLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new InvalidInputError(
    `limit must be a whole number from 1 to ${MAX_LIMIT}, but it is ${describeValue(limit)}.`,
  )
}

/** The place of an item in a list. Places are compared number by number. */
type Place = readonly number[]

/** Returns a page of a list, whose places are unique and of one length. @throws InvalidInputError for limit and cursor */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, cursor, newestFirst = false }: PageOptions,
  placeOf: (item: Item) => Place,
): Page<Item> {
  const pageLimit = readPageLimit(limit)
  const sign = newestFirst ? -1 : 1
  const after = cursor === undefined ? null : readCursor(cursor)
  const found = items
    .map((item) => ({ item, place: placeOf(item) }))
    .filter(({ place }) => after === null || sign * comparePlaces(place, after) > 0)
    .sort((a, b) => sign * comparePlaces(a.place, b.place))
  const page = found.slice(0, pageLimit)
  const last = page.at(-1)
  const isLast = found.length <= pageLimit || last === undefined
  return { items: page.map(({ item }) => item), next: isLast ? null : writeCursor(last.place) }
}

/** Compares two places, as `sort` expects. @throws InvalidInputError for places of different lists */
function comparePlaces(first: Place, second: Place): number {
  if (first.length !== second.length) throw wrongCursor()
  const differing = first.findIndex((part, index) => part !== second[index])
  return (first[differing] ?? 0) - (second[differing] ?? 0)
}

/** Encodes the place of the last item of a page. */
function writeCursor(place: Place): string {
  return Buffer.from(place.join('.')).toString('base64url')
}

function readCursor(cursor: string): Place {
  const parts = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (parts.every((part) => /^-?\d{1,16}$/.test(part))) return parts.map(Number)
  throw wrongCursor()
}

function wrongCursor(): InvalidInputError {
  return new InvalidInputError('cursor is none of this list: give `next` of the page before as it was.')
}
