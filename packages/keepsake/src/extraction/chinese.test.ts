import { describe, expect, it } from 'vitest'
import { groundCandidate } from './grounding/ground-candidate.ts'
import { first, readByRules as read, talkAt, testStatements } from './rules/talk-fixture.ts'

const AT = Date.UTC(2024, 4, 8, 4)
const talk = talkAt({ at: AT, timeZone: 'Asia/Shanghai' })

const STATED: readonly (readonly [string, ...(readonly [string, string])[]])[] = [
  ['我是贺东川，刚搬到泉州。', ['name', '贺东川'], ['residence', '泉州']],
  ['我是魏若澄，在泉州一家律所当前台。', ['name', '魏若澄'], ['occupation', '前台']],
  [
    '叫我老康就行，今年五十八，在小区当保安。',
    ['form-of-address', '老康'],
    ['age', '五十八'],
    ['occupation', '保安'],
  ],
  ['我叫方志远，三十六了，在一家船厂做焊工。', ['name', '方志远'], ['age', '三十六'], ['occupation', '焊工']],
  ['我叫欧阳明。', ['name', '欧阳明']],
  ['你好，我的名字叫小雨', ['name', '小雨']],
  ['我是木匠，住梧州。', ['occupation', '木匠'], ['residence', '梧州']],
  ['我是翻译，老家桂林，现在住厦门。', ['occupation', '翻译'], ['origin', '桂林'], ['residence', '厦门']],
  ['我是住在昆明的记者。', ['residence', '昆明'], ['occupation', '记者']],
  ['我是来自昆明的记者。', ['origin', '昆明'], ['occupation', '记者']],
  ['我爸说我有湿疹。', ['health', '湿疹']],
  ['我老婆说我对芒果过敏。', ['allergies', '芒果']],
  ['医生诊断我有甲减。', ['health', '甲减']],
  ['我今年32岁。', ['age', '32']],
  ['我叫陈星，今年二十五岁，来自昆明。', ['name', '陈星'], ['age', '二十五'], ['origin', '昆明']],
  ['我的生日是6月18日。', ['birthday', '6月18日']],
  ['我住在哈尔滨。', ['residence', '哈尔滨']],
  ['我上个月搬到了杭州。', ['residence', '杭州']],
  ['我是湖南人。', ['origin', '湖南']],
  ['我老家在桂林', ['origin', '桂林']],
  ['我是一名护士。', ['occupation', '护士']],
  ['你好，我是林悦，第一次用这个', ['name', '林悦']],
  ['大家好！我是徐志强。', ['name', '徐志强']],
  ['我上个月开始当护士了。', ['occupation', '护士']],
  ['我找到了一份会计的工作。', ['occupation', '会计']],
  ['我是中学老师。', ['occupation', '中学老师']],
  ['我在一家银行上班。', ['employer', '一家银行']],
  ['我在浙江大学读书。', ['education', '浙江大学']],
  ['我的专业是考古学。', ['education', '考古学']],
  ['我养了一只猫叫豆豆。', ['pets', '猫豆豆']],
  ['我家的狗叫旺财', ['pets', '狗旺财']],
  ['我有两个妹妹。', ['siblings', '两个妹妹']],
  ['我妹妹叫晓琳。', ['siblings', '妹妹晓琳']],
  ['我的爸爸是医生。', ['parents', '爸爸是医生']],
  ['我没有孩子。', ['children', '没有孩子']],
  ['我很喜欢爬山。', ['likes', '爬山']],
  ['我爱吃火锅', ['likes', '吃火锅']],
  ['我不喜欢下雨天。', ['dislikes', '下雨天']],
  ['我讨厌香菜！', ['dislikes', '香菜']],
  ['我最喜欢的颜色是墨绿色。', ['favourite-colour', '墨绿色']],
  ['我最喜欢的乐器是二胡', ['favourites', '乐器：二胡']],
  ['我的爱好是集邮。', ['hobbies', '集邮']],
  ['我会弹古筝。', ['skills', '弹古筝']],
  ['我会说德语。', ['languages', '德语']],
  ['我最近在学陶艺。', ['learning', '陶艺']],
  ['我对花生过敏。', ['allergies', '花生']],
  ['我有哮喘', ['health', '哮喘']],
  ['我不吃猪肉。', ['diet', '不吃猪肉']],
  ['我怕黑', ['fears', '黑']],
  ['我结婚了。', ['marital-status', '结婚']],
  ['我打算明年去冰岛旅行。', ['plans', '明年去冰岛旅行']],
  ['我的梦想是开一家书店。', ['goals', '开一家书店']],
  ['我喜欢钓鱼，你呢？', ['likes', '钓鱼']],
]

const NOTHING: readonly string[] = [
  '我妈说我有湿疹，但她搞错了。',
  '我姐非说我有湿疹。',
  '我姐说我有个好消息。',
  '我住在哪里？',
  '我叫什么名字',
  '我是不是很笨',
  '我应该搬到上海吗？',
  '如果我住在北京，我每天都会去故宫。',
  '要是我有一只猫就好了',
  '也许我是一个诗人',
  '他说我是天才。',
  '朋友说，我住在北京。',
  '她住在上海。',
  '你喜欢爬山。',
  '我喜欢你。',
  '我喜欢这个',
  '我觉得不错。',
  '我想成为一名飞行员。',
  '昨天我去了植物园。',
  '我知道了',
  '我没有去北京。',
  '我不住在北京',
  '我想问一下',
  '我想知道天气',
  '我想去看看',
  '「我住在海底」',
  '“我叫王大锤”，他笑着说',
  '*我拔出了剑*',
  '（我走进了城堡）',
  '我叫了一辆车',
  '我叫他起床',
  '我是好人。',
  '我忘了带钥匙。',
  '我怎么这么倒霉',
  '我的意思是这样',
  '我们开始吧',
  '谢谢你的建议',
  '今天天气很好。',
  '哈哈哈',
  '我同意',
  '我等一下再说',
]

describe('Chinese persona rules', () => {
  testStatements(talk, STATED, NOTHING)

  it('say facts in the third person, in Chinese', async () => {
    expect((await read(talk('我住在里昂。'))).candidates[0]?.text).toBe('用户住在里昂。')
    expect((await read([{ ...first(talk('我住在里昂。')), speaker: '小雨' }])).candidates[0]).toMatchObject({
      subject: '小雨',
      text: '小雨住在里昂。',
    })
  })

  it('take a yes to an agent’s question as the user’s word', async () => {
    const turns = talk(['assistant', '所以你住在里昂，对吗？'], '对的')
    const { candidates } = await read(turns)
    expect(candidates).toMatchObject([{ key: 'residence', value: '里昂' }])
    expect(groundCandidate(first(candidates), turns)).toEqual({
      outcome: 'grounded',
      label: 'user-confirmed',
    })
    expect(
      (await read(talk(['assistant', '你平时爬山吗？'], '我喜欢看书，不爬。'))).candidates.map(
        (one) => one.value,
      ),
    ).toEqual(['看书'])
    expect((await read(talk(['assistant', '你住在里昂吗？'], '不是'))).candidates).toEqual([])
  })

  it('read times in the words against the turn’s time and zone', async () => {
    const [fact] = (await read(talk('我昨天搬到了杭州。'))).candidates
    expect(new Date(fact?.validFrom ?? 0).toISOString().slice(0, 10)).toBe('2024-05-07')
  })
})
