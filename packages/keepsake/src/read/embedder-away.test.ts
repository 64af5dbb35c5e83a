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
    const recall = await scope.recall('Where is my allotment then?')
    expect(recall.wordsOnly).toBe(true)
    expect(recall.context.text).toContain('behind the railway')
    const aborted = AbortSignal.abort()
    await expect(scope.recall('Where is it?', { abortSignal: aborted })).rejects.toThrow(/abort/i)
    await keepsake.close()
  },
)
