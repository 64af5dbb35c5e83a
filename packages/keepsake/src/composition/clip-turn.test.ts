import { describe, expect, it } from 'vitest'
import { estimateTokens as countTokens } from '@keepsake/text'
import { clipTurn } from './clip-turn.ts'

const TALK =
  'So, about the weekend, it rained on us all the way. We walked to the mill and back. I lost my keys there, of all places. Then we had soup.'

describe('clipTurn', () => {
  it('leaves what fits as it is, on one line', () => {
    expect(clipTurn('I lost\n my keys.', { terms: new Set(), tokens: 20, countTokens })).toBe(
      'I lost my keys.',
    )
  })

  it('keeps the beginning, and the sentence that holds what was asked', () => {
    const clipped = clipTurn(TALK, { terms: new Set(['key']), tokens: 28, countTokens })
    expect(clipped).toBe(
      'So, about the weekend, it rained on us all the way. We walked to … I lost my keys there, of all places. …',
    )
    expect(TALK.startsWith(clipped.slice(0, 60))).toBe(true)
  })

  it('keeps the beginning also where that is all there is room for', () => {
    expect(clipTurn(TALK, { terms: new Set(['key']), tokens: 5, countTokens })).toBe(
      'So, about the weekend, it rained on us all the way. We walked to …',
    )
  })

  it('shortens Chinese by characters', () => {
    const long = `${'我们昨天去爬山，'.repeat(10)}后来我把钥匙丢了。`
    const clipped = clipTurn(long, { terms: new Set(['钥匙']), tokens: 90, countTokens })
    expect(clipped).toContain('后来我把钥匙丢了。')
    expect(long.startsWith(clipped.slice(0, 60))).toBe(true)
  })
})
