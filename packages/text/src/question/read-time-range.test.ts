import { describe, expect, it } from 'vitest'
import { readTimeRanges } from './read-time-range.ts'

const now = Date.UTC(2023, 4, 10, 15)
const range = (question: string, offset = 0): string[] =>
  readTimeRanges(question, now, offset).map(
    ({ from, to }) => `${new Date(from).toISOString()} ${(to - from) / 86_400_000}`,
  )

describe('readTimeRanges', () => {
  it('reads the same question of the same moment once', () => {
    const question = 'What did I cook on May 4th?'
    const read = readTimeRanges(question, now)
    expect(readTimeRanges(question, now)).toBe(read)
    expect(readTimeRanges(question, now, 60)).not.toBe(read)
    expect(readTimeRanges(question, now + 365 * 86_400_000)).not.toEqual(read)
  })

  it('reads a day named in English', () => {
    expect(range('What did I cook on May 4th?')).toEqual(['2023-05-04T00:00:00.000Z 1'])
    expect(range('Where was I yesterday?')).toEqual(['2023-05-09T00:00:00.000Z 1'])
  })

  it('reads a month and a year as wide as they are named', () => {
    expect(range('Where did I travel last March?')).toEqual(['2023-03-01T00:00:00.000Z 31'])
    expect(range('What happened in December 2022?')).toEqual(['2022-12-01T00:00:00.000Z 31'])
  })

  it('reads a day and a month named in Chinese', () => {
    expect(range('我在5月2日去了哪里？')).toEqual(['2023-05-02T00:00:00.000Z 1'])
    expect(range('昨天我们聊了什么？')).toEqual(['2023-05-09T00:00:00.000Z 1'])
    expect(range('上个月我去了哪里？')).toEqual(['2023-04-01T00:00:00.000Z 30'])
  })

  it('takes a month without a year for the last there was, unless what is to come is asked about', () => {
    expect(range('What happened in October?')).toEqual(['2022-10-01T00:00:00.000Z 31'])
    expect(range('What will I do in October?')).toEqual(['2023-10-01T00:00:00.000Z 31'])
    expect(range('十月份发生了什么？')).toEqual(['2022-10-01T00:00:00.000Z 31'])
  })

  it('reads a month of a year named from now, and a part of a month as the month', () => {
    expect(range('去年十二月我们聊了什么？')).toEqual(['2022-12-01T00:00:00.000Z 31'])
    expect(range('前年3月我在哪里？')).toEqual(['2021-03-01T00:00:00.000Z 31'])
    expect(range('What did I buy at the end of April?')).toEqual(['2023-04-01T00:00:00.000Z 30'])
  })

  it('reads seasons and feasts, the latest that had begun', () => {
    expect(range('What did we do last summer?')).toEqual(['2022-06-01T00:00:00.000Z 92'])
    expect(range('What happened in the fall of 2021?')).toEqual(['2021-09-01T00:00:00.000Z 91'])
    expect(range('去年冬天我在忙什么？')).toContain('2022-12-01T00:00:00.000Z 90')
    expect(range('What happened around Christmas?')).toEqual(['2022-12-20T00:00:00.000Z 11'])
    expect(range('Why did I fall?')).toEqual([])
  })

  it('places a day in the asker’s zone', () => {
    expect(range('What did I cook on May 4th?', 120)).toEqual(['2023-05-03T22:00:00.000Z 1'])
  })

  it('finds none where none is named', () => {
    expect(range('May I ask what my dog is called?')).toEqual([])
    expect(range('我的狗叫什么名字？')).toEqual([])
    expect(range('How many cats do I have?')).toEqual([])
  })
})

it('reads whole weeks and years named from now in Chinese', () => {
  expect(range('上周我做了什么？')).toEqual(['2023-05-01T00:00:00.000Z 7'])
  expect(range('去年我住在哪里？')).toEqual(['2022-01-01T00:00:00.000Z 365'])
})
