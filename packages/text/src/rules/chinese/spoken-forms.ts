// Rewrites casual Chinese as whole clauses, so that the rules can read them.
import { CHINESE_PHRASES } from './phrases.ts'

/** Replaces spaces with commas, as in chats: 我叫小满 广西的 在读大二. Text with a space after each word stays. */
export function withPauses(sentence: string): string {
  const pieces = sentence.match(RUN) ?? []
  const length = pieces.reduce((sum, { length }) => sum + length, 0) / (pieces.length || 1)
  return length < MIN_CHARACTERS_OF_CLAUSE ? sentence : sentence.replaceAll(PAUSE, '，')
}

/**
 * Reports whether the last subject of a text is another person, and `kin` is that person's relative. After a sibling of the speaker,
 * another sibling is the speaker's own, and likewise for parents and children.
 */
export function isOfAnother(text: string, kin = ''): boolean {
  const last = [...text.matchAll(OF_ANOTHER)].at(-1)
  const behind = last === undefined ? '' : text.slice(last.index + last[0].length)
  if (last === undefined || /(?<=[，,。！!；;\s])我(?:自己)?[^的家们，,。！!；;]/u.test(behind)) return false
  const { partner: own, parent, sibling, child } = last.groups ?? {}
  const kinOfSameClass = (parent && parents) ?? (sibling && siblings) ?? (child && children)
  if (own !== undefined) return false
  return kinOfSameClass === undefined || !new RegExp(`^(?:${kinOfSameClass})`, 'u').test(kin)
}

/** Adds the dropped subject to a statement about the speaker: 儿子在深圳, 搬到镇上了, 青霉素碰不得. */
export function withDroppedSubject(sentence: string, before: string | null): string {
  if (/[？?]/.test(sentence) || OF_OTHERS.test(sentence)) return sentence
  // The subject of the sentence before is continued only after an event such as a wedding: 我弟脱单了。女朋友叫小慧.
  const earlier = before !== null && new RegExp(EVENT, 'u').test(before) ? before : ''
  return (before === null ? sentence.replace(BEGINS, '我') : sentence)
    .replaceAll(HEADED_BY_KIN, (words: string, time: string, kin: string, at: number) =>
      isOfAnother(`${earlier}，${sentence.slice(0, at)}`, kin) ? words : `${time}我${kin}`,
    )
    .replace(MOVED, isOfAnother(before ?? '') ? '$&' : '我$<time>$<moved>')
    .replace(HIRED, '$<lead>我')
    .replace(BARRED, '我不能$<how>$<food>')
}

/** Reports whether a text may describe its speaker without 我. It may be wrong only by accepting a text. */
export function mayDropSubject(text: string): boolean {
  return MAY_DROP.test(text) || BEGINS.test(text)
}
/** Matches spaces between Chinese characters that replace punctuation. */
const PAUSE = /(?<=[\p{Script=Han}\p{N}！!～~])[ \t\u3000]+(?=\p{Script=Han})/gu
const RUN = /\p{Script=Han}+/gu
/** Minimum average characters per piece. Shorter pieces are words that the writer separated, not clauses. */
const MIN_CHARACTERS_OF_CLAUSE = 3
/** Words for relatives that mean the speaker's relative even without 我. Forms of address such as 阿姨 are left out. */
const OWN_KIN = [
  CHINESE_PHRASES.partner,
  '儿子|女儿|闺女|爸妈|父母|我爸|我妈|哥哥|弟弟|姐姐|妹妹|孙子|孙女|外孙女|外孙|外甥女|外甥|侄女|侄子|儿媳|女婿|婆婆|公公|岳父|岳母',
]
  .join('|')
  .replaceAll(/我[爸妈]\||先生\||太太\||对象\|/g, '')
/** Matches a clause that begins with a relative: 最近儿子在深圳. */
const HEADED_BY_KIN = new RegExp(
  `(?<=^|[，,。！!；;])(?<time>(?:现在|最近|去年|今年|昨天)?)(?<kin>${OWN_KIN})(?=[^，,。！!？?们的]{1,24})(?!都|们|说|讲|问|和|跟|之)`,
  'gu',
)
/** Matches other owners of a relative. */
const OF_OTHERS = /[他她你您谁]|别人|人家|朋友|同事|同学|室友|邻居|老板|领导|隔壁|亲戚|网上|新闻/u
const { parents, siblings, children, relatives, friends, colleagues, partner } = CHINESE_PHRASES
/** People other than the speaker: 我哥, 同事, 舅. */
const ANOTHER = `(?<parent>${parents})|(?<sibling>${siblings})|(?<child>${children})|${relatives}|${friends}|${colleagues}|[舅姑姨叔婶嫂奶爷]`
/** Events in the life of such a person: 结婚, 怀孕. */
const EVENT = '(?:[结订再离]婚|嫁|娶|生了|怀孕|脱单|退租|转学|退学)'
/** Matches a clause about another person: 我哥结婚了, 小李有对象了, 张伟嫁人了. A next clause without a subject is about that person too. */
const OF_ANOTHER = new RegExp(
  String.raw`(?<=^|[，,。！!；;\s])(?:其实|对了|听说|最近|[今去]年|上个?[月周]|[昨今前]天|刚刚?)*(?:我?(?:的|家|们)?[大小二三四]?(?:${ANOTHER}|(?<partner>${partner}))|[小老阿](?!家|人)\p{Script=Han}(?=[结订嫁娶离再生怀退转搬有谈找又也刚终住在])|(?!我|咱|终于|已经|刚|马上|准备|后来|[今去前]年|上[周月]|[昨今]天|最近|现在)\p{Script=Han}{2,3}(?=${EVENT}))`,
  'gu',
)
/** Matches a move without a subject: 上周搬到镇上了. */
const MOVED =
  /^(?<time>(?:昨天|前天|今天|上周|上个?月|上个?礼拜|刚|刚刚|终于|已经|现在)*)(?<moved>搬(?:到|来|去|进|回|过来|过去)了?(?![一两这那着个箱张]))/u
/** Matches a new job before where it is: 换工作了，现在在 …. */
const HIRED =
  /^(?<lead>(?:我?(?:换(?:了[份个]?)?工作|跳槽|转行|找到(?:新)?工作|入职))[了啦][，,！!。\s]*)(?=(?:现在|目前)?在)/u
/** Matches beginnings of statements in which speakers leave out 我 (“I”): 在大阪读语言学校, 刚从护校毕业, 一喝豆浆就起疹子. */
const BEGINS =
  /^(?=(?:刚|刚刚|现在|目前|最近)*(?:在\p{Script=Han}{2,9}?(?:读|念|上班|做|当|开|上学)|从\p{Script=Han}{2,10}?毕业|租在|每[周天]\p{Script=Han}{0,4}?(?:去|在|都)?(?:上\p{Script=Han}{1,4}课|打\p{Script=Han}{1,3}球|跑步|游泳|健身)|吃素(?:第|\p{Script=Han}年)|对\p{Script=Han}{1,6}?过敏|一[吃喝碰]\p{Script=Han}{1,6}?就))/u
/** Matches food that the speaker must not have: 青霉素碰不得. */
const BARRED =
  /(?<=^|[，,。！!；;])(?<food>[^我你您他她它谁们都，,。！!？?；;\s]{1,6}?)我?(?<how>[碰吃喝沾])不得(?=[，,。！!；;]|$)/u
/** Matches words of statements that may lack 我. */
const MAY_DROP = new RegExp(
  `${OWN_KIN}|搬|不得|工作|跳槽|转行|入职|(?:不去|去不[了成]|取消|泡汤|作罢|黄)了`,
  'u',
)
