import { ModelError } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { answering } from '../../test/script-model.ts'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import { scriptedModel } from '../models/adapters/scripted-language-model.ts'
import type { LanguageModel } from '../models/language-model.ts'
import type { RerankingModel } from '../models/model-ports.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Ranking } from '../presets/preset.ts'
import { HYBRID } from '@keepsake/search'
import { openEngine, storeTurns } from '../work/engine-fixture.ts'
import type { FoundMemory } from './found-memory.ts'
import { rankByModel } from './rerank.ts'
import type { RecallRequest } from './query.ts'
import { requestIn, foundAs } from './recall-fixture.ts'

const FOUND = [
  foundAs(makeFact({ id: 'a', text: 'alpacas' }), 5),
  foundAs(makeFact({ id: 'b', text: 'bees' }), 4),
  foundAs(makeFact({ id: 'c', text: 'cats' }), 3),
]

async function open(ranking: Ranking, models: { reranking?: RerankingModel; model?: LanguageModel } = {}) {
  const place = await openEngine({ preset: { ...keepsake(), ranking }, ...models })
  return { place, request: requestIn(place) }
}

/** Scores each text by how the words say, and notes what it was asked. */
function scoring(words: Readonly<Record<string, number>>) {
  const query: (readonly [question: string, texts: readonly string[]])[] = []
  const model: RerankingModel = {
    id: 'test/reranker',
    rerank: async (question, texts) => {
      query.push([question, texts])
      return texts.map((text) => words[text] ?? 0)
    },
  }
  return { model, query }
}

const hybrid = (rerank?: number): Ranking =>
  rerank === undefined ? { kind: 'hybrid', recipe: HYBRID } : { kind: 'hybrid', recipe: HYBRID, rerank }
const told = (found: readonly FoundMemory[]) => found.map(({ memory, score }) => [memory.id, score])

async function rank(request: RecallRequest, found: readonly FoundMemory[]) {
  return rankByModel(request, await request.engine.users.load(request.resolved.owner), found)
}

describe('a reranking model', () => {
  it('orders the first of what was found, from the best score on, and leaves the rest behind', async () => {
    const { model, query } = scoring({ alpacas: -2, bees: 2, cats: 9 })
    const { request } = await open(hybrid(2), { reranking: model })
    const ranked = await rank(request, FOUND)
    expect(told(ranked)).toEqual([
      ['b', 6],
      ['a', 5],
      ['c', 3],
    ])
    expect(ranked.map(({ parts }) => parts)).toEqual([
      { lexical: 4, reranked: 2 },
      { lexical: 5, reranked: 0 },
      { lexical: 3 },
    ])
    expect(query).toEqual([['Where do I live?', ['alpacas', 'bees']]])
  })

  it('spreads its scores from 0 to 1 above the best that there was', async () => {
    const { model } = scoring({ alpacas: 10, bees: 30, cats: 15 })
    const { request } = await open(hybrid(3), { reranking: model })
    expect(told(await rank(request, FOUND))).toEqual([
      ['b', 6],
      ['c', 5.25],
      ['a', 5],
    ])
  })

  it('leaves the order when it finds all alike', async () => {
    const { request } = await open(hybrid(3), { reranking: scoring({}).model })
    expect(told(await rank(request, FOUND))).toEqual([
      ['a', 6],
      ['b', 6],
      ['c', 6],
    ])
  })

  it('places last what it gave no score', async () => {
    const reranking: RerankingModel = { id: 'test/short', rerank: async () => [1, 2] }
    const { request } = await open(hybrid(3), { reranking })
    expect(told(await rank(request, FOUND))).toEqual([
      ['b', 6],
      ['a', 5],
      ['c', 5],
    ])
  })

  it('reads the words of utterances from their turns', async () => {
    const { model, query } = scoring({})
    const { place, request } = await open(hybrid(2), { reranking: model })
    await storeTurns(place, { text: 'I keep bees.' })
    const said = makeMemory({ id: 'u', text: '', evidence: [{ turn: 't1', quote: null }] })
    await rank(request, [foundAs(said, 2), ...FOUND])
    expect(query).toEqual([['Where do I live?', ['I keep bees.', 'alpacas']]])
  })

  it('is asked nothing when there are fewer than two to order, or the preset wants none ordered', async () => {
    const { model, query } = scoring({})
    const one = FOUND.slice(0, 1)
    expect(await rank((await open(hybrid(30), { reranking: model })).request, one)).toBe(one)
    expect(await rank((await open(hybrid(1), { reranking: model })).request, FOUND)).toBe(FOUND)
    expect(await rank((await open(hybrid(), { reranking: model })).request, FOUND)).toBe(FOUND)
    expect(await rank((await open({ kind: 'whole' }, { reranking: model })).request, FOUND)).toBe(FOUND)
    expect(query).toEqual([])
  })

  it('need not be there', async () => {
    expect(await rank((await open(hybrid(30))).request, FOUND)).toBe(FOUND)
  })
})

