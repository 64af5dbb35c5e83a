// Finds events of a Chinese sentence that end facts: a death, a parting, a lost job.
import type { Ending } from '../matching/ending.ts'
import { isOfAnother } from './spoken-forms.ts'

/**
 * Reads what has ended according to a sentence: the life of a relative, a relationship, a job, an illness, studies, a pregnancy, a diet.
 *
 * @example
 * readChineseEndings('我奶奶上周去世了') // [{ kind: 'death', words: '奶奶', isOwn: true, isSure: true }]
 */
export function readChineseEndings(given: string): Ending[] {
  const whole = given.replace(/^(?:[跟和]你[说讲]|告诉你)[^，,]{0,3}[，,]/u, '').replace(WITH_THEM, '我们')
  const others = whole.search(NOT_OWN)
  // Cuts the sentence at the mark before words for other people: 我和小雯分手了 of 我和小雯分手了，她说累了.
  const sentence =
    others < 0 ? whole : whole.slice(0, Math.max(0, whole.slice(0, others).search(/[，,；;][^，,；;]*$/u)))
  if (sentence === '' || /[?？吗]\s*$/u.test(whole)) return []
  const endings: Ending[] = []
  const end = (kind: Ending['kind'], words: string, isSure = true): unknown =>
    endings.push({ kind, words, isOwn: true, isSure })
  const whoIn = (pattern: RegExp): string | undefined =>
    Object.values(pattern.exec(sentence)?.groups ?? {}).find((name) => name !== undefined)
  const [died, left, recovered] = [whoIn(DIED), whoIn(LEFT), whoIn(RECOVERED)]
  if (died !== undefined) end('death', died)
  else if (left !== undefined) end('death', left, MOURNED.test(whole))
  if (recovered !== undefined) end('recovery', recovered)
  if (PARTED.test(sentence)) end('parting', whoIn(PARTED) ?? '')
  if (LOST_JOB.test(sentence)) end('job', '')
  if (GRADUATED.test(sentence)) end('graduation', '')
  if (LOST_BABY.test(sentence)) end('pregnancy', '')
  if (EATS_MEAT.test(sentence)) end('diet', '素食')
  if (PAIRED.test(sentence)) end('stopping', '单身')
  if (BACK_AT_WORK.test(sentence) && !isOfAnother(sentence)) end('stopping', '退休失业', false)
  if (LEFT_HOME.test(sentence)) end('moving', HOUSEHOLD, false)
  if (/(?:倒闭|转让|停业|关张|破产)了/u.test(sentence)) end('closing', sentence, false)
  for (const [kind, pattern] of EVENTS)
    if (pattern.test(sentence) && !isOfAnother(sentence) && !/楼下|门口|附近|小区|街上|路口/u.test(sentence))
      end(kind, '', false)
  if (HIRED.test(sentence)) end('stopping', '失业')
  endings.push(...recoveries(sentence), ...namedEnds(sentence))
  const [gave, stopped] = [whoIn(GAVE), whoIn(STOPPED) ?? whoIn(QUIT)]
  if (gave !== undefined) end('giving-away', gave)
  if (stopped !== undefined) end('stopping', stopped)
  return endings
}

/** What is over of an illness: 好了, 取出来了, 停药了. Counts only where its clause names a known one. */
const WELL =
  /(?<![不没].{0,2})(?:(?:痊愈|康复|治[好愈]|好(?:利索|全|透)?|消|没|取出来|取掉|割掉?|切除?|摘除?|拿掉)了$|停(?:药|用|服|掉)?了|不过敏)|不[用再]?[吃服打]\S{1,8}了$/u
const NOT_ILL = /(?<!是)(?:不是|没有|没得)(?!.*[的药])/u
const FINDING = /医生|大夫|检查|复查|体检|皮试|化验|医院|误诊|[弄搞]错|原来/u
const HEARD = /听说|据说|有[个人]|别人|[网上]/u

/** Returns the illnesses, medicines and allergies that may be over, of the speaker or of the relative that is named. */
function recoveries(sentence: string): Ending[] {
  const ending = { kind: 'recovery', isOwn: true, isSure: false } as const
  if (HEARD.test(sentence)) return []
  const clauses = sentence.split(/[，,。！!；;~～…\s]+/u)
  const over = clauses.flatMap((clause, i) => {
    const match = WELL.exec(clause) ?? (FINDING.test(sentence) ? NOT_ILL.exec(clause) : null)
    if (match === null || NOT_YET.test(clause.slice(0, match.index))) return []
    // 胆结石手术做完了，取出来了: the clause before names it.
    return clause.length > match[0].length + 1 ? clause : `${clauses[i - 1]}，${clause}`
  })
  if (over.length === 0 && !/出院了/u.test(sentence)) return []
  if (OF_KIN.test(sentence)) return [{ ...ending, words: '', isOwn: false, people: sentence }]
  return over.map((words) => ({ ...ending, words, mustName: true }))
}

