import * as fc from 'fast-check'
import { estimateTokens } from 'keepsake'
import { describe, expect, test } from 'vitest'
import { batchTurns, composeLines, instantOf, splitText, textWithName } from './send-turns.ts'
import { dialogue } from './testing/under-test.ts'

describe('splitText', () => {
  test('splits at white space if possible', () => {
    expect(splitText('one two three', 8)).toEqual(['one two', 'three'])
    expect(splitText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
    expect(splitText('short', 8)).toEqual(['short'])
    expect(splitText('', 8)).toEqual([''])
  })

  test('never splits a character', () => {
    expect(splitText('a😀😀b', 2)).toEqual(['a', '😀', '😀', 'b'])
  })

  test('keeps every word in order, within the length', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), { maxLength: 40 })
    fc.assert(
      fc.property(words, fc.integer({ min: 5, max: 60 }), (texts, length) => {
        const text = texts.join(' ')
        const pieces = splitText(text, length)
        expect(pieces.every((piece) => piece.length <= length)).toBe(true)
        expect(pieces.join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''))
      }),
    )
  })
})

describe('batchTurns', () => {
  test('keeps the order and the limits, and a longer turn is a batch of its own', () => {
    const { turns } = dialogue('s', 'a', 'b', 'word '.repeat(100), 'c', 'd', 'e', 'f')
    const batches = batchTurns(turns, { turns: 3, tokens: 20 })
    expect(batches.map((batch) => batch.map((turn) => turn.id))).toEqual([
      ['s-0', 's-1'],
      ['s-2'],
      ['s-3', 's-4', 's-5'],
      ['s-6'],
    ])
    expect(batchTurns([], { turns: 3 })).toEqual([])
  })
})

test('a text begins with the name of the speaker, but never with a role', () => {
  const [ana, agent] = dialogue('s', 'Hello', 'agent: Hello').turns
  expect([ana, agent].map((turn) => turn && textWithName(turn))).toEqual(['Ana: Hello', 'Hello'])
})

test('lines stay within the budget', () => {
  const lines = ['- one', '- two', '- three']
  expect(composeLines(lines, 100)).toBe('- one\n- two\n- three')
  // '- one\n- two' has 11 characters: 3 tokens; with the third line 19: 5 tokens.
  expect(estimateTokens('- one\n- two')).toBe(3)
  expect(composeLines(lines, 4)).toBe('- one\n- two')
  expect(composeLines(lines, 0)).toBe('')
})

test('an instant is written to the second, in UTC', () => {
  expect(instantOf(Date.UTC(2025, 2, 3, 10, 0, 0, 789))).toBe('2025-03-03T10:00:00Z')
})
