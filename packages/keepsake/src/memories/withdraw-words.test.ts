import { describe, expect, it } from 'vitest'
import { mentionsAnyOf, withoutSentences } from './kept-words.ts'

const withoutWords = (text: string, deleted: readonly string[], names: readonly string[]): string | null =>
  withoutSentences(text, mentionsAnyOf(deleted, names))

const PORTRAIT = `User: Ana keeps bees. She was engaged to Ruben, a baker, and still has the ring.
Events: In May Ana moved to Porto. The bees came with her.`

describe('withoutWords', () => {
  it('takes out the sentences that share a telling word with what was dropped, and no others', () => {
    expect(withoutWords(PORTRAIT, ['Ana was engaged to Ruben.'], ['Ana'])).toBe(
      'User: Ana keeps bees.\nEvents: In May Ana moved to Porto. The bees came with her.',
    )
    expect(withoutWords(PORTRAIT, ['Ana moved to Porto in May.'], ['Ana'])).not.toContain('Porto')
  })

  it('cannot tell where no word is shared, and leaves nothing where every sentence is', () => {
    expect(withoutWords(PORTRAIT, ['Ana owes money.'], ['Ana'])).toBeNull()
    expect(withoutWords('Ana keeps bees.', ['Ana has bees.'], ['Ana'])).toBeNull()
    expect(withoutWords(PORTRAIT, [], ['Ana'])).toBeNull()
  })

  it('is told nothing by numbers, nor by the words that every statement is written with', () => {
    const text = 'The user slept 3 hours. The user owes Ruben money. In 300 days all is well.'
    expect(withoutWords(text, ['The user owes 300 euros.'], [])).toBe(
      'The user slept 3 hours. In 300 days all is well.',
    )
    expect(withoutWords('用户喜欢茶。用户欠债。', ['用户欠债。'], [])).toBe('用户喜欢茶。')
  })

  it('is told nothing by a form of a word that tells nothing', () => {
    expect(withoutWords('She is willing. All is well.', ['She is willing.'], [])).toBeNull()
  })

  it('keeps lines of their own, and drops those of which nothing is left', () => {
    const text = 'Ana keeps bees.\nShe owes money.\nAll is well.'
    expect(withoutWords(text, ['She owes money.'], ['Ana'])).toBe('Ana keeps bees.\nAll is well.')
  })

  it('reads Chinese', () => {
    const text = '用户：小雨养了一只猫。她欠哥哥三万块钱。\n经历：五月搬到了杭州。'
    expect(withoutWords(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe(
      '用户：小雨养了一只猫。\n经历：五月搬到了杭州。',
    )
  })

  it('puts sentences of Chinese together without a space, and ends on a full stop what was a clause', () => {
    const text = '小雨养猫。 Lyon 很远。她欠哥哥三万块钱。'
    expect(withoutWords(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe('小雨养猫。Lyon 很远。')
    expect(withoutWords('小雨养猫；她欠哥哥三万块钱。', ['小雨欠哥哥的钱。'], ['小雨'])).toBe('小雨养猫。')
    expect(withoutWords('OK. 小雨养猫。她欠哥哥钱。', ['小雨欠哥哥的钱。'], ['小雨'])).toBe('OK.小雨养猫。')
  })

  it('takes no sentence for one character that it shares', () => {
    expect(withoutWords('小雨省钱。她欠哥哥的债。', ['钱，她欠哥哥的。'], ['小雨'])).toBe('小雨省钱。')
  })

  it('takes a clause out of a long sentence, and not all that share one character', () => {
    const text = '用户：小雨养了一只猫；她欠哥哥三万块钱；五月搬到了杭州。'
    expect(withoutWords(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe('用户：小雨养了一只猫；五月搬到了杭州。')
    expect(withoutWords('Ana keeps bees; she owes Ruben money.', ['She owes money.'], ['Ana'])).toBe(
      'Ana keeps bees.',
    )
  })
})
