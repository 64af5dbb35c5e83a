import { z } from 'zod'
import type { ServerRequest } from '../server-context.ts'
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

export function pageOf<Entry>(c: ServerRequest, all: readonly Entry[], asked: PageRequest): Mem0Page<Entry> {
  const page = asked.page ?? 1
  const pageSize = asked.pageSize ?? DEFAULT_PAGE_SIZE
  const start = (page - 1) * pageSize
  const last = Math.max(1, Math.ceil(all.length / pageSize))
  const addressOf = (number: number): string => {
    const address = new URL(c.req.url)
    address.searchParams.set('page', String(number))
    address.searchParams.set('page_size', String(pageSize))
    return address.href
  }
  return {
    count: all.length,
    next: page < last ? addressOf(page + 1) : null,
    previous: page > 1 ? addressOf(Math.min(page - 1, last)) : null,
    results: all.slice(start, start + pageSize),
  }
}
