// Labels of the user's own words, such as “Plan:”, and Chinese surnames.
import { pattern } from '../pattern.ts'
import { BUILT_IN_KEYS } from '../keys/built-in-keys.ts'

/** The most common Chinese family names. */
export const CHINESE_SURNAMES =
  '(?:欧阳|司马|上官|诸葛|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易武乔贺赖龚])'

/** Labels before the speaker's own words, besides the keys of the profile: “Update: I moved.”. */
const BEFORE_OWN = `
update edit typo typos misspelling note nb ps pps p.s btw fyi tldr tl;dr reminder reminders fact facts fun confession confessions correction clarification context background
backstory preface disclosure story bottom line headline takeaway verdict review report rating recap rant hot take question questions answer answers news status goal goals plan plans todo to-do task tasks idea ideas thought thoughts summary intro introduction
overview details detail info information example examples reason reasons result results conclusion problem problems issue issues concern concerns solution
warning caution disclaimer spoiler caveat important urgent attention remember mood feeling feelings weather time date day today tonight tomorrow yesterday now
morning afternoon evening night monday tuesday wednesday thursday friday saturday sunday weekend week month year january february march april may june july august september october november december
breakfast lunch dinner snack snacks drinks drink food meals meal diet sleep exercise training workout gym run running weight height size health meds medication medications
allergies allergy symptoms diagnosis sport sports work job career office school university college study studies home house flat apartment address city town country location
family kids children pets pet dog dogs cat cats friends relationship relationships partner hobbies hobby interests likes dislikes loves hates favorites favourites music films movies books games
travel travels trips trip holiday holidays vacation budget money salary income rent phone email birthday age name names nickname pronouns gender occupation profession languages language religion
unrelated separately offtopic off-topic first second third fourth fifth firstly secondly thirdly next then finally lastly also anyway honestly actually basically seriously okay ok yes no well look listen so sorry thanks hello hi hey
pros cons pro con plus minus positive negative positives negatives good bad best worst before after past present future preferences preference requirements skills history strengths weaknesses experience education
thing things truth point catch upside downside upsides downsides version announcement heads-up heads case situation circumstances circumstance condition conditions setup set-up state position opinion view view-point stance advice tip
secret excuse weakness strength habit routine schedule instrument instruments commute neighbourhood neighborhood area region street district side start beginning end ending rest opposite difference coincidence luck misfortune surprise mystery
rank degree major minor class course grade team department company shift shifts rent landlord housing household accommodation move moving relocation wedding marriage divorce pregnancy baby due
type kind sort number amount total age blood group sign zodiac religion faith belief politics nationality origin roots heritage hometown birthplace native mother-tongue tongue accent citizenship visa
intolerance intolerances sensitivity restriction restrictions vegetarian vegan medical surgery therapy doctor appointment results test tests injury illness disease disability recovery pain pregnancy vaccine
request favour favor wish wishes hope hopes dream dreams fear fears worry worries regret regrets promise decision choice option options alternative priority priorities rule rules challenge struggle progress success failure win
route routes choices packing shopping list lists errands groceries relevance attempt try check checks need needs demand expectation expectations discovery lesson lessons error errors mistake mistakes fault doubt doubts trouble troubles matter business deal offer arrangement arrangements task tasks sense feel balance pace distance location locations roommate roommates conflict conflicts ambition ambitions pleasure passion obsession addiction hate love hatred anxiety stress energy strength sleep-quality appetite digestion cravings taste tastes smell sight hearing vision eyesight memory-loss talent talents gift gifts craft crafts trade art science culture tradition traditions custom customs festival celebrations anniversary arrival departure return visit visits stay stopover destination destinations itinerary transport transportation traffic weather-report climate temperature price prices cost costs bill bills debt debts saving savings investment investments loan mortgage insurance tax taxes pension bank context purpose aim motivation motive reasoning logic explanation assumption guess estimate record cents pov perspective case moment occasion second hand way whole
step stage phase level round part section chapter-of-my-life day days weeks months years hour hours spring summer autumn fall winter season
car bike garden balcony kitchen bedroom room desk-job gear equipment wardrobe style colour color colours favourite favorite team club band choir church community network
person personality character temperament type-of-person temper identity self bio-data profile-data persona account username handle contact contacts phone-number mail-address
confession admission apology disagreement agreement reminder notice-to-self memo-to-self aside footnote addendum postscript appendix update-time status-quo
re pd übrigens nebenbei apropos hinweis anmerkung aliás remarque aviso
vorname beruf wohnort ort stadt alter allergien hobbys nom prénom métier profession ville âge allergies nombre profesión ciudad edad alergias aficiones nome profissão cidade idade alergias morada professione città età
upbringing childhood youth past teens twenties thirties forties retirement internship apprenticeship promotion resignation
other others misc miscellaneous extra bonus theory pitch milestone victory tmi eta life reply response topic subject me myself i us
更新 又及 附言 补充 注 备注 备忘 备忘录 附 提醒 背景 情况 现状 问题 答案 回答 计划 目标 想法 总结 结论 原因 例子 重点 注意 重要 心情 天气 时间 日期 今天 明天 昨天 今晚 昨晚 今早 早上 上午 中午 下午 晚上 早餐 早饭 午餐 午饭 晚餐 晚饭
饮食 睡眠 运动 健身 体重 身高 健康 过敏 症状 工作 职业 学校 学习 家 家庭 住址 住处 地址 城市 孩子 宠物 朋友 爱好 兴趣 喜欢 不喜欢 讨厌 音乐 电影 书 旅行 预算 工资 生日 年龄 姓名 名字 昵称 性别 语言
第一 第二 第三 首先 其次 然后 最后 另外 还有 其实 优点 缺点 好处 坏处 偏好 要求 经历 教育 其他 我 本人 好消息 坏消息 周一 周二 周三 周四 周五 周六 周日 周末 方案 安排 金额 方法 常识
近况 消息 事情 事实 真相 秘密 借口 理由 遗憾 缺憾 难处 难题 困难 习惯 作息 住房 房子 租金 房租 老家 家乡 籍贯 户口 国籍 民族 信仰 星座 血型 属相 专业 学历 年级 部门 单位 公司 岗位 职位 行业 状态 状况 处境 条件 身体 病史 用药 忌口 禁忌
愿望 心愿 梦想 担心 顾虑 决定 选择 打算 目的 初衷 立场 看法 观点 意见 建议 细节 信息 资料 简介 介绍 背景 前提 前情 提要 版本 版 好事 坏事 喜讯 乐器 宠物 家人 家属 孩子 伴侣 婚姻 感情 通勤 城市 区域 位置 所在地 现址 新址 新家 新工作 晚饭 夜宵 零食
季节 春天 夏天 秋天 冬天 月份 年份 购物 采购 行李 路线 位置 今年 去年 明年 上周 下周 这周 本周 目前 现在 以前 以后 将来 未来 平时 最近 结果 流水账 碎碎念 吐槽 复盘 打卡 糗事 心事 题外话 汇报 现居 爱人 声明 更正 纠正 订正 勘误 笔误 口误 说明 交代 坦白 承认`

