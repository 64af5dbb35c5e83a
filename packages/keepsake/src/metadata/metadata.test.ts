import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskMetadata } from './admit-metadata.ts'
import { type MetadataFilter, matchesMetadata, readMetadataFilter, prepareFilter } from './metadata-filter.ts'
import type { Metadata } from '@keepsake/text/names'
import { DEEPEST_METADATA, readMetadata } from '@keepsake/text/names'

/** Any object that JSON holds, of bounded depth. */
const anyMetadata = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

describe('readMetadata', () => {
  it('gives back whatever JSON holds, and the same again when it is read again', () => {
    fc.assert(
      fc.property(anyMetadata, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown
        const read = readMetadata(plain, 'metadata')
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(plain).toWellFormed()))
        expect(readMetadata(read, 'metadata')).toEqual(read)
      }),
    )
  })

  it('takes as many levels as it says, and no more', () => {
    const deep = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))
    expect(() => readMetadata(deep(DEEPEST_METADATA), 'metadata')).not.toThrow()
    expect(() => readMetadata(deep(DEEPEST_METADATA + 1), 'metadata')).toThrow(/lies deeper/)
  })
})

describe('maskMetadata', () => {
  it('hands every text to the mask and leaves all else as it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyMetadata, async (value) => {
        const metadata = readMetadata(JSON.parse(JSON.stringify(value)), 'metadata')
        expect(await maskMetadata(metadata, (text) => Promise.resolve(text))).toEqual(metadata)
        const masked = await maskMetadata(metadata, (text) => Promise.resolve(text.replaceAll(/\d/g, '#')))
        expect(JSON.stringify(Object.keys(masked))).not.toMatch(/\d/)
      }),
    )
  })

  it('reads a value with the name of its field, and a name that is a secret by itself', async () => {
    const mask = (text: string) => Promise.resolve(text.replace(/(pin: )\d+/, '$1*').replace('secret', '*'))
    const given = { pin: '1234', other: '1234', secret: ['pin: 99', { pin: ['7'] }] }
    expect(await maskMetadata(given, mask)).toEqual({
      pin: '*',
      other: '1234',
      '*': ['pin: *', { pin: ['*'] }],
    })
  })
})

describe('matchesMetadata', () => {
  const one: Metadata = { n: 2, text: 'Éclair', list: [1, 'a'], none: null }
  const means = (filter: MetadataFilter, metadata: Metadata | null = one): boolean =>
    matchesMetadata(filter, metadata)

  it('compares numbers with numbers and texts with texts, and nothing else', () => {
    expect(means({ path: 'n', atLeast: 2, atMost: 2 })).toBe(true)
    expect(means({ path: 'n', above: '1' })).toBe(false)
    expect(means({ path: 'text', above: 1 })).toBe(false)
    expect(means({ path: 'none', below: 1 })).toBe(false)
    expect(means({ path: 'n', is: '2' })).toBe(false)
  })

  it('tells null from what is not there', () => {
    expect(means({ path: 'none', is: null })).toBe(true)
    expect(means({ path: 'gone', is: null })).toBe(false)
    expect(means({ path: 'gone', exists: false })).toBe(true)
    expect(means({ path: 'gone', exists: false, is: 1 })).toBe(false)
    expect(means({ path: 'none', exists: false })).toBe(false)
    expect(means({ path: 'any', exists: false }, null)).toBe(true)
  })

  it('finds a text in a text and a value in a list, in any case when asked', () => {
    expect(means({ path: 'text', contains: 'clair' })).toBe(true)
    expect(means({ path: 'text', contains: 'éC' })).toBe(false)
    expect(means({ path: 'text', contains: 'éC', ignoreCase: true })).toBe(true)
    expect(means({ path: 'list', contains: 'A', ignoreCase: true })).toBe(true)
    expect(means({ path: 'list', contains: '1' })).toBe(false)
    expect(means({ path: 'n', contains: 2 })).toBe(false)
  })

  it('holds for a filter, or for its opposite, and never for both', () => {
    const condition = fc.record({ path: fc.constantFrom('n', 'text', 'list', 'gone'), is: fc.jsonValue() })
    const { filter } = fc.letrec<{ filter: MetadataFilter }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 4 },
        condition as fc.Arbitrary<MetadataFilter>,
        fc.record({ not: tie('filter') }),
        fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }),
        fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
      ),
    }))
    fc.assert(
      fc.property(filter, anyMetadata, (given, value) => {
        const metadata = readMetadata(JSON.parse(JSON.stringify(value)), 'metadata')
        expect(means({ not: given }, metadata)).toBe(!means(given, metadata))
        expect(means({ all: [given, { not: given }] }, metadata)).toBe(false)
        expect(means({ any: [given, { not: given }] }, metadata)).toBe(true)
      }),
    )
  })
})

