import { openMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { expect, it } from 'vitest'
import { comedyRetrieval } from './comedy-retrieval.ts'

const told = (text: string, turn: number) => ({ text, turns: [turn] })
const SENTENCES = {
  events: [told('Ana adopted a greyhound named Pip.', 1), told('Ana sold her blue canoe.', 1)],
  user: [told('Ana is a baker in Ghent.', 3), told('Ana dislikes liquorice.', 3)],
  agent: [told('The agent plays a lighthouse keeper.', 2)],
}

async function toldAfter(outcome: 'memory' | 'unsafe') {
  const model = scriptedModel(() => JSON.stringify({ outcome, ...SENTENCES }))
  const memory = await openMemory({ path: ':memory:', preset: comedyRetrieval, model })
  const scope = memory.scope({ user: 'ana' })
  await scope.remember(
    ['I adopted Pip and sold the canoe.', 'I keep the light.', 'I bake in Ghent, without liquorice.'].map(
      (text, at) => ({ role: at === 1 ? 'assistant' : 'user', text, at: 1_700_000_000_000 + at }) as const,
    ),
  )
  await scope.endSession()
  await scope.drain()
  const { memories } = await scope.recall('Which dog did Ana adopt?')
  await memory.close()
  return memories.map(({ memory: { text } }) => text)
}

it('finds the three nearest sentences of session memories, the greyhound first', async () => {
  const found = await toldAfter('memory')
  expect(found).toHaveLength(3)
  expect(found[0]).toBe('Ana adopted a greyhound named Pip.')
})

it('keeps nothing of a session that must not be stored', async () => {
  expect(await toldAfter('unsafe')).toEqual([])
})
