import { describe, expect, it } from 'vitest'
import { engineSystem } from './engine-run.ts'
import type { SignalsOf } from './measure-talk-signals.ts'
import { ourSetting, randomSetting } from './policies.ts'
import { talkOf, unitOf } from './testing/sample-talk.ts'

/** Two people, as in LoCoMo. */
const talk = talkOf('two', [
  unitOf('t0', 1, { speaker: 'Ana', text: 'My sister moved to Porto', at: 1_000 }),
  unitOf('t1', 1, { speaker: 'Bo', text: 'I repaired the old bicycle', at: 2_000 }),
  unitOf('t2', 1, { speaker: 'Ana', text: 'Lunch was soup again', at: 3_000 }),
  unitOf('t3', 1, { speaker: 'Bo', text: 'The tram came late', at: 4_000 }),
])

async function keptBy(system: ReturnType<typeof engineSystem>) {
  const run = await system.start(talk)
  try {
    for (const unit of talk.units) await run.hear(unit)
    return { kept: await run.endSession(1), found: await run.ask('Who repaired a bicycle?') }
  } finally {
    await run.close()
  }
}

describe('engineSystem', () => {
  const half = { when: 'session-end', keep: 0.5 } as const

  it('makes a memory of every turn where both speakers are people, and keeps its share', async () => {
    expect((await keptBy(engineSystem(randomSetting(1), half))).kept.size).toBe(2)
    const all = await keptBy(engineSystem(randomSetting(1), { ...half, keep: 1 }))
    expect(all.kept).toEqual(new Set(talk.units.map(({ id }) => id)))
    expect(all.found[0]).toBe('t1')
  })

  it('lets our policy go by an importance judged beforehand', async () => {
    const judged: SignalsOf = ({ id }) => {
      return { arousal: null, surprise: null, importance: id === 't1' || id === 't3' ? 9 : 1 }
    }
    const { kept } = await keptBy(engineSystem(ourSetting(), half, { importance: judged }))
    expect(kept).toEqual(new Set(['t1', 't3']))
  })
})
