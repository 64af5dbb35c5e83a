import type { EmbeddingModel } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { openEngine, storeMemories } from '../work/engine-fixture.ts'
import { resolveScope } from '../work/scope-handle.ts'
import { MAX_QUESTION_LENGTH } from './query.ts'
import { recallMemories } from './recall.ts'

const ANA = { tenant: 'default', user: 'ana', agent: null, app: null }

/** A memory of so many boats, and the texts that are embedded to find them. */
async function openWith(boats: number) {
  const embedded: string[] = []
  const embedNow = (text: string) => {
    embedded.push(text)
    return new Float32Array([1, 0])
  }
  const embed = (texts: readonly string[]) => Promise.resolve(texts.map(embedNow))
  const embedding: EmbeddingModel = { id: 'test/lengths', dimensions: 2, embed, embedNow }
  const place = await openEngine({ embedding })
  const facts = Array.from({ length: boats }, (_, number) =>
    makeFact({ id: `b${number}`, text: `The user has a boat, number ${number}.` }),
  )
  await storeMemories(place, ...facts)
  const recall = async (question: string, limit: number) => {
    const resolved = await resolveScope(place.engine.users, ANA)
    const find = () => recallMemories(place.engine, resolved, question, { limit, reinforce: false })
    await find()
    embedded.length = 0
    const { memories } = await find()
    return { memories, embedded }
  }
  return { recall }
}

describe('what a question costs', () => {
  it('is the embedding of its words', async () => {
    const { recall } = await openWith(20)
    expect(await recall('Where is my boat?', 10)).toMatchObject({ embedded: ['Where is my boat?'] })
  })

  it('does not grow with its length', async () => {
    const { recall } = await openWith(20)
    const { embedded, memories } = await recall(`Where is my boat?${' And then'.repeat(11_000)}`, 10)
    expect(Math.max(...embedded.map(({ length }) => length))).toBe(MAX_QUESTION_LENGTH + 1)
    expect(memories.length).toBeGreaterThan(0)
  })
})
