import { describe, expect, it } from 'vitest'
import { readByRules, talkAt } from './talk-fixture.ts'
import { answerWithSubject } from '../../../../text/src/rules/chinese/answer-fragments.ts'
import { withDroppedSubject, withPauses } from '../../../../text/src/rules/chinese/spoken-forms.ts'

const talk = talkAt({ at: Date.UTC(2026, 2, 2), timeZone: 'Asia/Shanghai' })

async function drawn(text: string, asked?: string): Promise<string[]> {
  const { candidates } = await readByRules(
    asked === undefined ? talk(text) : talk(['assistant', asked], text),
  )
  return candidates.map(({ key, value }) => `${key}=${value}`)
}

describe('talk without marks', () => {
  it('takes a space between clauses for a comma', async () => {
    expect(await drawn('嗨 我叫农小禾 广西百色的 在哈尔滨读大二 学的是动物医学')).toEqual(
      expect.arrayContaining([
        'name=农小禾',
        'origin=广西百色',
        'education=哈尔滨读大二',
        'education=动物医学',
      ]),
    )
  })

  it('leaves words alone that somebody set apart', () => {
    expect(withPauses('我 住 在 北京')).toBe('我 住 在 北京')
    expect(withPauses('我 24 岁')).toBe('我 24 岁')
  })

  it('does not go on about the speaker after a grandmother', async () => {
    expect(await drawn('我奶奶打电话来 八十二了 耳背')).toEqual([])
  })
})

it.each([
  ['我表哥订婚了，未婚妻叫小芸', 'partner'],
  ['大李结婚了，老婆叫阿珍', 'partner'],
  ['我发小生了，女儿叫果果', 'children'],
  ['我师兄退学了，搬到昆明了', 'residence'],
])('takes what the next clause leaves out for the other person’s: %s', async (text, key) => {
  expect((await drawn(text)).filter((fact) => fact.startsWith(key))).toEqual([])
})

it('goes on about the speaker, and about a child of the speaker and the partner', async () => {
  expect(await drawn('我结婚了，老婆叫小梅')).toContain('partner=老婆小梅')
  expect(await drawn('我老公在银行上班，儿子三岁了')).toContain('children=儿子三岁')
  expect(await drawn('我改名叫李欣了')).toEqual(['name=李欣'])
})

describe('sentences of ordinary talk', () => {
  it.each<[text: string, ...told: string[]]>([
    ['你好，我姓顾，顾怀平，今年七十一。', 'name=顾怀平', 'age=七十一'],
    ['我是美玲，广州的，刚生了老大。', 'name=美玲', 'origin=广州'],
    ['叫我雪琴。', 'form-of-address=雪琴'],
    ['我叫小峰，28岁，在合肥开网约车。', 'name=小峰', 'age=28', 'occupation=开网约车'],
    ['我叫小慧，三十一，和女儿住在泉州。', 'age=三十一', 'living-with=女儿', 'residence=泉州'],
    ['我叫阿强，住东莞，电工。', 'residence=东莞', 'occupation=电工'],
    ['我养了一只猫叫芝麻和一只狗叫大黄。', 'pets=猫芝麻', 'pets=狗大黄'],
    ['我是水族馆的驯养员。', 'occupation=水族馆的驯养员'],
    ['上个星期我搬到高雄了。', 'residence=高雄'],
    ['儿子在深圳，两年回来一趟。', 'children=儿子在深圳'],
    ['我女儿圆圆在苏州。', 'children=女儿圆圆在苏州'],
    ['老公阿杰，早出晚归。', 'partner=老公阿杰'],
    ['我儿子小满秋天上小学。', 'children=儿子小满'],
    ['搬过来番禺了，昨天搬的。', 'residence=番禺'],
    ['青霉素碰不得，年轻时候吃过亏。', 'diet=不能碰青霉素'],
    ['我吃芒果嘴会肿。', 'allergies=芒果'],
    ['我喝牛奶会拉肚子。', 'diet=喝牛奶会拉肚子'],
    ['我原来在天河做会计。', 'background=会计'],
    ['我在学校门口的宠物医院打零工。', 'employer=学校门口的宠物医院'],
  ])('%s', async (text, ...told) => {
    expect(await drawn(text)).toEqual(expect.arrayContaining(told))
  })

  it.each([
    '同事的女儿在深圳。',
    '我是小公主。',
    '李珍老师，我很难过。',
    '我和同事住在酒店。',
    '他说儿子在深圳。',
    '搬一箱书上楼。',
    '叫我起床。',
    '我吃药会睡着。',
    '我决定不去了。',
  ])('draws nothing from %s', async (text) => {
    expect(await drawn(text)).toEqual([])
  })

  it.each(['我叫小峰，他28岁，在合肥开网约车', '我叫小峰，老板是电工', '我叫小峰，程序员的噩梦'])(
    'draws the name alone from %s',
    async (text) => {
      expect(await drawn(text)).toEqual(['name=小峰'])
    },
  )

  it('does not take kin of others for the speaker’s own', () => {
    expect(withDroppedSubject('朋友家两个孩子，女儿三岁', null)).toBe('朋友家两个孩子，女儿三岁')
  })
})

