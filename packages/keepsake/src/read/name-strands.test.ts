import { describe, expect, it } from 'vitest'
import { nameStrands } from './name-strands.ts'

const names = (
  userTexts: readonly string[],
  agentTexts: readonly string[] = [],
  ownNames: readonly string[] = [],
): string[] => {
  const turnsOf = (texts: readonly string[]) => texts.map((text) => ({ text }))
  return nameStrands({ ofUser: turnsOf(userTexts), ofAgent: turnsOf(agentTexts), ownNames }).map(
    ({ cues }) => cues.source,
  )
}

describe('nameStrands', () => {
  it('finds who is named again and again, the most often named first', () => {
    const userTexts = ['I met Ines.', 'Then Ines and Pau came.', 'Ines left, so did Pau.', 'I saw Wim once.']
    expect(names(userTexts)).toEqual(['Ines', 'Pau'])
  })

  it('takes neither words that only begin sentences, nor the user’s own name, nor days', () => {
    const userTexts = [
      'Honestly, fine. On Monday I am Ana.',
      'Honestly. It was Monday, and I said: Ana, go.',
      'I mean it honestly.',
    ]
    expect(names(userTexts, [], ['ana'])).toEqual([])
  })

  it('knows from the agent’s words that what begins the user’s sentences is a name', () => {
    expect(names(['Bishop got up.', 'Bishop again.'], ['And how is Bishop?'])).toEqual(['Bishop'])
  })

  it('finds forms of address in Chinese', () => {
    expect(names(['小方又来借书。', '小方的票丢了。', '秀珍姐种了葡萄。', '钥匙在秀珍姐那儿。'])).toEqual([
      '小方',
      '秀珍姐',
    ])
  })
})
