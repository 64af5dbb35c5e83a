import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deterministicJudge as judge } from './deterministic-judge.ts'
import type { AnswerInput } from './judge.ts'

async function integrity(text: string, ...memories: string[]): Promise<number> {
  return (await judge.integrity({ expected: text, memories })).verdict
}

async function mark(
  question: string,
  reference: string,
  answer: string,
  more: Partial<AnswerInput> = {},
): Promise<string> {
  return (await judge.answer({ question, reference, answer, keyPoints: [], answerable: true, ...more }))
    .verdict
}

describe('integrity', () => {
  it.each([
    // holt, brews, cider, orchard, 1998 — all five
    ['Ada Holt brews cider in her orchard since 1998.', ['User brews cider in the orchard since 1998.'], 2],
    // brews, cider of four (brew, cider, orchard, 1998): half is no part
    ['Ada Holt brews cider in her orchard since 1998.', ['Ada Holt brews cider.'], 0],
    ['Ada Holt brews cider in her orchard since 1998.', ['Ada Holt brews cider in her orchard.'], 1],
    [
      'Ada Holt brews cider in her orchard since 1998.',
      ['Ada Holt brews cider in her orchard since 2003.'],
      1,
    ],
    ['Ada Holt brews cider.', ['Ada Holt does not brew cider.'], 0],
    ['Ada Holt brews cider.', ['Ada Holt used to brew cider.'], 0],
    ['Ada Holt brews cider.', ['Ada Holt might brew cider.'], 1],
    ['Ada Holt brews cider.', ['The user’s sister brews cider.'], 1],
    ['Ada Holt brews cider.', ['Boris brews cider.'], 1],
    ['Ada enjoys opera.', ['The user loves opera.'], 2],
    ['Ada enjoys opera.', ['Ada hates opera.'], 0],
    ['Ada enjoys opera.', [], 0],
    ['用户每周二在青浦学陶艺。', ['用户在青浦学陶艺，每周二上课。'], 2],
    ['用户每周二在青浦学陶艺。', ['用户每周四在青浦学陶艺。'], 1],
    ['用户每周二在青浦学陶艺。', ['用户不再学陶艺了。'], 0],
    ['用户喜欢陶艺。', ['用户讨厌陶艺。'], 0],
    ['用户养了两条狗。', ['用户家里有狗。'], 0],
    ['何敏喜欢吃柚子。', ['用户喜欢吃柚子。'], 2],
    // The frame is shared, 喜欢 and half of 吃, of 2.5: a part, though a person may say nothing.
    ['何敏喜欢吃柚子。', ['何敏喜欢吃榴莲。'], 1],
  ])('of “%s” in %j is %i', async (text, memories, expected) => {
    expect(await integrity(text, ...memories)).toBe(expected)
  })

  it('lets several memories hold it together, and says what is missing otherwise', async () => {
    const text = 'Ada visited Porto and Ghent with Ines.'
    expect(await integrity(text, 'Ada visited Porto with Ines.', 'Ada visited Ghent with Ines.')).toBe(2)
    const memories = ['Ada visited Porto with Ines.']
    const { verdict, reason } = await judge.integrity({ expected: text, memories })
    expect(verdict).toBe(1)
    expect(reason).toMatch(/contains 3 of 4 content words \(visited, Porto, Ines\); missing: Ghent/)
  })
})

describe('accuracy', () => {
  const dialogue = [
    { role: 'assistant', speaker: 'Assistant', text: 'What is new?' },
    { role: 'user', speaker: 'Ada', text: 'I bought a loom in Ghent. My cousin Ines taught me weaving.' },
  ] as const
  const given = { dialogue, gold: ['Ada bought a loom in Ghent.'] }

  it.each([
    ['Ada bought a loom in Ghent.', 2, true],
    ['Ada bought a loom in Porto.', 1, true],
    ['Ada’s cousin Ines taught her weaving.', 2, false],
    ['Ada bought a loom in Ghent and paid too much for cinema tickets.', 1, false],
    ['Ada sold a yacht to Boris.', 0, false],
  ])('of “%s” is %i, target %s', async (memory, verdict, isTarget) => {
    expect(await judge.accuracy({ memory, ...given })).toMatchObject({ verdict, isTarget })
  })

  it('knows Chinese', async () => {
    const talk = {
      dialogue: [{ role: 'user', speaker: '何敏', text: '我在根特买了织布机，表妹教我织布。' } as const],
      gold: ['何敏在根特买了织布机。'],
    }
    expect(await judge.accuracy({ memory: '用户在根特买了织布机。', ...talk })).toMatchObject({
      verdict: 2,
      isTarget: true,
    })
    expect(await judge.accuracy({ memory: '用户卖掉了游艇。', ...talk })).toMatchObject({
      verdict: 0,
      isTarget: false,
    })
  })

  it('of anything is 0 where nothing was said', async () => {
    expect((await judge.accuracy({ memory: 'Ada sings.', dialogue: [], gold: [] })).verdict).toBe(0)
  })
})

