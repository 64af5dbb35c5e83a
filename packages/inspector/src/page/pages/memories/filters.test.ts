import { describe, expect, it } from 'vitest'
import { isNarrowed, readFilters, toMemoryFilter, writeFilters } from './filters.ts'

describe('filters of the list of memories', () => {
  it('come back from the address as they were', () => {
    const filters = readFilters({
      status: ['deleted'],
      form: ['fact', 'note'],
      type: ['event'],
      contains: ['<b>bees</b>'],
      pinned: ['yes'],
      subject: ['Mia'],
      key: ['residence'],
      question: ['Where?'],
    })
    const written = Object.fromEntries(
      Object.entries(writeFilters(filters)).map(([name, value]) => [
        name,
        typeof value === 'string' ? [value] : value,
      ]),
    )
    expect(readFilters(written)).toEqual(filters)
    expect(isNarrowed(filters)).toBe(true)
  })

  it('leave out what an address cannot say', () => {
    const filters = readFilters({ status: ['erased'], form: ['song', 'fact'], type: ['x'], pinned: ['1'] })
    expect(filters).toMatchObject({ status: 'live', forms: ['fact'], types: [], pinned: false })
    expect(isNarrowed(readFilters({}))).toBe(false)
  })

  it('ask for no more than they say, the newest first', () => {
    expect(toMemoryFilter(readFilters({}))).toEqual({ statuses: ['live'], newestFirst: true })
    expect(toMemoryFilter(readFilters({ contains: ['  '], pinned: ['yes'] }))).toEqual({
      statuses: ['live'],
      newestFirst: true,
      pinned: true,
    })
  })
})
