import { describe, expect, it } from 'vitest'
import { ClosedError, ModelError, openMemory, type Memory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'

describe('draining', () => {
  it('resolves with nothing where all is done', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I keep bees.' })
    expect(await ana.drain()).toEqual({ failed: [], errors: [] })
    expect(await keepsake.drain()).toEqual({ failed: [], errors: [] })
  })

  it('resolves with what failed and why, of this person alone', async () => {
    const model = scriptedModel(() => {
      throw new ModelError('The model is away.', { code: 'model-failed' })
    })
    const keepsake = await openForTest({ model, exchangesPerExtraction: 1, modelOptions: { retries: 0 } })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I keep bees.' }, { session: 's1' })
    await ana.endSession('s1')
    const { failed } = await ana.drain()
    expect(failed.length).toBeGreaterThan(0)
    expect(failed[0]?.reason).toContain('The model is away.')
    const { failed: ofAll } = await keepsake.drain()
    expect(ofAll.map(({ id }) => id)).toEqual(expect.arrayContaining(failed.map(({ id }) => id)))
    expect((await keepsake.scope({ user: 'ben' }).drain()).failed).toEqual([])
  })

  it('tells of what waits for a budget, which is no failed try', async () => {
    const model = scriptedModel(() => {
      throw new ModelError('The budget is spent.', { code: 'model-budget' })
    })
    const keepsake = await openForTest({ model, exchangesPerExtraction: 1, modelOptions: { retries: 0 } })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I keep bees.' }, { session: 's1' })
    await ana.endSession('s1')
    const { failed } = await ana.drain()
    expect(failed).not.toEqual([])
    for (const job of failed)
      expect(job).toMatchObject({ state: 'queued', attempts: 0, reason: 'The budget is spent.' })
  })

  it('of a closed memory is refused', async () => {
    const keepsake = await openMemory({ path: ':memory:' })
    const ana = keepsake.scope({ user: 'ana' })
    await keepsake.close()
    await expect(keepsake.drain()).rejects.toThrow(ClosedError)
    await expect(ana.drain()).rejects.toThrow(ClosedError)
  })
})

describe('events of memories', () => {
  it('carry the words of what was kept as it was said', async () => {
    const keepsake = await openForTest()
    const told: Memory[] = []
    keepsake.on('memory-added', ({ memory }) => told.push(memory))
    keepsake.on('memory-deleted', ({ memory }) => told.push(memory))
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I keep bees on the roof.' }, { session: 's1' })
    await ana.drain()
    const [said] = told.filter(({ form }) => form === 'utterance')
    expect(said?.text).toBe('I keep bees on the roof.')
    await ana.forget(said?.id ?? '')
    expect(told.at(-1)).toMatchObject({ status: 'deleted', text: 'I keep bees on the roof.' })
  })
})