describe('update', () => {
  const updated = 'Ada swims three times a week.'
  const originals = ['Ada swims once a week.']
  it.each([
    [['Ada swims three times a week.'], 'correct'],
    [['User swims 3 times a week.', 'Ada no longer swims once a week.'], 'correct'],
    [['Ada swims three times a week.', 'Ada swims once a week.'], 'other'],
    [['Ada swims five times a week.'], 'hallucinated'],
    [['Ada swims once a week.'], 'omitted'],
    [['Ada swims.'], 'omitted'],
    [[], 'omitted'],
  ])('of %j is %s', async (memories, outcome) => {
    // “once” is no number to the judge: the old statement has swim and week.
    expect((await judge.update({ updated, originals, memories })).verdict).toBe(outcome)
  })

  it.each([
    [['用户在绍兴当木匠。'], 'correct'],
    [['用户在绍兴当木匠。', '用户在嘉兴当厨师。'], 'other'],
    [['用户在绍兴当木匠。', '用户以前在嘉兴当厨师。'], 'correct'],
    [['用户在嘉兴当厨师。'], 'omitted'],
    [['用户在绍兴。'], 'omitted'],
  ])('of %j is %s', async (memories, outcome) => {
    const input = { updated: '用户在绍兴当木匠。', originals: ['用户在嘉兴当厨师。'], memories }
    expect((await judge.update(input)).verdict).toBe(outcome)
  })

  it('names the third value', async () => {
    const input = {
      updated: 'Ada works at the observatory.',
      originals: ['Ada works at the museum.'],
      memories: ['Ada works at the aquarium.'],
    }
    expect(await judge.update(input)).toMatchObject({
      verdict: 'hallucinated',
      reason: expect.stringMatching(/aquarium/),
    })
  })
})

describe('answer', () => {
  it.each([
    ['Which city did Ada move to?', 'Ghent', 'She moved to Ghent.', 'correct'],
    ['Which city did Ada move to?', 'Ghent', 'Perhaps Ghent.', 'omitted'],
    ['Which city did Ada move to?', 'Ghent', 'I do not know.', 'omitted'],
    ['Which city did Ada move to?', 'Ghent', 'She moved to some city.', 'omitted'],
    ['Which city did Ada move to?', 'Ghent', '', 'omitted'],
    ['何敏买了什么？', '和服与灯笼', '灯笼，还有和服。', 'correct'],
    ['What does Ada grow?', 'Quinces, figs and hops', 'Figs, hops and quinces.', 'correct'],
    ['What does Ada grow?', 'Quinces, figs and hops', 'Figs and hops.', 'omitted'],
    ['How many looms has Ada?', 'Three', '3 looms', 'correct'],
    ['Does Ada sing?', 'Yes', 'No.', 'hallucinated'],
    ['Does Ada sing?', 'No', 'Ada does not sing.', 'correct'],
    ['Does Ada sing?', 'Yes', 'Ada sings.', 'correct'],
    ['何敏搬到了哪里？', '绍兴', '可能是绍兴。', 'omitted'],
    ['何敏搬到了哪里？', '绍兴', '我不清楚。', 'omitted'],
    ['何敏种什么？', '柚子、无花果和葡萄', '葡萄、无花果、柚子', 'correct'],
    ['何敏种什么？', '柚子、无花果和葡萄', '柚子和葡萄', 'omitted'],
    ['何敏有几台织布机？', '三台', '3台', 'correct'],
    ['何敏会唱歌吗？', '会的', '不会，她不会唱歌。', 'hallucinated'],
  ])('to “%s” (%s): “%s” is %s', async (question, reference, answer, expected) => {
    expect(await mark(question, reference, answer)).toBe(expected)
  })

  it('is right where nothing answers when it does not know, and only then', async () => {
    const unknown = { answerable: false }
    expect(await mark('Who is Ada’s dentist?', 'Unknown', 'It was never mentioned.', unknown)).toBe('correct')
    expect(await mark('Who is Ada’s dentist?', 'Unknown', 'Dr. Moll.', unknown)).toBe('hallucinated')
    expect(await mark('Who is Ada’s dentist?', 'Unknown', ' ', unknown)).toBe('omitted')
    expect(await mark('何敏的牙医是谁？', '没有提到', '不知道。')).toBe('correct')
  })

  it('sees an answer reverse a key point', async () => {
    const keyPoints = ['Ada is allergic to walnuts.']
    const answer = 'Walnuts, though Ada is not allergic to walnuts.'
    expect(await mark('What can Ada not eat?', 'Walnuts', answer, { keyPoints })).toBe('hallucinated')
  })
})

