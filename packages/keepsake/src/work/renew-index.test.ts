import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import { embedBy, embedLaterBy } from '../models/embedding-fixture.ts'
import { ANALYSER_VERSION, type EmbeddingModel } from '@keepsake/text'
import type { NewDocument } from '../store/store.ts'
import { HYBRID } from '@keepsake/search'
import { withMethod, openEngine, storeMemories, storeTurns, type TestScope } from './engine-fixture.ts'
import type { UserState } from '../user-state/user-state.ts'
import { reanalyse, embedMissing, reindexUser } from './index-text.ts'
const WORDS = { boat: [1, 0], bread: [0, 1] }
const embedding = embedBy(WORDS)

/** Three turns, a fact under a key and an utterance; what is indexed again is noted, as batches. */
async function open(model: EmbeddingModel = embedding) {
  const batches: (readonly NewDocument[])[] = []
  const place = await openEngine({
    embedding: model,
    wrapStore: (store) =>
      withMethod(store, 'saveDocuments', async (owner, documents) => {
        batches.push(documents)
        return store.saveDocuments(owner, documents)
      }),
  })
  await storeTurns(place, { text: 'A boat.' }, { text: 'Some bread.' }, { text: 'A boat, again.' })
  await storeMemories(
    place,
    makeFact({ id: 'home', text: 'The boat is home.', key: 'residence', value: 'the boat' }),
    makeMemory({ id: 'said', text: '', evidence: [{ turn: 't1', quote: null }] }),
    makeFact({ id: 'gone', text: '', status: 'erased' }),
  )
  return { ...place, batches }
}

const rows = async ({ engine, row }: TestScope) =>
  (await engine.store.loadUser({ userId: row.owner, afterRevision: 0 })).documents
const ids = (documents: readonly NewDocument[] = []) => documents.map(({ id }) => id)

describe('analysing again', () => {
  it('makes terms anew, of turns and memories, and leaves their vectors', async () => {
    const place = await open()
    const { engine, row } = place
    const outdated = (await rows(place)).map((one) => {
      return { ...one, terms: ['old'], analyser: 'old/1', vector: Float32Array.of(7, 7), embedder: 'old/2' }
    })
    const renewed = reanalyse(await engine.users.load(row.owner), engine.preset.keyTable, outdated)
    expect(renewed.map(({ id, kind, analyser }) => [id, kind, analyser])).toEqual([
      ['t1', 'turn', ANALYSER_VERSION],
      ['t2', 'turn', ANALYSER_VERSION],
      ['t3', 'turn', ANALYSER_VERSION],
      ['home', 'memory', ANALYSER_VERSION],
    ])
    expect(renewed[0]).toMatchObject({ terms: ['boat'], vector: Float32Array.of(7, 7), embedder: 'old/2' })
    // The names of its key are read as well.
    expect(renewed[3]?.terms).toContain('resid')
  })

  it('leaves out what is there no more', async () => {
    const place = await open()
    const { engine, row } = place
    const [first] = await rows(place)
    if (first === undefined) throw new Error('turns are indexed')
    const known = [first, { ...first, id: 'erased' }]
    const renewed = reanalyse(await engine.users.load(row.owner), engine.preset.keyTable, known)
    expect(ids(renewed)).toEqual(['t1'])
  })
})

describe('embedding again', () => {
  const never = (): boolean => false

  it('makes the vectors of turns and memories by this model', async () => {
    const { engine, row, batches } = await open()
    expect(await embedMissing(engine, row.owner, ['t2', 'home', 'gone-too'], never)).toBe(2)
    expect(
      batches[0]?.map(({ id, kind, vector, embedder }) => [id, kind, [...(vector ?? [])], embedder]),
    ).toEqual([
      ['t2', 'turn', [0, 1], 'test/words-1'],
      ['home', 'memory', [1, 0], 'test/words-1'],
    ])
  })

  it('goes 128 at a time, and stops between when it is told to', async () => {
    const place = await open()
    const { engine, row, batches } = place
    await storeTurns(place, ...Array.from({ length: 130 }, () => ({ text: 'A boat.' })))
    const all = Array.from({ length: 133 }, (_, at) => `t${at + 1}`)
    expect(await embedMissing(engine, row.owner, all, never)).toBe(133)
    expect(batches.map(({ length }) => length)).toEqual([128, 5])
    let asked = 0
    expect(await embedMissing(engine, row.owner, all, () => (asked += 1) > 1)).toBe(128)
    expect(await embedMissing(engine, row.owner, all, () => true)).toBe(0)
    expect(await embedMissing(engine, row.owner, [], never)).toBe(0)
  })
})

