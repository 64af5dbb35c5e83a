// Completes Chinese answers without a subject by their questions.
import { segmentChinese } from '../../vectors/chinese-words.ts'
import { isOfKind } from './value-kinds.ts'
import { NAMED_PLACE } from '../../terms/chinese-places.ts'
import { CHINESE_PHRASES } from './phrases.ts'

/** An agent's question about the user, and the form of an answer without a subject. */
interface QuestionPattern {
  /** Matches a question. The group `kin` captures the word for a relative, friend or pet of the user: 你女朋友叫什么？ */
  readonly asks: RegExp
  /** Matches a question that names a value. A no with another value corrects it: 你住在杭州吗？ – 不，绍兴. */
  readonly corrects?: RegExp
  /** Matches the answer at the start of a turn. The group `value` captures it. */
  readonly answer: RegExp
  /** The complete statement, with `{}` for the value and `{kin}` for the captured word of the question. */
  readonly full: string
  /** Whether a value can be the answer. The default is that any can. */
  readonly suits?: (value: string) => boolean
}

const END = String.raw`(?=[\s，,。！!～~]|$)`
/** Matches subjects other than the user in a question. */
const OF_OTHERS =
  /[他她它们]|妈|爸|父|母|老公|老婆|爱人|对象|儿子|女儿|孩子|宝宝|朋友|室友|同学|同事|老师|老板|[哥姐弟妹叔姨舅姑爷奶婆猫狗]|公(?!司)/u
/** Matches a question about a wish, a plan or the past, whose answer is no current fact. */
const OF_ANOTHER_TIME = /想|原来|原本|本来|以前|之前|从前|小时候|打算|将来|以后|过[吗么?？]/u
/** Matches evasive answers, which have no value. */
const EVADES = /^(?:不|没|还|就|你|我|那|这|随便|都|怎么|什么|哪|谁|嗯|对|是|好|可|别|说|有)/u

/** Matches an affirmation before the value: 有，叫阿慧. */
const AFFIRMS = /^(?:有[的啊呀]?|嗯+|是的?|对[的啊呀]?|养了?)[，,！!\s]+/u
/** Matches a no before the right value: 不是，绍兴. */
const DENIES = /^(?:不是?|没有?|不在|不对)[，,。！!\s]+(?:我?(?:是|住?在))?/u

const { partner, parents, siblings, children, pets } = CHINESE_PHRASES
const OWN = `${partner}|${parents}|${siblings}|${children}|${pets}`
const NAME = String.raw`(?!不|没|忘|就|还|怎|什)(?<value>\p{Script=Han}{1,3}|\p{Script=Latin}+)`
const hasNoParticle = (value: string): boolean => !/[了吗呢吧着过的]|怎么|什么/u.test(value)

const WORK =
  /(?:做|干)(?:什么|啥|哪行)(?:工作|的|呢|$|[?？])|[你您](?:现在|平时)?是?(?:做|干)(?:什么|啥|哪行)|[你您]的?(?:工作|职业)/u

