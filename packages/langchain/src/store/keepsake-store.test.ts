import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeepsakeStore } from './keepsake-store.ts'

let folder: string
let keepsake: Keepsake
let store: KeepsakeStore
const at = (name: string) => join(folder, name)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-store-'))
  keepsake = await openMemory({ path: at('memory.db') })
  store = new KeepsakeStore(keepsake)
})
afterEach(async () => {
  await keepsake.close()
  rmSync(folder, { recursive: true, force: true })
})

async function reopen(): Promise<void> {
  await keepsake.close()
  keepsake = await openMemory({ path: at('memory.db') })
  store = new KeepsakeStore(keepsake)
}

/** Whether any file of the folder holds a text. */
function isOnDisk(text: string): boolean {
  return readdirSync(folder).some((name) => readFileSync(at(name)).includes(text))
}

const keysFor = async (query: string, options: object = {}, under = store) =>
  (await under.search(['ana'], { query, ...options })).map(({ key }) => key)

async function putNotes(): Promise<void> {
  await store.put(['ana', 'notes'], 'cello', { text: 'Plays the cello in an orchestra', stars: 5 })
  await store.put(['ana', 'notes'], 'dog', { text: 'Has a dog called Rex', stars: 3 })
  await store.put(['ana', 'work'], 'harbour', { text: 'Works as a crane driver at the harbour', stars: 4 })
  await store.put(['bo', 'notes'], 'cello', { text: 'Sells a cello' })
}

describe('a search with a query', () => {
  it('ranks items by what they say, within the prefix and the filter, with scores', async () => {
    await putNotes()
    const found = await store.search(['ana'], { query: 'Which instrument? The cello?' })
    expect(found[0]).toMatchObject({ namespace: ['ana', 'notes'], key: 'cello' })
    expect(found).toHaveLength(3)
    const scores = found.map(({ score }) => score ?? -1)
    expect(scores[0]).toBeGreaterThan(scores[1] ?? Infinity)
    expect(await keysFor('cello', { filter: { stars: { $lt: 5 } } })).not.toContain('cello')
    expect(await keysFor('the harbour', { limit: 1 })).toEqual(['harbour'])
    expect((await keysFor('the harbour', { limit: 1, offset: 1 }))[0]).not.toBe('harbour')
    const all = await store.search([], { query: 'cello', limit: 2 })
    expect(all.map(({ namespace }) => namespace[0]).sort()).toEqual(['ana', 'bo'])
  })

  it('finds the new words of an item that was overwritten, and not the old ones', async () => {
    await putNotes()
    await store.put(['ana', 'notes'], 'cello', { text: 'Has given up music for chess' })
    expect((await store.search(['ana'], { query: 'chess' }))[0]?.key).toBe('cello')
    const { memories } = await keepsake.scope({ user: 'ana' }).recall('cello orchestra')
    expect(memories.map(({ memory }) => memory.text).join()).not.toContain('orchestra')
    await keepsake.drain()
    const later = await keepsake.scope({ user: 'ana' }).recall('cello orchestra')
    expect(later.memories.map(({ memory }) => memory.text).join()).not.toContain('orchestra')
  })

  it('searches the fields that were named, and nothing of an item that is not indexed', async () => {
    const value = { title: 'Tides', chapters: [{ content: 'the moon pulls' }], secret: 'pineapple' }
    await store.put(['ana'], 'book', value, ['title', 'chapters[*].content'])
    await store.put(['ana'], 'hidden', { text: 'pineapple' }, false)
    await store.put(['ana'], 'open', { text: 'an apple' })
    const scored = async (query: string) =>
      (await store.search(['ana'], { query }))
        .filter(({ score }) => score !== undefined)
        .map(({ key }) => key)
    expect((await scored('moon'))[0]).toBe('book')
    expect(await scored('pineapple')).not.toContain('hidden')
    const { context } = await keepsake.scope({ user: 'ana' }).recall('pineapple')
    expect(context.text).not.toContain('pineapple')
    // What no query can find comes last, without a score.
    expect((await keysFor('moon')).at(-1)).toBe('hidden')
  })

  it('is found by the memory of the person as well, as nobody’s word', async () => {
    await putNotes()
    const { memories } = await keepsake.scope({ user: 'ana' }).recall('What is the dog called?')
    expect(memories[0]?.memory).toMatchObject({ text: expect.stringContaining('Rex') as string })
    expect(memories[0]?.memory).toMatchObject({ form: 'note', label: 'other', evidence: [] })
    await keepsake.drain()
    expect(await keepsake.scope({ user: 'ana' }).memories({ forms: ['fact'] })).toEqual([])
  })
})

