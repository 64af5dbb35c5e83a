// Reads what kind of answer a question asks for (an amount, a time, a name, …), and whether a text has one.
import { either, pattern } from '../pattern.ts'
import { PLACE } from './fits-question.ts'

export type AnswerKind = (typeof ANSWER_KINDS)[number]

interface KindPatterns {
  /** Matches questions for this kind of answer. */
  readonly asks: RegExp
  /** Matches texts with such an answer. */
  readonly holds: RegExp
}

type Readings = Readonly<Record<AnswerKind, KindPatterns>>

/** The kinds of answer that a question asks for. */
export interface WantedAnswer {
  readonly kinds: readonly AnswerKind[]
  readonly isChinese: boolean
  /** Words of the question in lower case, which are no answer. Empty if no kind is asked for. */
  readonly given: ReadonlySet<string>
}

/** Reads the kinds of answer that a question asks for: `amount` for “How much rent …?”. There are none if any text may answer it. */
export function readWantedAnswer(question: string): WantedAnswer {
  const isChinese = /\p{Script=Han}/u.test(question)
  const readings = isChinese ? CHINESE : ENGLISH
  const asked = ANSWER_KINDS.filter((kind) => readings[kind].asks.test(question))
  const kinds = asked.includes('amount') ? asked.filter((kind) => kind !== 'count') : asked
  const given = new Set(kinds.length === 0 ? [] : wordsOf(question))
  return { kinds, isChinese, given }
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []).map((word) =>
    word.replace(/['’]s$/, ''),
  )
}

/** Matches a name that is said to be itself, which answers nothing: 林屿叫林屿. */
const NAMED_AS_LABELLED = /^(?<who>\p{Script=Han}{2,4})叫\k<who>。?$/u

/** Reports whether a text holds an answer of any wanted kind. It always does if no kind is wanted. */
export function holdsAnswer({ kinds, isChinese, given }: WantedAnswer, text: string): boolean {
  if (kinds.length === 0) return true
  const readings = isChinese ? CHINESE : ENGLISH
  if (isChinese && NAMED_AS_LABELLED.test(text)) return kinds.every((kind) => kind !== 'name')
  return kinds.some(
    (kind) =>
      readings[kind].holds.test(text) ||
      (!isChinese && (kind === 'name' || kind === 'person') && mayHoldName(text, given)),
  )
}

/** Reports whether a text has a capitalised word that the question lacks. A text without capitals may always hold a name. */
function mayHoldName(text: string, given: ReadonlySet<string>): boolean {
  if (!/\p{Lu}/u.test(text)) return true
  return (text.match(NAME_IN_TEXT) ?? []).some(
    (name) => !/^I(?:['’]|$)/.test(name) && !given.has(name.toLowerCase().replace(/['’]s$/, '')),
  )
}

/** Kinds of answer that can be detected in a text. */
export const ANSWER_KINDS = ['amount', 'count', 'duration', 'time', 'place', 'name', 'person'] as const

const NUMBER = String.raw`(?:\d[\d,.]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|dozen|half|couple|once|twice)\b)`
const MONEY = String.raw`(?:euros?|pounds?|quid|dollars?|bucks?|cents?|pence|p|grand|k|francs?|yen|yuan|rupees?|pesos?|cedis?|kronor|kroner|zloty)`
const CHINESE_NUMBER = '[\\d一二三四五六七八九十百千万两半]'
/** Nouns for things with proper names. */
const NAMED_THING =
  'name|surname|nickname|title|brand|street|road|school|university|college|church|hospital|company|firm|shop|store|restaurant|café|cafe|pub|bar|hotel|club|team|band|book|novel|film|movie|show|series|song|album|game|app|city|town|village|country|state|county|region|island|airline|airport|station|publisher|magazine|newspaper|language|park|beach|neighbou?rhood'
const KIN =
  'mother|mum|mom|mam|father|dad|parents?|sister|brother|sibling|son|daughter|kids?|children|wife|husband|partner|girlfriend|boyfriend|aunt|auntie|uncle|cousin|niece|nephew|grand\\w+|nan|gran|friend|mate|neighbou?r|colleague|boss|manager|teacher|doctor|landlord|landlady|flatmate|roommate|ex'

