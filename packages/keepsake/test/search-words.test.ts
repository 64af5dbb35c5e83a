import { describe, expect, it } from 'vitest'
import type { Memory, ScopedMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'

const TOLD = [
  {
    said: 'I throw bowls at the wheel on Thursdays.',
    text: 'The user throws bowls at the wheel on Thursdays.',
    evidence: ['1: throw bowls at the wheel'],
    search: 'pottery hobby craft evening class',
  },
  {
    said: 'I repair old bicycles for my neighbours.',
    text: 'The user repairs old bicycles for the neighbours.',
    evidence: ['2: repair old bicycles'],
    search: 'volunteering',
  },
  {
    said: 'I sleep badly when the moon is full.',
    text: 'The user sleeps badly when the moon is full.',
    evidence: ['3: sleep badly'],
    search: ['insomnia', 'health'],
  },
]

async function openWithStatements(): Promise<ScopedMemory> {
  const memories = TOLD.map(({ text, evidence, search }) => ({ text, evidence, search }))
  const model = scriptedModel(({ schemaName }) =>
    schemaName === 'segment' ? JSON.stringify({ memories, forget: [], summary: '' }) : '{}',
  )
  const keepsake = await openForTest({ model, exchangesPerExtraction: 10 })
  const mira = keepsake.scope({ user: 'mira' })
  for (const { said } of TOLD) await mira.remember({ role: 'user', text: said }, { session: 'one' })
  await mira.endSession('one')
  await mira.drain()
  return mira
}

const firstFact = async (mira: ScopedMemory, question: string): Promise<string | undefined> =>
  (await mira.recall(question)).memories.find(({ memory }) => memory.form === 'fact')?.memory.text

describe('search words', () => {
  it('find a statement by words that it does not have, and are shown in no context', async () => {
    const mira = await openWithStatements()
    expect(await firstFact(mira, 'Which hobbies do I have?')).toContain('bowls')
    expect(await firstFact(mira, 'Do I have insomnia?')).toContain('sleeps badly')
    const { context } = await mira.recall('Which hobbies do I have?')
    expect(context.text).toContain('bowls')
    expect(context.text).not.toMatch(/pottery|craft/)
  })

  it('are dropped when the statement is worded anew, and come back with an undo', async () => {
    const mira = await openWithStatements()
    const read = async (): Promise<Memory | undefined> => (await mira.memories({ contains: 'Thursdays' }))[0]
    const fact = await read()
    expect(fact?.searchWords).toBe('pottery hobby craft evening class')
    const text = 'The user sings in a choir on Thursdays.'
    const { id } = await mira.edit(fact?.id ?? '', { text })
    expect(await read()).toMatchObject({ text, searchWords: '' })
    await mira.undo(id)
    expect(await read()).toMatchObject({ text: fact?.text, searchWords: fact?.searchWords })
  })

  it('are no reason to forget a statement', async () => {
    const mira = await openWithStatements()
    await mira.forgetAbout('volunteering')
    expect(await mira.memories({ contains: 'bicycles' })).toHaveLength(1)
  })
})
