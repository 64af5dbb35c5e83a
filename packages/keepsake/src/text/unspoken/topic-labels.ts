import { BUILT_IN_KEYS } from '../../persona/built-in-keys.ts'

/** The commonest family names of Chinese. */
export const CHINESE_SURNAMES =
  '(?:欧阳|司马|上官|诸葛|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易武乔贺赖龚])'

/** What one puts before one's own words, beside the keys of the persona sheet: “Update: I moved.” */
const BEFORE_OWN = `
update edit note nb ps pps p.s btw fyi tldr tl;dr reminder reminders fact facts fun confession confessions correction clarification context background
backstory preface disclosure story bottom line headline takeaway verdict review report rating recap rant hot take question questions answer answers news status goal goals plan plans todo to-do task tasks idea ideas thought thoughts summary intro introduction
overview details detail info information example examples reason reasons result results conclusion problem problems issue issues concern concerns solution
warning caution disclaimer spoiler caveat important urgent attention remember mood feeling feelings weather time date day today tonight tomorrow yesterday now
morning afternoon evening night monday tuesday wednesday thursday friday saturday sunday weekend week month year january february march april may june july august september october november december
breakfast lunch dinner snack snacks drinks drink food meals meal diet sleep exercise training workout gym run running weight height size health meds medication medications
allergies allergy symptoms diagnosis sport sports work job career office school university college study studies home house flat apartment address city town country location
family kids children pets pet dog dogs cat cats friends relationship relationships partner hobbies hobby interests likes dislikes loves hates favorites favourites music films movies books games
travel travels trips trip holiday holidays vacation budget money salary income rent phone email birthday age name names nickname pronouns gender occupation profession languages language religion
first second third fourth fifth firstly secondly thirdly next then finally lastly also anyway honestly actually basically seriously okay ok yes no well look listen so sorry thanks hello hi hey
pros cons pro con plus minus positive negative positives negatives good bad best worst before after past present future preferences preference requirements skills strengths weaknesses experience education
other others misc miscellaneous extra bonus reply response topic subject me myself i us
更新 补充 注 备注 附 提醒 背景 情况 现状 问题 答案 回答 计划 目标 想法 总结 结论 原因 例子 重点 注意 重要 心情 天气 时间 日期 今天 明天 昨天 早上 上午 中午 下午 晚上 早餐 早饭 午餐 午饭 晚餐 晚饭
饮食 睡眠 运动 健身 体重 身高 健康 过敏 症状 工作 职业 学校 学习 家 家庭 住址 住处 地址 城市 孩子 宠物 朋友 爱好 兴趣 喜欢 不喜欢 讨厌 音乐 电影 书 旅行 预算 工资 生日 年龄 姓名 名字 昵称 性别 语言
第一 第二 第三 首先 其次 然后 最后 另外 还有 其实 优点 缺点 好处 坏处 偏好 要求 经历 教育 其他 我 本人 好消息 坏消息 周一 周二 周三 周四 周五 周六 周日 周末 方案 安排 金额 方法 常识`

/** Made when first asked for. */
let topics: ReadonlySet<string> | undefined

function topicsOf(): ReadonlySet<string> {
  topics ??= new Set([
    ...BEFORE_OWN.split(/\s+/).filter(Boolean),
    ...BUILT_IN_KEYS.flatMap(({ id, names }) => [id, ...(names?.en ?? []), ...(names?.zh ?? [])]).map(
      (name) => name.toLowerCase(),
    ),
  ])
  return topics
}

/** Endings of nouns that are nobody's name. */
const NOUN =
  /\p{L}{3}(?:tions?|sions?|ments?|ness|ities|ity|ings?|ships?|isms?|ances?|ences?|ables?|wise|hood|ages?)$/iu

/** Whether a label before a colon says what follows, not who speaks: “Work”, “Good news”, 职业. */
export function isTopic(label: string): boolean {
  const plain = label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s.;-]/gu, '')
    .trim()
  const known = topicsOf()
  if (known.has(plain) || /^(?:我|关于)/u.test(plain)) return true
  const words = plain.split(/\s+/)
  return words.some(
    (word) => word === 'my' || word === 'i' || word === 'our' || known.has(word) || NOUN.test(word),
  )
}
