import { describe, expect, it } from 'vitest'
import { openMemory } from '../memory.ts'
import { lufy } from '../presets/lufy.ts'
import type { TurnInput } from '../turns/turn.ts'

const ROLES = ['agent', 'other', 'user'] as const

describe('keeping utterances of many turns at once', () => {
  it('puts each turn in just one, a round whole, wherever a batch ends', async () => {
    const memory = await openMemory({ path: ':memory:', preset: lufy(), retention: { when: 'never' } })
    const scope = memory.scope({ user: 'ada' })
    const turns = Array.from({ length: 600 }, (_, index): TurnInput => {
      return { id: `t${index}`, role: ROLES[index % 3] ?? 'user', text: `said ${index}`, at: index }
    })
    await scope.remember(turns, { session: 's1' })
    await memory.drain()
    const kept = await scope.memories({ forms: ['utterance'] })
    await memory.close()
    const rounds = kept.map((one) => one.evidence.map(({ turn }) => Number(turn.slice(1))))
    expect(rounds.flat().toSorted((a, b) => a - b)).toEqual(turns.map((_, index) => index))
    expect(rounds.filter((round) => round.length === 2)).toEqual(
      Array.from({ length: 200 }, (_, round) => [3 * round, 3 * round + 2]),
    )
  })
})
