import type { Language } from '../matching/language.ts'
import { wordsToText } from '../matching/word.ts'
import { answerWithSubject } from './answer-fragments.ts'
import { charactersOf, chinese } from './chinese.ts'
import { readChineseEndings } from './endings.ts'
import { readClauses, sayInThirdPerson } from './read-clauses.ts'
import { CHINESE_MATTERS, CHINESE_REQUESTS } from './request-rules.ts'
import { CHINESE_LIFE } from './rules-of-life.ts'
import { CHINESE_RULES } from './rules.ts'
import { isOfKind } from './value-kinds.ts'
import { CHINESE_WIDE } from './wide-requests.ts'

/** The rules and functions for Chinese, whose grammar matches single characters. It has nothing to load. */
export const CHINESE: Language = {
  id: 'zh',
  grammar: chinese,
  rules: [...CHINESE_REQUESTS, ...CHINESE_LIFE, ...CHINESE_RULES],
  unnamed: { user: '用户', agent: '角色' },
  load: () => Promise.resolve(),
  read: readClauses,
  say: sayInThirdPerson,
  value: wordsToText,
  isOfKind,
  answerInFull,
  answerWithSubject,
  endings: readChineseEndings,
  labelled: [
    [/^(?:食物)?过敏(?:源|原|史|物)?$/, '我对{}过敏。'],
    [/^(?:职业|工作)$/, '我是一名{}。'],
    [/^(?:姓名|名字)$/, '我叫{}。'],
    [/^(?:(?:所在)?城市|居住地|住址|住处|现居(?:地|住地)?|所在地)$/, '我住在{}。'],
    [/^(?:病史|既往病史|健康状况|身体状况)$/, '{states}'],
    ...'老婆 妻子 老公 丈夫 女朋友 男朋友 女友 男友 妈妈 爸爸 姐姐 妹妹 哥哥 弟弟 儿子 女儿 狗 猫'
      .split(' ')
      .map((kin): readonly [RegExp, string] => [new RegExp(`^${kin}(?:的?名字)?$`), `我${kin}叫{name}。`]),
  ],
  split: charactersOf,
  longestRequest: 300,
  matters: CHINESE_MATTERS,
  wide: CHINESE_WIDE,
  please: '请',
  hint: /忘|删|抹|清|擦|销毁|注销|丢[掉弃]|重置|去掉|当[作做你我没这]|就当|假装|[别不勿莫].{0,8}[记存留提]|[别勿莫].{0,6}[说聊讲谈问]|不[想要希愿许].{0,8}[知说聊讲谈]|后悔|不该|早知道|[收撤]回/,
}

/** Rewrites a question as a statement: 所以你住在里昂吗？ → 我住在里昂。 */
function answerInFull(question: string): string | null {
  const plain = question.trim().replace(/^(?:那么|那|所以|哦|原来|这么说|看来|啊|嗯)+[，,\s]*/, '')
  if (
    !/[?？]\s*$/.test(question) ||
    /还是|什么|怎么|谁|哪|为什么|多少|几|能不能|可以|要不要|会不会/.test(plain)
  )
    return null
  const statement = plain.replace(/(?:[，,]?(?:对吗|对吧|是吗|是吧|对不对|是不是|吗|吧|么))?[?？\s]+$/, '')
  return /^(?:你|您)/.test(statement) ? statement.replace(/[你您]/g, '我') : null
}
