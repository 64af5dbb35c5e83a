import { openSqliteStore, type Store } from 'keepsake'
import { expect, it } from 'vitest'
import { sameOnBoth, type Comparison } from './same-on-both.ts'

const TURN = { id: 't1', role: 'user', speaker: 'Ana', text: 'I live in Lyon.', at: 1, zone: 'UTC' } as const

/** What is compared of a talk when the other store is this one. */
async function compare(open: () => Promise<Store>): Promise<Comparison> {
  const comparison: Comparison = { answers: 0, differing: [], differences: 0 }
  const system = sameOnBoth('keepsake', open, comparison)
  const memory = await system.open({ user: 'ana', model: null, embedding: null })
  await memory.addDialogue({ session: 's1', endsSession: true, turns: [TURN] })
  await memory.retrieve('Where does Ana live?', { limit: 5, at: 2, tokens: 100 })
  await memory.close()
  return comparison
}

it('finds that two stores that do the same answer the same', async () => {
  expect(await compare(() => openSqliteStore({ path: ':memory:' }))).toEqual({
    answers: 3,
    differing: [],
    differences: 0,
  })
})

it('finds out a store that answers otherwise', async () => {
  const comparison = await compare(async () => {
    const store = await openSqliteStore({ path: ':memory:' })
    return {
      ...store,
      indexRows: async (owner, after) => {
        const rows = await store.indexRows(owner, after)
        return { ...rows, documents: rows.documents.map((row) => ({ ...row, traits: 0, terms: ['lyon'] })) }
      },
    }
  })
  expect(comparison.differences).toBeGreaterThan(0)
  expect(comparison.differing).toContain('Where does Ana live?')
})
