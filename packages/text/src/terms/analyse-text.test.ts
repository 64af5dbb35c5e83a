import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseText, findTerms, findTermsAgain } from './analyse-text.ts'
import { TextTrait } from './text-traits.ts'

it('finds the terms of a text that is told again once', () => {
  const text = "Caroline's dog doesn't swim; 她的狗不游泳。"
  const found = findTermsAgain(text)
  expect(found).toEqual(findTerms(text))
  expect(findTermsAgain(text)).toBe(found)
})

describe('findTerms', () => {
  it('brings forms of an English word to one stem', () => {
    expect(findTerms('moved')).toEqual(findTerms('moving'))
    expect(findTerms('She runs, he was running')).toEqual(['run', 'run'])
  })

  it('brings irregular forms to their base', () => {
    expect(findTerms('She bought two mice and wrote')).toEqual(findTerms('she buys two mouse writing'))
    expect(findTerms('She lives there and leaves')).toEqual(findTerms('live leave'))
  })

  it('reads British and American spellings as one word', () => {
    expect(findTerms('favourite colours')).toEqual(findTerms('favorite color'))
  })

  it('leaves function words and clitics out', () => {
    expect(findTerms("I've been to the museum and I don't like it")).toEqual(['museum', 'like'])
    expect(findTerms('Caroline’s dog')).toEqual(findTerms('Caroline dog'))
  })

  it('finds accented Latin words by their plain letters', () => {
    expect(findTerms('KÖLN')).toEqual(['koln'])
    expect(findTerms('café')).toEqual(findTerms('cafe'))
  })

  it('takes Chinese as characters and bigrams, without lone function characters', () => {
    expect(findTerms('博物馆')).toEqual(['博', '博物', '物', '物馆', '馆'])
    expect(findTerms('的了')).toEqual([])
  })

  it('keeps both halves of mixed script', () => {
    expect(findTerms('我喜欢Python编程')).toEqual(['我喜', '喜', '喜欢', '欢', 'python', '编', '编程', '程'])
  })

  it('segments scripts without spaces, and keeps right-to-left and Cyrillic words', () => {
    expect(findTerms('สวัสดีชาวโลก')).toContain('โลก')
    expect(findTerms('שלום עולם')).toEqual(['שלום', 'עולם'])
    expect(findTerms('Привет, мир!')).toEqual(['привет', 'мир'])
  })

  it('keeps pictographs and numbers, and nothing of punctuation', () => {
    expect(findTerms('🎉 42 … !!!')).toEqual(['🎉', '42'])
    expect(findTerms('')).toEqual([])
    expect(findTerms('\u0000\u0001')).toEqual([])
  })

  it('finds in lines together what it finds in each, whatever they are written in', () => {
    const some = fc.constantFrom(
      'a',
      'went',
      ' ',
      "'s",
      '-',
      '3',
      '我',
      '的',
      'か',
      'ก',
      'ไป',
      'Σ',
      'é',
      '\u0301',
      'ﬁ',
      '’',
      '🎉',
      '\u200d',
      'ё',
      'ا',
    )
    const line = fc
      .array(fc.oneof(some, fc.string({ unit: 'grapheme', maxLength: 3 })))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 4 }), (lines) => {
        expect(findTerms(lines.join('\n'))).toEqual(lines.flatMap((one) => findTerms(one)))
      }),
      { numRuns: 1_000 },
    )
  })

  it('gets through a megabyte', () => {
    expect(findTerms('hello world 厦门 '.repeat(70_000)).length).toBeGreaterThan(200_000)
  })
})

describe('traits', () => {
  const has = (text: string, trait: number): boolean => (analyseText(text).traits & trait) !== 0

  it('tells asking from telling', () => {
    expect(has('Where do you live?', TextTrait.onlyAsks)).toBe(true)
    expect(has('I live in Lyon. And you?', TextTrait.onlyAsks)).toBe(false)
    expect(has('I live in Lyon. And you?', TextTrait.asks)).toBe(true)
    expect(has('I live in Lyon.', TextTrait.asks)).toBe(false)
  })

  it('sees times, numbers, names and the first person in both languages', () => {
    expect(has('We met last Friday', TextTrait.placesInTime)).toBe(true)
    expect(has('我昨天去了', TextTrait.placesInTime)).toBe(true)
    expect(has('We may march on', TextTrait.placesInTime)).toBe(false)
    expect(has('three cats', TextTrait.holdsNumber)).toBe(true)
    expect(has('we went to Rome', TextTrait.holdsName)).toBe(true)
    expect(has('Went home', TextTrait.holdsName)).toBe(false)
    expect(has('看了《活着》', TextTrait.holdsName)).toBe(true)
    expect(has('my dog', TextTrait.firstPerson)).toBe(true)
    expect(has('我的狗', TextTrait.firstPerson)).toBe(true)
  })
})
