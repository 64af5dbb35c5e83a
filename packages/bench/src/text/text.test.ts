import { describe, expect, it } from 'vitest'
import { compareContent } from './compare-content.ts'
import { passagesOf, sentencesOf } from './passages.ts'
import { readContent } from './read-content.ts'
import { readQuantities } from './read-quantities.ts'
import { readYesNo } from './read-yes-no.ts'

/** Writes the quantities as `kind value unit`, sorted. */
function quantities(text: string): string[] {
  return readQuantities(text)
    .quantities.map(({ kind, value, unit }) => [kind, value, unit ?? ''].join(' ').trim())
    .toSorted()
}

describe('numbers and dates', () => {
  it.each([
    ['on 3 May 2021', '2021-05-03'],
    ['May 3rd, 2021', '二〇二一年五月三日'],
    ['3 of May 2021', '2021年5月3号'],
    ['2021/5/3', '3rd May 2021'],
  ])('%s is the day %s', (one, other) => {
    expect(quantities(one)).toEqual(['day 3', 'month 5', 'year 2021'])
    expect(quantities(other)).toEqual(quantities(one))
  })

  it.each([
    ['at 3 pm', '15:00'],
    ['3:00 p.m.', '下午三点'],
    ['3 PM', '下午3点整'],
  ])('%s is the time %s', (one, other) => {
    expect(quantities(one)).toEqual(['half-day pm', 'time 3:00'])
    expect(quantities(other)).toEqual(quantities(one))
  })

  it.each([
    ['two dogs', ['number 2 dog']],
    ['2 dogs', ['number 2 dog']],
    ['thirty-two years old', ['number 32 year']],
    ['one hundred and five books', ['number 105 book']],
    ['she runs twice a week', ['number 2 time']],
    ['1,200.5 km', ['number 1200.5 km']],
    ['30%', ['number 30 percent']],
    ['every Tuesday', ['weekday 2']],
    ['每周二', ['weekday 2']],
    ['每周两次', ['number 2 次']],
    ['每周三次', ['number 3 次']],
    ['三十二岁', ['number 32 岁']],
    ['养了两只猫', ['number 2']],
    ['1万2千', ['number 10000', 'number 2000']],
    ['晚上七点半', ['half-day pm', 'time 7:30']],
    ['in March', ['month 3']],
  ])('%s has %j', (text, expected) => {
    expect(quantities(text)).toEqual(expected)
  })

  it.each([
    'they may march on, and the second try was fine',
    '一起去，一直走，一样好，有一点累',
    '万一，十分热',
    'room B12',
  ])('%s has none', (text) => {
    expect(quantities(text)).toEqual([])
  })

  it('leaves what is counted, and the length', () => {
    expect(readQuantities('two dogs').rest).toBe('    dogs')
  })
})

describe('the content of a text', () => {
  const denied = (text: string, key: string): boolean[] => [
    ...(readContent(text).words.get(key)?.denied ?? []),
  ]

  it('is its words without those of grammar and role, in stems', () => {
    expect([...readContent('The user’s cats were adopted.').words.keys()]).toEqual(['cat', 'adopt'])
    expect([...readContent('用户住在上海').words.keys()]).toEqual(['住', '上海'])
  })

  it('knows what is denied, to the end of the clause and no further', () => {
    expect(denied('She does not like opera, but she plays the cello.', 'opera')).toEqual([true])
    expect(denied('She does not like opera, but she plays the cello.', 'cello')).toEqual([false])
    expect(denied('She stopped drinking coffee.', 'coffe')).toEqual([true])
    expect(denied('She did not stop drinking coffee.', 'coffe')).toEqual([false])
    expect(denied('她不喜欢京剧，喜欢话剧。', '京剧')).toEqual([true])
    expect(denied('她不喜欢京剧，喜欢话剧。', '话剧')).toEqual([false])
    expect(
      [...readContent('她买了无花果和特别的灯').words.values()].some((word) => word.denied.has(true)),
    ).toBe(false)
    expect(denied('她觉得不错，不过京剧更好', '京剧')).toEqual([false])
  })

  it('takes a dislike for a denied liking', () => {
    expect(denied('He hates opera.', 'like')).toEqual([true])
    expect(denied('他讨厌京剧', '京剧')).toEqual([true])
    expect(denied('He does not hate opera.', 'opera')).toEqual([false])
  })

  it('tells names inside sentences, and whose friend a text begins with', () => {
    const { words } = readContent('Maya met Elin in Leeds. Later they sang.')
    expect([...words.values()].filter(({ isName }) => isName).map(({ key }) => key)).toEqual(['elin', 'leed'])
    expect(words.get('maya')?.isLeading).toBe(true)
    expect(readContent('The user’s younger sister Elin sings.').relation).toBe('sister')
    expect(readContent('用户的妹妹会唱歌').relation).toBe('妹妹')
  })
})

describe('what one text holds of another', () => {
  const compare = (expected: string, found: string): ReturnType<typeof compareContent> =>
    compareContent(readContent(expected), readContent(found))

  it('is the share of its content words and numbers', () => {
    // adopt, grey, cat, 2021: cat and 2021 are there.
    const { share, covered, missing } = compare('adopted a grey cat in 2021', 'a cat, 2021')
    expect(share).toBe(0.5)
    expect(covered).toEqual(['cat', 'year 2021'])
    expect(missing).toEqual(['adopted', 'grey'])
  })

  it('counts a Chinese word wherever its characters stand together, a single one for half', () => {
    // 养 (½), 蜜蜂 (1), 楼顶 (1): 蜜蜂 is there.
    expect(compare('楼顶养蜜蜂', '蜜蜂很多').share).toBe(0.4)
  })

  it('names another number as a conflict only where it stands in its place', () => {
    expect(compare('three dogs', 'two dogs').conflicts).toEqual(['3 dog ≠ 2 dog'])
    expect(compare('three dogs', 'two cats').conflicts).toEqual([])
    expect(compare('aged 32', 'she is 35 years old').conflicts).toEqual(['32 ≠ 35 year'])
    expect(compare('on 3 May', 'on 3 June').conflicts).toEqual(['month 5 ≠ month 6'])
    expect(compare('7 pm', '7 am').conflicts).toEqual(['half-day pm ≠ half-day am'])
    expect(compare('7 pm', '7:00')).toMatchObject({ conflicts: [], missing: [] })
  })

  it('is nothing to measure by where no words of content are', () => {
    expect(compare('it is what it is', 'cats').share).toBeNull()
  })
})

describe('sentences and passages', () => {
  it('end at marks of either language, not at titles', () => {
    expect(sentencesOf('She met Dr. Bell. 他来了。走了！Yes')).toEqual([
      'She met Dr. Bell.',
      '他来了。',
      '走了！',
      'Yes',
    ])
  })

  it('are runs of three of a long text', () => {
    expect(passagesOf('A one. B two. C three. D four.')).toEqual([
      'A one. B two. C three.',
      'B two. C three. D four.',
    ])
    expect(passagesOf('A one. B two.')).toEqual(['A one. B two.'])
  })
})

describe('yes and no', () => {
  it.each([
    ['Yes, she did.', true],
    ['No, never.', false],
    ['No one came.', null],
    ['是的，去了。', true],
    ['没有，她没去。', false],
    ['不知道', null],
    ['She did.', null],
  ])('%s begins with %s', (text, expected) => {
    expect(readYesNo(text)).toBe(expected)
  })
})
