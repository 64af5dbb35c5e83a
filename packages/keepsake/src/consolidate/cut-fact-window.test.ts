import { describe, expect, it } from 'vitest'
import type { FactBranch } from '../presets/preset.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { cutFactWindow } from './cut-fact-window.ts'

const nothing = { candidates: [], requests: [] }
const byModel: FactBranch = {
  kind: 'facts',
  every: { rounds: 6 },
  leastAtEnd: 4,
  extractor: { id: 'm', prompt: 'm/1', extract: () => nothing },
}
const byRules: FactBranch = {
  kind: 'facts',
  every: { rounds: 1 },
  extractor: { id: 'r', extract: () => nothing },
}

/** Rounds of one turn of the agent and one of the user. */
function rounds(count: number, session = 's', from = 0): Turn[] {
  return Array.from({ length: 2 * count }, (_, place) => {
    const position = from + place + 1
    return makeTurn({ id: `t${position}`, position, session, role: place % 2 === 0 ? 'agent' : 'user' })
  })
}

function read(turns: readonly Turn[], branch: FactBranch, ending: string | null = null, isFirst = false) {
  const window = cutFactWindow(turns, branch, ending, isFirst)
  return window === null ? null : [window.rounds.length, window.to]
}

describe('cutFactWindow', () => {
  it('waits until a model has as many rounds as it reads, and reads no more at a time', () => {
    expect(read(rounds(5), byModel)).toBeNull()
    expect(read(rounds(6), byModel)).toEqual([6, 12])
    expect(read(rounds(15), byModel)).toEqual([6, 12])
  })

  it('reads what a session leaves when it is worth a call, and lets less wait for the next', () => {
    expect(read(rounds(4), byModel, 's')).toEqual([4, 8])
    expect(read(rounds(3), byModel, 's')).toBeNull()
    const next = [...rounds(3, 's'), ...rounds(1, 'later', 6)]
    expect(read(next, byModel, 'later')).toEqual([4, 8])
  })

  it('reads the first of all, however little it is', () => {
    expect(read(rounds(1), byModel, 's', true)).toEqual([1, 2])
    expect(read(rounds(1), byModel, null, true)).toBeNull()
  })

  it('lets rules read each round as it comes', () => {
    expect(read(rounds(1), byRules)).toEqual([1, 2])
    expect(read(rounds(1).slice(0, 1), byRules)).toBeNull()
  })

  it('reads no further than the session that ends', () => {
    const both = [...rounds(4, 's'), ...rounds(4, 'later', 8)]
    expect(read(both, byModel, 's')).toEqual([4, 8])
  })
})
