import {
  InMemoryStore,
  InvalidNamespaceError,
  type BaseStore,
  type Item,
  type MatchCondition,
  type Operation,
} from '@langchain/langgraph-checkpoint'
import * as fc from 'fast-check'
import { openMemory } from 'keepsake'
import { afterEach, describe, expect, it } from 'vitest'
import { KeepsakeStore } from './keepsake-store.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openOurs(): Promise<BaseStore> {
  const keepsake = await openMemory({ path: ':memory:' })
  closing.push(() => keepsake.close())
  return new KeepsakeStore(keepsake)
}

const STORES: Record<string, () => Promise<BaseStore>> = {
  // LangGraph's own, so that this asks for nothing that theirs does not do.
  InMemoryStore: async () => new InMemoryStore(),
  KeepsakeStore: openOurs,
}

const keysOf = (items: readonly Item[]) => items.map(({ key }) => key).sort()

describe.each(Object.entries(STORES))('%s, as BaseStore says', (_, open) => {
  it('puts and gets a value with its times', async () => {
    const store = await open()
    const before = Date.now()
    const value = {
      text: 'Likes pizza',
      stars: 4.5,
      tags: ['food', 'é', '日本'],
      nested: { deep: [{ no: null }, false] },
    }
    await store.put(['ana', 'notes'], 'food', value)
    const item = await store.get(['ana', 'notes'], 'food')
    expect(item).toMatchObject({ namespace: ['ana', 'notes'], key: 'food', value })
    expect(item?.createdAt).toBeInstanceOf(Date)
    expect(item?.createdAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(item?.updatedAt).toEqual(item?.createdAt)
    expect(await store.get(['ana', 'notes'], 'other')).toBeNull()
    expect(await store.get(['ana'], 'food')).toBeNull()
  })

  it('replaces a value whole, and keeps when it was made', async () => {
    const store = await open()
    await store.put(['ana'], 'k', { a: 1, b: 2 })
    const made = (await store.get(['ana'], 'k'))?.createdAt
    await new Promise((resolve) => setTimeout(resolve, 5))
    await store.put(['ana'], 'k', { a: 3 })
    const item = await store.get(['ana'], 'k')
    expect(item?.value).toEqual({ a: 3 })
    expect(item?.createdAt).toEqual(made)
    expect(item?.updatedAt.getTime()).toBeGreaterThan(made?.getTime() ?? Infinity)
  })

  it('deletes, also what is not there, and takes the key again', async () => {
    const store = await open()
    await store.delete(['ana'], 'nothing')
    await store.put(['ana'], 'k', { a: 1 })
    await store.delete(['ana'], 'k')
    expect(await store.get(['ana'], 'k')).toBeNull()
    expect(await store.search(['ana'])).toEqual([])
    await store.put(['ana'], 'k', { a: 2 })
    expect((await store.get(['ana'], 'k'))?.value).toEqual({ a: 2 })
  })

  it('searches by prefix of whole labels, ten at most unless asked', async () => {
    const store = await open()
    for (let index = 0; index < 12; index += 1) await store.put(['ana', 'notes'], `k${index}`, { index })
    await store.put(['ana', 'notes2'], 'other', {})
    await store.put(['bo', 'notes'], 'bo', {})
    expect(await store.search(['ana', 'notes'])).toHaveLength(10)
    expect(await store.search(['ana', 'notes'], { limit: 50 })).toHaveLength(12)
    expect(await store.search(['ana'], { limit: 50 })).toHaveLength(13)
    expect(await store.search([], { limit: 50 })).toHaveLength(14)
    expect(await store.search(['a'], { limit: 50 })).toEqual([])
    const pages = await Promise.all(
      [0, 5, 10].map((offset) => store.search(['ana', 'notes'], { limit: 5, offset })),
    )
    expect(pages.map((page) => page.length)).toEqual([5, 5, 2])
    expect(new Set(pages.flat().map(({ key }) => key)).size).toBe(12)
  })

  it('filters by equality and by operators', async () => {
    const store = await open()
    await store.put(['ana'], 'a', { kind: 'x', n: 1 })
    await store.put(['ana'], 'b', { kind: 'x', n: 2 })
    await store.put(['ana'], 'c', { kind: 'y', n: 3 })
    await store.put(['ana'], 'd', { n: 4 })
    const found = async (filter: Record<string, unknown>) => keysOf(await store.search(['ana'], { filter }))
    expect(await found({ kind: 'x' })).toEqual(['a', 'b'])
    expect(await found({ kind: 'x', n: { $gt: 1 } })).toEqual(['b'])
    expect(await found({ n: { $gte: 2, $lt: 4 } })).toEqual(['b', 'c'])
    expect(await found({ n: { $lte: 1 } })).toEqual(['a'])
    expect(await found({ kind: { $ne: 'x' } })).toEqual(['c', 'd'])
    expect(await found({ kind: { $eq: 'y' } })).toEqual(['c'])
    expect(await found({ n: { $in: [1, 4] } })).toEqual(['a', 'd'])
    expect(await found({ n: { $nin: [1, 4] } })).toEqual(['b', 'c'])
    expect(await found({ missing: { $gt: 0 } })).toEqual([])
  })

  it('lists namespaces by prefix, suffix, wildcard, depth and page', async () => {
    const store = await open()
    for (const path of ['a b c', 'a b d', 'a e c', 'f g', 'f g h'])
      await store.put(path.split(' '), 'k', { path })
    const names = async (options: Parameters<BaseStore['listNamespaces']>[0]) =>
      (await store.listNamespaces(options)).map((labels) => labels.join(' '))
    expect(await names({})).toEqual(['a b c', 'a b d', 'a e c', 'f g', 'f g h'])
    expect(await names({ prefix: ['a', 'b'] })).toEqual(['a b c', 'a b d'])
    expect(await names({ suffix: ['c'] })).toEqual(['a b c', 'a e c'])
    expect(await names({ prefix: ['a', '*', 'c'] })).toEqual(['a b c', 'a e c'])
    expect(await names({ maxDepth: 2 })).toEqual(['a b', 'a e', 'f g'])
    expect(await names({ limit: 2, offset: 1 })).toEqual(['a b d', 'a e c'])
    expect(await names({ prefix: ['z'] })).toEqual([])
  })

  it('refuses namespaces that there cannot be', async () => {
    const store = await open()
    for (const namespace of [[], [''], ['a.b'], ['a:b'], ['langgraph', 'x']])
      await expect(store.put(namespace, 'k', {})).rejects.toThrow(InvalidNamespaceError)
  })

  it('runs a batch: reads see what was before it, the last put of a key counts', async () => {
    const store = await open()
    await store.put(['ana'], 'old', { n: 0 })
    const results: unknown[] = await store.batch([
      { namespace: ['ana'], key: 'old' },
      { namespace: ['ana'], key: 'new', value: { n: 1 } },
      { namespace: ['ana'], key: 'new', value: { n: 2 } },
      { namespace: ['ana'], key: 'old', value: null },
      { namespacePrefix: ['ana'] },
      { matchConditions: [{ matchType: 'prefix', path: ['ana'] }], limit: 10, offset: 0 },
      { namespace: ['ana'], key: 'new' },
    ] satisfies Operation[])
    expect(results).toHaveLength(7)
    expect(results[0]).toMatchObject({ value: { n: 0 } })
    expect(results[4]).toMatchObject([{ key: 'old' }])
    expect(results[5]).toEqual([['ana']])
    expect(results[6]).toBeNull()
    expect((await store.get(['ana'], 'new'))?.value).toEqual({ n: 2 })
    expect(await store.get(['ana'], 'old')).toBeNull()
  })
})

/** Values as they are after JSON; without `-0` and `__proto__`, of which JSON keeps no sign or JavaScript makes no field. */
const json = fc
  .dictionary(
    fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
    fc
      .jsonValue({ noUnicodeString: false })
      .filter((value) => !JSON.stringify(value).includes('"__proto__":')),
    { maxKeys: 4 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

describe('KeepsakeStore', () => {
  it('gives back any JSON value exactly', async () => {
    const store = await openOurs()
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        await store.put(['ana'], 'k', value, false)
        expect((await store.get(['ana'], 'k'))?.value).toEqual(value)
      }),
      { numRuns: 60 },
    )
  })

  it('does over any run of operations what LangGraph’s own store does', async () => {
    const namespace = fc.constantFrom<string[]>(['ana'], ['ana', 'x'], ['bo'], ['bo', 'x', 'y'])
    const key = fc.constantFrom('k', 'l')
    const operation: fc.Arbitrary<Operation> = fc.oneof(
      fc.record({ namespace, key, value: fc.option(fc.record({ n: fc.nat(3) })) }),
      fc.record({ namespace, key }),
      fc.record(
        { namespacePrefix: namespace, limit: fc.constant(99), filter: fc.record({ n: fc.nat(3) }) },
        { requiredKeys: ['namespacePrefix', 'limit'] },
      ),
      fc.record({
        matchConditions: fc.constant<MatchCondition[]>([]),
        maxDepth: fc.integer({ min: 1, max: 4 }),
        limit: fc.constant(99),
        offset: fc.constant(0),
      }),
    )
    const place = (item: Item) => [...item.namespace, item.key].join()
    const plain = (result: unknown): unknown => {
      const items = (Array.isArray(result) ? result : [result ?? null]) as (Item | null)[]
      return items
        .map((item) => (item === null ? null : { place: place(item), value: item.value }))
        .sort((one, other) => ((one?.place ?? '') < (other?.place ?? '') ? -1 : 1))
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
        async (batches) => {
          const ours = await openOurs()
          const theirs = new InMemoryStore()
          for (const batch of batches) {
            const isPut = (one: object) => 'value' in one
            const [reads, puts] = [batch.filter((one) => !isPut(one)), batch.filter(isPut)]
            const own: unknown[] = await ours.batch(batch)
            // Theirs hands out the very items that a later put changes, and goes on listing emptied namespaces.
            const reference = structuredClone(await theirs.batch(reads))
            await theirs.batch(puts)
            const compared = (results: readonly unknown[]) =>
              results.filter((_, index) => !('maxDepth' in (reads[index] ?? {}))).map(plain)
            expect(compared(own.filter((_, index) => !isPut(batch[index] ?? {})))).toEqual(
              compared(reference),
            )
          }
          for (const close of closing.splice(0)) await close()
        },
      ),
      { numRuns: 25 },
    )
  })
})