describe('namespaces and scopes', () => {
  it('are walls: one user’s items are in no other’s memory', async () => {
    await putNotes()
    const { memories } = await keepsake.scope({ user: 'bo' }).recall('dog Rex harbour cello')
    expect(memories.map(({ memory }) => memory.text)).toEqual([expect.stringContaining('Sells a cello')])
  })

  it('are read as the application says', async () => {
    const mapped = new KeepsakeStore(keepsake, {
      scopeOf: ([, tenant, user]) => ({ tenant, user }),
    })
    await mapped.put(['memories', 'acme', 'cleo'], 'k', { text: 'Rides a unicycle' })
    expect(await keepsake.scopes()).toMatchObject([{ tenant: 'acme', user: 'cleo', agent: null, app: null }])
    expect((await mapped.search(['memories'], { query: 'unicycle' }))[0]?.score).toBeGreaterThan(0)
    expect(await mapped.listNamespaces({ suffix: ['cleo'] })).toEqual([['memories', 'acme', 'cleo']])
    await expect(mapped.put(['memories'], 'k', {})).rejects.toThrow('names no user')
    expect(await mapped.get(['memories'], 'k')).toBeNull()
  })
})

describe('what is stored', () => {
  it('lasts', async () => {
    await putNotes()
    await reopen()
    expect((await store.get(['ana', 'notes'], 'dog'))?.value).toEqual({
      text: 'Has a dog called Rex',
      stars: 3,
    })
    expect((await keysFor('dog'))[0]).toBe('dog')
    expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([['ana'], ['bo']])
  })

  it('is exact where the memory masks secrets', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    await store.put(['ana'], 'k', { note: `My token is ${token}` })
    expect((await store.get(['ana'], 'k'))?.value).toEqual({ note: `My token is ${token}` })
    expect((await keepsake.scope({ user: 'ana' }).recall('token')).context.text).not.toContain(token)
  })

  it('is the store’s own: what is handed in or out can be changed', async () => {
    const value = { list: [1] }
    await store.put(['ana'], 'k', value)
    value.list.push(2)
    ;(await store.get(['ana'], 'k'))?.value['list'].push(3)
    expect((await store.get(['ana'], 'k'))?.value).toEqual({ list: [1] })
  })

  it.each([
    [{ at: new Date(0) }, 'value.at is a Date'],
    [{ list: [1, { n: Number.NaN }] }, 'value.list[1].n is NaN'],
    [{ big: 1n }, 'value.big is a bigint'],
    [{ map: new Map() }, 'value.map is a Map'],
    [[1], 'value must be an object'],
  ])('is refused when JSON would change it: %o', async (value, message) => {
    await expect(store.put(['ana'], 'k', value as object)).rejects.toThrow(message)
    const around: Record<string, unknown> = {}
    around['self'] = around
    await expect(store.put(['ana'], 'k', around)).rejects.toThrow(/value\.self.* contains itself/)
    expect(await store.get(['ana'], 'k')).toBeNull()
  })

  it('is left alone when an operation of its batch is wrong', async () => {
    const batch = [
      { namespace: ['ana'], key: 'k', value: { n: 1 } },
      { namespacePrefix: ['ana'], filter: { n: { $regex: 'x' } } },
    ]
    await expect(store.batch(batch)).rejects.toThrow('"$regex"')
    await expect(store.search(['ana'], { limit: -1 })).rejects.toThrow('limit')
    await expect(store.put(['ana'], '', {})).rejects.toThrow('key')
    expect(await store.get(['ana'], 'k')).toBeNull()
  })
})

