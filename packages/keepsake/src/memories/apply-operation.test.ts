import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyOperation, changeFromBlank, fieldsBefore, projectLog } from './apply-operation.ts'
import { changesOver } from './change-set-fixture.ts'
import { makeMemory, ORIGIN } from './memory-fixture.ts'
import type { Memory } from './memory.ts'
import type { NewOperation } from './operation.ts'
import { undoOperation } from './undo-operation.ts'

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

  it('keeps the latest 32 rounds of retrieval', () => {
    const touched = [{ memory: 'm1', rank: 'first' }] as const
    let memory: Memory | undefined = makeMemory({ id: 'm1' })
    for (let round = 1; round <= 40; round += 1) {
      memory = applyOperation(memory, operation('reinforce', { memory: null, touched, round }), 'm1')
    }
    expect(memory?.use.first).toBe(40)
    expect(memory?.use.rounds).toEqual(Array.from({ length: 32 }, (_, index) => index + 9))
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
})

describe('undoOperation', () => {
  const change = fc.record(
    {
      text: fc.string(),
      value: fc.option(fc.string(), { nil: null }),
      status: fc.constantFrom('live', 'deleted', 'forgotten', 'quarantined'),
      reason: fc.option(fc.string(), { nil: null }),
      pinned: fc.boolean(),
      validUntil: fc.option(fc.nat(), { nil: null }),
    },
    { requiredKeys: [] },
  )

  it('puts back every field of any change, and undoing the undo brings the change back', () => {
    fc.assert(
      fc.property(change, change, (before, after) => {
        const memory = makeMemory({ id: 'm1', ...before })
        const changes = changesOver([memory])
        const done = changes.change('modify', 'm1', after, ORIGIN)
        const changed = changes.read('m1')
        undoOperation(changes, { ...done, sequence: 1 }, [], ORIGIN)
        expect(changes.read('m1')).toEqual(memory)
        const undone = changes.operations.at(-1)
        if (undone === undefined) throw new Error('nothing was undone')
        undoOperation(changes, { ...undone, sequence: 2 }, [], ORIGIN)
        expect(changes.read('m1')).toEqual(changed)
      }),
    )
  })

  it('takes back a recall', () => {
    const memory = makeMemory({ id: 'm1' })
    const changes = changesOver([memory])
    const recall = changes.reinforce([{ memory: 'm1', rank: 'first' }], ORIGIN)
    expect(changes.read('m1')?.use.first).toBe(1)
    undoOperation(changes, { ...recall, sequence: 1 }, [], ORIGIN)
    expect(changes.read('m1')?.use).toMatchObject({ first: 0, rounds: [] })
  })
})

describe('ChangeSet', () => {
  it('expects of what it changed that nothing came between, and nothing of what it made', () => {
    const changes = changesOver([makeMemory({ id: 'm1' }), makeMemory({ id: 'm2' })])
    const made = changes.add(makeMemory({ text: 'new' }), ORIGIN)
    changes.change('modify', 'm1', { text: 'other' }, ORIGIN)
    changes.change('modify', made.id, { text: 'newer' }, ORIGIN)
    expect(changes.expect).toEqual([{ memory: 'm1', sequence: 1 }])
    expect(changes.read(made.id)?.text).toBe('newer')
    expect(changes.memories.map((memory) => memory.id)).toEqual([made.id, 'm1'])
  })

  it('logs what a change overwrote', () => {
    const memory = makeMemory({ id: 'm1', text: 'old', pinned: true })
    const done = changesOver([memory]).change('modify', 'm1', { text: 'new' }, ORIGIN)
    expect(done.payload).toEqual({ before: { text: 'old' }, after: { text: 'new' } })
    expect(fieldsBefore(memory, { pinned: false })).toEqual({ pinned: true })
  })
})
