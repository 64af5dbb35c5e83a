import { ModelError } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { extractiveReader } from './extractive-reader.ts'
import { isAbstention } from '../text/is-abstention.ts'
import { modelReader } from './model-reader.ts'
import { loadReadingProbe, probeReader } from '../probes/testing/probe-reader.ts'
import type { ReadingInput } from './reader.ts'
import { ReaderError } from './reader-error.ts'
import { wordCount } from './extractive-reader.ts'

const ASKED_AT = Date.UTC(2025, 5, 1, 10)

function reading(question: string, memories: readonly string[], context = ''): ReadingInput {
  return { question, askedAt: ASKED_AT, context, memories }
}

describe('an abstention', () => {
  it.each([
    'I don’t know.',
    'I do not have any information about that.',
    'There is no information about her dentist.',
    'The memories do not mention a dentist.',
    'That was never mentioned.',
    'It cannot be determined from what is remembered.',
    'I’m not sure.',
    'She adopted a dog. Its name is not stated.',
    'Unknown.',
    '我不知道。',
    '没有提到她的牙医。',
    '根据记忆无法确定。',
    '关于这件事，没有相关信息。',
    '记忆里没有说。',
  ])('is “%s”', (text) => {
    expect(isAbstention(text)).toBe(true)
  })

  it.each([
    'She does not know how to swim.',
    'He was not told about the party.',
    'I do not know exactly, but it was probably in 2019.',
    'She moved to Ghent. The street is not known, I believe. It was spring. She likes it.',
    'There are no dogs, two cats.',
    '她不会游泳。',
    '他没有去参加聚会。',
    '2019年',
    '',
  ])('is not “%s”', (text) => {
    expect(isAbstention(text)).toBe(false)
  })
})

describe('the reader without a model', () => {
  const memories = [
    'Ada bought a loom in Ghent.',
    'Ada swims every Tuesday.',
    'The loom broke on 3 May 2021. Ines repaired it.',
  ]

  it('answers with the sentence that bears most on the question', async () => {
    expect(await extractiveReader.answer(reading('Where did Ada buy her loom?', memories))).toEqual({
      answer: 'Ada bought a loom in Ghent.',
      abstained: false,
      inputTokens: 0,
      outputTokens: 0,
    })
    const zh = ['何敏在根特买了织布机。', '何敏每周二游泳。']
    expect((await extractiveReader.answer(reading('何敏在哪里买的织布机？', zh))).answer).toBe(
      '何敏在根特买了织布机。',
    )
  })

  it('finds a number that is asked about, and prefers a time where a time is asked for', async () => {
    const about = await extractiveReader.answer(reading('What happened on 3 May 2021?', memories))
    expect(about.answer).toBe('The loom broke on 3 May 2021.')
    const dated = ['The loom was mended.', 'The loom came in July 2019.']
    expect((await extractiveReader.answer(reading('When was it with the loom?', dated))).answer).toMatch(
      /^The loom was mended\. The loom came/,
    )
  })

  it('says in the language of the question that it does not know when nothing bears on it', async () => {
    expect(await extractiveReader.answer(reading('Which dentist treats Boris?', memories))).toMatchObject({
      answer: 'I do not know.',
      abstained: true,
    })
    expect(await extractiveReader.answer(reading('谁是她的牙医？', []))).toMatchObject({
      answer: '我不知道。',
      abstained: true,
    })
  })

  it('reads the context where there are no memories, and cuts a long sentence around what is asked', async () => {
    const long = `${'She spoke of many other small matters and then '.repeat(10)}the loom in Ghent was named Clotho`
    const { answer } = await extractiveReader.answer(reading('What was the loom in Ghent named?', [], long))
    expect(wordCount(answer)).toBe(40)
    expect(answer).toMatch(/loom in Ghent was named Clotho$/)
  })

  it('chooses the option that one place supports, else the one that says it is not known', async () => {
    const choose = async (question: string, choices: readonly string[]): Promise<number> =>
      (await extractiveReader.choose({ ...reading(question, memories), choices })).choice
    expect(await choose('What did Ada buy in Ghent?', ['A violin', 'A loom', 'A lantern'])).toBe(1)
    expect(await choose('When did the loom break?', ['3 May 2020', '3 May 2021', '8 June 2021'])).toBe(1)
    expect(await choose('Who is her dentist?', ['Moll', 'Haas', 'It is not known'])).toBe(2)
    expect(await choose('Who is her dentist?', ['Moll', 'Haas'])).toBe(0)
  })
})

describe('a language model as reader', () => {
  it('is told the time and the context, and counts what the provider counts', async () => {
    const model = scriptedModel([
      { text: '{"known": true, "answer": "In Ghent."}', usage: { input: 90, output: 9 } },
    ])
    const reader = modelReader({ model, language: 'en' })
    const answer = await reader.answer(reading('Where?', ['unused'], 'Ada lives\nin Ghent.'))
    expect(answer).toEqual({ answer: 'In Ghent.', abstained: false, inputTokens: 90, outputTokens: 9 })
    expect(model.requests[0]?.messages[0]?.text).toBe(
      '<memories>\n"Ada lives"\n"in Ghent."\n</memories>\nnow: 2025-06-01 Sun 10:00\n<question>\n"Where?"\n</question>',
    )
    expect(reader.version).toMatch(/^read-answer\/\d+ choose-option\/\d+ en$/)
  })

  it('abstains by its own word or by what it says, and estimates tokens that nobody counts', async () => {
    const model = scriptedModel(['{"known": false, "answer": "？"}', '{"known": true, "answer": "不知道。"}'])
    const reader = modelReader({ model, language: 'zh' })
    const first = await reader.answer(reading('在哪里？', ['何敏住在绍兴。']))
    expect(first.abstained).toBe(true)
    expect(first.inputTokens).toBeGreaterThan(200)
    expect((await reader.answer(reading('在哪里？', []))).abstained).toBe(true)
  })

  it('gives the option from 0, and none that there is not', async () => {
    const choices = ['a', 'b']
    const good = modelReader({ model: scriptedModel(['{"reason": "…", "option": 2}']), language: 'en' })
    expect((await good.choose({ ...reading('Which?', []), choices })).choice).toBe(1)
    const bad = modelReader({
      model: scriptedModel(Array(2).fill('{"reason": "…", "option": 3}')),
      language: 'en',
    })
    await expect(bad.choose({ ...reading('Which?', []), choices })).rejects.toThrow(/no option 3/)
  })

  it('fails when the model cannot be reached', async () => {
    const model = scriptedModel([new ModelError('gone', { isRetryable: false })])
    const failure = await modelReader({ model, language: 'en' })
      .answer(reading('Where?', []))
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ReaderError)
    expect(failure).toMatchObject({ reader: 'scripted/model', isRetryable: false })
  })
})

describe('the probe of readers', () => {
  it.each(['en', 'zh'] as const)(
    'counts what holds the answer and what rightly abstains (%s)',
    async (language) => {
      const read = await probeReader(extractiveReader, await loadReadingProbe(language))
      // “Where does she live now” shares no word with “moved to”: the reader that only copies misses it.
      expect(read.filter(({ isRight }) => !isRight).map(({ id }) => id)).toEqual([`${language}-read-2`])
    },
  )
})