/** Returns ends that are valid only if words of their clause name a known person or thing. */
function namedEnds(sentence: string): Ending[] {
  return sentence.split(/[，,。！!；;~～…\s]+/u).flatMap((clause) =>
    NAMED_ENDS.flatMap(([kind, isSure, isClose, pattern]) => {
      const match = pattern.exec(clause)
      if (match === null) return []
      const before = clause.slice(0, match.index)
      if (NOT_YET.test(before)) return []
      const named = isClose ? (NAME_AT_END.exec(before)?.groups?.['name'] ?? '') : clause
      const words = kind === 'death' || kind === 'parting' ? named.replaceAll(OF_NAMED, ' ') : named
      return [{ kind, words, isOwn: true, isSure, mustName: true }]
    }),
  )
}

const KIN =
  '爸爸|妈妈|爸|妈|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|老伴|丈夫|妻子|哥哥|姐姐|弟弟|妹妹|儿子|女儿'
const OWN = `(?:${KIN}|猫|狗|猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟)`
const WHEN =
  '(?:[昨前今]天|昨晚|今早|上(?:个)?(?:周|月|星期|礼拜)|去年|今年|上周末|[\\d一二三四五六七八九十]{1,3}月(?:份|初|底)?|[春夏秋冬]天|已经|突然|还是|终于|总算|刚刚?|都|也|就|又|彻底|完全|基本|正式|最近)*'
const BEGINS = String.raw`(?<=^|[，,。！!；;\s])${WHEN}(?:我们?家?的?)?`
/** Matches a relative or pet of the speaker at the start of a clause: 我妈, 我家的狗, 奶奶. */
const WHO = String.raw`${BEGINS}(?<who>${OWN})\p{Script=Han}{0,2}?${WHEN}`
/** Matches a possible name at the start of a clause: 豆包. Only known facts show whether it is one. */
const NAMED = String.raw`${BEGINS}(?<name>(?:(?!的|${OWN})\p{Script=Han}){1,4}?|\p{Script=Latin}+)${WHEN}`
const END = '(?=$|[，,。！!；;~～…\\s])'

const DEATH = String.raw`(?:去世|过世|病逝|离世|辞世|咽气|断了?气|(?<![饿笑累困热冷烦气急吓疼痛忙愁渴撑馋羡恨臭香吵闷闲美想爱丑])死了(?=$|[，,。！!；;~～…\s])|没能?[挺撑熬扛]过[来去]|没抢?救(?:过来|回来|活)|离开了?(?:我们(?!家)|人世)|[去回]了?[汪喵]星)`
const DIED = new RegExp(`${WHO}(?:${DEATH}|不在了|没了)|${NAMED}${DEATH}`, 'u')
/** Matches words that may mean a death or only that a guest left: 走了. They make a fact doubtful. */
const LEFT = new RegExp(
  `(?:${WHO}|${NAMED.replace('<name>', '<left>')})(?:走了${END}|走得[很挺特别]{0,2}(?:安详|安静|突然)|(?:埋|火化)了)`,
  'u',
)
/** Matches words of a funeral. They show that a person who “left” has died. */
const MOURNED =
  /享年|走了，?(?:活了)?[\d一二三四五六七八九十]{1,4}岁|葬礼|追悼|后事|火化|安息|节哀|守灵|出殡|奔丧|报丧|[安下]葬|灵堂/u
