import { afterEach, describe, expect, it } from 'vitest'
import { keepsake as keepsakePreset } from '../presets/keepsake.ts'
import { openMemory, type Keepsake } from '../index.ts'

let open: Keepsake | undefined
afterEach(async () => {
  await open?.close()
  open = undefined
})

/** Talk of which every turn is a fact, and compares with those before. */
const greedy = (from: number, turns: number) =>
  Array.from({ length: turns }, (_, at) => ({
    role: 'user' as const,
    text: `My friend Bob${from + at} hates thing${from + at}. My sister went to place${from + at}.`,
  }))

describe('people whose work waits at the same time', () => {
  it('have their turn one after another, however much one of them said', async () => {
    open = await openMemory({ path: ':memory:' })
    const keepsake = open
    const [crowd, ana] = [keepsake.scope({ user: 'crowd' }), keepsake.scope({ user: 'ana' })]
    const { promise: seen, resolve: see } = Promise.withResolvers<void>()
    keepsake.on('memory-added', ({ scope, memory }) => {
      if (scope.user === 'ana' && memory.form === 'fact') see()
    })
    // All at once: while one waited for the other to be on disk, the crowd would be read.
    await Promise.all([
      ...[0, 80, 160].map((from) => crowd.remember(greedy(from, 80), { session: `s${from}` })),
      ana.remember([
        { role: 'user', text: 'I live in Lyon.' },
        { role: 'assistant', text: 'Lovely.' },
      ]),
    ])
    await seen
    const live = (await keepsake.stats()).memories.live
    await keepsake.drain()
    const all = (await keepsake.stats()).memories.live
    // Little of what the other said was read by then: utterances alone are half of what comes of it.
    expect(live).toBeLessThan(all / 2)
    expect((await keepsake.jobs()).length).toBe(0)
    expect((await crowd.memories({ forms: ['utterance'], limit: 2_000 })).length).toBe(240)
  })

  it('reads sessions that end to their end, however long it takes', async () => {
    // Rules write no summaries of their own, so the preset gets them.
    const plain = keepsakePreset()
    const branches = [...plain.branches, { kind: 'summaries' } as const]
    open = await openMemory({ path: ':memory:', preset: { ...plain, branches } })
    const crowd = open.scope({ user: 'crowd' })
    for (const session of ['s1', 's2', 's3']) {
      await crowd.remember(greedy(0, 30), { session })
      await crowd.endSession(session)
    }
    await open.drain()
    expect((await crowd.memories({ forms: ['summary'] })).length).toBe(3)
    expect((await open.jobs()).length).toBe(0)
  })
})
