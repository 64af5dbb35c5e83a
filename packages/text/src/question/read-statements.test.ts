import { describe, expect, it } from 'vitest'
import { readAskedPerson, selectStatementsAbout } from './asked-person.ts'
import { asksWish, readStatements, statesOnly, withoutWishes } from './read-statements.ts'

describe('readStatements', () => {
  it.each([
    ['Is it late? If I had a boat, I would sail. I have a kayak.', ['I have a kayak.']],
    ['I wish I lived by the sea.', []],
    ['What if my rent went up? It is 900 now.', ['It is 900 now.']],
    ["I don't mind if it rains.", ["I don't mind if it rains."]],
    ['要是我有一条船就好了。我有一辆自行车。', ['我有一辆自行车。']],
    ['I dreamed that I was pregnant. I had a dream where I lived in Paris.', []],
    ['i have a dream job at the zoo', ['i have a dream job at the zoo']],
    ['我梦见我怀孕了。', []],
    ['what film should i watch tonight', []],
    ['Maybe I am allergic to bees. I might have asthma. In the film she lives in Bari.', []],
    ['I may have told you that I live in Rome.', ['I may have told you that I live in Rome.']],
    ['可能对薰衣草过敏吧。小说里的主角住在布拉格。不可能，我住在大理。', ['不可能，我住在大理。']],
    ['你说我要不要学日语啊', []],
    ['你吃了吗？我刚吃了面。', ['我刚吃了面。']],
  ])('leaves out questions and suppositions: %s', (text, stated) => {
    expect(readStatements(text).map((sentence) => sentence.text)).toEqual(stated)
  })

  it.each([
    ['My brother is afraid of heights.', 'My brother'],
    ['She plays the oboe.', 'She'],
    ['My brother and I play the oboe.', null],
    ['My neighbour plays the drums and it drives me nuts.', 'My neighbour'],
    ['My sister gave me her car.', null],
    ['My job is hard.', null],
    ['Kim is allergic to bees.', 'Kim'],
    ['My hairdresser Gülay is from Izmir.', 'Gülay'],
    ['Dinner was late.', null],
    ['我弟弟怕高。', '我弟'],
    ['老张对海鲜过敏。', '老张'],
    ['周末去钓鱼。', null],
    ['我弟弟说我怕高。', null],
    ['我怕高。', null],
  ])('sees whose life it is: %s', (text, another) => {
    expect(readStatements(text).map((statement) => statement.another)).toEqual([another])
  })
})

describe('selectStatementsAbout', () => {
  const about = (question: string, text: string, ...before: string[]) => {
    const person = readAskedPerson(question)
    if (person === null) throw new Error(`No person in ${question}`)
    const otherNames = person.isSelf ? ['Noor'] : []
    const statements = selectStatementsAbout(person, otherNames)(readStatements(text), () => before)
    return statements.map((statement) => statement.text)
  }

  it.each([
    ['What is Ivo allergic to?', 'Kim is allergic to bees. Ivo likes bees.', ['Ivo likes bees.']],
    ['What does Fenna do?', 'We adopted Fenna. She swims. I sew.', ['We adopted Fenna.', 'She swims.']],
    ['What does my sister do?', "My sister's husband sings. My cousin Bo acts.", []],
    ['Where does Grandma live?', 'Bo lives in Ede. My gran lives in Ulm.', ['My gran lives in Ulm.']],
    ['What do I do?', 'Bo acts. Noor sings. I dance.', ['Noor sings.', 'I dance.']],
    ['How many kids do I have?', 'My kids are four and six.', ['My kids are four and six.']],
    ['我妹妹做什么？', '我妹妹的老公是医生。我妹是老师。', ['我妹是老师。']],
    ['老李对什么过敏？', '小王对虾过敏。老李对蟹过敏。', ['老李对蟹过敏。']],
    ['What does Ravi do?', 'Busy day. Ravi is here. Bakes bread.', ['Ravi is here.', 'Bakes bread.']],
    ['老李一个月挣多少？', '驾校四千二。老李来了。挣五千。', ['老李来了。', '挣五千。']],
  ])('%s', (question, text, stated) => {
    expect(about(question, text)).toEqual(stated)
  })

  it('reads whom a pronoun means in the turns before', () => {
    expect(about('What does Ravi do?', "He's a baker.", 'My brother is Ravi.', 'Nice!')).toHaveLength(1)
    expect(about('What does Ravi do?', "He's a baker.", 'Ravi and I left.', 'Bo came too.')).toEqual([])
    expect(about('What does Ravi do?', 'Bread, mostly.', 'What does Ravi bake?')).toHaveLength(1)
    expect(about('What does Ravi do?', 'im baking', 'ravi is here')).toEqual([])
  })
})

it.each([
  ['Do I have a canoe?', "I'm thinking of buying a canoe.", false],
  ['Do I have a canoe?', "I have a canoe and I'd love to get a parrot.", true],
  ['What am I thinking of buying?', "I'm thinking of buying a canoe.", true],
  ['Have I been in a canoe?', 'We talked about his canoe at lunch.', false],
  ['What did we talk about at lunch?', 'We talked about his canoe at lunch.', true],
  ['Have I been in a canoe?', 'I fell out of a canoe, and we talked about it.', true],
  ['我坐过船吗？', '午饭时聊到坐船的事。', false],
  ['午饭时我们聊了什么？', '午饭时聊到坐船的事。', true],
  ['我有船吗？', '我想买一条船。', false],
  ['我想买什么？', '我想买一条船。', true],
])('takes no wish for what is so: %s %s', (question, text, isStated) => {
  const [statement] = readStatements(text)
  const stated = statement === undefined || asksWish(question) ? statement : withoutWishes(statement)
  expect(/canoe|船/u.test(stated?.text ?? '')).toBe(isStated)
})

describe('statesOnly', () => {
  it.each([
    'I started at a bakery on Monday',
    "we've moved to Porto",
    'And my brother has passed his exam.',
    '我换工作了',
    '昨天我去看了牙医。',
    '她介绍我去报社，我们聊了聊。',
    '我到现在都没有',
    '我很重',
  ])('is so of a plain statement: %s', (text) => {
    expect(statesOnly(text)).toBe(true)
  })

  it.each([
    'What is my job?',
    'my brother’s birthday',
    'remind me what I said about the roof',
    'I wonder what the vet was called',
    'I forgot where I parked',
    'tell me about my trip',
    '我的牙医叫什么',
    '我多重',
    '我去过秘鲁没有',
    '我奶奶的病说一说。',
    '我忘了钥匙放哪里',
    '生日',
  ])('is not so where something may be asked: %s', (text) => {
    expect(statesOnly(text)).toBe(false)
  })
})