describe('a model that chooses', () => {
  const chosen: Ranking = { kind: 'chosen', recipe: HYBRID, from: 2 }

  it('leaves only what it picked of the likeliest, in its order', async () => {
    const model = answering({ choose_memos: { memos: [2, 1] } })
    const { request } = await open(chosen, { model })
    expect(told(await rank(request, FOUND))).toEqual([
      ['b', 4],
      ['a', 5],
    ])
    expect(model.requests).toHaveLength(1)
  })

  it('is told when it is, where the asker is', async () => {
    const model = answering({ choose_memos: { memos: [] } })
    const { place } = await open(chosen, { model })
    const now = Date.UTC(2026, 2, 5, 20)
    expect(await rank(requestIn(place, { now, timeZone: 'Asia/Tokyo' }), FOUND)).toEqual([])
    const words = model.requests[0]?.messages.map(({ text }) => text).join('\n')
    expect(words).toContain('2026-03-06')
    expect(words).toContain('bees')
    expect(words).not.toContain('cats')
  })

  it('is asked nothing when nothing was found', async () => {
    const { request } = await open(chosen, { model: scriptedModel([]) })
    expect(await rank(request, [])).toEqual([])
  })

  it('is asked also about one', async () => {
    const model = answering({ choose_memos: { memos: [] } })
    const { request } = await open(chosen, { model })
    expect(await rank(request, FOUND.slice(0, 1))).toEqual([])
    expect(model.requests).toHaveLength(1)
  })

  it('is asked nothing where the preset ranks otherwise', async () => {
    const model = scriptedModel([])
    expect(await rank((await open({ kind: 'whole' }, { model })).request, FOUND)).toBe(FOUND)
  })

  it('is given up with the question', async () => {
    const caller = new AbortController()
    let isGivenUp: boolean | undefined
    const model = scriptedModel((request) => {
      caller.abort(new Error('given up'))
      isGivenUp = request.abortSignal?.aborted
      return '{"memos": []}'
    })
    const { request } = await open(chosen, { model })
    const given = { ...request, options: { abortSignal: caller.signal } }
    await rank(given, FOUND).catch(() => undefined)
    expect(isGivenUp).toBe(true)
  })

  it('chooses nothing where no scope is asked', async () => {
    const { request } = await open(chosen, { model: scriptedModel([]) })
    const nowhere = { ...request, resolved: { ...request.resolved, rows: [] } }
    expect(await rank(nowhere, FOUND)).toEqual([])
  })

  it('need not be there', async () => {
    expect(await rank((await open(chosen)).request, FOUND)).toBe(FOUND)
  })
})

describe('a model that fails', () => {
  const failing = (error: Error): RerankingModel => ({
    id: 'test/away',
    rerank: async () => {
      throw error
    },
  })

  it('costs the recall when the fault is not the model’s', async () => {
    const { request } = await open(hybrid(3), { reranking: failing(new Error('a fault')) })
    await expect(rank(request, FOUND)).rejects.toThrow('a fault')
  })

  it('costs the recall when the caller gave it up', async () => {
    const { request } = await open(hybrid(3), { reranking: failing(new ModelError('aborted')) })
    const given = { ...request, options: { abortSignal: AbortSignal.abort(new Error('given up')) } }
    await expect(rank(given, FOUND)).rejects.toThrow('given up')
  })
})
