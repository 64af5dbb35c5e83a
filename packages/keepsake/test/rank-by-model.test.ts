import { memochat } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { ModelError, type RerankingModel } from 'keepsake'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const AT = Date.parse('2024-03-04T18:00:00Z')
const TEXTS = ['The boat needs paint.', 'The boat has a red sail.', 'My boat leaks a little.']

async function boats(reranking: RerankingModel) {
  const keepsake = await openForTest({ reranking })
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember(TEXTS.map((text, index) => ({ role: 'user' as const, text, at: AT + index * 1_000 })))
  return { keepsake, ana }
}

function prefers(word: string): RerankingModel {
  return {
    id: 'by-word',
    rerank: (_, texts) => Promise.resolve(texts.map((text) => (text.includes(word) ? 1 : 0))),
  }
}

describe('a reranking model', () => {
  it('puts what was found in its own order, and its part explains the score', async () => {
    for (const word of ['paint', 'sail', 'leaks']) {
      const { ana } = await boats(prefers(word))
      const { memories } = await ana.recall('Tell me of the boat')
      expect(memories).toHaveLength(3)
      const [first] = memories
      expect(first?.memory.text).toContain(word)
      const sum = Object.values(first?.parts ?? {}).reduce((total, part) => total + part, 0)
      expect(sum).toBeCloseTo(first?.score ?? 0, 6)
    }
  })

  it('costs the better order when it fails, never the recall', async () => {
    const failing: RerankingModel = { id: 'away', rerank: () => Promise.reject(new ModelError('away')) }
    const { keepsake, ana } = await boats(failing)
    const told: string[] = []
    keepsake.on('background-failed', ({ error }) => told.push(error.message))
    expect((await ana.recall('Tell me of the boat')).memories).toHaveLength(3)
    expect(told).toEqual(['away'])
  })
})

describe('MemoChat', () => {
  it('writes memos by topic and recalls those that the model chooses, with their turns', async () => {
    const model = answering({
      topic_memos: {
        memos: [
          { topic: 'Boat', summary: 'The boat needs paint.', first: 1, last: 1 },
          { topic: 'Bread', summary: 'The user bakes rye bread.', first: 2, last: 2 },
        ],
      },
      choose_memos: (request) => ({ memos: [Number(/[([](\d+)[)\]][^\n]*Bread/.exec(shown(request))?.[1])] }),
    })
    const keepsake = await openForTest({ preset: memochat, model })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(
      ['The boat needs paint.', 'I bake rye bread.'].map((text, index) => ({
        id: `t${index}`,
        role: 'user' as const,
        text,
        at: AT + index * 1_000,
      })),
      { session: 's' },
    )
    await ana.endSession('s')
    await ana.drain()
    const { memories } = await ana.recall('What do I bake, and what of the boat?')
    expect(memories.map(({ memory }) => memory.text)).toEqual(['Bread: The user bakes rye bread.'])
    expect(memories[0]?.evidence.map((one) => one.turn)).toEqual(['t1'])
  })
})
