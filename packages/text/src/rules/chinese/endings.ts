import type { Ending } from '../matching/ending.ts'

const OWN =
  '(?:爸爸|妈妈|爸|妈|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|老伴|丈夫|妻子|哥哥|姐姐|弟弟|妹妹|儿子|女儿|猫|狗|猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟)'
const WHEN =
  '(?:[昨前今]天|昨晚|今早|上(?:个)?(?:周|月|星期|礼拜)|去年|今年|上周末|已经|突然|还是|终于|总算|刚刚?|都|也|就|又|彻底|完全|基本|正式)*'
const BEGINS = String.raw`(?<=^|[，,。！!；;\s])${WHEN}(?:我们?家?的?)?`
/** Matches one of the speaker's own at the start of a clause: 我妈, 我家的狗, 奶奶. */
const WHO = String.raw`${BEGINS}(?<who>${OWN})\p{Script=Han}{0,2}?${WHEN}`
/** A name, which known facts show to be someone: 豆包. */
const NAMED = String.raw`${BEGINS}(?<name>(?:(?!的|${OWN})\p{Script=Han}){1,4}?)${WHEN}`
const END = '(?=$|[，,。！!；;~～…\\s])'

const DIED = new RegExp(
  `${WHO}(?:去世|过世|病逝|离世|不在了|没了|[去回]了?[汪喵]星)|${NAMED}(?:去世|过世|病逝|离世|[去回]了?[汪喵]星)`,
  'u',
)
/** Guests leave as well, so these words only put in doubt. */
const LEFT = new RegExp(`${WHO}走了${END}`, 'u')
const RECOVERED = new RegExp(
  String.raw`${BEGINS}(?<name>(?:(?!的|${OWN})\p{Script=Han}){0,6}?(?:病|痛|疼|炎|症|癌|疹|伤|过敏|感冒|失眠|骨折|咳嗽|突出|新冠)|(?:(?!的|${OWN})\p{Script=Han}){2,6}?(?=${WHEN}(?:痊愈|康复|治好)))${WHEN}(?:痊愈|康复|治好|好全|全好|好)了${END}`,
  'u',
)
/** Clauses about the speaker, with who is named beside them: 我跟老公离婚了. */
const SELF = String.raw`(?<=^|[，,。！!；;\s])${WHEN}(?:我们?|咱们?|俩)*(?:[跟和与同](?<who>\p{Script=Han}{1,5}?))?(?:俩)?${WHEN}`
const PARTED = new RegExp(
  `${SELF}(?:(?:离婚|离了婚|分手|掰|分开|闹掰|一拍两散|离)了|办了?离婚|和平分手|不在一起了)`,
  'u',
)
const LOST_JOB = new RegExp(
  `${SELF}(?:被?(?:公司|老板|单位|领导|厂里?)?(?:给)?(?:优化|裁员?|裁掉|辞退|开除|炒鱿鱼|炒)了?|(?:离职|辞职|失业|裸辞|退休|下岗)了)${END}`,
  'u',
)
const GRADUATED = new RegExp(`${SELF}(?:毕业|退学|肄业)(?:了|啦|咯)`, 'u')
const LOST_BABY = /(?:孩子|宝宝|胎儿?|娃)(?:没(?:有)?[保留]住|没了)|(?<=我.{0,4})(?:流产|小产|胎停)了/u
const EATS_MEAT =
  /(?<=^|[，,。！!；;\s]|我.{0,6})(?:不(?:再)?吃素了|开荤了|(?:又|重新|开始)(?:又|重新|开始)?吃(?:肉|荤)了)/u
/** Others, suppositions and what is not so. */
const NOT_OWN =
  /[他她你]|朋友|同事|同学|邻居|隔壁|人家|别人|表[姐妹哥弟]|如果|要是|差点|梦|万一|电影|小说|剧/u

/**
 * Returns what a sentence says is over: deaths in one's family, partings, lost jobs, illnesses, studies, a lost pregnancy, a diet.
 *
 * @example
 * readChineseEndings('我奶奶上周去世了') // [{ kind: 'death', words: '奶奶', isOwn: true, isSure: true }]
 */
export function readChineseEndings(sentence: string): Ending[] {
  if (/[?？吗]\s*$/u.test(sentence) || NOT_OWN.test(sentence)) return []
  const endings: Ending[] = []
  const end = (kind: Ending['kind'], words: string, isSure = true): unknown =>
    endings.push({ kind, words, isOwn: true, isSure })
  const whoIn = (pattern: RegExp): string | undefined => {
    const { who, name } = pattern.exec(sentence)?.groups ?? {}
    return who ?? name
  }
  const [died, left, recovered] = [whoIn(DIED), whoIn(LEFT), whoIn(RECOVERED)]
  if (died !== undefined) end('death', died)
  else if (left !== undefined) end('death', left, false)
  if (recovered !== undefined) end('recovery', recovered)
  if (PARTED.test(sentence)) end('parting', whoIn(PARTED) ?? '')
  if (LOST_JOB.test(sentence)) end('job', '')
  if (GRADUATED.test(sentence)) end('graduation', '')
  if (LOST_BABY.test(sentence)) end('pregnancy', '')
  if (EATS_MEAT.test(sentence)) end('diet', '素食')
  return endings
}
