import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerOutcome } from '../judge.ts'
import { judgeAnswer } from './judge-answer.ts'

function mark(
  question: string,
  reference: string,
  answer: string,
  keyPoints: readonly string[] = [],
): AnswerOutcome {
  return judgeAnswer({ question, reference, answer, keyPoints, answerable: true }).verdict
}

const CITY = 'Which city did Ada move to?'
const WHEN = 'When did Ada move to Ghent?'
const MANY = 'How many looms does Ada own?'

describe('an answer that holds the whole reference', () => {
  it.each([
    // Further statements are extra.
    [CITY, 'Ghent', 'She moved to Ghent. Her cousin Ines paints lanterns, quinces and hats.'],
    [CITY, 'Ghent', 'She moved to Ghent. She moved with seven cats in 2019.'],
    [CITY, 'Ghent', 'She moved to Ghent. She has never painted Ghent cathedral.'],
    [CITY, 'Ghent', 'She moved to Ghent. Maybe Ines sings or paints.'],
    [CITY, 'Ghent', 'Ghent has looms or hats. She moved to Ghent.'],
    [MANY, 'Three looms', 'She owns three looms. Boris bought nine looms for the museum in Turku.'],
    [WHEN, '3 May 2021', 'She moved on 3 May 2021. The violin was sold in June 2018.'],
    ['何敏搬到了哪个城市？', '绍兴', '她搬到了绍兴。表妹喜欢灯笼和柚子。'],
    ['何敏有几台织布机？', '三台', '她有三台织布机。博物馆在青岛买了九台钢琴。'],
  ])('%s (%s): “%s” is right', (question, reference, answer) => {
    expect(mark(question, reference, answer)).toBe('correct')
  })

  it.each([
    [MANY, 'Three looms', 'Three looms. She owns four looms.', 'hallucinated'],
    [WHEN, '3 May 2021', 'She moved on 3 May 2021. She moved to Ghent in June 2018.', 'hallucinated'],
    [CITY, 'Ghent', 'Ghent. She did not move to Ghent.', 'hallucinated'],
    [CITY, 'Ghent', 'Ghent. Not Ghent.', 'hallucinated'],
    [CITY, 'Ghent', 'Ghent. Or Porto.', 'omitted'],
    ['What does Ada grow?', 'Figs and hops', 'Figs. Perhaps hops.', 'omitted'],
    [CITY, 'Ghent', 'She perhaps moved to Ghent. Ines paints.', 'omitted'],
    ['何敏有几台织布机？', '三台织布机', '三台织布机。她有四台织布机。', 'hallucinated'],
    ['何敏搬到了哪个城市？', '绍兴', '绍兴。她没有搬到绍兴。', 'hallucinated'],
  ])('%s (%s): “%s” is %s', (question, reference, answer, expected) => {
    expect(mark(question, reference, answer)).toBe(expected)
  })

  it('stays right with a sentence of other words', () => {
    const right = fc.constantFrom(
      [CITY, 'Ghent', 'She moved to Ghent.'],
      [MANY, 'Three looms', 'Ada owns 3 looms.'],
      [WHEN, 'May 2021', '2021-05-03: Ada moved to Ghent.'],
      ['Does Ada sing?', 'Yes', 'Yes, Ada sings.'],
      ['何敏搬到了哪里？', '绍兴', '何敏搬到了绍兴。'],
      ['何敏什么时候搬到绍兴？', '2021年5月', '2021-05-03: 何敏搬到了绍兴。'],
    )
    const english = fc
      .tuple(
        fc.constantFrom('Ines', 'Boris', 'The baker', 'He'),
        fc.constantFrom('painted', 'never liked', 'may have sold', 'repaired', 'did not see'),
        fc.integer({ min: 4, max: 90 }),
        fc.constantFrom('lanterns', 'quinces', 'violins or drums'),
        fc.constantFrom(
          'in Turku',
          'in June 2018',
          'every Tuesday',
          'yesterday',
          'with clothing, hopes and growing pains',
        ),
      )
      .map(([who, did, count, what, where]) => `${who} ${did} ${count} ${what} ${where}.`)
    const chinese = fc
      .tuple(
        fc.constantFrom('表妹', '面包师', '邻居'),
        fc.constantFrom('没有买', '可能卖了', '修好了'),
        fc.integer({ min: 4, max: 90 }),
        fc.constantFrom('盏灯笼', '把小提琴'),
      )
      .map(([who, did, count, what]) => `${who}${did}${count}${what}。`)
    fc.assert(
      fc.property(
        right,
        fc.oneof(english, chinese),
        ([question = '', reference = '', answer = ''], extra) => {
          expect(mark(question, reference, answer)).toBe('correct')
          expect(mark(question, reference, `${answer} ${extra}`)).toBe('correct')
        },
      ),
    )
  })
})

