import type { EmbeddingModel } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { judgingFacts, wordiest } from '../forget/policy-fixture.ts'
import { ORIGIN, makeFact, makeMemory, type MemoryTraits } from '../memories/memory-fixture.ts'
import { embedBy } from '../models/embedding-fixture.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Preset, RecallUse } from '../presets/preset.ts'
import type { RecallOptions } from '../retrieval/recall-types.ts'
import type { UsageCount } from '../store/store.ts'
import {
  withMethod,
  listen,
  openEngine,
  readTo,
  storeMemories,
  storeTurns,
  type TestScope,
} from '../work/engine-fixture.ts'
import { resolveScope } from '../work/scope-handle.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { recallMemories } from './recall.ts'

const embedding = embedBy({ boat: [1, 0] })
const ANA = { tenant: 'default', user: 'ana', agent: null, app: null }
const QUESTION = 'What of my boat?'
const boat = (id: string, traits: MemoryTraits = {}) =>
  makeFact({ id, text: `The user has a boat, ${id}.`, ...traits })

interface Opened extends TestScope {
  /** What recalls were counted since. */
  readonly counts: readonly UsageCount[]
}

async function open(preset: Partial<Preset> = {}): Promise<Opened> {
  const counts: UsageCount[] = []
  const place = await openEngine({
    preset: { ...keepsake(), ...preset },
    embedding,
    wrapStore: (store) =>
      withMethod(store, 'addUsage', async (user, some) => {
        counts.push(...some)
        return store.addUsage(user, some)
      }),
  })
  return { ...place, counts }
}

async function recall({ engine }: TestScope, options: RecallOptions = {}, question = QUESTION) {
  return recallMemories(engine, await resolveScope(engine.users, ANA), question, options)
}

/** What recalls used, as counted, once all is written. */
async function touched({ engine, counts }: Opened) {
  await engine.worker.drain()
  return counts.map(({ memory, tally }) => [memory, tally.first > 0 ? 'first' : 'second'])
}

const use = (traits: Partial<RecallUse>): Partial<Preset> => ({
  use: { limit: 10, first: 1, second: 1, reinforce: true, ...traits },
})

describe('a recall of somebody who is not known', () => {
  it('is nothing', async () => {
    const { engine } = await open()
    expect(await recallMemories(engine, null, 'Who?', {})).toEqual({
      question: 'Who?',
      memories: [],
      sessions: [],
      context: { text: '', tokens: 0, memories: 0, shown: [] },
      profile: { lines: [] },
      confidence: 0,
      answerable: 'no',
      known: false,
      milliseconds: expect.any(Number),
    })
  })

  it('is refused all the same when it is asked badly, or given up', async () => {
    const { engine } = await open()
    await expect(recallMemories(engine, null, 'Who?', { limit: 0 })).rejects.toThrow('limit must be')
    const abortSignal = AbortSignal.abort(new Error('given up'))
    await expect(recallMemories(engine, null, 'Who?', { abortSignal })).rejects.toThrow('given up')
  })
})

describe('a recall', () => {
  it('hands out what stands at its head and then as many as are asked for, and says so', async () => {
    const place = await open({ always: ['portrait'], ...use({ first: 2, second: 2 }) })
    await storeMemories(place, boat('b'), boat('c'), boat('e'), makeMemory({ id: 'p', form: 'portrait' }))
    const told = listen(place, 'recall-answered')
    const { memories, question, context } = await recall(place, { limit: 2 })
    const found = memories.map(({ memory }) => memory.id)
    expect([found[0], found.length, question]).toEqual(['p', 3, QUESTION])
    expect(told).toMatchObject([{ scope: ANA, memories: found }])
    expect(context.memories).toBe(3)
  })

  it('knows what there is where nothing is searched for', async () => {
    const place = await open({ ranking: { kind: 'whole' } })
    expect((await recall(place)).known).toBe(false)
    await storeTurns(place, { text: 'I bake bread.' })
    expect(await recall(place)).toMatchObject({ known: true, confidence: 0 })
  })

  it('says how long it took', async () => {
    const place = await open()
    for (const resolved of [null, await resolveScope(place.engine.users, ANA)]) {
      const before = performance.now()
      const { milliseconds } = await recallMemories(place.engine, resolved, QUESTION, {})
      expect(milliseconds).toBeGreaterThanOrEqual(0)
      expect(milliseconds).toBeLessThanOrEqual(performance.now() - before)
    }
  })

  it('hands the caller’s signal to what may take long', async () => {
    const given: object[] = []
    const noting: EmbeddingModel = {
      ...embedding,
      embed: async (texts, options = {}) => {
        given.push(options)
        return embedding.embed(texts)
      },
    }
    const { engine } = await openEngine({ embedding: noting })
    const { signal: abortSignal } = new AbortController()
    const resolved = await resolveScope(engine.users, ANA)
    await recallMemories(engine, resolved, QUESTION, { abortSignal })
    await recallMemories(engine, resolved, QUESTION, {})
    expect(given).toEqual([{ abortSignal }, {}])
  })
})

