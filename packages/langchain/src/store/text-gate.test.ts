import * as fc from 'fast-check'
import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { HOSTILE_RUNS, hostileText } from '../../../keepsake/test/hostile-text.ts'
import { KeepsakeStore } from './keepsake-store.ts'

it('searches items by words without their secrets, and gives values back exactly as they were put', async () => {
  const property = fc.asyncProperty(hostileText, async ({ text, secret }) => {
    const keepsake = await openMemory({ path: ':memory:' })
    const store = new KeepsakeStore(keepsake)
    const value = { text: text.toWellFormed(), topic: 'berth' }
    await store.put(['ana', 'notes'], text, value)
    await store.put(['ana', 'notes'], 'hidden', { topic: 'berth' }, false)
    expect((await store.get(['ana', 'notes'], text))?.value).toEqual(value)
    const [note] = await keepsake.scope({ user: 'ana' }).memories({ forms: ['note'] })
    expect(note?.text).toContain('[masked: ')
    expect(note?.text).not.toContain(secret)
    await keepsake.close()
  })
  await fc.assert(property, { numRuns: HOSTILE_RUNS })
})
