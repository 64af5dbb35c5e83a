import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'

const FILLERS = [
  'the bus was late',
  'my flat has 94 steps',
  'paid 88 for shoes',
  'watched a film',
  'bus 92 was full',
]

async function contextOf(said: readonly string[], question: string): Promise<string> {
  const memory = await openMemory({ path: ':memory:' })
  const scope = memory.scope({ user: 'mara' })
  for (const text of said.flatMap((text) => [text, ...FILLERS])) await scope.remember({ role: 'user', text })
  await scope.drain()
  const { context } = await scope.recall(question, { tokens: 40 })
  await memory.close()
  return context.text
}

it.each([
  ['what do i weigh now', ['i weigh 90 kg right now', 'week 1 done. 88.5!', '87.1!!! lowest in years']],
  ['list all my weigh-ins', ['i weigh 90 kg right now', '88.5 this week', '87.1 💪']],
  ['我现在多重', ['现在体重90公斤', '第二周88.5公斤', '87.1公斤，历史最低']],
])('shows later readings of the measure: %s', async (question, said) => {
  const context = await contextOf(said, question)
  expect(context).toContain('88.5')
  expect(context).toContain('87.1')
})