describe('likeness and content', () => {
  it.each([
    ['Ada keeps geese', 'Ada keeps geese', 5],
    // keep and geese of keep, geese, behind, mill … “behind” is grammar: 2 of 3
    ['Ada keeps geese behind the mill', 'Ada keeps geese', 3],
    ['Ada keeps four geese', 'Ada keeps nine geese', 3],
    ['Ada likes geese', 'Ada hates geese', 0],
    ['Ada keeps geese', 'It rained in Porto', 0],
  ])('“%s” in “%s” scores %i', async (label, memory, score) => {
    expect((await judge.likeness({ label, memory })).verdict).toBe(score)
  })

  it.each([
    ['The user meets Ines on Friday at 7 pm.', 'The user meets Ines at 19:00 on Friday.', true],
    ['The user meets Ines on Friday.', 'The user meets Ines on Friday in Ghent.', false],
    ['The user meets Ines on Friday.', 'The user meets Ines on Thursday.', false],
    ['用户有三台织布机', '用户有3台织布机', true],
    ['用户有三台织布机', '用户有织布机', false],
  ])('“%s” and “%s” are the same: %s', async (expected, actual, same) => {
    expect((await judge.sameContent({ expected, actual })).verdict).toBe(same)
  })
})

const noun = fc.constantFrom('loom', 'orchard', 'cider', 'goose', 'harbour', 'violin', 'quarry', 'lantern')
const verb = fc.constantFrom('bought', 'painted', 'lost', 'repaired', 'sold')
const town = fc.constantFrom('Ghent', 'Porto', 'Leeds', 'Turku')
const english = fc
  .tuple(verb, fc.integer({ min: 2, max: 40 }), noun, town, fc.integer({ min: 1950, max: 2030 }))
  .map(([did, count, what, where, year]) => `Ada ${did} ${count} ${what}s in ${where} in ${year}.`)
const chinese = fc
  .tuple(
    fc.constantFrom('买了', '修好了', '卖掉了', '弄丢了'),
    fc.integer({ min: 2, max: 40 }),
    fc.constantFrom('织布机', '小提琴', '灯笼', '自行车'),
    fc.constantFrom('绍兴', '嘉兴', '青岛'),
  )
  .map(([did, count, what, where]) => `用户在${where}${did}${count}台${what}。`)
const anything = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '')
const statement = fc.oneof(english, chinese)

describe('whatever is judged', () => {
  it('a statement is held whole by itself, and an answer that is the reference is right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(statement, anything), async (text) => {
        expect(await integrity(text, text)).toBe(2)
      }),
    )
    await fc.assert(
      fc.asyncProperty(statement, async (text) => {
        for (const answer of [text, `What is remembered: ${text}`])
          expect(await mark('What happened?', text, answer, { keyPoints: [text] })).toBe('correct')
      }),
    )
  })

  it('another memory never lowers integrity', async () => {
    await fc.assert(
      fc.asyncProperty(
        statement,
        fc.array(statement, { maxLength: 3 }),
        statement,
        async (text, memories, added) => {
          expect(await integrity(text, ...memories, added)).toBeGreaterThanOrEqual(
            await integrity(text, ...memories),
          )
        },
      ),
    )
  })

  it('another number is never held whole, never right and never the same', async () => {
    await fc.assert(
      fc.asyncProperty(english, fc.integer({ min: 41, max: 90 }), async (text, number) => {
        const other = text.replace(/\d+/, String(number))
        expect(await integrity(text, other)).toBeLessThan(2)
        expect((await judge.sameContent({ expected: text, actual: other })).verdict).toBe(false)
        expect(await mark('What happened?', text, other)).toBe('hallucinated')
      }),
    )
  })

  it('the same is the same both ways, and every verdict has a reason', async () => {
    await fc.assert(
      fc.asyncProperty(statement, statement, async (one, other) => {
        const forth = await judge.sameContent({ expected: one, actual: other })
        const back = await judge.sameContent({ expected: other, actual: one })
        expect(forth.verdict).toBe(back.verdict)
        expect(forth.reason).not.toBe('')
      }),
    )
  })
})
