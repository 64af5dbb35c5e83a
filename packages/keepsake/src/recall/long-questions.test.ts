import { beforeEach, describe, expect, it, vi } from 'vitest'
import { giveWay } from '../give-way.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import { openEngine, storeMemories } from '../work/engine-fixture.ts'
import { resolveScope } from '../work/resolve-scope.ts'
import { MOST_READ } from './read-in-part.ts'
import { recallMemories } from './recall-memories.ts'

// How often the event loop is looked at, and not whether it was time to.
vi.mock(import('../give-way.ts'), () => ({ giveWay: vi.fn(() => Promise.resolve()) }))
const looks = vi.mocked(giveWay)
beforeEach(() => looks.mockClear())

const ANA = { tenant: 'default', user: 'ana', agent: null, app: null }

/** A memory of so many boats, and the texts that are embedded to find them. */
async function openWith(boats: number) {
  const embedded: string[] = []
  const embedding: EmbeddingModel = {
    id: 'test/lengths',
    dimensions: 2,
    embed: async (texts) => {
      embedded.push(...texts)
      return texts.map(() => new Float32Array([1, 0]))
    },
  }
  const place = await openEngine({ embedding })
  const facts = Array.from({ length: boats }, (_, number) =>
    makeFact({ id: `b${number}`, text: `The user has a boat, number ${number}.` }),
  )
  await storeMemories(place, ...facts)
  const recall = async (question: string, limit: number) => {
    const resolved = await resolveScope(place.engine.store, ANA)
    const find = () => recallMemories(place.engine, resolved, question, { limit, reinforce: false })
    await find()
    embedded.length = 0
    looks.mockClear()
    const { memories } = await find()
    return { memories, looks: looks.mock.calls.length, embedded }
  }
  return { recall }
}

describe('what a question costs others', () => {
  it('is a question of a few words: the event loop is not looked at within it', async () => {
    const { recall } = await openWith(20)
    expect(await recall('Where is my boat?', 10)).toMatchObject({ looks: 0, embedded: ['Where is my boat?'] })
  })

  it('does not grow with its length, and is spread over several looks at the event loop', async () => {
    const { recall } = await openWith(20)
    const { embedded, ...long } = await recall(`Where is my boat?${' And then'.repeat(11_000)}`, 10)
    expect(long.looks).toBeGreaterThanOrEqual(5)
    expect(Math.max(...embedded.map(({ length }) => length))).toBe(MOST_READ + 1)
    expect(long.memories.length).toBeGreaterThan(0)
  })

  it('is spread over several looks where many memories are asked for', async () => {
    const { recall } = await openWith(100)
    const many = await recall('Where is my boat?', 100)
    expect(many.memories).toHaveLength(100)
    expect(many.looks).toBe(2)
  })
})
