import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { isQuestioned } from '../memories/evidence.ts'

const START = Date.UTC(2026, 2, 2, 9)

async function holds(before: string, after: string): Promise<boolean[]> {
  const keepsake = await openMemory({ path: ':memory:', now: () => START + 2 * 86_400_000 })
  const scope = keepsake.scope({ user: 'mara' })
  for (const [day, text] of [before, after].entries()) {
    await scope.remember([{ role: 'user', text, at: START + day * 86_400_000 }])
    await scope.drain()
  }
  const facts = (await scope.memories({ forms: ['fact'] })).filter(({ validFrom }) => validFrom === START)
  return facts.map((one) => one.validUntil === null && !isQuestioned(one))
}

it.each([
  ['我妈妈在乐山工作。', '我妈上周去世了。'],
  ['我奶奶八十岁了。', '奶奶走了，正月十四。'],
  ['我养了一只狗叫小黑。', '我家的狗昨天没了。'],
  ['我怀孕了。', '孩子没保住。'],
  ['我怀孕三个月了。', '我流产了，在家躺着。'],
  ['我对虾过敏。', '复查了，我对虾不过敏了'],
  ['我吃素。', '我不吃素了，身体扛不住。'],
  ['我有哮喘。', '我没有哮喘。'],
  ['我对芒果过敏。', '我不对芒果过敏。'],
  ['我養了一隻貓叫豆漿。', '我的貓昨天過世了。'],
  ['我养了一只柯基叫豆包。', '豆包去汪星了，家里一下子好安静'],
  ['我在美团上班。', '今天被优化了……拿了N+1走人'],
  ['我老公在台北工作。', '我跟老公上個月離婚了，小孩跟我'],
  ['我女朋友叫小美。', '我和小美分手了'],
  ['我在浙大读研二。', '终于毕业啦！！下个月去华为报到'],
  ['我有胃炎。', '胃炎终于好了'],
  ['我女朋友叫小雯。', '我和小雯分手了，她说累了'],
  ['我老公叫建国。', '我跟建国上个月把离婚证领了'],
  ['我在银行上班。', '我把银行的工作辞了'],
  ['我在武汉大学读书。', '我六月份毕业了'],
  ['我在星巴克打工。', '被星巴克开除了，就因为迟到两次'],
  ['我家有條狗叫Lucky。', 'Lucky前天過世了'],
  ['我懷孕了。', '生了生了！是個男生'],
  ['我怀孕三个月了。', '宝宝昨天出生了'],
  ['我在成都当小学老师。', '我换工作了，现在在出版社做编辑。'],
  ['我老婆怀孕了。', '老婆上周生了，是个女孩'],
  ['我是单身。', '我脱单了！他叫周屿'],
  ['我有一台钢琴。', '钢琴送给我外甥女了'],
])('%s is over or in doubt after %s', async (before, after) => {
  expect(await holds(before, after)).toEqual([false])
})

it.each([
  ['我妈妈在乐山工作。', '我同事的妈妈去世了。'],
  ['我养了一只狗叫小黑。', '隔壁的狗没了。'],
  ['我怀孕了。', '我表姐的孩子没保住。'],
  ['我怀孕了。', '我朋友的宝宝出生了'],
  ['我怀孕了。', '老板又生气了'],
  ['我在京东上班。', '我想换工作'],
  ['我吃素。', '她不吃素了。'],
  ['我吃素。', '他不吃素。'],
  ['我有哮喘。', '我没有车。'],
  ['我在京东上班。', '我朋友被裁了'],
  ['我有湿疹。', '我女儿的湿疹好了'],
  ['我在京东上班。', '我想辞职了'],
  ['我在北大读博。', '我妹妹毕业了'],
  ['我养了一只猫叫布丁。', '布丁好了，可以吃了'],
  ['我老婆在银行上班。', '我弟弟离婚了'],
  ['我住在昆明。', '早上离开昆明去大理玩两天'],
  ['我女朋友叫佳佳。', '佳佳走了，去上海出差，周五回来'],
  ['我在学吉他。', '今天的吉他课取消了，老师感冒'],
])('%s holds after %s', async (before, after) => {
  expect(await holds(before, after)).toEqual([true])
})
