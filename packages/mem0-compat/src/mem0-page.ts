import { z } from 'zod'
import type { ServerRequest } from '@keepsake/server'
import { readQuery } from './read-body.ts'

/** A page of anything, as Mem0 has it. */
export interface Mem0Page<Entry> {
  readonly count: number
  /** Addresses; `null` at the ends. */
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Entry[]
}

/** Which page is asked for: 1 when absent, of 100. */
export interface PageRequest {
  readonly page?: number | null | undefined
  readonly pageSize?: number | null | undefined
}

const DEFAULT_PAGE_SIZE = 100
const LARGEST_PAGE = 1_000

const NUMBER = 'must be a whole number from 1'

/** A whole number in a query. */
export function wholeNumber(most: number) {
  return z.coerce.number(NUMBER).int(NUMBER).min(1, NUMBER).max(most, `must be at most ${most}`)
}

const pageSchema = z.strictObject({
  page: wholeNumber(1_000_000).optional(),
  page_size: wholeNumber(LARGEST_PAGE).optional(),
})

/** The page that a query asks for. @throws Problem 400 */
export function readPage(c: ServerRequest): PageRequest {
  const { page, page_size: pageSize } = readQuery(c, pageSchema)
  return { page, pageSize }
}

/** A part of a list: so many from a place on. */
export interface Part {
  readonly start: number
  readonly size: number
}

/** The part of a list that a page is. */
export function partOf({ page, pageSize }: PageRequest): Part {
  const size = pageSize ?? DEFAULT_PAGE_SIZE
  return { start: ((page ?? 1) - 1) * size, size }
}

/** A page of a list that is there whole. */
export function pageOf<Entry>(c: ServerRequest, all: readonly Entry[], asked: PageRequest): Mem0Page<Entry> {
  const { start, size } = partOf(asked)
  return asPage(c, asked, { count: all.length, results: all.slice(start, start + size) })
}

/** A page as Mem0 has it, of its own part of a list and how many there are in all. */
export function asPage<Entry>(
  c: ServerRequest,
  asked: PageRequest,
  { count, results }: Pick<Mem0Page<Entry>, 'count' | 'results'>,
): Mem0Page<Entry> {
  const { size } = partOf(asked)
  const page = asked.page ?? 1
  const last = Math.max(1, Math.ceil(count / size))
  const addressOf = (number: number): string => {
    const address = new URL(c.req.url)
    address.searchParams.set('page', String(number))
    address.searchParams.set('page_size', String(size))
    return address.href
  }
  return {
    count,
    next: page < last ? addressOf(page + 1) : null,
    previous: page > 1 ? addressOf(Math.min(page - 1, last)) : null,
    results,
  }
}
