import { describe, expect, it, test } from 'vitest'
import { asksOfSelf, readStatements, statesOnly } from './read-statements.ts'

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
    ['Maybe I am allergic to bees. I might have asthma. In the film she lives in Bari.', []],
    ['I may have told you that I live in Rome.', ['I may have told you that I live in Rome.']],
    ['可能对薰衣草过敏吧。小说里的主角住在布拉格。不可能，我住在大理。', ['不可能，我住在大理。']],
    ['你说我要不要学日语啊', []],
    ['你吃了吗？我刚吃了面。', ['我刚吃了面。']],
  ])('leaves out questions and suppositions: %s', (text, stated) => {
    expect(readStatements(text).map((sentence) => sentence.text)).toEqual(stated)
  })

  it.each([
    ['My brother is afraid of heights.', true],
    ['She plays the oboe.', true],
    ['My brother and I play the oboe.', false],
    ['My neighbour plays the drums and it drives me nuts.', true],
    ['My sister gave me her car.', false],
    ['My job is hard.', false],
    ['我弟弟怕高。', true],
    ['我弟弟说我怕高。', false],
    ['我怕高。', false],
  ])('sees whose life it is: %s', (text, isOfAnother) => {
    expect(readStatements(text)).toEqual([{ text, isOfAnother }])
  })
})

test.each([
  ['Do I play an instrument?', true],
  ["What's my shoe size?", true],
  ['Does my brother play an instrument?', false],
  ['Where does Ana live?', false],
  ['我会什么乐器？', true],
  ['我弟弟会什么乐器？', false],
])('%s asks of oneself: %s', (question, isOfSelf) => {
  expect(asksOfSelf(question)).toBe(isOfSelf)
})

describe('statesOnly', () => {
  it.each([
    'I started at a bakery on Monday',
    "we've moved to Porto",
    'And my brother has passed his exam.',
    '我换工作了',
    '昨天我去看了牙医。',
    '她介绍我去报社，我们聊了聊。',
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
    '我奶奶的病说一说。',
    '我忘了钥匙放哪里',
    '生日',
  ])('is not so where something may be asked: %s', (text) => {
    expect(statesOnly(text)).toBe(false)
  })
})
