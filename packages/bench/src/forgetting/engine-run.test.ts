import { describe, expect, it } from 'vitest'
import { engineSystem } from './engine-run.ts'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'
import type { SignalsOf } from './measure-talk-signals.ts'
import { ourSetting, randomSetting } from './policies.ts'

function unitOf(id: string, speaker: string, text: string, at: number): TalkUnit {
  const turns = [{ id, role: 'user' as const, speaker, text, at: at * 1_000, zone: 'UTC' }]
  return { id, session: 1, turns, marked: [] }
}

/** Two people, as in LoCoMo. */
const talk: ForgettingTalk = {
  name: 'two',
  person: 'two',
  sessions: 1,
  units: [
    unitOf('t0', 'Ana', 'My sister moved to Porto', 1),
    unitOf('t1', 'Bo', 'I repaired the old bicycle', 2),
    unitOf('t2', 'Ana', 'Lunch was soup again', 3),
    unitOf('t3', 'Bo', 'The tram came late', 4),
  ],
  questions: [],
  evidence: 'named',
  countsFrom: 1,
}

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
