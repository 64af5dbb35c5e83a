import { describe, expect, it } from 'vitest'
import { readTimeRanges } from './read-time-range.ts'

const now = Date.UTC(2023, 4, 10, 15)
const range = (question: string, offset = 0): string[] =>
  readTimeRanges(question, now, offset).map(
    ({ from, to }) => `${new Date(from).toISOString()} ${(to - from) / 86_400_000}`,
  )

describe('readTimeRanges', () => {
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
