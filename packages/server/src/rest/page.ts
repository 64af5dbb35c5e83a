// Reads and answers pages of lists, by cursor.
import { z } from '@hono/zod-openapi'
import { InvalidInputError } from 'keepsake'
import { invalidField } from './refuse-invalid.ts'
import { flagSchema, wholeNumber, optionalParam } from './schemas/fields.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000

export const pageQuery = {
  limit: optionalParam(wholeNumber(1, MAX_LIMIT), `Maximum size of a page. The default is ${DEFAULT_LIMIT}.`),
  cursor: optionalParam(z.string(), 'The position to continue from: `next` of the page before.'),
}

/** The same for lists that can be read from either end. */
export const eitherWayQuery = {
  newestFirst: flagSchema
    .optional()
    .openapi({ type: 'boolean', param: { description: '`true`: the newest first.' } }),
  ...pageQuery,
}

/** A position in a list: the time of an item and its id. */
export interface ListPosition {
  readonly at: number
  readonly id: string
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** `null` on the last page. */
  readonly next: string | null
}

export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const cursorSchema = z.tuple([z.number(), z.string()])

/** Reads a page of a list. `read` returns the items after a position, or from the start. @throws Problem 422 */
export async function readPage<Item>(
  request: PageRequest,
  read: (after: ListPosition | null, limit: number) => Promise<readonly Item[]>,
  positionOf: (item: Item) => ListPosition,
): Promise<Page<Item>> {
  const { limit = DEFAULT_LIMIT, cursor } = request
  const found = await read(cursor === undefined ? null : readCursor(cursor), limit + 1)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { items, next: hasMore ? writeCursor(positionOf(last)) : null }
}

/** Reports a cursor that the engine refuses as a problem of the query. */
export async function inQuery<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InvalidInputError && error.message.startsWith('cursor '))
      throw invalidField('query.cursor', 'is no cursor of this list: pass the unchanged `next`', error)
    throw error
  }
}

function writeCursor({ at, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url')
}

function readCursor(cursor: string): ListPosition {
  try {
    const json = Buffer.from(cursor, 'base64url').toString('utf8')
    const [at, id] = cursorSchema.parse(JSON.parse(json))
    return { at, id }
  } catch (cause) {
    throw invalidField('query.cursor', 'is no cursor of this list: pass the unchanged `next`', cause)
  }
}
