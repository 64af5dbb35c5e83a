import { describe, expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'

const TALK = [
  'My manager Petra keeps moving our deadlines.',
  'I planted tomatoes on the balcony.',
  'Our sons both play chess on Sundays.',
  'I have always been terrified of wasps.',
  'We watched a film about Iceland.',
  'My husband burnt the rice again.',
  'The bus was late, so I walked.',
  '她妊娠五个月了',
  '昨天看了一部关于冰岛的电影',
  '我爸修好了收音机',
  '今天的公交车很晚',
  '我们领导又改了时间表',
]

describe('a question in other words than the talk', () => {
  it.each([
    ['Who is my boss?', 'My manager'],
    ['Do I have kids?', 'Our sons'],
    ['What scares me?', 'terrified'],
    ['What did my spouse cook?', 'My husband'],
    ['她怀孕多久了？', '妊娠'],
    ['父亲修了什么？', '我爸'],
    ['老板改了什么？', '领导'],
  ])('%s is met among the first two by “%s”', async (question, words) => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    for (const [at, text] of TALK.entries())
      await ana.remember({ role: 'user', text, id: `t${at}` }, { session: `s${at % 4}` })
    const { memories } = await ana.recall(question)
    const said = memories.slice(0, 2).flatMap(({ memory }) => memory.evidence.map(({ turn }) => turn))
    expect(said).toContain(`t${TALK.findIndex((text) => text.includes(words))}`)
  })
})
