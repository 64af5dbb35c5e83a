import { findPreset, lufy } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'

/** Rules write no summaries of their own, so the preset gets them. */
const plain = findPreset('keepsake')
const summarising = { ...plain, branches: [...plain.branches, { kind: 'summaries' } as const] }

const turn = (text: string, minute: number) =>
  ({ role: 'user', text, at: Date.UTC(2024, 0, 1, 10, minute) }) as const

describe('endSession', () => {
  it('summarises the session from its own sentences, with the turns they stand in', async () => {
    const keepsake = await openForTest({ preset: summarising })
    const ana = keepsake.scope({ user: 'ana' })
    const { turns } = await ana.remember(
      [turn('Hi!', 0), turn('My brother Oskar builds wooden boats in Gdansk.', 1)],
      { session: 's' },
    )
    await ana.endSession('s')
    await keepsake.drain()
    const [summary] = await ana.memories({ forms: ['summary'] })
    expect(summary?.text).toBe('My brother Oskar builds wooden boats in Gdansk.')
    expect(summary?.evidence).toEqual([
      { turn: turns[1], quote: 'My brother Oskar builds wooden boats in Gdansk.' },
    ])
  })

  it('makes the summary anew when the session went on and is ended again, and never a second one', async () => {
    const keepsake = await openForTest({ preset: summarising })
    const ana = keepsake.scope({ user: 'ana' })
    for (const [minute, text] of [
      'My brother Oskar builds wooden boats.',
      'I won the regional chess final today.',
    ].entries()) {
      await ana.remember(turn(text, minute), { session: 's' })
      await ana.endSession('s')
      await keepsake.drain()
    }
    const summaries = await ana.memories({ forms: ['summary'] })
    expect(summaries).toHaveLength(1)
    expect(summaries[0]?.text).toContain('chess')
    expect((await ana.admin.history(summaries[0]?.id ?? '')).map((operation) => operation.kind)).toEqual([
      'add',
      'modify',
    ])
  })

  it('tells listeners, once it is over', async () => {
    const keepsake = await openForTest({ preset: lufy })
    const ana = keepsake.scope({ user: 'ana' })
    const ended: string[] = []
    keepsake.on('session-ended', ({ session, forgotten }) => ended.push(`${session}: ${forgotten.length}`))
    await ana.remember([turn('One.', 0), turn('Two.', 1), turn('Three.', 2)], { session: 's' })
    await ana.endSession('s')
    await ana.endSession('s')
    await keepsake.drain()
    expect(ended).toEqual(['s: 2'])
  })

  it('refuses a session it does not know, and does nothing where there is none', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await expect(ana.endSession('nowhere')).rejects.toMatchObject({ code: 'not-found' })
    await ana.endSession()
    expect(await keepsake.scopes()).toEqual([])
  })
})

describe('a failure in the background', () => {
  it('is told, tried again, parked with its reason after five tries, and loses no turn', async () => {
    let isAway = true
    const keepsake = await openForTest({
      arousal: {
        id: 'sometimes-away',
        arousal: (texts) => {
          if (isAway) throw new Error('the arousal model is away')
          return texts.map(() => 3)
        },
      },
    })
    const ana = keepsake.scope({ user: 'ana' })
    const failures: boolean[] = []
    keepsake.on('job-failed', ({ parked }) => failures.push(parked))
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await ana.remember(turn(`My brother Oskar builds boat number ${attempt}.`, attempt))
      await keepsake.drain()
      await expect.poll(() => failures.length).toBe(attempt)
    }
    expect(failures).toEqual([false, false, false, false, true])
    expect(await keepsake.jobs()).toMatchObject([
      { state: 'parked', attempts: 5, reason: 'the arousal model is away' },
    ])
    const during = await ana.recall('Oskar boats')
    // The branch that failed holds up no other: facts were drawn, and the turns it did not keep are recalled as they stand.
    expect(during.memories.filter((recalled) => recalled.pending)).toHaveLength(5)
    expect(await ana.memories({ forms: ['fact'] })).not.toEqual([])
    isAway = false
    expect(await keepsake.retryJobs()).toBe(1)
    await keepsake.drain()
    expect(await keepsake.jobs()).toEqual([])
    expect(await ana.memories({ forms: ['utterance'] })).toHaveLength(5)
  })
})

describe('caches', () => {
  it('stay within their budget, and people dropped from them are recalled all the same', async () => {
    const keepsake = await openForTest({ cacheBytes: 200_000 })
    for (let n = 0; n < 12; n += 1) {
      const scope = keepsake.scope({ user: `user-${n}` })
      await scope.remember(
        Array.from({ length: 40 }, (_, k) => turn(`Person ${n} keeps goat number ${k} in the shed.`, k)),
      )
      await scope.recall('goat')
    }
    await keepsake.drain()
    for (let n = 0; n < 12; n += 1) {
      const { memories } = await keepsake.scope({ user: `user-${n}` }).recall('Who keeps goats?')
      expect(memories[0]?.memory.text).toContain(`Person ${n} `)
    }
    expect((await keepsake.stats()).cacheBytes).toBeLessThanOrEqual(200_000)
  })
})
