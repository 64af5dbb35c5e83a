import { segmentChinese } from '../../vectors/chinese-words.ts'
import { isOfKind } from './value-kinds.ts'
import { NAMED_PLACE } from '../../terms/chinese-places.ts'

/** An agent's question about the user, and the form of an answer without a subject. */
interface QuestionPattern {
  readonly asks: RegExp
  /** Matches the answer at the start of a turn. The group `value` captures it. */
  readonly answer: RegExp
  /** The complete statement, with `{}` for the value. */
  readonly full: string
  readonly suits?: (value: string) => boolean
}

const END = String.raw`(?=[\s，,。！!～~]|$)`
/** Matches subjects other than the user in a question. */
const OF_OTHERS =
  /[他她它们]|妈|爸|父|母|老公|老婆|爱人|对象|儿子|女儿|孩子|宝宝|朋友|室友|同学|同事|老师|老板|[哥姐弟妹叔姨舅姑爷奶婆公猫狗]/u
/** Matches a question about a wish, a plan or the past, whose answer is no current fact. */
const OF_ANOTHER_TIME = /想|原来|原本|本来|以前|之前|从前|小时候|打算|将来|以后|过[吗么?？]/u
/** Matches evasive answers, which have no value. */
const EVADES = /^(?:不|没|还|就|你|我|那|这|随便|都|怎么|什么|哪|谁|嗯|对|是|好|可|别|说|有)/u

const QUESTION_PATTERNS: readonly QuestionPattern[] = [
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
    asks: /(?:做|干)(?:什么|啥|哪行)(?:工作|的|呢|$|[?？])|[你您](?:现在|平时)?是?(?:做|干)(?:什么|啥|哪行)|[你您]的?(?:工作|职业)/u,
    answer: new RegExp(
      String.raw`^(?:是|当)?(?:一?[名个位])?(?<value>\p{Script=Han}{1,7}(?:师|员|医生|护士|教授|经理|司机|会计|律师|警察|老板|工人|店长)|[做开跑卖修教写画搞]\p{Script=Han}{1,5}的)${END}`,
      'u',
    ),
    full: '我是{}。',
  },
]

/**
 * Completes an answer without a subject into a statement: “怎么称呼你？” – “林屿 岛屿的屿”.
 * Returns `null` where the question asks about another topic or another person.
 *
 * @example
 * answerWithSubject('怎么称呼你？', '周默，沉默的默') // '我叫周默。'
 */
export function answerWithSubject(question: string, answer: string): string | null {
  const said = answer.trim()
  if (
    !/[?？]/u.test(question) ||
    OF_OTHERS.test(question) ||
    OF_ANOTHER_TIME.test(question) ||
    EVADES.test(said)
  )
    return null
  const pattern = QUESTION_PATTERNS.find(({ asks }) => asks.test(question))
  const value = pattern?.answer.exec(said)?.groups?.['value']
  if (pattern === undefined || value === undefined || pattern.suits?.(value) === false) return null
  return pattern.full.replace('{}', value)
}