const RECOVERED = new RegExp(
  String.raw`${BEGINS}(?<name>(?:(?!的|${OWN})\p{Script=Han}){0,6}?(?:病|痛|疼|炎|症|癌|疹|伤|过敏|感冒|失眠|骨折|咳嗽|突出|新冠)|(?:(?!的|${OWN})\p{Script=Han}){2,6}?(?=${WHEN}(?:痊愈|康复|治好)))${WHEN}(?:痊愈|康复|治好|好全|全好|好)了${END}`,
  'u',
)
/** Match events that end a job or a stay without naming it: a badge or keys given back, a shop handed over. */
const EVENTS: readonly (readonly [Ending['kind'], RegExp])[] = [
  [
    'job',
    /(?:工牌|工作证|工服|工装|厂牌)[^，,。]{0,6}?[交还退](?:回去|回|掉|了)|工位[^，,。]{0,4}(?:清|收拾|搬)|散伙饭|(?:店|铺子?|民宿|馆子|招牌)[^，,。]{0,6}?(?:[转顶盘兑]给|[转盘兑顶]出去|(?<![早前天].{0,3})关门?了|拆)/u,
  ],
  [
    'new-work',
    new RegExp(
      String.raw`(?<=^|[，,。！!；;\s])(?:我|现在|已经|最近|终于|刚刚?|今年|去年|上个?[周月])*(?:转行|改行|转岗|改做|转做|升职|晋升|被提拔|升(?:为|成|任)?\p{Script=Han}{0,4}(?:长|主管|经理|总监|主任|主编))`,
      'u',
    ),
  ],
  [
    'moving',
    /(?<=^|[，,。！!；;\s])(?:我们?|终于|刚刚?|已经|[昨今]天|上周|上个?月)*搬(?:完|好)?了?家[了啦]|钥匙[^，,。]{0,6}?[还交](?:给|回|了)|退租了|押金[^，,。]{0,6}退|(?<=^|[，,。！!；;\s])(?:我们?|终于|刚刚?|已经|[昨今]天|上周|上个?月)*(?:换了?(?:新|大)?房子?了|搬(?:进|到)?了?新(?:家|房))/u,
  ],
]
/** Matches the beginning of a clause about the speaker. The group `who` is a person beside the speaker: 我跟老公离婚了. */
const SELF = String.raw`(?<=^|[，,。！!；;\s])${WHEN}(?:我们?|咱们?|俩)*(?:[跟和与同](?<who>\p{Script=Han}{1,5}?))?(?:俩)?${WHEN}`
const PARTED = new RegExp(
  `${SELF}(?:(?:离婚|离了婚|分手|分了手|掰|分开(?!了[\\d一二两三四五六七八九十几好半])|闹掰|一拍两散|离)了|办了?离婚|和平分手|不在一起了|(?:又|恢复|重回|回归)*单身了${END}|(?:把)?离婚证[也都给]?[领办拿]到?了|[领办拿]到?了?离婚证|离婚[^，,。]{0,3}?[判批办签](?:下来|好|完|妥)了)|^(?:我们?|咱们?|俩)+(?:[跟和与同](?<whom>\\p{Script=Han}{1,5}?))?(?:俩)?${WHEN}分了(?=$|[，,。！!～…](?!\\s*(?:各|每|一[人半])))|^${WHEN}[跟和与同](?<with>\\p{Script=Han}{1,4}?)${WHEN}分了(?=$|[，,。！!～…])`,
  'u',
)
/** Matches a pronoun for the speaker's partner: 我跟他分手了. The sentence is then about the speaker. */
const WITH_THEM = new RegExp(`我[跟和与同][他她](?=${WHEN}(?:分|离|掰|闹掰|和平分手))`, 'u')
const LOST_JOB = new RegExp(
  `(?<=^|[，,。！!；;\\s])[^，,。！!；;\\s他她]{1,10}把我给?(?:裁|开|炒|优化|辞退|开除|炒鱿鱼)掉?了${END}|${SELF}(?:(?:被[^，,。]{0,8}?)?(?:优化|裁员?|裁掉|辞退|开除|炒鱿鱼|炒)了?|(?:离职|辞职|失业|裸辞|退休|下岗)[了啦]|(?:辞|离|退)了[职休]了?|[辞丢]了工作|换(?:了(?:[份个])?)?工作了?|跳槽了|从[^，,。]{1,10}?(?:离职|辞职)了|把[^，,。]{0,8}?(?:工作|活儿?|班)[都也给]?辞了)${END}`,
  'u',
)
const GRADUATED = new RegExp(`${SELF}(?:毕业|退学|肄业)(?:了|啦|咯)`, 'u')
const LOST_BABY = new RegExp(
  String.raw`母[子女]平安|(?:孩子|宝宝|胎儿?|娃)(?:没(?:有)?[保留]住|没了)|(?<=我.{0,4})(?:流产|小产|胎停)了|(?:宝宝|孩子|娃|儿子|女儿|闺女)${WHEN}(?:出生|落地)了|(?<=(?:^|[，。！\s]|我|老婆|媳妇|妻子|太太|爱人)${WHEN})生了(?=$|生了|[！!，。～~\s]|一?个?[男女大儿]|[男女儿])`,
  'u',
)
const EATS_MEAT =
  /(?<=^|[，,。！!；;\s]|我.{0,6})(?:不(?:再)?吃素(?:了|的?(?=$|[，,。！!；;\s]))|开荤了|(?:又|重新|开始)(?:又|重新|开始)?吃(?:肉|荤)了)/u
const HIRED = new RegExp(`${SELF}(?:找到(?:新)?工作|入职)[了啦]`, 'u')
const BACK_AT_WORK =
  /(?<=^|[，,。！!；;\s]|我)(?:被|把我|又|现在|最近|已经|单位|公司|学校|医院)*(?:返聘|重新(?:开始)?(?:上班|工作|就业)|(?:开始|去|回去)*(?:上班|工作|打工)了|重返职场)/u
