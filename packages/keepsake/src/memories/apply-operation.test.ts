import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyOperation, projectLog, joinTallies, tallyOf } from './apply-operation.ts'
import { makeMemory, ORIGIN } from './memory-fixture.ts'
import type { Memory } from './memory.ts'
import { type NewOperation, blankOperation, type MemoryRef } from './operation.ts'

function operation(kind: NewOperation['kind'], rest: Partial<NewOperation> = {}): NewOperation {
  const moment = { scope: 1, at: 1_000, sessionNumber: 2, round: 7 }
  return { ...blankOperation(`o-${kind}`, kind, moment, ORIGIN), memory: 'm1', ...rest }
}

const asSecond = { memory: null, touched: [{ memory: 'm1', rank: 'second' }], round: 4 } as const

function touch(memory: Memory | undefined, rank: 'first' | 'second', round: number): Memory | undefined {
  return applyOperation(
    memory,
    operation('reinforce', { memory: null, touched: [{ memory: 'm1', rank }], round }),
    'm1',
  )
}

const used = (memory: Memory | undefined, round: number) => touch(memory, 'first', round)

describe('applyOperation', () => {
  it('counts a recall: the first are used, the next only counted', () => {
    const touched = [
      { memory: 'm1', rank: 'first' },
      { memory: 'm2', rank: 'second' },
    ] as const
    const recall = operation('reinforce', { memory: null, touched })
    const first = applyOperation(makeMemory({ id: 'm1' }), recall, 'm1')
    expect(first?.use).toMatchObject({ first: 1, second: 0, rounds: [7], lastSession: 2, lastAt: 1_000 })
    expect(applyOperation(makeMemory({ id: 'm2' }), recall, 'm2')?.use).toMatchObject({
      first: 0,
      second: 1,
      rounds: [],
    })
    expect(applyOperation(makeMemory({ id: 'm3' }), recall, 'm3')).toEqual(makeMemory({ id: 'm3' }))
  })

  it('keeps the latest 1,000 rounds of retrieval, each once', () => {
    let memory: Memory | undefined = makeMemory({ id: 'm1' })
    for (let round = 1; round <= 1_008; round += 1) memory = used(used(memory, round), round)
    expect(memory?.use.first).toBe(2_016)
    expect(memory?.use.rounds).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 9))
  })

  it('suppresses what was among the next until the round is over, or it is used in it', () => {
    const next = touch(makeMemory({ id: 'm1' }), 'second', 4)
    expect(next?.use).toMatchObject({ second: 1, secondAt: 4, rounds: [] })
    expect(used(next, 4)?.use).toEqual(expect.not.objectContaining({ secondAt: 4 }))
    expect(used(next, 5)?.use).toMatchObject({ secondAt: 4, rounds: [5] })
    const undone = applyOperation(next, operation('reinforce', { ...asSecond, undoes: 'it' }), 'm1')
    expect(undone?.use).toEqual(makeMemory().use)
  })

  it('leaves a tombstone of what was erased, which nothing brings back', () => {
    const erased = applyOperation(makeMemory({ id: 'm1', text: 'secret' }), operation('erase'), 'm1')
    expect(erased).toMatchObject({ id: 'm1', status: 'erased', text: '', evidence: [] })
    const restored = applyOperation(
      erased,
      operation('restore', { payload: { before: {}, after: { status: 'live' } } }),
      'm1',
    )
    expect(restored).toEqual(erased)
  })

  it('gives a tombstone when the payload of an add was erased', () => {
    expect([...projectLog([operation('add')]).values()]).toMatchObject([
      { id: 'm1', status: 'erased', text: '' },
    ])
  })

  it('says nothing of a memory that a recall did not touch, or that was never made', () => {
    const recall = operation('reinforce', { memory: null, touched: [{ memory: 'm1', rank: 'first' }] })
    expect(applyOperation(undefined, recall, 'm1')).toBeUndefined()
    expect(applyOperation(undefined, recall, 'm2')).toBeUndefined()
  })

  it.each([
    ['first', { first: 3, second: 3, rounds: [4, 5, 6] }, { first: 2, second: 3, rounds: [4, 5] }],
    ['second', { first: 2, second: 3, rounds: [4, 5] }, { first: 2, second: 2, rounds: [4, 5] }],
    ['first', { first: 0, second: 0, rounds: [] }, { first: 0, second: 0, rounds: [] }],
    ['second', { first: 0, second: 0, rounds: [] }, { first: 0, second: 0, rounds: [] }],
  ] as const)('takes a recall back among the %s from %j', (rank, use, left) => {
    const memory = makeMemory({ id: 'm1', use })
    const undone = operation('reinforce', { memory: null, touched: [{ memory: 'm1', rank }], undoes: 'o1' })
    expect(applyOperation(memory, undone, 'm1')).toEqual(makeMemory({ id: 'm1', use: left }))
  })

  it('leaves a memory as it is when the payload of a change was erased', () => {
    const memory = makeMemory({ id: 'm1' })
    expect(applyOperation(memory, operation('modify'), 'm1')).toEqual(memory)
  })
})

