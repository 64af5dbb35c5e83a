import { describe, expect, it } from 'vitest'
import { groupEvidence, markQuotes } from './mark-quotes.ts'

const marked = (text: string, quotes: string[]) =>
  markQuotes(text, quotes)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')

describe('marking what is quoted', () => {
  it.each([
    ['I moved to Lyon.', ['moved to Lyon'], 'I [moved to Lyon].'],
    ['I moved to Lyon.', ['i moved', 'to lyon'], '[I moved] [to Lyon].'],
    ['I moved to Lyon.', [], '[I moved to Lyon.]'],
    ['I moved to Lyon.', ['to Porto'], 'I moved to Lyon.'],
    ['abcd', ['abc', 'bcd'], '[abcd]'],
    ['我搬到了里昂。', ['里昂'], '我搬到了[里昂]。'],
    ['<b>x</b>', ['<b>'], '[<b>]x</b>'],
    ['', ['x'], ''],
  ])('%s, by %j', (text, quotes, expected) => {
    expect(marked(text, quotes)).toBe(expected)
  })

  it('leaves no character out', () => {
    expect(
      markQuotes('İstanbul 😀 x', ['😀', 'istanbul'])
        .map(({ text }) => text)
        .join(''),
    ).toBe('İstanbul 😀 x')
  })
})

describe('evidence', () => {
  const turn = (id: string, position: number, session = 'one') => ({
    id,
    position,
    session,
    at: `2026-05-01T18:00:${String(position).padStart(2, '0')}.000Z`,
    agent: null,
    app: null,
    role: 'user' as const,
    speaker: null,
    text: id,
    timeZone: null,
    metadata: null,
  })

  it('is shown by stretches of talk, in order, with all that is quoted of a turn', () => {
    const evidence = [
      { turn: 'b', quote: 'x' },
      { turn: 'a', quote: null },
      { turn: 'b', quote: 'y' },
      { turn: 'far', quote: 'z' },
      { turn: 'gone', quote: 'w' },
    ]
    const passages = groupEvidence(evidence, [turn('far', 40), turn('b', 2), turn('a', 1)])
    expect(passages.map(({ first, quotes }) => [first, [...quotes]])).toEqual([
      [
        'a',
        [
          ['a', []],
          ['b', ['x', 'y']],
        ],
      ],
      ['far', [['far', ['z']]]],
    ])
  })
})
