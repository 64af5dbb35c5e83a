import { describe, expect, it } from 'vitest'
import { changesOver } from './change-set-fixture.ts'
import { makeFact, makeMemory, ORIGIN } from './memory-fixture.ts'

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

  it('names the operations that one follows from or undoes', () => {
    const changes = changesOver([makeMemory({ id: 'm1' })])
    changes.change('modify', 'm1', { pinned: true }, { origin: ORIGIN, parent: 'o1', undoes: 'o2' })
    changes.change('modify', 'm1', { pinned: false }, { origin: ORIGIN })
    const { id: _id, scope: _scope, origin: _origin, ...rest } = makeFact()
    const made = changes.add(rest, { origin: ORIGIN, parent: 'o3' })
    expect(made.origin).toEqual(ORIGIN)
    expect(changes.operations.map(({ origin, parent, undoes }) => [origin, parent, undoes])).toEqual([
      [ORIGIN, 'o1', 'o2'],
      [ORIGIN, null, null],
      [ORIGIN, 'o3', null],
    ])
  })

  it('counts a recall in one entry for all it touched, and leaves what is not known', () => {
    const changes = changesOver([makeMemory({ id: 'm1' }), makeMemory({ id: 'm2' })])
    const touched = [
      { memory: 'm1', rank: 'first' },
      { memory: 'm2', rank: 'second' },
      { memory: 'gone', rank: 'second' },
    ] as const
    const done = changes.reinforce(touched, ORIGIN)
    expect(done).toEqual({ ...BLANK_OPERATION, kind: 'reinforce', memory: null, touched, payload: null })
    expect(changes.operations).toEqual([done])
    expect(changes.memories.map(({ id, use }) => [id, use.first, use.second])).toEqual([
      ['m1', 1, 0],
      ['m2', 0, 1],
    ])
  })

  it('reads what it changed, and keeps what it changed in order', () => {
    const changes = changesOver(['m1', 'm2', 'm3'].map((id) => makeMemory({ id })))
    const made = changes.add(makeMemory({ text: 'new' }), ORIGIN)
    changes.change('modify', 'm1', { text: 'other' }, ORIGIN)
    changes.change('modify', 'm1', { text: 'another' }, ORIGIN)
    changes.change('modify', made.id, { text: 'newer' }, ORIGIN)
    changes.change('modify', 'm3', { pinned: true }, ORIGIN)
    changes.read('m2')
    expect([changes.read(made.id)?.text, changes.read('m1')?.text]).toEqual(['newer', 'another'])
    expect(changes.memories.map((memory) => memory.id)).toEqual([made.id, 'm1', 'm3'])
  })

  it('changes nothing that it does not know, and says so', () => {
    const changes = changesOver([])
    expect(() => changes.change('modify', 'gone', { pinned: true }, ORIGIN)).toThrow(
      'memory gone is not known to this change set',
    )
    expect(changes.operations).toEqual([])
  })
})