describe('what goes', () => {
  it('with a deleted item is every byte of it, of all it ever said', async () => {
    await store.put(['ana'], 'k', { text: 'QUARTZ is the first word' })
    await store.put(['ana'], 'k', { text: 'FELDSPAR is the second word' })
    await store.put(['ana'], 'other', { text: 'stays' })
    expect(isOnDisk('QUARTZ')).toBe(true)
    await store.delete(['ana'], 'k')
    expect(isOnDisk('QUARTZ')).toBe(false)
    expect(isOnDisk('FELDSPAR')).toBe(false)
    expect((await store.search(['ana'], { query: 'word' })).map(({ key }) => key)).toEqual(['other'])
  })

  it('with a person erased in the memory are their items', async () => {
    await putNotes()
    await store.put(['ana'], 'hidden', { text: 'GRANITE' }, false)
    await keepsake.scope({ user: 'ana' }).erase({ everything: true })
    expect(await store.get(['ana', 'notes'], 'dog')).toBeNull()
    expect(await store.search(['ana'], { query: 'Rex' })).toEqual([])
    expect(await store.listNamespaces()).toEqual([['bo', 'notes']])
    expect(isOnDisk('Rex')).toBe(false)
    expect(isOnDisk('GRANITE')).toBe(false)
    await store.put(['ana'], 'new', { n: 1 })
    expect((await store.search(['ana'])).map(({ key }) => key)).toEqual(['new'])
  })

  it('with a turn or memory erased in the memory is that item alone', async () => {
    await putNotes()
    const scope = keepsake.scope({ user: 'ana', app: 'langgraph' })
    await keepsake.drain()
    const { memories } = await scope.recall('dog Rex')
    await scope.erase({ memories: memories.slice(0, 1).map(({ memory }) => memory.id) })
    expect(await store.get(['ana', 'notes'], 'dog')).toBeNull()
    expect((await store.search(['ana'])).map(({ key }) => key).sort()).toEqual(['cello', 'harbour'])
    expect(isOnDisk('Rex')).toBe(false)
  })

  it('with a person erased by another process is gone at once, to the last byte', async () => {
    await putNotes()
    await using other = await openMemory({ path: at('memory.db') })
    await other.scope({ user: 'ana' }).erase({ everything: true })
    expect(await store.get(['ana', 'notes'], 'dog')).toBeNull()
    expect(await keysFor('Rex')).toEqual([])
    expect(isOnDisk('Rex')).toBe(false)
    expect((await store.search(['bo'])).map(({ key }) => key)).toEqual(['cello'])
  })

  it('comes back with a person who was imported into another memory', async () => {
    await putNotes()
    await using other = await openMemory({ path: ':memory:' })
    await other.import(keepsake.scope({ user: 'ana' }).export())
    const moved = new KeepsakeStore(other)
    expect((await moved.get(['ana', 'notes'], 'dog'))?.value['stars']).toBe(3)
    expect((await moved.search(['ana'], { query: 'Rex' }))[0]?.key).toBe('dog')
    expect(await moved.get(['bo', 'notes'], 'cello')).toBeNull()
  })
})

describe('two stores on one memory', () => {
  it('take each other’s writes, each item once', async () => {
    await using elsewhere = await openMemory({ path: at('memory.db') })
    const other = new KeepsakeStore(elsewhere)
    await Promise.all([
      ...[1, 2, 3, 4].map((n) => store.put(['ana'], 'shared', { text: `apple ${n}` })),
      ...[1, 2, 3, 4].map((n) => other.put(['ana'], 'shared', { text: `pear ${n}` })),
      store.put(['ana'], 'mine', { text: 'plum' }),
      other.put(['ana'], 'theirs', { text: 'cherry' }),
    ])
    expect(await store.get(['ana'], 'shared')).toEqual(await other.get(['ana'], 'shared'))
    expect((await keysFor('cherry'))[0]).toBe('theirs')
    const live = await keepsake.scope({ user: 'ana' }).memories({ forms: ['note'] })
    const value = (await store.get(['ana'], 'shared'))?.value['text'] as string
    expect(live.map(({ text }) => text).sort()).toEqual([value, 'cherry', 'plum'].sort())
  })
})

it('a store without an open memory is refused in words', () => {
  for (const args of [[], [5], [{}]])
    expect(() => Reflect.construct(KeepsakeStore, args)).toThrow(/needs an open memory/)
})
