import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTurn } from '../turns/turn-fixture.ts'
import { locateQuote, repairEvidence, standingEvidence } from './locate-quote.ts'

const text = 'Well, I’m a nurse — in Lyon, for 3.5 years. Ｔｅｎ thousand “steps” a day!  我在 上海，做护士。'

describe('locateQuote', () => {
  it.each([
    ['I’m a nurse', 'I’m a nurse'],
    ["i'm a nurse in lyon", 'I’m a nurse — in Lyon'],
    ['I’m a nurse … for 3.5 years', 'I’m a nurse — in Lyon, for 3.5 years'],
    ['Im a nurse [...] Lyon.', 'I’m a nurse — in Lyon'],
    ['Ten thousand "steps"', 'Ｔｅｎ thousand “steps'],
    ['我在上海,做护士', '我在 上海，做护士'],
    ['上海', '上海'],
  ])('finds %j as it stands', (quote, found) => {
    expect(locateQuote(text, quote)).toBe(found)
  })

  it.each([
    'I am a nurse',
    'a nurse in Paris',
    'for 35 years',
    'nurs',
    'yon, for',
    'Lyon … nurse',
    '上海护士',
    '',
    '—',
  ])('does not find %j', (quote) => {
    // "nurs" and "—" stand in the text as they are; words count when they are whole, and marks as they are.
    const isVerbatim = quote.trim() !== '' && text.includes(quote.trim())
    expect(locateQuote(text, quote)).toBe(isVerbatim ? quote : null)
  })

  it('joins no parts that stand far apart', () => {
    const long = `I love ${'very '.repeat(100)}cheese`
    expect(locateQuote(long, 'I love … cheese')).toBeNull()
  })

  it('returns words of the turn or nothing, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (said, quote) => {
        const found = locateQuote(said, quote)
        expect(found === null || (found !== '' && said.includes(found))).toBe(true)
      }),
    )
  })

  it('finds any part of a turn again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (said, from, length) => {
        const part = said.slice(from % (said.length + 1)).slice(0, length % 40)
        expect(locateQuote(said, part)).toBe(part.trim() === '' ? null : part.trim())
      }),
    )
  })
})

describe('repairEvidence', () => {
  const turns = [
    makeTurn({ id: 'u1', text: 'I work at the Harbour Clinic.' }),
    makeTurn({ id: 'u2', text: 'I live in Lyon, near the old port.' }),
  ]

  it('puts the turn’s own words in', () => {
    expect(repairEvidence([{ turn: 'u1', quote: 'i work at the harbour clinic' }], turns)).toEqual([
      { turn: 'u1', quote: 'I work at the Harbour Clinic' },
    ])
  })
  it('names the turn that holds the words', () => {
    expect(repairEvidence([{ turn: 'u1', quote: 'near the old port' }], turns)).toEqual([
      { turn: 'u2', quote: 'near the old port' },
    ])
  })
  it('leaves what is found nowhere, in several turns, or too short to tell', () => {
    const evidence = [
      { turn: 'u1', quote: 'I live in Paris, near the sea' },
      { turn: 'u9', quote: 'Lyon' },
      { turn: 'u1', quote: null },
    ]
    expect(repairEvidence(evidence, turns)).toEqual(evidence)
    const twice = [...turns, makeTurn({ id: 'u3', text: 'I live in Lyon, near the old port.' })]
    expect(repairEvidence([{ turn: 'u1', quote: 'near the old port' }], twice)).toEqual([
      { turn: 'u1', quote: 'near the old port' },
    ])
  })
})

describe('standingEvidence', () => {
  const turns = [makeTurn({ id: 'u1', text: 'I live in Lyon, near the old port.' })]

  it('keeps what a turn holds, in its words, and leaves out the rest', () => {
    const evidence = [
      { turn: 'u1', quote: 'i live in lyon' },
      { turn: 'u1', quote: 'I live in Paris' },
      { turn: 'u9', quote: null },
      { turn: 'u1', quote: null },
    ]
    expect(standingEvidence(evidence, turns)).toEqual([
      { turn: 'u1', quote: 'I live in Lyon' },
      { turn: 'u1', quote: null },
    ])
  })
})
