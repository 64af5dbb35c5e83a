import type { Memory } from 'keepsake'
import { type ForgettingMoment, firstInFirstOut } from 'keepsake/preset'
import { competitionInhibition } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { policySystem, type PolicySystemOptions } from './policy-system.ts'
import { talkOf, unitOf } from './testing/sample-talk.ts'

const talk = talkOf('Ana', [])

/** Ranks memories by the number of letters that they share with the query. */
const rank: PolicySystemOptions['rank'] = (query, memories) =>
  memories.map((memory) => ({
    memory,
    score: query.split('').filter((letter) => memory.text.includes(`: ${letter}`)).length,
  }))

const plain: Omit<PolicySystemOptions, 'policy' | 'retention'> = {
  rank,
  first: 1,
  second: 1,
  signals: () => ({ arousal: null, surprise: null, importance: null }),
}

const firstInFirstOutOf = (retention: PolicySystemOptions['retention']) =>
  policySystem({ ...plain, policy: firstInFirstOut(), retention })

describe('policySystem', () => {
  it('keeps the share of all ever made, and never brings back what went', async () => {
    const system = firstInFirstOutOf({ when: 'session-end', keep: 0.5 })
    const run = await system.start(talk)
    for (const id of ['a', 'b', 'c', 'd']) await run.hear(unitOf(id, 1))
    expect([...(await run.endSession(1))]).toEqual(['c', 'd'])
    for (const id of ['e', 'f']) await run.hear(unitOf(id, 2))
    // 6 made, 3 stay: the newest of c, d, e, f
    expect([...(await run.endSession(2))]).toEqual(['d', 'e', 'f'])
    expect(await run.ask('a')).not.toContain('a')
  })

  it('enforces a capacity after every unit', async () => {
    const system = firstInFirstOutOf({ when: 'capacity', memories: 2 })
    const run = await system.start(talk)
    for (const id of ['a', 'b', 'c']) await run.hear(unitOf(id, 1))
    expect([...(await run.endSession(1))]).toEqual(['b', 'c'])
  })

  it('puts each user’s turn to recall before it is stored: the first is used, the second counted', async () => {
    const seen: { memories: readonly Memory[]; moment: ForgettingMoment }[] = []
    const policy = {
      ...competitionInhibition(),
      strengths: (memories: readonly Memory[], moment: ForgettingMoment) => {
        seen.push({ memories, moment })
        return competitionInhibition().strengths(memories, moment)
      },
    }
    const run = await policySystem({ ...plain, policy, retention: { when: 'session-end', keep: 1 } }).start(
      talk,
    )
    await run.hear(unitOf('1', 1, { text: 'a' }))
    await run.hear(unitOf('2', 1, { text: 'b' }))
    await run.hear(unitOf('3', 1, { text: 'a' }))
    await run.endSession(1)
    const last = seen.at(-1)
    // the second unit reached the first; the third reached the first again, and the second as runner-up
    expect(last?.memories.map((memory) => [memory.id, memory.use.first, memory.use.second])).toEqual([
      ['1', 2, 0],
      ['2', 0, 1],
      ['3', 0, 0],
    ])
    expect(last?.memories[0]?.use.rounds).toEqual([2, 3])
    expect(last?.memories.map(({ use }) => use.secondAt)).toEqual([undefined, 3, undefined])
    expect(last?.moment).toMatchObject({ session: 1, round: 3, underWay: false })
  })
})