/** The topics in lower case, which are collected on first use. */
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

/** Matches endings of nouns that are never names. */
const NOUN =
  /\p{L}{3}(?:tions?|sions?|ments?|ness|ities|ity|ings?|ships?|isms?|ances?|ences?|ables?|wise|hood|ages?)$/iu

/** Reports whether a label before a colon names a topic, not a speaker: “Work”, “Good news”, 职业. */
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

/** Matches nouns for written, spoken or displayed text. The words after them are that text. */
const BEARS_WORDS = pattern(
  'iu',
  /(?:writ|paint|carv|draw|record|read|say|sing|etch|engrav|letter|broadcast|print|embroider|stitch|greet|teach|preach|chant|warn|bless|open)ings?$/u,
  /(?:script|dict|cit|quot|narr|transl|declar|invoc|incant|proclam|procl|animat|illustrat|public|simul)(?:a|i)?tions?$|examples?$|witness$/u,
)

/** Reports whether a noun names a topic: “allergies”, “moving”, 近况. In Chinese the ending decides: 生活近况. */
export function namesTopic(noun: string): boolean {
  const plain = noun.toLowerCase().replace(/[^\p{L}\p{N};.-]/gu, '')
  if (plain === '') return false
  if (BEARS_WORDS.test(plain)) return false
  if (topicsOf().has(plain) || topicsOf().has(plain.replace(/s$/, '')) || NOUN.test(plain)) return true
  if (!/\p{Script=Han}/u.test(plain)) return false
  return [2, 3, 4].some((length) => plain.length > length && topicsOf().has(plain.slice(-length)))
}