describe('a person in memory whose documents are embedded', () => {
  const never = (): boolean => false
  const remote = embedLaterBy(WORDS)

  /** Turns and a fact without vectors, in memory; what was read of the store since is noted. */
  async function openInMemory() {
    const read: string[] = []
    const place = await openEngine({
      embedding: remote,
      wrapStore: (store) =>
        new Proxy(store, {
          get: (target, name) => {
            const own: unknown = Reflect.get(target, name)
            if (typeof own !== 'function') return own
            return (...given: unknown[]): unknown => {
              read.push(String(name))
              return own.apply(target, given)
            }
          },
        }),
    })
    await storeTurns(place, { text: 'A boat.' }, { role: 'assistant', speaker: 'Nova', text: 'Some bread.' })
    await storeMemories(place, makeFact({ id: 'bread', subject: 'Milo', text: 'Milo bakes bread.' }))
    const { engine, row } = place
    // It would make them by itself.
    await engine.worker.stop()
    const state = await engine.users.load(row.owner)
    read.length = 0
    return { ...place, state, read }
  }
  const found = (state: UserState) => {
    const question = {
      read: readQuestionFor(state.index, 'Bread of Nova?', { now: 0 }),
      vector: Float32Array.of(0, 1),
    }
    const { hits } = searchIndex(state.index, question, HYBRID, { limit: 5, now: 0 })
    return hits.map(({ id, score, parts }) => ({ id, score, parts }))
  }
  /** As a process finds it that reads all of it. */
  async function readAnew({ engine, row }: TestScope) {
    engine.users.evict(row.owner)
    return engine.users.load(row.owner)
  }

  it('has them without reading its rows again, and is as if it had', async () => {
    const place = await openInMemory()
    const { engine, row, state, read } = place
    expect([...state.unembedded]).toEqual(['t1', 't2', 'bread'])
    const { revision } = state
    expect(await embedMissing(engine, row.owner, ['t1', 't2', 'bread'], never)).toBe(3)
    expect(state.revision).toBe(revision + 1)
    expect(await engine.users.load(row.owner)).toBe(state)
    expect(read.filter((name) => name !== 'revision')).toEqual(['saveDocuments'])
    expect([...state.unembedded]).toEqual([])
    const known = { found: found(state), agents: state.index.speakers, turn: state.turns.get('t2') }
    const anew = await readAnew(place)
    expect(anew).not.toBe(state)
    expect(known).toEqual({ found: found(anew), agents: anew.index.speakers, turn: anew.turns.get('t2') })
  })

  it('loads what another process changed meanwhile', async () => {
    const place = await openInMemory()
    const { engine, row, state, read } = place
    await storeTurns(place, { text: 'More bread.' })
    read.length = 0
    await embedMissing(engine, row.owner, ['t1'], never)
    expect(read).toContain('loadUser')
    expect((await engine.users.load(row.owner)).turns.get('t3')).toBeDefined()
    expect(found(state)).toEqual(found(await readAnew(place)))
  })
})

describe('indexing a person anew', () => {
  it('makes rows of all turns, and of memories that have words of their own', async () => {
    const place = await open()
    await storeMemories(place, makeFact({ id: 'deleted', text: 'Some bread.', status: 'deleted' }))
    await reindexUser(place.engine, place.row.owner)
    expect(place.batches[0]?.map(({ id, kind, vector }) => [id, kind, [...(vector ?? [])]])).toEqual([
      ['t1', 'turn', [1, 0]],
      ['t2', 'turn', [0, 1]],
      ['t3', 'turn', [1, 0]],
      ['home', 'memory', [1, 0]],
      ['deleted', 'memory', [0, 1]],
    ])
    expect(place.batches[0]?.[3]?.terms).toContain('resid')
  })

  it('goes 128 at a time', async () => {
    const place = await open()
    await storeTurns(place, ...Array.from({ length: 126 }, () => ({ text: 'A boat.' })))
    await reindexUser(place.engine, place.row.owner)
    expect(place.batches.map(({ length }) => length)).toEqual([128, 2])
  })
})
