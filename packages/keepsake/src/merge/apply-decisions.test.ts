import { describe, expect, it } from 'vitest'
import type { Segment } from '../extraction/extractor.ts'
import { changesOver, makeCandidate, makeFact, makeMemory, ORIGIN } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { applyDecisions, quarantineCandidate, type DecisionTarget } from './apply-decisions.ts'
import type { MergeDecision } from './merge-decisions.ts'

const SEGMENT: Segment = {
  scope: 1,
  session: 's2',
  sessionNumber: 2,
  round: 7,
  turns: [
    makeTurn({ id: 't1', session: 's1', at: 1_000 }),
    makeTurn({ id: 't2', session: 's2', at: 2_000 }),
    makeTurn({ id: 't3', session: 's2', at: 3_000 }),
  ],
}

const LYON = makeFact({ id: 'lyon', round: 3 })

/** What is known, and which of it rests on each turn. */
function over(...memories: Memory[]): DecisionTarget {
  const restsOn = (memory: Memory, turn: string): boolean => memory.evidence.some((one) => one.turn === turn)
  return {
    changes: changesOver(memories),
    state: {
      memoriesOfTurn: function* (turn) {
        for (const memory of memories) if (restsOn(memory, turn)) yield memory
      },
      utteranceOf: (turn) =>
        memories.find(({ form, ...memory }) => form === 'utterance' && restsOn({ form, ...memory }, turn)),
    },
  }
}

function applied(decisions: readonly MergeDecision[], ...memories: Memory[]) {
  const target = over(...memories)
  applyDecisions(target, decisions, SEGMENT, ORIGIN)
  return target.changes
}

const add = (turns: readonly string[], ref = 'new:0'): MergeDecision => {
  const evidence = turns.map((turn) => ({ turn, quote: null }))
  return { kind: 'add', ref, candidate: makeCandidate({ evidence, label: 'user-stated' }) }
}

describe('what was added', () => {
  it('belongs to the last turn of the segment that it rests on', () => {
    const [memory] = applied([add(['t2', 't1'])]).memories
    expect(memory).toEqual({
      ...makeFact({ id: 'id-1', text: 'The user lives in Paris.', validFrom: 200, origin: ORIGIN }),
      evidence: [
        { turn: 't2', quote: null },
        { turn: 't1', quote: null },
      ],
      session: 's2',
      sessionNumber: 2,
      round: 7,
      learnedAt: 2_000,
      use: { first: 0, second: 0, rounds: [], lastSession: 2, lastAt: 2_000 },
    })
    expect(applied([add(['t1'])]).memories).toMatchObject([{ session: 's1', learnedAt: 1_000 }])
  })

  it('belongs to the segment’s session, at no time, when there are no turns at all', () => {
    const target = over()
    applyDecisions(target, [add(['t0'])], { ...SEGMENT, turns: [] }, ORIGIN)
    expect(target.changes.memories).toMatchObject([{ session: 's2', learnedAt: 0 }])
  })
})

describe('a change', () => {
  it('is as fresh as its telling when something else is so now', () => {
    const change = { text: 'The user lives in Paris.', validFrom: 2_000 }
    const { memories, operations } = applied([{ kind: 'modify', memory: 'lyon', change }], LYON)
    expect(memories).toEqual([{ ...LYON, ...change, round: 7 }])
    expect(operations).toMatchObject([{ kind: 'modify', payload: { before: { round: 3 } } }])
  })

  it.each([[{ text: 'The user lives in Lyon, France.' }], [{ validFrom: 50 }], [{ validUntil: 2_000 }]])(
    'leaves the round in which it was learned when the world is as it was: %j',
    (change) => {
      const { memories } = applied([{ kind: 'modify', memory: 'lyon', change }], LYON)
      expect(memories).toEqual([{ ...LYON, ...change }])
    },
  )
})

describe('a statement told again', () => {
  it('changes nothing when it proves nothing more', () => {
    expect(applied([{ kind: 'confirm', memory: 'lyon', evidence: [] }], LYON).operations).toEqual([])
  })
})

describe('what something else made untrue', () => {
  it('is deleted with its end and the reason, and alone', () => {
    const said = makeMemory({ id: 'said', evidence: LYON.evidence })
    const gone: MergeDecision = {
      kind: 'delete',
      memory: 'lyon',
      validUntil: 900,
      request: null,
      reason: 'so it is',
    }
    expect(applied([gone], LYON, said).operations).toMatchObject([{ kind: 'delete', memory: 'lyon' }])
    expect(applied([gone], LYON, said).memories).toEqual([
      { ...LYON, status: 'deleted', reason: 'so it is', validUntil: 900 },
    ])
  })
})

describe('what somebody asked to drop', () => {
  const ask = (turn: string): MergeDecision => {
    const request = [{ turn, quote: 'forget it' }]
    return { kind: 'delete', memory: 'lyon', validUntil: 900, request, reason: 'asked' }
  }
  const gone = { status: 'deleted', reason: 'asked to be forgotten' }

  it('goes with the words it was drawn from, and with those that asked for it', () => {
    const told = makeMemory({ id: 'told', evidence: [{ turn: 't1', quote: null }] })
    const request = makeMemory({ id: 'request', evidence: [{ turn: 't3', quote: null }] })
    const other = makeMemory({ id: 'other', evidence: [{ turn: 't2', quote: null }] })
    const { memories, operations } = applied([ask('t3')], LYON, told, request, other)
    expect(memories.map(({ id, status, reason }) => ({ id, status, reason }))).toEqual([
      { id: 'lyon', ...gone },
      { id: 'told', ...gone },
      { id: 'request', ...gone },
    ])
    expect(operations.map(({ parent }) => parent)).toEqual([null, operations[0]?.id, null])
  })

  it('takes what else rests on the words that asked for it', () => {
    const request = makeMemory({ id: 'request', evidence: [{ turn: 't3', quote: null }] })
    const summary = makeMemory({ id: 'summary', form: 'summary', text: 'x', evidence: request.evidence })
    const { memories } = applied([ask('t3')], LYON, request, summary)
    expect(memories.map(({ id, status }) => [id, status])).toEqual([
      ['lyon', 'deleted'],
      ['request', 'deleted'],
      ['summary', 'deleted'],
    ])
  })

  it('is dropped once, also when the words that ask for it are those that told it', () => {
    const told = makeMemory({ id: 'told', evidence: LYON.evidence })
    expect(applied([ask('t1')], LYON, told).operations).toHaveLength(2)
  })

  it('goes alone when nothing keeps the words that asked for it', () => {
    expect(applied([ask('t9')], LYON).memories).toEqual([{ ...LYON, ...gone }])
  })
})

describe('a candidate that is not believed', () => {
  it('is kept out of recall, with the reason', () => {
    const target = over()
    quarantineCandidate(target, { candidate: makeCandidate(), reason: 'nobody said so' }, SEGMENT, ORIGIN)
    expect(target.changes.memories).toMatchObject([
      { status: 'quarantined', reason: 'nobody said so', label: 'other', session: 's2', learnedAt: 2_000 },
    ])
  })
})
