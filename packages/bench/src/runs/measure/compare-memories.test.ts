import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SystemMemoryItem, SystemOperation } from '../../systems/memory-system.ts'
import { compareMemories, applyGoldOperation } from './operations.ts'

const item = (id: string, text: string): SystemMemoryItem => ({ id, text, turns: null })

it('tells what was added, changed and dropped', () => {
  const before = [item('a', 'Lives in Lyon'), item('b', 'Has a cat'), item('c', 'Likes tea')]
  const after = [item('a', 'Lives in Porto'), item('c', 'Likes tea'), item('d', 'Plays chess')]
  expect(compareMemories(before, after)).toEqual([
    { kind: 'modify', memory: 'a', before: 'Lives in Lyon', after: 'Lives in Porto' },
    { kind: 'delete', memory: 'b', before: 'Has a cat', after: null },
    { kind: 'add', memory: 'd', before: null, after: 'Plays chess' },
  ])
})

it('gives operations that lead from the one to the other', () => {
  const list = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('x', 'y', 'z'))
  fc.assert(
    fc.property(list, list, (before, after) => {
      const items = (of: Record<string, string>) => Object.entries(of).map(([id, text]) => item(id, text))
      expect(apply(before, compareMemories(items(before), items(after)))).toEqual({ ...after })
    }),
  )
})

function apply(
  before: Record<string, string>,
  operations: readonly SystemOperation[],
): Record<string, string> {
  const state = new Map(Object.entries(before))
  for (const { memory, after } of operations) {
    if (after === null) state.delete(memory)
    else state.set(memory, after)
  }
  return Object.fromEntries(state)
}

it('keeps the gold list as an index is read against it', () => {
  const gold = { texts: ['one', 'two', 'three'] }
  applyGoldOperation(gold, { turn: 't1', kind: 'modify', target: 'two', text: 'deux' })
  applyGoldOperation(gold, { turn: 't2', kind: 'delete', target: 'one', text: null })
  applyGoldOperation(gold, { turn: 't3', kind: 'add', target: null, text: 'four' })
  applyGoldOperation(gold, { turn: 't4', kind: 'none', target: null, text: null })
  expect(gold.texts).toEqual(['deux', 'three', 'four'])
})
