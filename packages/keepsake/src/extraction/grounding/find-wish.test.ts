import { describe, expect, it } from 'vitest'
import { supportsForgetRequest, likelyAsksToForget, mayAskToForget } from './find-wish.ts'

describe('whether words ask for something to be forgotten', () => {
  it.each([
    'Please don’t keep that.',
    'Forget what I said about him just now.',
    'You never heard that.',
    'That stays between you and me.',
    'I shouldn’t have typed it.',
    'I’d rather you forgot about it.',
    'Wipe that, like it was never on the sheet.',
    'He is a closed subject.',
    '那个事别记。',
    '当我没说过。',
    '刚才讲的你把它抹了吧。',
    '这事莫往外讲，也别记。',
  ])('is likely: %s', (text) => {
    expect(likelyAsksToForget(text)).toBe(true)
    expect(mayAskToForget(text)).toBe(true)
  })

  it.each([
    'Don’t forget that my flight is on Monday.',
    'I forgot about the cake.',
    'My sister paints boats.',
    'He is a closed chapter.',
    '那个人早翻篇了。',
    "I'd rather forget that evening with Henrik.",
    'mum told me to forget about the whole thing',
    'our anniversary is 3 May and I always forget it',
    "don't mention it, happy to help",
    '我又忘了带饼干出去遛',
    '别忘了明天开会。',
    '我没忘掉他的生日。',
    '千万不要忘记带伞。',
    '妹妹在画船。',
  ])('is not: %s', (text) => {
    expect(likelyAsksToForget(text)).toBe(false)
  })

  it.each(['What is the weather?', 'I live in Lyon.', '今天天气怎么样？', '我住在里昂。'])(
    'cannot be: %s',
    (text) => {
      expect(mayAskToForget(text)).toBe(false)
    },
  )
})

describe('a request that a model took from a turn', () => {
  it('is borne out by the sentence that is quoted, or by another that likely asks', () => {
    expect(supportsForgetRequest('Let him rest, will you? I went to the sea.', 'Let him rest')).toBe(true)
    expect(supportsForgetRequest('The loan from Bo. Please don’t keep that.', 'The loan from Bo.')).toBe(true)
    expect(supportsForgetRequest('The loan from Bo. I went to the sea.', 'The loan from Bo.')).toBe(false)
  })

  it('is none where the person only quotes it, or the words are not there', () => {
    expect(
      supportsForgetRequest('He wrote: “Forget about the loan.” Odd, no?', 'Forget about the loan.'),
    ).toBe(false)
    expect(supportsForgetRequest('I went to the sea.', 'Forget the loan.')).toBe(false)
  })
})