describe('projectLog', () => {
  it('makes the memories of a log in order of making, each operation over what those before it left', () => {
    const add = (id: string, text: string) =>
      operation('add', { memory: id, payload: { before: null, after: { text } } })
    const edit = operation('modify', { memory: 'm2', payload: { before: {}, after: { text: 'edited' } } })
    const touched = [
      { memory: 'm1', rank: 'first' },
      { memory: 'm2', rank: 'second' },
      { memory: 'gone', rank: 'second' },
    ] as const
    const recall = operation('reinforce', { memory: null, touched })
    const log = [add('m2', 'one'), add('m1', 'other'), edit, recall]
    expect([...projectLog(log)].map(([id, { text, use }]) => [id, text, use.first, use.second])).toEqual([
      ['m2', 'edited', 0, 1],
      ['m1', 'other', 1, 0],
    ])
  })
})

const touches = array(
  record({
    rank: constantFrom<MemoryRef['rank']>('first', 'second'),
    round: nat(6),
    sessionNumber: nat(4),
    at: nat(9),
  }),
  { minLength: 1, maxLength: 12 },
)

function recallOf({
  rank,
  ...moment
}: {
  rank: MemoryRef['rank']
  round: number
  sessionNumber: number
  at: number
}) {
  const blank = blankOperation('o', 'reinforce', { scope: 1, ...moment }, ORIGIN)
  return { ...blank, touched: [{ memory: 'm1', rank }] }
}

/** One entry that stands for all of them. */
function together(recalls: readonly NewOperation[]): NewOperation {
  const tallies = recalls.flatMap((recall) => recall.touched.map((touched) => tallyOf(touched, recall)))
  const tally = tallies.reduce(joinTallies)
  const rank = tally.first > 0 ? 'first' : 'second'
  return {
    ...recallOf({ rank, round: 99, sessionNumber: 99, at: 99 }),
    touched: [{ memory: 'm1', rank, tally }],
  }
}

it('what several recalls did together is what they did one after another, however they are gathered', () => {
  assert(
    property(touches, nat(12), (list, cut) => {
      const recalls = list.map(recallOf)
      const memory = makeMemory({ id: 'm1' })
      const oneByOne = recalls.reduce((known, recall) => applyOperation(known, recall, 'm1') ?? known, memory)
      const head = recalls.slice(0, cut)
      const tail = recalls.slice(cut)
      const parts = [head, tail].filter((part) => part.length > 0).map(together)
      const gathered = parts.reduce((known, recall) => applyOperation(known, recall, 'm1') ?? known, memory)
      expect(gathered).toEqual(oneByOne)
      expect(applyOperation(memory, together(parts), 'm1')).toEqual(oneByOne)
    }),
  )
})