/** Words for a home that one no longer shares. */
const LEFT_HOME =
  /(?:我(?![爸妈哥姐弟妹])|终于)(?:(?![想要不能别])[^，,。他她]){0,6}搬出(?:去|来)|不[再和跟与]\S{1,6}(?:合租|一起住|同住)了/u
/** Who lives together: whom of them one left is known by the facts. */
const HOUSEHOLD = '爸妈 父母 爸爸 妈妈 家人 室友 合租 婆婆 公婆'
const PAIRED = new RegExp(`${SELF}(?:脱单了|不(?:再)?是单身)`, 'u')
/** Matches what the speaker left: 我离开华为了. `GAVE` matches what was sold or given away, `STOPPED` what was stopped. */
const QUIT = new RegExp(
  String.raw`${SELF}(?:从(?<from>[^，,。\s]{1,10}?)搬(?:走|出来)了|离开了(?<left>[^，,。\s了]{1,10}?)${END}|离开(?<gone>[^，,。\s了]{1,10}?)了${END})`,
  'u',
)
const THING = String.raw`${BEGINS}${WHEN}把?(?<thing>(?:(?!的|说|${OWN})[\p{L}\p{N}]){1,8}?)`
const GAVE = new RegExp(
  `${THING}${WHEN}(?:给)?(?:被人?偷|卖|转手|报废|捐|丢|送(?:给)?(?!我)[^，,。]{0,8}?)(?:掉)?了${END}`,
  'u',
)
const STOPPED = new RegExp(
  `${THING}我?${WHEN}(?:不(?:用|再)?[打练学吃喝抽弹跳跑玩养用干上做]了|(?:戒|放弃|取消|停|结束)(?:掉)?了)${END}|(?:(?:医生|大夫)[^，,。我]{0,4}[让叫要])?我${WHEN}(?:戒|放弃|取消|停)(?:掉)?(?:了(?<what>[^，,。\\s]{1,8}?)|(?<given>[^，,。\\s了]{1,8})(?=了))(?<!考试|比赛|机会|名额|作业)了?${END}`,
  'u',
)
/** Matches words for other people, suppositions and fiction. What they are about has not ended for the speaker. */
const NOT_OWN =
  /(?<!吉)[他她你]|(?<![男女])朋友|同事|同学|闺蜜|邻居|隔壁|人家|别人|表[姐妹哥弟]|如果|要是|差点|梦|万一|电影|小说|剧/u
/** Matches words before an end that has not happened yet or is denied: 想, 没, 打算. */
const NOT_YET =
  /[不别会要能怕快劝闹]|想(?!到)|没(?!想到)|可能|也许|以为|打算|担心|准备|明天|后天|下[周个]|月底/u
/** Matches the owner in what belongs to another person: 小雅的, 小雅 of 小雅妈. */
const OF_NAMED =
  /[^的]{1,6}的(?!离?婚|分手|感情|关系)|\p{Script=Han}{1,4}(?=家|[爸妈哥姐弟妹爷奶叔姨舅姑](?!妹))/gu
/** Matches the last two characters of a name directly before the words for an end. A time may follow the name. */
const NAME_AT_END = new RegExp(String.raw`(?<name>\p{Script=Han}{2}|\p{Script=Latin}+)${WHEN}$`, 'u')
/** Ends of a person or thing that the clause names. If `isClose`, the name must stand directly before the matched words. */
const NAMED_ENDS: readonly (readonly [Ending['kind'], isSure: boolean, isClose: boolean, RegExp])[] = [
  ['death', true, false, new RegExp(DEATH, 'u')],
  ['death', true, true, /不在了$/u],
  ['death', false, true, /没了$/u],
  [
    'parting',
    true,
    false,
    /(?:离婚|分手|掰)了(?!\p{Script=Han}*[年月天周])|离了婚|分了手|离婚(?:手续|证|协议)|婚离了|[甩踹]了我$|[把被].{1,6}[甩踹]了$|^我[甩踹]了/u,
  ],
  ['parting', false, false, /提了?(?:分手|离婚)|劈腿|出轨|分居/u],
  ['parting', false, true, /(?:分开|结束|散)了$/u],
  ['moving', false, false, /^(?:告别|再见|拜拜|逃离|搬离)|(?:再见|拜拜|搬走)[了啦]?$/u],
  ['job', false, false, /^(?:告别|再见|拜拜)|(?:再见|拜拜)[了啦]?$|(?<=在.*)最后一[天班]/u],
]
const OF_KIN = new RegExp(KIN, 'u')
