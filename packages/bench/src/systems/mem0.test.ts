import type { EmbeddingModel } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { expect, it } from 'vitest'
import { mem0Npm } from './mem0.ts'

it('lets its model take as long as the run allows, and no longer', async () => {
  const model = scriptedModel(() => new Promise(() => undefined))
  const memory = await mem0Npm().open({ user: 'Ana', model, embedding: null, modelTimeoutMs: 50 })
  const at = Date.UTC(2026, 4, 3)
  const turn = { id: 't1', role: 'user', speaker: 'Ana', text: 'I moved to Lyon.', at, zone: 'UTC' } as const
  const added = memory.addDialogue({ session: 's1', turns: [turn], endsSession: true })
  await expect(added).rejects.toThrow(/timed out/i)
  await memory.close()
})

it('has no score for a memory that the embedder has no vector for, and finds it all the same', async () => {
  const model = scriptedModel(() =>
    JSON.stringify({ memory: [{ id: '0', text: 'Xq zzv.', attributed_to: 'user' }] }),
  )
  const embedding: EmbeddingModel = {
    id: 'empty',
    dimensions: 3,
    embed: async (texts) =>
      texts.map((text) => new Float32Array(text.includes('Xq') ? [0, 0, 0] : [1, 0, 0])),
  }
  const memory = await mem0Npm().open({ user: 'Ana', model, embedding })
  const turn = { id: 't1', role: 'user', speaker: 'Ana', text: 'Xq zzv.', at: 1, zone: 'UTC' } as const
  await memory.addDialogue({ session: 's1', turns: [turn], endsSession: true })
  const { memories } = await memory.retrieve('Where?', { limit: 5, at: 2, tokens: 100 })
  expect(memories).toMatchObject([{ text: 'Xq zzv.', score: null }])
  await memory.close()
})
