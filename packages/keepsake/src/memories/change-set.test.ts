import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NotPossibleError } from '../errors/errors.ts'
import { changesOver, makeFact, makeMemory, ORIGIN } from './memory-fixture.ts'
import { type ChangeSet, undoOperation } from './change-set.ts'
import type { MemoryStatus } from './memory.ts'
import type { NewOperation, Operation } from './operation.ts'

const BLANK_OPERATION = {
  id: 'id-1',
  scope: 1,
  memory: 'm1',
  at: 5_000,
  origin: ORIGIN,
  parent: null,
  undoes: null,
  touched: [],
  sessionNumber: 3,
  round: 9,
}

describe('a change set', () => {
  it('makes a memory in its scope, and logs what a blank one has not', () => {
    const changes = changesOver([])
    const { id: _id, scope: _scope, origin: _origin, ...rest } = makeFact({ text: 'The user sings.' })
    const made = changes.add(rest, ORIGIN)
    expect(made).toEqual({ ...rest, id: 'id-1', scope: 1, origin: ORIGIN })
    expect(changes.memories).toEqual([made])
    expect(changes.operations).toEqual([
      {
        ...BLANK_OPERATION,
        id: 'id-2',
        kind: 'add',
        memory: 'id-1',
        payload: changes.operations[0]?.payload,
      },
    ])
    expect(changes.operations[0]?.payload).toMatchObject({ before: null, after: { text: 'The user sings.' } })
    expect(changes.operations[0]?.payload?.after).not.toHaveProperty('key')
  })

  it('logs what a change overwrote, at which moment, and why', () => {
    const changes = changesOver([makeMemory({ id: 'm1', text: 'old', pinned: true })])
    const done = changes.change('modify', 'm1', { text: 'new' }, ORIGIN)
    expect(done).toEqual({
      ...BLANK_OPERATION,
      kind: 'modify',
      payload: { before: { text: 'old' }, after: { text: 'new' } },
    })
    expect(changes.operations).toEqual([done])
    expect(changes.read('m1')).toMatchObject({ text: 'new', pinned: true })
  })
})

/** As the store logged it. */
const logged = (operation: NewOperation | undefined, sequence = 1): Operation => {
  if (operation === undefined) throw new Error('nothing was done')
  return { ...operation, sequence }
}

function undo(changes: ChangeSet, operation: Operation, children: readonly Operation[] = []): void {
  undoOperation(changes, operation, children, ORIGIN)
}

describe('undoing', () => {
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
        undo(changes, logged(done))
        expect(changes.read('m1')).toEqual(memory)
        undo(changes, logged(changes.operations.at(-1), 2))
        expect(changes.read('m1')).toEqual(changed)
      }),
    )
  })

  it('takes back a recall', () => {
    const changes = changesOver([makeMemory({ id: 'm1' })])
    const recall = changes.reinforce([{ memory: 'm1', rank: 'first' }], ORIGIN)
    expect(changes.read('m1')?.use.first).toBe(1)
    undo(changes, logged(recall))
    expect(changes.read('m1')?.use).toMatchObject({ first: 0, rounds: [] })
    expect(changes.operations.at(-1)).toMatchObject({ kind: 'reinforce', undoes: recall.id, parent: null })
  })

  it('deletes what an operation added, and says why', () => {
    const changes = changesOver([])
    const made = changes.add(makeMemory(), ORIGIN)
    const added = logged(changes.operations[0])
    // What was made since is no hindrance: with the memory goes all that was changed of it.
    changes.change('modify', made.id, { text: 'other' }, ORIGIN)
    undo(changes, added)
    expect(changes.operations.at(-1)).toMatchObject({ kind: 'delete', undoes: added.id })
    expect(changes.read(made.id)).toMatchObject({
      status: 'deleted',
      reason: 'the operation that added it was undone',
    })
  })

  it.each<[MemoryStatus, NewOperation['kind']]>([
    ['live', 'restore'],
    ['quarantined', 'restore'],
    ['forgotten', 'forget'],
    ['deleted', 'delete'],
  ])('of what made a memory anything but %s is a %s', (status, kind) => {
    const changes = changesOver([makeMemory({ id: 'm1', status })])
    const done = changes.change('modify', 'm1', { status: status === 'live' ? 'deleted' : 'live' }, ORIGIN)
    undo(changes, logged(done))
    expect(changes.operations.at(-1)).toMatchObject({ kind })
  })

  it('undoes what followed from it too, the latest first, and names itself their parent', () => {
    const changes = changesOver([makeMemory({ id: 'm1' }), makeMemory({ id: 'm2' })])
    const main = logged(changes.change('modify', 'm1', { pinned: true }, ORIGIN), 1)
    const first = logged(changes.change('modify', 'm2', { text: 'once' }, ORIGIN), 2)
    const second = logged(changes.change('modify', 'm2', { text: 'twice' }, ORIGIN), 3)
    undo(changes, main, [first, second])
    const [undone] = changes.operations.slice(3)
    expect(changes.operations.slice(3).map(({ undoes, parent }) => [undoes, parent])).toEqual([
      [main.id, null],
      [second.id, undone?.id],
      [first.id, undone?.id],
    ])
    expect(changes.read('m2')).toEqual(makeMemory({ id: 'm2' }))
  })
})

describe('what cannot be undone', () => {
  it('is what a later operation changed again; the message says which field', () => {
    const changes = changesOver([makeMemory({ id: 'm1' })])
    const done = logged(changes.change('modify', 'm1', { text: 'once', pinned: true }, ORIGIN))
    changes.change('modify', 'm1', { pinned: false }, ORIGIN)
    expect(() => undo(changes, done)).toThrow(
      new NotPossibleError(
        `Operation ${done.id} cannot be undone: a later one changed the pinned of memory m1 again. Undo the later one first; history() lists them.`,
        { operation: done.id, memory: 'm1', field: 'pinned' },
      ),
    )
    expect(changes.operations).toHaveLength(2)
  })

  it('is an erasure, and what it took the words of', () => {
    const changes = changesOver([makeMemory({ id: 'm1' })])
    const done = logged(changes.change('modify', 'm1', { pinned: true }, ORIGIN))
    const erased = { ...done, payload: null }
    expect(() => undo(changes, erased)).toThrow(
      new NotPossibleError(
        `Operation ${done.id} (modify) cannot be undone: what it held was erased for good.`,
        { operation: done.id, kind: 'modify' },
      ),
    )
    expect(() => undo(changes, { ...done, kind: 'erase' })).toThrow('(erase) cannot be undone')
    expect(() => undo(changes, { ...done, memory: null })).toThrow('cannot be undone')
  })
})