const NAME_IN_TEXT = /(?<=[^.!?…\s“"'(]\s+["“'(]?)\p{Lu}[\p{L}\p{N}’'-]*/gu
const QUOTED = /["“][^"”]{2,60}["”]/

/** Words about money: “costs”, “salary”, “borrow”. */
const MONEY_WORDS = either(
  /pa(?:y|id)|costs?|earn|rent|price|salary|wages?|charge|spen[dt]|worth|owe|raise|sell/,
  /sold|buy|bought|fee|deposit|make|made|save|lend|lent|borrow|grant|money/,
)
/** Matches words for times: “3rd”, “8 pm”, “Mondays”, “ago”. */
const TIME_ANSWERS = either(
  /\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?::\d\d|\.\d\d)?\s?(?:am|pm)|\d{1,2}:\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?/,
  /(?:january|february|april|june|july|august|september|october|november|december)/,
  /(?:in|since|last|next|early|late|of|this|\d{1,2}(?:st|nd|rd|th)?) (?:march|may)|(?:march|may) \d/,
  /(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec) \d|(?:19|20)\d\d|yesterday|tomorrow|tonight|today|ago|christmas|easter|ramadan/,
  /diwali|new year|noon|midnight|half (?:past )?\w+|weekend/,
  /(?:last|next|this|in|by|before|after|every|past) (?:the )?(?:week|month|year|night|morning|evening|spring|summer|autumn|fall|winter)/,
  /\d{1,2} o'?clock/,
)
const ENGLISH: Readings = {
  amount: {
    asks: pattern(
      'i',
      String.raw`\bhow much\b.*\b(?:${MONEY_WORDS})\b`,
      /\bhow much\b[^?]*\bgrant\b|\bwhat\b.*\b(?:price|salary|rent|fee|wage)\b/,
      /\bwhat (?:do|did|does|will) (?:\S+ ){1,3}?(?:pay|cost|earn|charge|spend|owe)\b/,
    ),
    holds: new RegExp(String.raw`[£$€¥₹]\s?\d|${NUMBER}\s*-?${MONEY}\b|\d{3,}|\d,\d{3}|\bfor free\b`, 'i'),
  },
  count: {
    asks: /\bhow (?:many|old|tall|far|heavy|fast|big|high|much)\b|\bpercent|\bwhat (?:score|mark|number|size|age|percentage)\b/i,
    holds: new RegExp(NUMBER, 'i'),
  },
  duration: {
    asks: /\bhow long\b/i,
    holds: new RegExp(
      String.raw`(?:${NUMBER}|\b(?:an?|few|many|several|all|whole))[ -]+(?:\w+ )?(?:years?|yrs?|months?|weeks?|fortnight|days?|hours?|hrs?|minutes?|mins?|nights?|summer|winter|decades?)\b|\bsince\b|\buntil\b|\btill\b`,
      'i',
    ),
  },
  time: {
    // The date of a message that reports an event says when it happened.
    asks: /(?:^\W*|[,;] |\b(?:and|since|until|till|from|by) )when\b(?! (?:did|was|were|have|has|had)\b)|\b(?:what|which|on what|in what) (?:time|date|day|weekday|month|year|season)\b/i,
    holds: new RegExp(String.raw`\b(?:${TIME_ANSWERS})\b`, 'i'),
  },
  name: {
    asks: new RegExp(
      String.raw`\b(?:names?|surname|nickname|called|titled?|brand|(?:make|model) of)\b|\b(?:in|at|to|from|for|with) which \w+|\b(?:which|what) (?:\w+ )?(?:${NAMED_THING})\b`,
      'i',
    ),
    holds: QUOTED,
  },
  place: { asks: /\bwhere\b/i, holds: PLACE },
  person: { asks: /\bwho(?:m|se)?\b/i, holds: new RegExp(String.raw`\b(?:${KIN})\b`, 'i') },
}

const CHINESE: Readings = {
  amount: {
    asks: /多少钱|(?:工资|租金|房租|价钱|价格|薪水|月薪|收入|学费|押金|工钱)[^，。]{0,6}多少|多少[^，。]{0,3}(?:工资|租金|房租|钱|块|元)|花了多少/,
    holds: new RegExp(`${CHINESE_NUMBER}[多来几]?[块元万千百毛]|\\d{3,}|免费|[￥¥]`),
  },
  count: {
    asks: /多[大高重远]|几岁|多少|几[个次只口人位分桌路名本家条张杯公米斤年级月号楼层]|第几|多少[岁分]/,
    holds: new RegExp(CHINESE_NUMBER),
  },
  duration: {
    asks: /多久|多长时间|几[天年周]了|几个[月小]|多少[天年]/,
    holds: new RegExp(
      `${CHINESE_NUMBER}[多来几]?个?(?:半)?(?:年|月|天|周|星期|小时|钟头|分钟|晚|夜)|几[天年]|从.{1,8}[起到]`,
    ),
  },
  time: {
    asks: /(?:什么时候|啥时候|何时|哪一?天)(?=.*[要会])|哪一?[年月]|几[月号点]|生日是|哪个月|哪一年/,
    holds:
      /\d+[月号日点]|[一二三四五六七八九十]+[月号日点]|星期|周[一二三四五六日末天]|礼拜|[昨今明前后]天|[去今明前后]年|[上下这]个?[周月]|春节|国庆|中秋|过年|元旦|五一|端午|清明|早上|晚上|月底|月初|年底|年初|刚才|昨晚|今晚|暑假|寒假/,
  },
  name: {
    asks: /叫什么|叫啥|什么名字|名字[是叫]|姓什么|姓啥|哪[一]?[所家条座部本首款个间支](?!时候|月)/,
    holds: /叫(?!什么|啥|我去|他去|你|我来|她去)[^，。！？\s]|姓(?!什么|啥)|名字|《[^》]+》|[“「『]/,
  },
  place: {
    asks: /哪[里儿边]|什么地方|哪个?(?:城市|国家|地方)/,
    holds:
      /[省市县镇村区路街]|[在去到回住从]\p{Script=Han}{2}|\p{Script=Han}{2}人(?!\p{Script=Han})|^\p{Script=Han}{2,4}。?$/u,
  },
  person: { asks: /(?!)/, holds: /(?!)/ },
}