const QUESTION_PATTERNS: readonly QuestionPattern[] = [
  {
    asks: new RegExp(
      String.raw`^[^，,。]{0,6}[你您](?:的|家|家的)?(?<kin>${OWN})(?:叫|的?名字|怎么称呼)`,
      'u',
    ),
    answer: new RegExp(String.raw`^(?:它|他|她)?(?:名字)?(?:叫|是)?${NAME}${END}`, 'u'),
    full: '我的{kin}叫{}。',
    suits: hasNoParticle,
  },
  {
    asks: new RegExp(
      String.raw`^[^，,。]{0,6}[你您](?:家里?)?(?:有没有|有|养没养|养了?)(?<kin>${OWN})[吗么没?？]`,
      'u',
    ),
    answer: new RegExp(
      String.raw`^(?:[养有]?了?[一两]?[只条个位]，?)?(?:它|他|她)?(?:名字)?叫${NAME}${END}`,
      'u',
    ),
    full: '我的{kin}叫{}。',
    suits: hasNoParticle,
  },
  {
    asks: /(?:[你您](?:家里?)?)?(?:有没有|有|养没养|养了?)(?:什么|啥)?(?:宠物|小动物|兄弟姐妹|孩子|小孩)/u,
    answer: /^(?:养了?|有)?(?<value>[一两二三四几\d]?[只条个位].{1,12})$/u,
    full: '我有{}。',
  },
  {
    asks: /忌口|不(?:能)?吃(?:什么|啥)/u,
    answer: new RegExp(String.raw`^(?:我)?(?<value>不(?:能)?[吃喝碰]\p{Script=Han}{1,6})${END}`, 'u'),
    full: '我{}。',
    suits: hasNoParticle,
  },
  {
    asks: /结婚了?[吗没]|婚姻|成家了?[吗没]/u,
    answer: new RegExp(String.raw`^(?:早就?|去年|今年)?离(?<value>婚?)了${END}`, 'u'),
    full: '我离婚了。',
  },
  {
    asks: /怎么称呼|[你您](?:叫|姓)(?:什么|啥)|[你您]的?名字|贵姓/u,
    answer: new RegExp(String.raw`^(?:我?叫|叫我)?(?!我|名)(?<value>\p{Script=Han}{2,3})${END}`, 'u'),
    full: '我叫{}。',
    // Rejects dictionary words, which are other kinds of answers: 秘密, 你猜.
    suits: (value) => segmentChinese(value).length > 1 || segmentChinese(value)[0]?.length === 3,
  },
  {
    asks: /[学读](?:的是?)?(?:什么|啥)(?:专业)?[的呀呢啊]*[?？]|(?:什么|啥|哪个)专业/u,
    answer: new RegExp(String.raw`^(?:学的?是?)?(?<value>\p{Script=Han}{2,8})${END}`, 'u'),
    full: '我学的是{}。',
    suits: (value) => !/[了吗呢吧着过]/u.test(value),
  },
  {
    asks: /[你您](?:今年)?(?:多大|几岁|高寿|贵庚)|多大(?:年纪|岁数|了)/u,
    answer:
      /^(?:今年|刚|都|快|已经)*(?<value>[二三四五六七八九]?十[一二三四五六七八九]?|\d\d)岁?了?(?=[\s，,。！!～~]|$)/u,
    full: '我今年{}岁。',
  },
  {
    asks: /[你您]是?哪[里儿]?的?人|老家(?:是|在)?哪|家[是在]哪|从哪[里儿]?来/u,
    answer: new RegExp(String.raw`^(?:在|是)?(?<value>\p{Script=Han}{2,8}?)(?:的|人)?${END}`, 'u'),
    full: '我来自{}。',
    suits: (value) => NAMED_PLACE.test(value.slice(0, 4)),
  },
  {
    asks: /[你您](?:现在|平时)?住(?:在)?哪/u,
    corrects: /[你您](?:现在|还)?住在?\p{Script=Han}{2,6}(?:吗|吧|对吧|对吗|是吧)/u,
    answer: new RegExp(String.raw`^(?:在|就在|住在?)?(?<value>\p{Script=Han}{2,10})${END}`, 'u'),
    full: '我住在{}。',
    suits: (value) => isOfKind('residence', value),
  },
  {
    asks: /过敏/u,
    answer: new RegExp(
      String.raw`^(?:对)?(?<value>\p{Script=Han}{1,6}?)(?:[和跟、，,]\p{Script=Han}{1,6}?)?(?:过敏)?${END}`,
      'u',
    ),
    full: '我对{}过敏。',
    suits: (value) => isOfKind('allergies', value) && !/[了吗呢吧着过的]/u.test(value),
  },
  {
    asks: WORK,
    corrects: /[你您]是\p{Script=Han}{2,6}[吗吧]/u,
    answer: new RegExp(String.raw`^(?:是|当)?(?:一?[名个位])?(?<value>\p{Script=Han}{2,8})${END}`, 'u'),
    full: '我的工作是{}。',
    suits: hasNoParticle,
  },
  {
    asks: WORK,
    answer: new RegExp(String.raw`^(?:是)?(?<value>[做开跑卖修教写画搞]\p{Script=Han}{1,5}的)${END}`, 'u'),
    full: '我是{}。',
  },
  {
    asks: /在(?:哪|什么|啥)(?:里|儿|家|个|地方|公司|单位)*(?:上班|工作|任职|实习)|(?:哪|什么|啥)(?:个|家)?(?:公司|单位)/u,
    corrects: /在\p{Script=Han}{2,8}(?:上班|工作)[吗吧]/u,
    answer: new RegExp(String.raw`^(?:在)?(?<value>\p{Script=Han}{2,10}?)(?:上班|工作)?${END}`, 'u'),
    full: '我在{}上班。',
    suits: (value) => isOfKind('employer', value) && value !== '家里' && hasNoParticle(value),
  },
  {
    asks: /在(?:哪|什么|啥)(?:里|儿|所|个|学校|大学)*(?:上学|读书|念书|读|念)|(?:哪|什么|啥)(?:个|所)?(?:学校|大学)/u,
    answer: new RegExp(String.raw`^(?:在)?(?<value>\p{Script=Han}{2,8}?)(?:读书|上学)?${END}`, 'u'),
    full: '我在{}读书。',
    suits: (value) => isOfKind('employer', value) && hasNoParticle(value),
  },
  {
    asks: /生日(?:是|在)?(?:哪|几|什么)|(?:哪天|几号|几月|什么时候)(?:的?生日|过生日|生的)/u,
    answer: new RegExp(
      String.raw`^(?:是|在)?(?<value>(?:[\d一二三四五六七八九十]+月[\d一二三四五六七八九十初]+[日号]?))${END}`,
      'u',
    ),
    full: '我的生日是{}。',
  },
]

/**
 * Completes an answer without a subject into a statement: “怎么称呼你？” – “林屿 岛屿的屿”.
 * Returns `null` if the question asks about another topic or another person.
 *
 * @example
 * answerWithSubject('怎么称呼你？', '周默，沉默的默') // '我叫周默。'
 */
export function answerWithSubject(question: string, answer: string): string | null {
  const said = answer.trim().replace(AFFIRMS, '')
  if (!/[?？]/u.test(question) || OF_ANOTHER_TIME.test(question)) return null
  const isNo = DENIES.test(said)
  const value = said.replace(DENIES, '')
  if (EVADES.test(value) && !/^(?:有[一两]?[只条个]|是一?[名个位]|不能?[吃喝碰])/u.test(value)) return null
  for (const { asks, corrects, answer: form, suits, full } of QUESTION_PATTERNS) {
    const found = (isNo ? corrects : asks)?.exec(question)
    const kin = found?.groups?.['kin']
    const named = form.exec(value)?.groups?.['value']
    if (
      found &&
      named !== undefined &&
      suits?.(named) !== false &&
      (kin !== undefined || !isOfOther(question))
    )
      return full.replace('{kin}', kin ?? '').replace('{}', named)
  }
  return null
}

/** Reports whether a question is about someone other than the user. A question whether the user has a pet or child is about the user. */
function isOfOther(question: string): boolean {
  return OF_OTHERS.test(question) && !/有没有|[你您](?:家里?)?[有养]/u.test(question)
}