describe('answers without a subject', () => {
  it.each<[asked: string, answer: string, full: string | null]>([
    ['怎么称呼你？我好记着。', '林屿 岛屿的屿', '我叫林屿。'],
    ['怎么称呼您？', '秘密', null],
    ['是学什么的呀？', '给排水 大三', '我学的是给排水。'],
    ['你自己原本想读什么？', '汉语言 高三就想', null],
    ['您今年多大了？', '六十三，属牛。', '我今年六十三岁。'],
    ['你弟弟多大了？', '十三，上初一。', null],
    ['你是哪里人？', '浙江绍兴人，吃酱长大的。', '我来自浙江绍兴。'],
    ['您做什么工作？', '开公交的，12路。', '我是开公交的。'],
    ['你做什么工作的？', '会计', '我的工作是会计。'],
    ['你想做什么工作？', '会计', null],
    ['你在哪上班？', '邮局', '我在邮局上班。'],
    ['你在哪上班？', '烦死了', null],
    ['你在哪读书？', '复旦', '我在复旦读书。'],
    ['你生日是哪天？', '9月3号', '我的生日是9月3号。'],
    ['你生日是哪天？', '快了', null],
    ['你女朋友叫什么名字？', '小鹿', '我的女朋友叫小鹿。'],
    ['你女朋友叫什么名字？', '不告诉你', null],
    ['你家狗叫什么呀？', '汤圆', '我的狗叫汤圆。'],
    ['你有女朋友吗？', '有，叫阿慧', '我的女朋友叫阿慧。'],
    ['你有女朋友吗？', '有，怎么了', null],
    ['你养宠物吗？', '养了只兔子，叫雪球', '我有只兔子，叫雪球。'],
    ['你有孩子吗？', '有，两个女儿', '我有两个女儿。'],
    ['养宠物吗？', '一只柯基，叫土豆', '我有一只柯基，叫土豆。'],
    ['有什么忌口吗？', '不吃牛肉', '我不吃牛肉。'],
    ['有什么忌口吗？', '不吃了', null],
    ['你结婚了吗？', '离了', '我离婚了。'],
    ['你结婚了吗？', '离结婚还早', null],
    ['你朋友结婚了吗？', '离了', null],
    ['你在哪家公司？', '比亚迪', '我在比亚迪上班。'],
    ['你住在杭州对吧？', '不是，绍兴', '我住在绍兴。'],
    ['你是医生吧？', '不是，药剂师', '我的工作是药剂师。'],
    ['你爸爸做什么工作？', '司机', null],
    ['你住哪儿？', '就在河边那条街，老房子。', null],
  ])('%s – %s', (asked, answer, full) => {
    expect(answerWithSubject(asked.slice(0, asked.indexOf('？') + 1), answer)).toBe(full)
  })

  it('rest on the question and on the answer', async () => {
    expect(await drawn('林屿 岛屿的屿', '先喝口水。怎么称呼你？我好记着。')).toContain('name=林屿')
  })
})
