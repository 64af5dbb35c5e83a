import { findTerms } from '../text/analyse-text.ts'
import { readMatters, type Matter } from './read-matters.ts'
import type { TimeRange } from './read-time-range.ts'

/** What kind of answer a question wants. */
export type QuestionKind =
  /** Something that was said: it is searched for. */
  | { readonly kind: 'fact' }
  /** The whole of a person, or of some matters of theirs: “Tell me about myself”, “Who matters in my life?” */
  | { readonly kind: 'overview'; readonly matters: readonly Matter[] }
  /** What was talked about when they last talked. */
  | { readonly kind: 'last-talk' }
  /** What happened in a stretch of time: “What happened in October?” */
  | { readonly kind: 'time' }
  /** What happened around something else: “What happened the week before the move?” */
  | { readonly kind: 'around'; readonly event: string; readonly side: 'before' | 'after' }

/** Words that ask for whatever there is: a question that says nothing else is about a time or a talk, not about a thing. */
const ASKING_ANYTHING = new Set(
  findTerms(`happen happened happening go going went on tell told talk talked talking discuss discussed chat chatted speak spoke
    say said mention mentioned cover covered topic topics conversation conversations session sessions time times last previous recent
    recently latest event events thing things anything something everything stuff news up new mind life do doing did been be get got
    remember recall remind know summarise summarize summary leave left off start begin beginning middle end early mid late
    busy keep kept good bad feel feeling felt week weeks weekend month months day days year years night evening morning today
    发生 发生了 事 事情 事儿 聊 聊过 聊天 聊些 谈 谈到 说 讲 讲过 话题 内容 上次 上一次 上回 前一次 最近 最后 一次 时候 那时 那阵 阵子
    段时间 期间 记得 知道 做 干 忙 忙些 过得 怎么 情况 告诉 提 提到 月 月份 年 天 日 号 周 星期 礼拜 左右 前后 初 底 中旬 上旬 下旬 都 跟 来着`),
)

const MONTHS_AND_DAYS =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|christmas|\d+(?:st|nd|rd|th)?)\b|[一二三四五六七八九十\d]+(?:月份?|号|日)|[去今前明]年|[上下这本]个?(?:月|周|星期|礼拜)|[春夏秋冬](?:天|季)|[年月](?:初|底|末|中)/gi

function asksAnything(text: string): boolean {
  return findTerms(text.replaceAll(MONTHS_AND_DAYS, ' ')).every((term) => ASKING_ANYTHING.has(term))
}

const TALKED = String.raw`(?:talk(?:ed|ing)?|discuss(?:ed|ing)?|chat(?:ted|ting)?|sp(?:oke|eak)|sa(?:y|id)|t(?:old|ell)|mention(?:ed)?|cover(?:ed)?|conversation|session|chat)`
const LAST_TALK = new RegExp(
  [
    String.raw`\b${TALKED}\b.*\b(?:last time|last session|last conversation|last chat|the other (?:day|time)|previously|most recently|before this)\b`,
    String.raw`\blast (?:time|session|conversation|chat|talk)\b.*\b${TALKED}\b`,
    String.raw`\b(?:last|latest|previous|most recent) (?:conversation|session|chat|talk)\b`,
    String.raw`\bleave off\b|\bleft off\b`,
    String.raw`(?:上次|上一次|上回|前一次|最近一次|最后一次|前几天).*(?:聊|谈|说|讲|讨论|话题)`,
    String.raw`(?:聊|谈|说|讲)到哪`,
  ].join('|'),
  'i',
)

const AROUND_ENGLISH =
  /^(?<asked>.*?)\b(?:(?:in|during|on|over)\s+)?(?:the\s+)?(?:(?:few\s+)?(?:weeks?|weekend|months?|days?|night|evening|morning)\s+)?(?:just\s+|right\s+|shortly\s+|soon\s+)?(?<side>before|after|prior to|leading up to|following|around)\s+(?:the\s+(?:day|time)\s+(?:that\s+)?)?(?<event>.+?)[\s?.!]*$/i
const AROUND_CHINESE =
  /^(?<event>.+?)的?(?:那?(?<early>之?前|以前|前夕|前)|(?<late>之?后|以后|后))的?(?:那?[一几两]?个?(?:星期|礼拜|周|天|晚上|阵子|段时间|月))?[，,]?(?<asked>.*)$/

function readAround(text: string): QuestionKind | null {
  const english = AROUND_ENGLISH.exec(text)?.groups
  const chinese = AROUND_CHINESE.exec(text)?.groups
  const found = english ?? chinese
  if (found === undefined) return null
  const { asked = '', event = '', side = '', early } = found
  // Without words of asking it is no question about a time: “Where did I live before the move?” asks for a place.
  if (asked.trim() === '' || !asksAnything(asked) || asksAnything(event)) return null
  const isEarlier = english === undefined ? early !== undefined : /before|prior|leading|around/i.test(side)
  return { kind: 'around', event: event.trim(), side: isEarlier ? 'before' : 'after' }
}

/**
 * Reads what kind of answer a question wants, in English and Chinese. Cautious: what is not clearly of another kind is a fact that
 * is searched for.
 *
 * @param text the question, with the asker's own name put as “me” or 我
 * @param ranges the times it names
 * @example
 * readKind('What did we talk about last time?', []) // { kind: 'last-talk' }
 * readKind('我的身体情况你知道多少？', []) // { kind: 'overview', matters: ['health'] }
 */
export function readKind(text: string, ranges: readonly TimeRange[]): QuestionKind {
  const question = text.trim()
  const matters = readMatters(question)
  if (matters !== null) return { kind: 'overview', matters }
  if (LAST_TALK.test(question) && asksAnything(question)) return { kind: 'last-talk' }
  if (ranges.length > 0 && asksAnything(question)) return { kind: 'time' }
  return readAround(question) ?? { kind: 'fact' }
}
