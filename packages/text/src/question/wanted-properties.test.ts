import { describe, expect, it } from 'vitest'
import { readLeadingProperty, readWantedProperty, tellsProperty } from './wanted-properties.ts'

function tells(question: string, text: string): boolean | null {
  const property = readWantedProperty(question)
  return property === null ? null : tellsProperty(property, text)
}

describe('the property that a question wants', () => {
  it.each<[question: string, told: string, other: string]>([
    ['What colour is the shed?', 'We painted the shed dark green.', 'We painted the shed on Sunday.'],
    ['What colour is the door?', 'We did the door in colour 7012.', 'The colour of the door is odd.'],
    ['What does Nora do for work?', 'Nora teaches maths, she has a new job.', 'Nora came by with soup.'],
    ['How old is my brother?', 'He turned 41 in spring.', 'He left 41 minutes ago.'],
    ['How tall is Sam?', 'Sam is six foot two.', 'Sam is the one by the door.'],
    ['Which day is the concert?', 'The concert is on Friday the 9th.', 'The concert will be long.'],
    ['Which book did she lend me?', 'She lent me “The Long Field”.', 'She lent me a book about soil.'],
    ['Who wrote the novel?', 'A novel by Ines Duarte, she lent it to me.', 'The novel is long and sad.'],
    ['What does Uncle Jo do for work?', 'Jo is a roofer.', 'Getting Jo to talk is hard work.'],
    ['What did my uncle die of?', 'It was a stroke, in the night.', 'We buried my uncle on Friday.'],
    ['What dose of iron do I take?', 'The tablets are 60 mg.', 'The tablets taste of coins.'],
    ['Where did I go to university?', 'I did my degree in Leeds.', 'My husband teaches at a school.'],
    ['What is my phone number?', 'My number is 555 01234.', 'My sister Ana rang at 9.'],
    ['Am I married?', 'My husband cooks.', 'My partner cooks.'],
    ['我的手机号是多少？', '我的号码是55501234', '我换了手机'],
    ['我开什么车？', '我开一辆旧丰田', '我每天骑电动车上班'],
    ['我大学在哪儿读的？', '我是郑州大学毕业的', '老公教物理'],
    ['她的车是什么颜色？', '她买了辆白色的车', '她买了辆新车'],
    ['小何是做什么工作的？', '小何在医院当护士', '小何昨天来吃饭了'],
    ['小雨的生日是哪天？', '小雨五月九号生日', '我给小雨录了生日祝福'],
    ['小雨读大几？', '小雨今年大三了', '小雨要考试了'],
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

describe('a property of more tellings than could be listed', () => {
  it.each<[question: string, told: string, other: string]>([
    ['What am I allergic to?', 'My lips swell up from kiwi.', 'Kiwi was on sale.'],
    ['Which pills am I on?', 'Ramipril every morning.', 'Every morning I walk.'],
    ['What disease does Jo have?', 'Jo got psoriasis at school.', 'Jo was bored at school.'],
    ['What pet do we have?', 'The tortoise woke up today.', 'The neighbour woke up today.'],
    ['What is Jo afraid of?', 'Lifts, he panics in there.', 'Lifts are out of order.'],
    ['Where does Jo live?', 'It is a long drive from Bergen.', 'It is a long drive.'],
    ['我对什么过敏？', '吃了虾就起疹子', '昨天吃了虾'],
    ['他养了什么宠物？', '他家的乌龟爬到床底下了', '他家的灯坏了'],
    ['我每个月房租多少？', '房东涨到三千二了', '房东又涨了'],
    ['她怕什么？', '她一听打雷就慌', '昨天打雷了'],
    ['我住在哪里？', '我搬到江边了', '我在江边跑步'],
    ['她在哪座城市读大学？', '她今早到的兰州，坐了二十个小时火车', '她大学的室友都到了'],
    ['我老家是哪儿的？', '等发了财，回临沂开个铺子', '等发了财再说'],
    ['小秦在哪儿教书？', '小秦去株洲教了十年物理', '小秦教了十年物理'],
  ])('leads: %s', (question, told, other) => {
    const property = readLeadingProperty(question)
    expect(property === null ? null : [told, other].map((text) => tellsProperty(property, text))).toEqual([
      true,
      false,
    ])
    // That none was seen says nothing: of illnesses and places there are too many.
    expect(readWantedProperty(question)).toBeNull()
  })
})
