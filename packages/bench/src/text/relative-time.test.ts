import { describe, expect, it } from 'vitest'
import { readLead } from './read-lead.ts'
import { asksNumber, asksWhen, isQuestion } from './read-question.ts'
import { readQuantities } from './read-quantities.ts'
import { relativeTime, resolveTime } from './relative-time.ts'

function meant(said: string, text: string): string | null {
  const parts = resolveTime(readQuantities(said).quantities, text)
  return parts?.map(({ value }) => value).join('-') ?? null
}

describe('a time told by the day of speaking', () => {
  it.each([
    ['It rained yesterday.', '2024-2-29'],
    ['The day before yesterday it rained.', '2024-2-28'],
    ['We meet tomorrow.', '2024-3-2'],
    ['Three days ago it rained.', '2024-2-27'],
    ['It rained last month.', '2024-2'],
    ['It rained 3 months ago.', '2023-12'],
    ['It snowed last year.', '2023'],
    ['Two years ago it snowed.', '2022'],
    // 30 days from 17 February to 29 February: all in February.
    ['It rained last week.', '2024-2'],
    // 2 to 14 March.
    ['See you next Friday.', '2024-3'],
    ['昨天下雨了。', '2024-2-29'],
    ['前天下雨了。', '2024-2-28'],
    ['明天见。', '2024-3-2'],
    ['三天前下雨了。', '2024-2-27'],
    ['上个月下雨了。', '2024-2'],
    ['两年前下雪了。', '2022'],
    ['上周下雨了。', '2024-2'],
    ['It rained.', null],
    ['It rained the other day.', null],
    ['It rained yesterday and last year.', null],
  ])('said on 1 March 2024: “%s” is %s', (text, expected) => {
    expect(meant('2024-03-01', text)).toBe(expected)
  })

  it('of last week is no month where it may be of two', () => {
    expect(meant('2024-03-07', 'It rained last week.')).toBeNull()
  })

  it('points to one side', () => {
    expect(relativeTime('the week before 2 May')).toBe('past')
    expect(relativeTime('the Friday after 2 May')).toBe('future')
    expect(relativeTime('五月二日前一周')).toBe('past')
    expect(relativeTime('on 2 May')).toBeNull()
  })
})

describe('what a line begins with', () => {
  it.each([
    ['- [since 2024-05-02] "She moved."', '2024-05-02', '"She moved."'],
    ['2 May 2024: she moved', '2 May 2024', 'she moved'],
    ['[2024-05-02]', null, '[2024-05-02]'],
    ['2 May 2024', null, '2 May 2024'],
    ['[see 2024-05-02, page 3] She moved.', null, '[see 2024-05-02, page 3] She moved.'],
  ])('%s: day %s', (line, date, rest) => {
    expect(readLead(line)).toEqual({ date, rest })
  })
})

describe('a question', () => {
  it.each([
    ['When did she move?', true],
    ['Where did she go, and when?', true],
    ['Since when does she sing?', true],
    ['Which year did she move?', true],
    ['她什么时候搬的？', true],
    ['How did she feel when she moved?', false],
    ['When she moved, what did she take?', false],
    ['How long did she stay?', false],
  ])('“%s” asks for a point in time: %s', (question, expected) => {
    expect(asksWhen(question)).toBe(expected)
  })

  it('asks for a number, and is told by its mark', () => {
    expect(asksNumber('How long did she stay?')).toBe(true)
    expect(asksNumber('她住了多久？')).toBe(true)
    expect(asksNumber('Where?')).toBe(false)
    expect([isQuestion('Ghent?!'), isQuestion('“真的吗？”'), isQuestion('Ghent.')]).toEqual([
      true,
      true,
      false,
    ])
  })
})