describe('what a recall touches', () => {
  it('is the first as used and the next as counted, whatever else it returns', async () => {
    const place = await open(use({ first: 1, second: 2 }))
    await storeMemories(place, ...['a', 'b', 'c', 'd'].map((id) => boat(id)))
    const { memories } = await recall(place)
    const [first, second, third] = memories.map(({ memory }) => memory.id)
    expect(await touched(place)).toEqual([
      [first, 'first'],
      [second, 'second'],
      [third, 'second'],
    ])
  })

  it('counts also what it found and did not hand out', async () => {
    const place = await open(use({}))
    await storeMemories(place, boat('a'), boat('b'))
    await recall(place, { limit: 1 })
    expect(await touched(place)).toHaveLength(2)
  })

  it('is nothing when the caller or else the preset says so', async () => {
    const place = await open(use({}))
    await storeMemories(place, boat('a'))
    await recall(place, { reinforce: false })
    expect(await touched(place)).toEqual([])
    const quiet = await open(use({ reinforce: false }))
    await storeMemories(quiet, boat('a'))
    await recall(quiet)
    expect(await touched(quiet)).toEqual([])
    await recall(quiet, { reinforce: true })
    expect(await touched(quiet)).toEqual([['a', 'first']])
  })

  it('is what lasts, not turns that wait', async () => {
    const place = await open(use({}))
    await storeTurns(place, { text: 'I have a boat.' })
    await recall(place)
    expect(await touched(place)).toEqual([])
    await storeMemories(place, makeMemory({ id: 'said', text: '', evidence: [{ turn: 't1', quote: null }] }))
    await readTo(place, { utterances: 1 })
    await recall(place)
    expect(await touched(place)).toEqual([['said', 'first']])
  })

  it('begins with what lasts, also where turns that wait are found before it', async () => {
    const place = await open(use({}))
    await storeMemories(place, boat('a', { validUntil: 200 }))
    await storeTurns(place, { text: 'What of my boat? My boat!' })
    const { memories } = await recall(place)
    expect(memories.map(({ pending }) => pending)).toEqual([true, false])
    expect(await touched(place)).toEqual([['a', 'first']])
  })

  it('is counted in every scope', async () => {
    const place = await open(use({ first: 2, second: 0 }))
    const { engine } = place
    const other = await engine.store.ensureScope({ ...ANA, agent: 'bot' })
    await storeMemories(place, boat('mine'))
    await storeMemories({ engine, row: other }, boat('theirs'))
    await recall(place)
    expect(await touched(place)).toEqual([
      ['mine', 'first'],
      ['theirs', 'first'],
    ])
  })

  it('is counted only of what is live by then', async () => {
    const place = await open(use({ first: 2, second: 0 }))
    const { engine, row } = place
    await storeMemories(place, boat('a'), boat('b'))
    await recall(place)
    await decideAndCommit(engine, row, ({ changes }) => {
      changes.change('delete', 'a', { status: 'deleted' }, ORIGIN)
    })
    expect(await touched(place)).toEqual([['b', 'first']])
  })

  it('is not counted when none of it is live by then', async () => {
    const place = await open(use({}))
    await storeMemories(place, boat('a'))
    await recall(place)
    await decideAndCommit(place.engine, place.row, ({ changes }) => {
      changes.change('delete', 'a', { status: 'deleted' }, ORIGIN)
    })
    expect(await touched(place)).toEqual([])
  })
})

describe('what competed with what a recall used', () => {
  it('counts for less when a capacity has no room for all', async () => {
    const policy = wordiest()
    const place = await open({ ...judgingFacts({ when: 'capacity', memories: 1 }, policy), ...use({}) })
    await storeMemories(place, boat('a'), boat('b'))
    const { memories } = await recall(place)
    await place.engine.worker.drain()
    const state = await place.engine.users.load(place.row.owner)
    const counted = [...state.listMemories()].map((memory) => state.counted(memory))
    expect(counted.map(({ id, use: { secondAt } }) => [id, secondAt])).toEqual([
      [memories[0]?.memory.id, undefined],
      [memories[1]?.memory.id, 0],
    ])
    expect(policy.moments).toHaveLength(1)
  })

  it('costs nothing in a scope of which nothing was found', async () => {
    const policy = wordiest()
    const place = await open({ ...judgingFacts({ when: 'capacity', memories: 0 }, policy), ...use({}) })
    const { engine } = place
    const other = await engine.store.ensureScope({ ...ANA, agent: 'bot' })
    await storeMemories(place, boat('a'))
    await storeMemories({ engine, row: other }, makeMemory({ id: 'said', text: 'no' }))
    await recall(place)
    await engine.worker.drain()
    expect(policy.moments).toHaveLength(1)
  })
})
