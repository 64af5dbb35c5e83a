import { describe, expect, it } from 'vitest'
import { withoutTelling } from './withdraw-words.ts'

const PORTRAIT = `User: Ana keeps bees. She was engaged to Ruben, a baker, and still has the ring.
Events: In May Ana moved to Porto. The bees came with her.`

describe('withoutTelling', () => {
  it('takes out the sentences that share a telling word with what was dropped, and no others', () => {
    expect(withoutTelling(PORTRAIT, ['Ana was engaged to Ruben.'], ['Ana'])).toBe(
      'User: Ana keeps bees.\nEvents: In May Ana moved to Porto. The bees came with her.',
    )
    expect(withoutTelling(PORTRAIT, ['Ana moved to Porto in May.'], ['Ana'])).not.toContain('Porto')
  })

  it('cannot tell where no word is shared, and leaves nothing where every sentence is', () => {
    expect(withoutTelling(PORTRAIT, ['Ana owes money.'], ['Ana'])).toBeNull()
    expect(withoutTelling('Ana keeps bees.', ['Ana has bees.'], ['Ana'])).toBeNull()
    expect(withoutTelling(PORTRAIT, [], ['Ana'])).toBeNull()
  })

  it('reads Chinese', () => {
    const text = '用户：小雨养了一只猫。她欠哥哥三万块钱。\n经历：五月搬到了杭州。'
    expect(withoutTelling(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe(
      '用户：小雨养了一只猫。\n经历：五月搬到了杭州。',
    )
  })

  it('takes a clause out of a long sentence, and not all that share one character', () => {
    const text = '用户：小雨养了一只猫；她欠哥哥三万块钱；五月搬到了杭州。'
    expect(withoutTelling(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe(
      '用户：小雨养了一只猫；五月搬到了杭州。',
    )
    expect(withoutTelling('Ana keeps bees; she owes Ruben money.', ['She owes money.'], ['Ana'])).toBe(
      'Ana keeps bees.',
    )
  })
})
