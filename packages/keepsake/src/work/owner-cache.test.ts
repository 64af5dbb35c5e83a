import { beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../memories/memory.ts'
import { DocumentIndex } from '../retrieval/document-index.ts'
import { HYBRID } from '../retrieval/retrieval-recipe.ts'
import { addOf, memoryOf } from '../stores/contract/samples.ts'
import type { IndexRow } from '../stores/store.ts'
import { OwnerCache } from './owner-cache.ts'

const SCOPE = { owner: 1, scope: 1, tenant: 'default', user: 'ada', agent: null, app: null }

function turnRow(position: number, term: string): IndexRow {
  return {
    id: `t${position}`,
    kind: 'turn',
    scope: 1,
    session: 's1',
    position,
    role: 'user',
    speaker: null,
    at: position,
    terms: [term],
    traits: 0,
    analyser: 'words/1',
    vector: null,
    embedder: null,
  }
}

function utterance(id: string, turns: readonly string[], change: Partial<Memory> = {}) {
  return { memory: { ...memoryOf(addOf(SCOPE, id, '', turns)), ...change }, sequence: 1 }
}

describe('OwnerCache', () => {
  let cache: OwnerCache

  beforeEach(() => {
    cache = new OwnerCache(1, new DocumentIndex(), ['utterance', 'fact'], 'utterances')
  })

  function put(row: IndexRow): void {
    cache.addTurn(row)
    cache.putDocument(row)
  }

  function found(term: string): string[] {
    const read = cache.index.readQuestion(term, { now: 0 })
    const { hits } = cache.index.search({ read: { ...read, terms: [term] }, vector: null }, HYBRID, {
      limit: 10,
      now: 0,
    })
    return hits.filter((hit) => (hit.parts.lexical ?? 0) > 0).map((hit) => hit.id)
  }

  function readUpTo(position: number): void {
    cache.setProgress(1, { lastPosition: position, branches: { utterances: position } })
  }

  it('finds a turn while it waits, and afterwards only while a live utterance keeps it', () => {
    put(turnRow(1, 'lyon'))
    expect(found('lyon')).toEqual(['t1'])
    readUpTo(1)
    cache.settle()
    expect(found('lyon')).toEqual([])
    cache.setMemory(utterance('m1', ['t1']))
    cache.settle()
    expect(found('lyon')).toEqual(['t1'])
    cache.setMemory(utterance('m1', ['t1'], { status: 'forgotten' }))
    cache.settle()
    expect(found('lyon')).toEqual([])
  })

  it('finds the same when memories and progress come before the turns, as they do when a person is read', () => {
    readUpTo(2)
    cache.setMemory(utterance('m1', ['t1']))
    cache.setMemory(utterance('m2', ['t2'], { status: 'deleted' }))
    for (const position of [1, 2, 3]) put(turnRow(position, 'lyon'))
    cache.settle()
    expect(found('lyon').toSorted()).toEqual(['t1', 't3'])
  })

  it('keeps a turn found through one utterance when another that held it goes', () => {
    put(turnRow(1, 'lyon'))
    readUpTo(1)
    cache.setMemory(utterance('m1', ['t1']))
    cache.setMemory(utterance('m2', ['t1']))
    cache.setMemory(utterance('m1', ['t1'], { status: 'deleted' }))
    cache.settle()
    expect(found('lyon')).toEqual(['t1'])
  })

  it('counts rounds by position when turns come in another order', () => {
    for (const position of [1, 4, 2, 3]) put(turnRow(position, 'lyon'))
    expect(cache.roundAt(1, 2)).toBe(2)
    expect(cache.roundAt(1, 3)).toBe(3)
    expect(cache.userTurnBefore(1, 3)).toBe('t2')
  })

  it('tells which memories rest on a turn, also after one lets go of it', () => {
    cache.setMemory(utterance('m1', ['t1', 't2']))
    expect([...cache.memoriesOfTurn('t1')].map((memory) => memory.id)).toEqual(['m1'])
    cache.setMemory(utterance('m2', ['t1']))
    cache.setMemory(utterance('m1', ['t2']))
    expect([...cache.memoriesOfTurn('t1')].map((memory) => memory.id)).toEqual(['m2'])
    expect([...cache.memoriesOfTurn('t2')].map((memory) => memory.id)).toEqual(['m1'])
  })

  it('tells of those that rest on a turn only the ones that are asked for, packed or not', () => {
    put(turnRow(1, 'lyon'))
    cache.setMemory(utterance('m1', ['t1']))
    cache.setMemory(utterance('m2', ['t1'], { status: 'deleted' }))
    cache.pack(1)
    const told = (filter: Parameters<typeof cache.memoriesOfTurn>[1]): string[] =>
      [...cache.memoriesOfTurn('t1', filter)].map(({ id }) => id)
    expect(told({ statuses: ['deleted'] })).toEqual(['m2'])
    cache.setMemory(utterance('m3', ['t1'], { form: 'fact' }))
    expect(told({ statuses: ['deleted'] })).toEqual(['m2'])
    expect(told({ forms: ['fact'] })).toEqual(['m3'])
    expect(told({ forms: ['utterance'], statuses: ['live'] })).toEqual(['m1'])
    expect(told({})).toEqual(['m1', 'm2', 'm3'])
  })

  it('counts what may change what is told of a person: not talk that is kept, but talk that is dropped', () => {
    put(turnRow(1, 'otter'))
    put(turnRow(2, 'kiwi'))
    expect([cache.heard, cache.changes]).toEqual([2, 0])
    cache.setMemory(utterance('kept', ['t1']))
    expect(cache.changes).toBe(0)
    cache.setMemory(utterance('kept', ['t1'], { status: 'deleted' }))
    expect(cache.changes).toBe(1)
    // Kept and dropped in one go, while its turn still waited.
    cache.setMemory(utterance('dropped', ['t2'], { status: 'deleted' }))
    expect(cache.changes).toBe(2)
    cache.setMemory(utterance('fact', [], { form: 'fact' }))
    expect(cache.changes).toBe(3)
  })
})
