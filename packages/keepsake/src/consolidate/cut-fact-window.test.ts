import { describe, expect, it } from 'vitest'
import type { FactBranch } from '../presets/preset.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { cutFactWindow } from './cut-fact-window.ts'

const nothing = { candidates: [], requests: [] }
const byModel: FactBranch = {
  kind: 'facts',
  every: { rounds: 6 },
  isEven: true,
  extractor: { id: 'm', prompt: 'm/1', extract: () => nothing },
}
const byCadence: FactBranch = { ...byModel, isEven: false }
const byRules: FactBranch = {
  kind: 'facts',
  every: { rounds: 1 },
  extractor: { id: 'r', extract: () => nothing },
}

/** Rounds of one turn of the agent and one of the user. */
function rounds(count: number, session = 's', from = 0): Turn[] {
  return Array.from({ length: 2 * count }, (_, place) => {
    const position = from + place + 1
    return makeTurn({ id: `t${position}`, position, session, role: place % 2 === 0 ? 'assistant' : 'user' })
  })
}

function read(turns: readonly Turn[], branch: FactBranch, ending: string | null = null) {
  const window = cutFactWindow(turns, branch, ending)
  return window === null ? null : [window.rounds.length, window.to]
}

/** The lengths of the segments in which a session of so many rounds is read when it ends. */
function segmentsOf(count: number): number[] {
  const lengths: number[] = []
  for (let from = 0; from < count;) {
    const window = cutFactWindow(rounds(count - from, 's', 2 * from), byModel, 's')
    if (window === null || window.rounds.length === 0) throw new Error('nothing is read')
    lengths.push(window.rounds.length)
    from = window.to / 2
  }
  return lengths
}

describe('cutFactWindow', () => {
  it('reads a session that has ended to its end, in segments of about the same length', () => {
    expect(segmentsOf(1)).toEqual([1])
    expect(segmentsOf(6)).toEqual([6])
    expect(segmentsOf(7)).toEqual([4, 3])
    expect(segmentsOf(9)).toEqual([5, 4])
    expect(segmentsOf(14)).toEqual([5, 5, 4])
  })

  it('reads a session that goes on once what is left of it will be no scrap', () => {
    expect(read(rounds(8), byModel)).toBeNull()
    expect(read(rounds(9), byModel)).toEqual([5, 10])
    expect(read(rounds(15), byModel)).toEqual([5, 10])
  })

  it('closes the turn that a session leaves without an answer', () => {
    const open = rounds(2).slice(0, 3)
    expect(read(open, byModel, 's')).toEqual([2, 3])
    expect(read([...open, ...rounds(9, 'later', 3)], byModel)).toEqual([2, 3])
  })

  it('passes over what is no talk', () => {
    const tools = rounds(2).map((turn) => ({ ...turn, role: 'other' as const }))
    expect(read(tools, byModel, 's')).toEqual([0, 4])
    expect(read(tools, byModel)).toBeNull()
  })

  it('keeps to the cadence where it is told to', () => {
    expect(read(rounds(5), byCadence)).toBeNull()
    expect(read(rounds(6), byCadence)).toEqual([6, 12])
    expect(read(rounds(15), byCadence)).toEqual([6, 12])
    expect(read(rounds(3), byCadence, 's')).toEqual([3, 6])
  })

  it('lets rules read each round as it comes', () => {
    expect(read(rounds(1), byRules)).toEqual([1, 2])
    expect(read(rounds(1).slice(0, 1), byRules)).toBeNull()
  })
})
