import { describe, expect, it } from 'vitest'
import { readWantedName, statesName } from './states-name.ts'

function tells(question: string, text: string, before = ''): boolean | null {
  const wanted = readWantedName(question)
  return wanted === null ? null : statesName(wanted, text, { isFirst: false, before })
}

describe('the name that a question wants', () => {
  it.each<[question: string, told: string, other: string]>([
    ["What is Nora's sister called?", 'Her sister Beth came for tea.', 'Her sister came for tea with Nora.'],
    ["What is my dog's name?", 'Rollo is our dog now.', 'The dog ate the whole loaf.'],
    [
      'What are the twins called?',
      'they had twins, they named them after saints',
      'the twins are walking now',
    ],
    [
      'What is the name of the man who fixed the roof?',
      'The man, Piotr, was here at six.',
      'The man was here at six.',
    ],
    ['What make of drill do I own?', 'The drill is a Makita.', 'The drill broke.'],
    ["What is Mr Lee's shop called?", 'His shop is called Tidal.', 'His shop is shut.'],
    ['Which hospital was I in?', 'They kept me in Saint Anne Hospital.', 'I hate the smell of a hospital.'],
    [
      'Which company do I work for?',
      'I work for a shipping company.',
      'The company moved us to the third floor.',
    ],
    ["What is my boss's name?", 'my manager is called ruth', 'my manager moaned about the rota'],
    ['我妹妹叫什么名字？', '我妹叫小满，刚上初中', '我妹刚上初中'],
    ['店里的师傅姓什么？', '新来的师傅姓邱', '师傅又回来了'],
    ["What is my niece's name?", 'A baby girl, called Ottilie!', 'A baby girl, born at noon!'],
    ['我女儿叫什么名字？', '闺女六岁，叫团团', '闺女六岁，上学了'],
    ['我的茶馆叫什么名字？', '茶馆开张了，叫“听雨”', '茶馆开张了，就在河边'],
  ])('%s', (question, told, other) => {
    expect(tells(question, told)).toBe(true)
    expect(tells(question, other)).toBe(false)
  })

  it.each<[question: string, before: string, told: string]>([
    ['我姐姐叫什么名字？', '你姐姐真舍得。', '她想换个地方。叫明慧，手巧。'],
    ["What is my brother's name?", 'Does your brother farm as well?', 'He does, sheep. His name is Aled.'],
  ])('%s is told of whom the turn before spoke of', (question, before, told) => {
    expect(tells(question, told)).toBe(false)
    expect(tells(question, told, before)).toBe(true)
    expect(tells(question, told, 'What will you have for supper?')).toBe(false)
  })

  it('is told without a word of it where the best match calls something by its name', () => {
    const wanted = readWantedName('What did I call my boat?')
    expect(wanted?.head).toBe('boat')
    expect(
      wanted !== null && statesName(wanted, 'Painted at last. I called it Second Wind.', { isFirst: true }),
    ).toBe(true)
    expect(
      wanted !== null && statesName(wanted, 'Painted at last. I called it Second Wind.', { isFirst: false }),
    ).toBe(false)
  })

  it.each(['What did Nora say about the boat?', 'I saw a film. What was its name?', '昨天发生了什么？'])(
    'is none in %s',
    (question) => {
      expect(readWantedName(question)).toBeNull()
    },
  )
})
