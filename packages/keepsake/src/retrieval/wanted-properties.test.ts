import { describe, expect, it } from 'vitest'
import { readWantedProperty, tellsProperty } from './wanted-properties.ts'

function tells(question: string, text: string): boolean | null {
  const property = readWantedProperty(question)
  return property === null ? null : tellsProperty(property, text)
}

describe('the property that a question wants', () => {
  it.each<[question: string, told: string, other: string]>([
    ['What colour is the shed?', 'We painted the shed dark green.', 'We painted the shed on Sunday.'],
    ['What does Nora do for work?', 'Nora teaches maths, she has a new job.', 'Nora came by with soup.'],
    ['How old is my brother?', 'He turned 41 in spring.', 'He left 41 minutes ago.'],
    ['How tall is Sam?', 'Sam is six foot two.', 'Sam is the one by the door.'],
    ['What is the name of the school she goes to?', 'She starts at Elmwood School.', 'She hates her school.'],
    ['What did my uncle die of?', 'It was a stroke, in the night.', 'We buried my uncle on Friday.'],
    ['What dose of iron do I take?', 'The tablets are 60 mg.', 'The tablets taste of coins.'],
    ['她的车是什么颜色？', '她买了辆白色的车', '她买了辆新车'],
    ['小何是做什么工作的？', '小何在医院当护士', '小何昨天来吃饭了'],
    ['他多大了？', '他今年二十六岁', '他今年要结婚'],
    ['我住的是哪条路？', '我搬到了文昌路', '我搬到了新地方'],
    ['他在哪家医院？', '他住进省人民医院了', '他还在医院'],
  ])('%s', (question, told, other) => {
    expect(tells(question, told)).toBe(true)
    expect(tells(question, other)).toBe(false)
  })

  it('is not told by what asks for it', () => {
    expect(tells('What colour is the shed?', 'Should the shed be green or blue?')).toBe(false)
  })

  it.each(['Why did I move?', 'What makes me laugh?', '我为什么辞职？', '昨天发生了什么？'])(
    'is none in %s',
    (question) => {
      expect(readWantedProperty(question)).toBeNull()
    },
  )
})
