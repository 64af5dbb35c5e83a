import { describe, expect, it } from 'vitest'
import { readByRules, talkAt } from './rules/talk-fixture.ts'

const talk = talkAt({ at: Date.UTC(2026, 4, 6), timeZone: 'Asia/Taipei' })

async function drawn(...lines: Parameters<typeof talk>): Promise<string[]> {
  const { candidates } = await readByRules(talk(...lines))
  return candidates.map(({ key, value }) => `${key}=${value}`)
}

describe('Traditional Chinese', () => {
  it.each([
    ['我叫陳麗華，今年五十二歲。', ['name=陳麗華', 'age=五十二']],
    ['我住在臺北。', ['residence=臺北']],
    ['我在銀行上班。', ['employer=銀行']],
    ['我對頭孢過敏。', ['allergies=頭孢']],
    ['我討厭下雨天。', ['dislikes=下雨天']],
    ['我養著一隻貓叫豆漿。', ['pets=貓豆漿']],
    ['我兒子小凱三歲了。', ['children=兒子三歲']],
  ])('is read, and kept as it was written: %s', async (text, facts) => {
    expect(await drawn(text)).toEqual(expect.arrayContaining(facts))
  })

  it('keeps the words of a statement and of its quote', async () => {
    const { candidates } = await readByRules(talk('我養著一隻貓叫豆漿。'))
    expect(candidates[0]?.text).toBe('用户養著一隻貓叫豆漿。')
    expect(candidates[0]?.evidence[0]?.quote).toBe('我養著一隻貓叫豆漿。')
  })
})

describe('a value is of its key’s kind', () => {
  it.each([
    ['我住在浦东。', 'residence=浦东'],
    ['我家住在常州，不是苏州。', 'residence=常州'],
    ['我最喜欢的书是《狮子，女巫和魔衣柜》。', 'favourite-book=《狮子，女巫和魔衣柜》'],
    ['我最喜欢的乐队是Earth, Wind & Fire。', 'favourite-artist=Earth, Wind & Fire'],
    ['我最喜欢的城市是London, Paris也不错。', 'favourite-place=London'],
    ['我搬到城中村了。', 'residence=城中村'],
    ['我住在乡下。', 'residence=乡下'],
    ['我上个月搬到了番禺。', 'residence=番禺'],
    ['我住在外滩附近。', 'residence=外滩附近'],
    ['我在腾讯上班。', 'employer=腾讯'],
    ['我在西安开滴滴', 'occupation=开滴滴'],
    ['我们有个女儿叫朵朵', 'children=女儿朵朵'],
    ['我姓周', 'identity=姓周'],
    ['换工作了，现在在出版社做编辑', 'occupation=编辑'],
    ['我在一家宠物医院上班。', 'employer=一家宠物医院'],
    ['我对尘螨过敏。', 'allergies=尘螨'],
  ])('%s', async (text, fact) => {
    expect(await drawn(text)).toContain(fact)
  })

  it.each([
    '我最近住在医院似的。',
    '我简直活在梦里。',
    '我搬到沙发上睡了。',
    '我生活在水深火热之中。',
    '我一直活在回忆里。',
    '我搬到靠窗的工位了。',
    '我搬到新工位了。',
    '我搬到旧教室了。',
    '我住在健身房了快。',
    '我生活在阴影里。',
    '我在一家公司上班。',
    '我在网上工作。',
    '我对加班过敏。',
    '我对周五过敏。',
    '我是躺平人。',
    '我是圈外人。',
    '我是搬砖人。',
    '我室友养了只狗叫旺旺。',
    '我妹妹养了只猫叫花花。',
    '我对数学过敏。',
    '我得了公主病。',
    '我最近在学新的东西。',
    '我叫苦连天。',
    '我打算去看看。',
  ])('else nothing is stated: %s', async (text) => {
    expect(await drawn(text)).toEqual([])
  })
})

it.each([
  ['忘了说，我对花生过敏', 'allergies=花生'],
  ['刚才忘了跟你说，我有哮喘', 'health=哮喘'],
  ['我养的猫叫橘子', 'pets=猫橘子'],
  ['我养了两只猫，一只叫麻糬', 'pets=两只猫'],
  ['我是歙县人', 'origin=歙县'],
])('a statement made in passing: %s', async (text, fact) => {
  expect(await drawn(text)).toEqual([fact])
})

describe('an answer of one word', () => {
  it.each([
    ['怎么称呼您？', '文德林', 'name=文德林'],
    ['您住在哪里？', '扬州', 'residence=扬州'],
    ['今年多大了？', '41', 'age=41'],
    ['做什么工作的？', '面包师', 'occupation=面包师'],
    ['有什么过敏的吗？', '青霉素和尘螨', 'allergies=青霉素'],
    ['你是哪裡人？', '臺南', 'origin=臺南'],
  ])('is read with its question: %s %s', async (asked, answer, fact) => {
    expect(await drawn(['assistant', asked], answer)).toContain(fact)
  })

  it.each([
    ['有什么过敏的吗？', '没有'],
    ['你妹妹多大了？', '41'],
    ['您住在哪里？', '梦里'],
  ])('states nothing else: %s %s', async (asked, answer) => {
    expect(await drawn(['assistant', asked], answer)).toEqual([])
  })
})

it.each([
  '你说过：我妹妹叫小美，对花生过敏。',
  '你刚才说我住在里昂，还养了一只猫叫豆豆。',
  '我记得你提过，我女儿在苏州。',
])('an assistant that repeats the user states nothing: %s', async (text) => {
  expect(await drawn('嗯', ['assistant', text])).toEqual([])
})
