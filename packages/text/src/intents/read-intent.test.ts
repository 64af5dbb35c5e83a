import { describe, expect, it } from 'vitest'
import { decodeIntentModel, intentProbabilities, readIntent, topicOfRequest } from './read-intent.ts'
import { sentenceFeatures } from './sentence-features.ts'

// None of these sentences is among the messages that the model was fitted to.
describe('the intent of a sentence', () => {
  it.each([
    "You don't have to hang on to any of that about my landlord",
    'could you lose whatever I told you about the abortion, please',
    'That I was in rehab once, can you not keep that',
    '我跟你讲的离婚那些事，你那边就别留了吧',
    '刚才那段你就当没听过',
  ])('asks to forget: %s', (text) => expect(readIntent(text)).toBe('forget'))

  it.each([
    'Please keep your replies under three lines from here on',
    "I'd rather you didn't use so many exclamation marks when you write to me",
    'Always give me the metric version as well',
    '以后回答别超过三句话',
    '跟我说话别老用您',
  ])('is an instruction: %s', (text) => expect(readIntent(text)).toBe('instruct'))

  it.each([
    'ok the rhyme joke is over, back to prose',
    'bullet points no longer required, thanks',
    "I passed my exam so Spanish isn't necessary any more",
    '敬语随便用，我不介意了',
    '胃好了，菜谱可以放辣了',
  ])('takes an instruction back: %s', (text) => expect(readIntent(text)).toBe('withdraw'))

  it.each([
    'The gluten-free bakery opened again',
    'My Spanish is getting better',
    '我爸又可以下地走路了',
    "I'm Maya, I work as a nurse at Southmead Hospital.",
    '我叫小鹿，在邮局上班',
    'I forgot to lock the shed again',
    'My boss likes reports under three lines',
    'She asked me to delete her number',
    'Can you make this one shorter?',
    'We had dumplings at my aunt’s on Sunday',
    '我把他的号码删了',
    '老师让我们作文别超过八百字',
    '昨天跟我妈去了趟菜场',
    '',
  ])('is neither: %s', (text) => expect(readIntent(text)).toBeNull())

  it('is a probability for each intent', () => {
    const probabilities = intentProbabilities(sentenceFeatures('Forget what I said about the loan'))
    expect(probabilities.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1)
    expect(probabilities.every((value) => value >= 0)).toBe(true)
  })

  it('does not depend on case, digits or forms of characters', () => {
    expect(sentenceFeatures('KEEP IT UNDER 300')).toEqual(sentenceFeatures('keep it under 20'))
    expect(sentenceFeatures('別記著')).toEqual(sentenceFeatures('别记着'))
  })
})

it('names the topic of a request without the words that ask', () => {
  expect(topicOfRequest("you don't need to keep that about Mia and Tom")).toContain('Mia')
  expect(topicOfRequest('把老张的事删掉，别留着')).toContain('老张')
  expect(topicOfRequest('forget it')).toBeNull()
})

it('refuses a damaged model', () => {
  expect(() => decodeIntentModel('{}')).toThrow(/intents\.json/)
  const file = { source: '', biases: [0, 0, 0, 0, 0], step: 1, features: 'AAAAAA==', weights: 'AAA=' }
  const rest = { thresholds: { instruct: 1, withdraw: 1, forget: 1 }, requestTerms: [] }
  expect(() => decodeIntentModel(JSON.stringify({ ...file, ...rest }))).toThrow(/cannot be used/)
})
