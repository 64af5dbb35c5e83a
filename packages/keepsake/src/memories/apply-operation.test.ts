import { describe, expect, it } from 'vitest'
import { applyOperation, changeFromBlank, fieldsBefore, projectLog } from './apply-operation.ts'
import { makeMemory, ORIGIN } from './memory-fixture.ts'
import type { Memory } from './memory.ts'
import type { NewOperation } from './operation.ts'

function operation(kind: NewOperation['kind'], rest: Partial<NewOperation> = {}): NewOperation {
  return {
    id: `o-${kind}`,
    scope: 1,
    kind,
    memory: 'm1',
    at: 1_000,
    origin: ORIGIN,
    parent: null,
    undoes: null,
    touched: [],
    sessionNumber: 2,
    round: 7,
    payload: null,
    ...rest,
  }
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
  it('makes a memory from an add, and sets just the fields that a change names', () => {
    const memory = makeMemory({ id: 'm1', text: 'The user lives in Porto.' })
    const added = applyOperation(
      undefined,
      operation('add', { payload: { before: null, after: changeFromBlank(memory) } }),
      'm1',
    )
    expect(added).toEqual({ ...memory, scope: 1 })
    const changed = applyOperation(
      added,
      operation('modify', { payload: { before: {}, after: { pinned: true } } }),
      'm1',
    )
    expect(changed).toEqual({ ...added, pinned: true })
  })

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

  it('notes the latest session and time of a recall, in whatever order recalls arrive', () => {
    const touched = [{ memory: 'm1', rank: 'first' }] as const
    const memory = makeMemory({ id: 'm1', use: { lastSession: 2, lastAt: 1_000 } })
    const recall = (sessionNumber: number, at: number) =>
      applyOperation(memory, operation('reinforce', { memory: null, touched, sessionNumber, at }), 'm1')?.use
    expect(recall(3, 1_001)).toMatchObject({ lastSession: 3, lastAt: 1_001 })
    expect(recall(1, 999)).toMatchObject({ lastSession: 2, lastAt: 1_000 })
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

  it('makes nothing but a tombstone of what was erased, in the scope of the erasure', () => {
    const blank = applyOperation(undefined, operation('erase', { scope: 5 }), 'm1')
    expect(blank).toEqual({
      id: 'm1',
      scope: 5,
      form: 'fact',
      type: 'event',
      subject: 'user',
      text: '',
      key: null,
      value: null,
      level: 0,
      label: 'other',
      evidence: [],
      sources: [],
      status: 'erased',
      reason: null,
      pinned: false,
      learnedAt: 0,
      validFrom: 0,
      validUntil: null,
      past: [],
      session: '',
      sessionNumber: 0,
      round: 0,
      signals: { arousal: null, surprise: null, importance: null },
      use: { first: 0, second: 0, rounds: [], lastSession: 0, lastAt: 0 },
      origin: { preset: '', step: '', promptVersion: null, model: null },
      name: null,
      limit: null,
      metadata: null,
    })
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

describe('a change', () => {
  it('overwrites fields, which are what undoing it puts back', () => {
    const memory = makeMemory({ id: 'm1', text: 'old', pinned: true })
    expect(fieldsBefore(memory, { pinned: false, text: 'new' })).toEqual({ pinned: true, text: 'old' })
    expect(fieldsBefore(memory, {})).toEqual({})
  })

  it('from a blank memory names just what a blank one has not', () => {
    const blank = applyOperation(undefined, operation('add', { payload: { before: null, after: {} } }), 'm1')
    if (blank === undefined) throw new Error('an add makes a memory')
    expect(blank.status).toBe('live')
    expect(changeFromBlank(blank)).toEqual({})
    expect(changeFromBlank({ ...blank, text: 'new', evidence: [{ turn: 't1', quote: null }] })).toEqual({
      text: 'new',
      evidence: [{ turn: 't1', quote: null }],
    })
  })
})
