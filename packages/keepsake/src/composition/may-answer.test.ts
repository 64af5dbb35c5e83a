import { describe, expect, it } from 'vitest'
import { readMayAnswer } from './may-answer.ts'

function may(question: string, ...texts: string[]): boolean | undefined {
  return readMayAnswer(question)?.(texts.map((text) => ({ text })))
}

describe('readMayAnswer', () => {
  it.each([
    ['How much rent do I pay?', 'It is 740 euros.', 'The rent went up.'],
    ['How many cousins has she?', 'She has seven of them.', 'Her cousins came by.'],
    ['What colour is the door?', 'We painted the door green.', 'We painted the door.'],
    ['房租多少钱？', '房租要两千块。', '房租又涨了。'],
  ])('sees whether what %s wants can be there', (question, holds, lacks) => {
    expect(may(question, holds)).toBe(true)
    expect(may(question, lacks)).toBe(false)
    expect(may(question, lacks, holds)).toBe(true)
  })

  it('says nothing of what any words may answer', () => {
    expect(readMayAnswer('What did she think of it?')).toBeNull()
    expect(readMayAnswer('When did we move?')).toBeNull()
    expect(readMayAnswer('我弟弟叫什么名字？')).toBeNull()
  })

  it('reads no text beyond what is worth the time', () => {
    expect(may('How many cousins has she?', 'word '.repeat(2_000))).toBe(true)
  })
})
