import { describe, expect, it } from 'vitest'
import { findCorrected, narrowValues, replaceWords } from './find-corrected.ts'
import { readCorrection } from './read-correction.ts'

describe('a correction', () => {
  it.each([
    [['I meant Lisbon, not Porto.'], 'Lisbon', 'Porto', true],
    [['Thanks a lot!', 'Oh, and I meant Lisbon, not Porto.'], 'Lisbon', 'Porto', true],
    [['Did I say teal?', 'I meant turquoise.'], 'turquoise', 'teal', true],
    [['sorry, Tuesday'], 'Tuesday', null, false],
    [['*2018'], '2018', null, true],
    [['打错了，是常州。'], '常州', null, true],
    [["no, it's Jona actually, with an o"], 'Jona', null, false],
    [['Marie I mean'], 'Marie', null, false],
    [["I'm 32. no wait, 33, just had my birthday lol"], '33', null, false],
    [["I'm 28... actually 29 now"], '29', null, false],
    [['Newquay i meant lol'], 'Newquay', null, true],
    [['I misspelled it, Ewa with a w'], 'Ewa', null, true],
    [['sorry, typo: Leiden. autocorrect lol'], 'Leiden', null, true],
    [["scratch that, it's cashews I'm allergic to, walnuts are fine"], 'cashews', null, true],
    [['Not Bonn, Köln!'], 'Köln', 'Bonn', false],
    [['说错了，小语，语言的语'], '小语', null, true],
    [['不是2019年，是2018年，我记错了。'], '2018年', '2019年', true],
    [['我住在常州，不是苏州。'], '常州', '苏州', false],
  ])('%j', (sentences, right, wrong, isExplicit) => {
    expect(readCorrection(sentences)).toMatchObject({ right, wrong, isExplicit })
  })

  it.each([
    ['I wanted tea, not coffee.'],
    ['*waves*'],
    ['I meant to ask you about Lisbon.'],
    ['Two actually.'],
    ['I left at 5. no problem, see you at 6'],
    ['Thanks!', 'Sorry, Tuesday.'],
    ['打错电话了，刚才是推销的。'],
  ])('is not: %s', (...sentences) => {
    expect(readCorrection(sentences)).toBeNull()
  })
})

describe('what is corrected', () => {
  const find = (right: string, statement: string, values: readonly string[] = [], isExplicit = true) =>
    findCorrected({ right, wrong: null, isExplicit, isBare: false, isWithin: false }, statement, values)

  it('is the only value of its kind', () => {
    expect(find('25 mg', 'I take 50 mg in 2 doses.')).toBe('50 mg')
    expect(find('Friday', 'On Monday or on Thursday.')).toBeNull()
    expect(find('三亚', '我住在海口，有三个孩子。', ['海口'])).toBe('海口')
    expect(find('Ana', 'My sister is called Anna.')).toBe('Anna')
    expect(find('Rosa', 'We went to Rome with Anna.')).toBeNull()
  })

  it('is nothing where vague words name another kind, or what was said', () => {
    expect(find('nurse', 'I live in Porto.', ['Porto'], false)).toBeNull()
    expect(find('Porto', 'I live in Porto.', ['Porto'])).toBeNull()
  })

  it('of values that are named without a marker is of one kind', () => {
    const bare = (wrong: string, right: string, statement: string) =>
      findCorrected({ right, wrong, isExplicit: false, isBare: true, isWithin: false }, statement, [])
    expect(bare('Bonn', 'Köln', 'Nele lives in Bonn')).toBe('Bonn')
    expect(bare('4号', '14号', '我生日是3月4号')).toBe('4号')
    expect(bare('Bosch', 'Siemens', 'I work at Siemens.')).toBeNull()
    expect(bare('nice', 'huge', 'The flat is nice.')).toBeNull()
    expect(bare('很好', '太热了', '天气很好。')).toBeNull()
  })

  it('stands within what begins and ends alike', () => {
    expect(find('对虾过敏', '我对花生过敏', ['花生'])).toBe('对花生过敏')
    expect(narrowValues('对花生过敏', '对虾过敏')).toEqual(['花生', '虾'])
    expect(narrowValues('the 4th', 'the 14th')).toEqual(['4th', '14th'])
  })

  it('is whole words', () => {
    expect(replaceWords('Ana and Anabel met Ana.', 'Ana', 'Eva')).toBe('Eva and Anabel met Eva.')
    expect(replaceWords('用戶住在臺中。', '台中', '臺南')).toBe('用戶住在臺南。')
    expect(replaceWords('Anabel', 'Ana', 'Eva')).toBeNull()
  })
})
