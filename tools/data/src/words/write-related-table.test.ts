import { describe, expect, it } from 'vitest'
import { decodeRelatedTable, rowOf, WEIGHT_STEPS } from '@keepsake/text'
import { encodeRelatedTable, relate, type Relations } from './write-related-table.ts'

function read(relations: Relations, least = 0.2, most = 2) {
  const table = decodeRelatedTable('some.bin', encodeRelatedTable(relations, least, most))
  return (word: string) => {
    const row = rowOf(table, word)
    const [from, to] = [table.starts[row] ?? 0, table.starts[row + 1] ?? 0]
    return Array.from(table.others.subarray(from, to), (other, at) => [
      table.words[other],
      (table.weights[from + at] ?? 0) / WEIGHT_STEPS,
    ])
  }
}

describe('encodeRelatedTable', () => {
  it('is read back, the surest first, without the unsure and no more than the most', () => {
    const relations: Relations = new Map()
    relate(relations, 'boss', 'head', 0.4)
    relate(relations, 'boss', 'chief', 0.6)
    relate(relations, 'boss', 'knob', 0.1)
    relate(relations, 'boss', 'lead', 0.3)
    relate(relations, '老板', '领导', 1)
    const others = read(relations)
    expect(others('boss')).toEqual([
      ['chief', 0.6],
      ['head', 0.4],
    ])
    expect(others('老板')).toEqual([['领导', 1]])
    expect(others('head')).toEqual([])
  })

  it('keeps the surer of two ways, and none from a word to itself', () => {
    const relations: Relations = new Map()
    relate(relations, 'a', 'b', 0.6)
    relate(relations, 'a', 'b', 0.4)
    relate(relations, 'a', 'a', 1)
    expect(read(relations)('a')).toEqual([['b', 0.6]])
  })
})
