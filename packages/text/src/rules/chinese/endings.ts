import type { Ending } from '../matching/ending.ts'

const OWN =
  '(?:爸爸|妈妈|爸|妈|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|老伴|丈夫|妻子|哥哥|姐姐|弟弟|妹妹|儿子|女儿|猫|狗|猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟)'
const WHEN = '(?:[昨前今]天|上(?:个)?(?:周|月|星期|礼拜)|去年|今年|上周末|已经|突然|还是)*'
/** Matches one of the speaker's own at the start of a clause: 我妈, 我家的狗, 奶奶. */
const WHO = String.raw`(?<=^|[，,。！!；;\s])${WHEN}(?:我们?家?的?)?(?<who>${OWN})\p{Script=Han}{0,2}?${WHEN}`

const DIED = new RegExp(`${WHO}(?:去世|过世|病逝|离世|不在了|没了)`, 'u')
/** Guests leave as well, so these words only put in doubt. */
const LEFT = new RegExp(`${WHO}走了(?=$|[，,。！!；;])`, 'u')
const LOST_BABY = /(?:孩子|宝宝|胎儿?|娃)(?:没(?:有)?[保留]住|没了)|(?<=我.{0,4})(?:流产|小产|胎停)了/u
const EATS_MEAT =
  /(?<=^|[，,。！!；;\s]|我.{0,6})(?:不(?:再)?吃素了|开荤了|(?:又|重新|开始)(?:又|重新|开始)?吃(?:肉|荤)了)/u
/** Others, suppositions and what is not so. */
const NOT_OWN =
  /[他她你]|朋友|同事|同学|邻居|隔壁|人家|别人|表[姐妹哥弟]|如果|要是|差点|梦|万一|电影|小说|剧/u

/**
 * Returns what a sentence says is over: deaths in one's family, a lost pregnancy, a diet.
 *
 * @example
 * readChineseEndings('我奶奶上周去世了') // [{ kind: 'death', words: '奶奶', isOwn: true, isSure: true }]
 */
export function readChineseEndings(sentence: string): Ending[] {
  if (/[?？吗]\s*$/u.test(sentence) || NOT_OWN.test(sentence)) return []
  const [died, left] = [DIED.exec(sentence)?.groups?.['who'], LEFT.exec(sentence)?.groups?.['who']]
  const endings: Ending[] = []
  if (died !== undefined) endings.push({ kind: 'death', words: died, isOwn: true, isSure: true })
  else if (left !== undefined) endings.push({ kind: 'death', words: left, isOwn: true, isSure: false })
  if (LOST_BABY.test(sentence)) endings.push({ kind: 'pregnancy', words: '', isOwn: true, isSure: true })
  if (EATS_MEAT.test(sentence)) endings.push({ kind: 'diet', words: '素食', isOwn: true, isSure: true })
  return endings
}