describe('readMetadataFilter', () => {
  it.each([
    ['topic', /where must be a condition/],
    [{}, /where compares nothing/],
    [{ path: 'a', ignoreCase: true }, /where compares nothing/],
    [{ path: '', is: 1, was: 2 }, /where\.was is no comparison: those are is, in/],
    [{ is: 1 }, /where\.path must be the name of a field/],
    [{ path: [], is: 1 }, /where\.path/],
    [{ path: ['a', 1.5], is: 1 }, /where\.path/],
    [{ path: 'a', in: 'b' }, /where\.in must be a list/],
    [{ path: 'a', exists: 1 }, /where\.exists must be true or false/],
    [{ path: 'a', above: null }, /where\.above must be a number or a text/],
    [{ path: 'a', is: new Date() }, /where\.is is a Date/],
    [{ all: {} }, /where\.all must be a list/],
    [{ all: [{ path: 'a', is: 1 }, 7] }, /where\.all\[1\] must be a condition/],
    [{ not: { path: 'a', is: 1 }, path: 'b' }, /where\.path stands beside "not"/],
    [{ path: 'a', in: Array.from({ length: 250 }, (_, b) => ({ b })) }, /one condition more than the 250/],
    [{ any: Array.from({ length: 1_001 }, () => ({ path: 'a', is: 1 })) }, /one condition more than the 250/],
  ])('refuses %j', (given, problem) => {
    expect(() => readMetadataFilter(given, 'where')).toThrow(problem)
  })

  it('a long list of values decides as a short one, and a long filter tried beforehand as one that is not', async () => {
    const given = {
      path: 'a',
      in: [...Array.from({ length: 60_000 }, (_, at) => `w${at}`), 7, null, { b: 1 }],
    }
    const filter = readMetadataFilter({ any: [given, { path: 'c', is: true }] }, 'where')
    const all = [
      { a: 'w59999' },
      { a: 'w60000' },
      { a: 7 },
      { a: '7' },
      { a: null },
      { a: { b: 1 } },
      { c: true },
    ]
    const decide = () => [...all, null].map((metadata) => matchesMetadata(filter, metadata))
    const before = decide()
    expect(before).toEqual([true, false, true, false, true, true, true, false])
    const memories = new Map([...all, null].map((metadata, at) => [String(at), { metadata }]))
    expect(await prepareFilter(filter, [memories])).toBe(true)
    expect(decide()).toEqual(before)
    expect(matchesMetadata(filter, { a: 'w1' })).toBe(true)
    expect(await prepareFilter({ path: 'a', is: 1 }, [memories])).toBe(false)
  })

  it('refuses what is nested too deep, and gives back what it took', () => {
    let filter: MetadataFilter = { path: ['a', 0], in: [1, { b: 'c' }], contains: 'x', ignoreCase: false }
    for (let depth = 1; depth < 10; depth += 1) filter = { not: filter }
    expect(readMetadataFilter(filter, 'where')).toEqual(filter)
    expect(() => readMetadataFilter({ not: filter }, 'where')).toThrow(/nested deeper than 10/)
  })
})
