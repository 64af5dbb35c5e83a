import * as fc from 'fast-check'
import { expect, it, describe } from 'vitest'
import { makeTurn } from '../turns/turn-fixture.ts'
import { freshEvidence, repairEvidence, keepLocated } from './evidence.ts'
import { locateQuote } from './locate-quote.ts'

it('gives the evidence that a memory does not rest on yet, each once, in the order told', () => {
  const known = { evidence: [{ turn: 't1', quote: 'in Lyon' }] }
  const told = [
    { turn: 't2', quote: null },
    { turn: 't1', quote: 'in Lyon' },
    { turn: 't1', quote: null },
    { turn: 't2', quote: 'in Lyon' },
    { turn: 't2', quote: null },
  ]
  expect(freshEvidence(known, told)).toEqual([told[0], told[2], told[3]])
  expect(freshEvidence({ evidence: [] }, [])).toEqual([])
})

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

  it.each([
    ['I am a nurse.', 'NURS', null],
    ['I am a nurse.', 'URSE', null],
    ['A party, and art-loving people: ART', 'Art', 'art'],
    ['A aa', 'AA', 'aa'],
    ['我在上海做护士吗', '上海 做', '上海做'],
    ['用手机iPhone', '手 机', '手机'],
    ['iPhone手机', '手 机', '手机'],
    ['iPhone手机', 'IPHONE', 'iPhone'],
    ['x手iPad', '手 IPAD', '手iPad'],
    ['iPad手x', 'IPAD 手', 'iPad手'],
  ])('in %j finds of %j whole words only, and Han anywhere', (said, quote, found) => {
    expect(locateQuote(said, quote)).toBe(found)
  })

  it.each([
    ['It was 3.5 then.', 'WAS 35', null],
    ['It was 3.5 then.', 'WAS 3.5', 'was 3.5'],
    ['In 2024. Then it rained.', 'IN 2024 THEN', 'In 2024. Then'],
    ['Room:5, please', 'ROOM 5', 'Room:5'],
    ['10 000 steps', '10000 STEPS', '10 000 steps'],
  ])('in %j reads the numbers of %j', (said, quote, found) => {
    expect(locateQuote(said, quote)).toBe(found)
  })

  it.each([
    ['… A NURSE …', 'a nurse'],
    ['WELL ... IN LYON', 'Well, I’m a nurse — in Lyon'],
    ['WELL … LYON … WELL', null],
    ['… …', null],
  ])('finds %j, with words left out, in their order', (quote, found) => {
    expect(locateQuote(text, quote)).toBe(found)
  })

  it('looks for each part behind the one before it', () => {
    expect(locateQuote('One two', 'ONE … TWO … TWO')).toBeNull()
    expect(locateQuote('One two two', 'ONE … TWO … TWO')).toBe('One two two')
  })

  it('joins parts up to six times as far apart as the quote is long', () => {
    const quote = 'I love … cheese'
    const said = (length: number) => `Well, I love ${'o'.repeat(length - 14)} cheese`
    expect(locateQuote(said(6 * quote.length), quote)).toBe(said(6 * quote.length).slice(6))
    expect(locateQuote(said(6 * quote.length + 1), quote)).toBeNull()
    const late = `${'Well, '.repeat(50)}I love cheese`
    expect(locateQuote(late, quote)).toBe('I love cheese')
  })

  it('lets words stand as far apart as they do when none is left out', () => {
    expect(locateQuote(`so ${'—'.repeat(99)} it is`, 'SO IT')).toBe(`so ${'—'.repeat(99)} it`)
  })

  it('returns words of the turn or nothing, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (said, quote) => {
        const found = locateQuote(said, quote)
        expect(found === null || (found !== '' && said.includes(found))).toBe(true)
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
  it('looks in the turn that is named first, for however few words', () => {
    const both = [...turns, makeTurn({ id: 'u3', text: 'In Lyon it rains.' })]
    expect(repairEvidence([{ turn: 'u3', quote: 'in LYON' }], both)).toEqual([
      { turn: 'u3', quote: 'In Lyon' },
    ])
    expect(repairEvidence([{ turn: 'u2', quote: 'in LYON' }], both)).toEqual([
      { turn: 'u2', quote: 'in Lyon' },
    ])
  })
  it.each([
    ['SO IT RAINS ALL', 'so it rains all'],
    ['RAINS ALL DAY', null],
    ['我在 上海做', '我在上海做'],
    ['在 上海做', null],
  ])('names another turn for %j only when so many words are hardly there by chance', (quote, found) => {
    const other = makeTurn({ id: 'u3', text: 'Well, so it rains all day.\n我在上海做护士。' })
    const given = { turn: 'u1', quote }
    expect(repairEvidence([given], [...turns, other])).toEqual([
      found === null ? given : { turn: 'u3', quote: found },
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
    expect(keepLocated(evidence, turns)).toEqual([
      { turn: 'u1', quote: 'I live in Lyon' },
      { turn: 'u1', quote: null },
    ])
  })
})