describe('an answer that lacks something of the reference', () => {
  it.each([
    // Evidence of another value of the kind that is asked.
    [WHEN, '3 May 2021', 'She moved on 8 May 2021.', 'hallucinated'],
    [WHEN, 'May 2021', 'She moved in June 2021.', 'hallucinated'],
    [MANY, 'Three', 'She owns four looms.', 'hallucinated'],
    [CITY, 'Ghent', 'Porto.', 'hallucinated'],
    [CITY, 'Ghent in 2019', 'She moved to Porto in 2019.', 'hallucinated'],
    [CITY, 'Ghent', 'She did not move to Ghent.', 'hallucinated'],
    ['何敏什么时候搬的？', '2021年5月3日', '2021年5月8日。', 'hallucinated'],
    ['何敏搬到了哪里？', '绍兴', '嘉兴。', 'hallucinated'],
    // None.
    [WHEN, '3 May 2021', 'She packed her looms and hats.', 'omitted'],
    [WHEN, '3 May 2021', 'She moved in May 2021.', 'omitted'],
    [WHEN, 'May 2021', 'She sang in May 2019. She moved in 2021.', 'omitted'],
    ['Why did Ada move?', 'To be near Ines', 'Ada moved just yesterday.', 'omitted'],
    [CITY, 'Ghent', 'They spoke of looms, orchards and a violin that had been found.', 'omitted'],
    ['何敏什么时候搬的？', '2021年5月3日', '2021年5月。', 'omitted'],
    ['何敏什么时候搬的？', '2021年5月3日', '她收拾了灯笼。', 'omitted'],
  ])('%s (%s): “%s” is %s', (question, reference, answer, expected) => {
    expect(mark(question, reference, answer)).toBe(expected)
  })

  it('lets a question that denies be answered either way', () => {
    expect(mark('What will Ada not sell?', 'The loom', 'She will not sell the loom.')).toBe('correct')
    expect(mark('What will Ada not sell?', 'The loom', 'The loom.')).toBe('correct')
    expect(mark('何敏不卖什么？', '织布机', '她不卖织布机。')).toBe('correct')
  })

  it('takes yes from a sentence only that says the whole of what is asked', () => {
    expect(mark('Would Ada move back to Ghent soon?', 'No', 'Ada moved to Ghent.')).toBe('omitted')
    expect(mark('Would Ada move back to Ghent soon?', 'No', 'Yes.')).toBe('hallucinated')
  })
})

describe('the day that a quoted line is marked with', () => {
  it.each([
    // A day agrees with its month, but a month does not agree with a day.
    [WHEN, '3 May 2021', '2021-05-03: Ada moved to Ghent.', 'correct'],
    [WHEN, 'May, 2021', '2021-05-03: Ada moved to Ghent.', 'correct'],
    [WHEN, 'May 2021', '- [since 2021-05-03] "Ada moved to Ghent."', 'correct'],
    [WHEN, '3 May 2021', '2021-05-04: Ada moved to Ghent.', 'hallucinated'],
    // Unless the sentence has a date of its own or points elsewhere.
    [WHEN, '3 May 2021', '2021-06-09: Ada moved to Ghent on 3 May 2021.', 'correct'],
    [WHEN, '3 May 2021', '2021-05-04: Ada moved to Ghent yesterday.', 'correct'],
    [WHEN, '4 May 2021', '2021-05-04: Ada moved to Ghent yesterday.', 'hallucinated'],
    [WHEN, '3 May 2021', '2021-05-09: Ada moved to Ghent last week.', 'omitted'],
    [WHEN, 'The week before 9 May 2021', '2021-05-09: Ada moved to Ghent last week.', 'correct'],
    [WHEN, 'The week after 9 May 2021', '2021-05-09: Ada moved to Ghent last week.', 'omitted'],
    // Where no time is asked for it is no answer, and cannot be wrong.
    [CITY, 'Ghent in May 2021', '2020-01-01: She moved to Ghent.', 'omitted'],
    [CITY, 'Ghent', '- [2020-01-01] Ada: "I moved to Ghent."', 'correct'],
    ['何敏什么时候搬到绍兴？', '2021年5月3日', '2021-05-03: 何敏搬到了绍兴。', 'correct'],
    ['何敏什么时候搬到绍兴？', '2021年5月', '[2021-05-03] 何敏搬到了绍兴。', 'correct'],
    ['何敏什么时候搬到绍兴？', '2021年5月3日', '2021-05-04: 何敏昨天搬到了绍兴。', 'correct'],
    ['何敏什么时候搬到绍兴？', '2021年5月3日', '2021-05-08: 何敏搬到了绍兴。', 'hallucinated'],
  ])('%s (%s): “%s” is %s', (question, reference, answer, expected) => {
    expect(mark(question, reference, answer)).toBe(expected)
  })
})
