import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory } from 'keepsake'
import { openForTest } from './open-for-test.ts'
import { filesHolding } from './search-bytes.ts'
import { temporaryFile } from './temporary-file.ts'

/** The files beside the database (itself, journal, temporary ones) that hold the words, as they are or in small letters. */
const filesWith = (path: string, words: string): string[] =>
  filesHolding(dirname(path), [words, words.toLowerCase()])

describe('erase', () => {
  it('leaves no byte of a person in any file, and nothing of theirs in the receipt', async () => {
    const path = temporaryFile()
    const keepsake = await openForTest({ path })
    const ana = keepsake.scope({ user: 'ana-quixotica' })
    const bea = keepsake.scope({ user: 'bea' })
    const forty = (tell: (n: number) => string) =>
      Array.from({ length: 40 }, (_, n) => ({ role: 'user', text: tell(n) }) as const)
    await ana.remember(
      forty((n) => `My neighbour Zephyrina collects antique barometers, number ${n}.`),
      { session: 's' },
    )
    await bea.remember(
      forty((n) => `I have ${n} pots of basil.`),
      { session: 's' },
    )
    await ana.endSession()
    await keepsake.drain()
    await ana.recall('Who collects barometers?', { reinforce: true })
    await keepsake.drain()
    expect(filesWith(path, 'Zephyrina')).not.toEqual([])
    const receipt = await ana.erase({ everything: true })
    expect(receipt?.turns).toBe(40)
    expect(receipt?.purgedAt).toEqual(expect.any(Number))
    expect(JSON.stringify(receipt)).not.toMatch(/Zephyrina|quixotica/)
    for (const words of ['Zephyrina', 'zephyrina', 'barometer', 'quixotica'])
      expect(filesWith(path, words)).toEqual([])
    expect((await ana.recall('Who collects barometers?')).memories).toEqual([])
    expect((await bea.recall('basil', { limit: 50 })).memories).toHaveLength(40)
  })

  it('erases one memory with the turns it rests on and all that rests on them', async () => {
    const path = temporaryFile()
    const keepsake = await openForTest({ path })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(
      [
        { role: 'user', text: 'I have a parrot named Kiwimora.', id: 't1' },
        { role: 'user', text: 'I live in Porto.', id: 't2' },
      ],
      { session: 's' },
    )
    await ana.endSession()
    await keepsake.drain()
    const memory = (await ana.memories()).find((one) => one.text.includes('Kiwimora'))
    await ana.erase({ memories: [memory?.id ?? ''] })
    expect(filesWith(path, 'Kiwimora')).toEqual([])
    expect((await ana.explain(memory?.id ?? '')).memory).toMatchObject({
      status: 'erased',
      text: '',
      evidence: [],
    })
    expect((await ana.recall('Where do I live?')).memories[0]?.memory.text).toContain('Porto')
    await expect(ana.restore(memory?.id ?? '')).rejects.toMatchObject({ code: 'not-possible' })
  })

  it('does not take back an erased turn that is remembered again under its id', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const turn = { role: 'user', text: 'I have a parrot.', id: 't1' } as const
    await ana.remember(turn)
    await ana.erase({ turns: ['t1'] })
    expect((await ana.remember(turn)).added).toBe(0)
    expect((await ana.recall('parrot')).memories).toEqual([])
  })

  it('refuses what is not there, and an empty target', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'Hello.' })
    await expect(ana.erase({ memories: ['m-404'] })).rejects.toMatchObject({ code: 'not-found' })
    await expect(ana.erase({})).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('erases nobody without a target, and not for everything beside parts', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'Hello.', id: 't1' })
    const erase = ana.erase.bind(ana) as (target?: unknown) => Promise<unknown>
    for (const target of [undefined, {}, { everything: false }, { everything: true, turns: ['t1'] }])
      await expect(erase(target)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await ana.turns()).toHaveLength(1)
  })

  it('lets the same person begin anew', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I have a parrot.' })
    await ana.erase({ everything: true })
    await ana.remember({ role: 'user', text: 'I have a tortoise.' })
    expect((await ana.recall('Which animal?')).memories.map((one) => one.memory.text)).toEqual([
      'I have a tortoise.',
    ])
  })
})

describe('backup', () => {
  it('copies what there is while it is in use, and writes over nothing', async () => {
    const path = temporaryFile()
    const keepsake = await openForTest({ path })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I have a parrot.' })
    const copy = join(dirname(path), 'copy.db')
    await Promise.all([keepsake.backup(copy), ana.remember({ role: 'user', text: 'I have a tortoise.' })])
    await expect(keepsake.backup(copy)).rejects.toMatchObject({ code: 'store-failed' })
    const twin = await openMemory({ path: copy })
    const { memories } = await twin.scope({ user: 'ana' }).recall('parrot')
    expect(memories[0]?.memory.text).toBe('I have a parrot.')
    await twin.close()
  })
})
