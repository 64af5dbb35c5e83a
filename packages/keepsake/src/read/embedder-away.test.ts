import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ModelError, type EmbeddingModel } from '@keepsake/text'
import { embedLaterBy } from '../models/embedding-fixture.ts'
import { openMemory } from '../memory.ts'

let isAway = false

/** An embedder whose endpoint can be taken away. */
function fadingEmbedder(): EmbeddingModel {
  const model = embedLaterBy({ allotment: [1, 0], Nice: [0, 1] })
  return {
    id: model.id,
    dimensions: model.dimensions,
    embed: (texts) => (isAway ? Promise.reject(new ModelError('nobody answers')) : model.embed(texts)),
  }
}

test.each(['keepsake', 'naive-rag'] as const)(
  '%s: recall goes on by words while the embedder is away',
  async (preset) => {
    isAway = false
    const keepsake = await openMemory({ path: ':memory:', preset, embedding: fadingEmbedder() })
    const scope = keepsake.scope({ user: 'ana' })
    await scope.remember([{ role: 'user', text: 'My allotment is behind the railway.' }])
    await scope.remember([{ role: 'assistant', text: 'Nice.' }])
    await scope.drain()
    expect((await scope.recall('Where is my allotment?')).wordsOnly).toBeUndefined()
    isAway = true
    const reasons: string[] = []
    keepsake.on('background-failed', ({ error }) => reasons.push(error.message))
    const recall = await scope.recall('Where is my allotment then?')
    expect(reasons).toEqual(['nobody answers'])
    expect(recall.wordsOnly).toBe(true)
    expect(recall.context.text).toContain('behind the railway')
    const aborted = AbortSignal.abort()
    await expect(scope.recall('Where is it?', { abortSignal: aborted })).rejects.toThrow(/abort/i)
    await keepsake.close()
  },
)

const vectorsOf = (texts: readonly string[], length: number, value: number) =>
  texts.map(() => new Float32Array(length).fill(value))

test.each<[string, (texts: readonly string[]) => unknown]>([
  ['throws what it likes', () => Promise.reject(new Error('boom'))],
  ['answers no list', () => Promise.resolve(null)],
  ['answers too few', () => Promise.resolve([])],
  ['answers no numbers', (texts) => Promise.resolve(vectorsOf(texts, 2, Number.NaN))],
  ['answers texts', (texts) => Promise.resolve(texts)],
  ['answers another length under its name', (texts) => Promise.resolve(vectorsOf(texts, 3, 1))],
])('an embedder that %s leaves the memory readable', async (_, embed) => {
  const path = join(mkdtempSync(join(tmpdir(), 'embedder-')), 'memory.db')
  const answers = [(texts: readonly string[]) => Promise.resolve(vectorsOf(texts, 2, 1)), embed]
  for (const [round, answer] of answers.entries()) {
    const embedding = { id: 'own', dimensions: undefined, embed: answer } as unknown as EmbeddingModel
    const keepsake = await openMemory({ path, embedding })
    const scope = keepsake.scope({ user: 'ana' })
    await scope.remember({ role: 'user', text: `Allotment ${round} is behind the railway.` })
    await scope.drain()
    const recall = await scope.recall('Where is my allotment?')
    expect(recall.context.text).toContain('behind the railway')
    expect(recall.wordsOnly).toBe(round === 0 ? undefined : true)
    await scope.addFact('The user likes plums.')
    await keepsake.close()
  }
})

test('an embedder that never answers does not hold up the end', async () => {
  const embedding: EmbeddingModel = { id: 'own', dimensions: 2, embed: () => new Promise(() => undefined) }
  const keepsake = await openMemory({ path: ':memory:', embedding })
  const scope = keepsake.scope({ user: 'ana' })
  await scope.remember({ role: 'user', text: 'My allotment is behind the railway.' })
  const recall = scope.recall('Where is my allotment?')
  await keepsake.close()
  await expect(recall).rejects.toThrow('closed')
})

const isWithin = async (milliseconds: number, work: () => Promise<{ wordsOnly?: true }>) => {
  const startedAt = performance.now()
  expect((await work()).wordsOnly).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(milliseconds)
}

test(
  'an embedder that hangs delays one recall by seconds, and the next ones not',
  { timeout: 15_000 },
  async () => {
    let count = 0
    const embed = () => {
      count += 1
      return new Promise<never>(() => undefined)
    }
    await using keepsake = await openMemory({
      path: ':memory:',
      embedding: { id: 'own', dimensions: 2, embed },
    })
    const scope = keepsake.scope({ user: 'ana' })
    await scope.addFact('The allotment is behind the railway.')
    await isWithin(6_000, () => scope.recall('Where is my allotment?'))
    const asked = count
    for (const question of ['Where is my garden?', 'What is behind the railway?'])
      await isWithin(1_000, () => scope.recall(question))
    expect(count).toBe(asked)
  },
)

test('a recall that its caller gives up for a hanging embedder is followed by one by words', async () => {
  const embed = () => new Promise<never>(() => undefined)
  await using keepsake = await openMemory({
    path: ':memory:',
    embedding: { id: 'own', dimensions: 2, embed },
  })
  const scope = keepsake.scope({ user: 'ana' })
  await scope.addFact('The allotment is behind the railway.')
  const abortSignal = AbortSignal.timeout(1_200)
  await expect(scope.recall('Where is my allotment?', { abortSignal })).rejects.toThrow(/abort|timeout/i)
  await isWithin(1_000, () => scope.recall('Where is my allotment?'))
})
