import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'

const START = Date.UTC(2026, 2, 2, 9)
const DAY_MS = 86_400_000

/** Remembers what a user said, a day apart. */
async function hear(...said: readonly string[]) {
  const keepsake = await openMemory({ path: ':memory:', now: () => START + 60 * DAY_MS })
  const scope = keepsake.scope({ user: 'ana' })
  for (const [day, text] of said.entries())
    await scope.remember({ role: 'user', text, at: START + day * DAY_MS })
  await scope.drain()
  return scope
}

it.each([
  ['My mum is called Ingrid.', 'Sorry, I meant Inge.', 'What is my mum called?'],
  ['我妈妈叫王芳。', '说错了，是王方。', '我妈妈叫什么？'],
])('words that were corrected in talk are marked in a context: %s', async (wrong, right, question) => {
  const scope = await hear(wrong, right)
  const { context, memories } = await scope.recall(question)
  expect(context.text).toContain(`user (corrected later): "${wrong}"`)
  expect(context.text).toMatch(new RegExp(`^- "${right}"$`, 'm'))
  const said = memories.flatMap(({ memory, evidence }) => (memory.form === 'utterance' ? evidence : []))
  expect(said.filter(({ corrected }) => corrected === true).map(({ text }) => text)).toEqual([wrong])
})

it('an edit of a mistake marks the words; an undo, a change since and a correction in the same message do not', async () => {
  const scope = await hear('I live in Delft. Sorry, I meant Gouda.', 'My mum is called Ingrid.')
  const recall = async () => (await scope.recall('Where do I live, and what is my mum called?')).context.text
  expect(await recall()).not.toContain('corrected later')
  const mum = (await scope.memories({ forms: ['fact'] })).find(({ text }) => text.includes('Ingrid'))
  const edited = { text: 'The user’s mum is called Inge.' }
  const { id } = await scope.edit(mum?.id ?? '', { ...edited, at: mum?.validFrom ?? 0 })
  expect(await recall()).toContain('user (corrected later): "My mum is called Ingrid."')
  await scope.undo(id)
  expect(await recall()).not.toContain('corrected later')
  await scope.edit(mum?.id ?? '', edited)
  expect(await recall()).not.toContain('corrected later')
})
