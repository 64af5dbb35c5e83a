// Decides whether a question asks for one fact, an overview, a person, a time, or the last conversation.
import { either, pattern } from '../pattern.ts'
import { isChineseFunctionCharacter } from '../terms/function-words.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { simplifyChinese } from '../terms/simplify-chinese.ts'
import { readMatters, type Matter } from './read-matters.ts'
import { readSubject } from './read-subject.ts'
import type { TimeRange } from './read-time-range.ts'

/** The kind of answer that a question asks for. */
export type QuestionKind =
  /** A stated fact, which is searched for. */
  | { readonly kind: 'fact' }
  /** An overview of the user or some topics: “Tell me about myself”, “Who matters in my life?” */
  | { readonly kind: 'overview'; readonly matters: readonly Matter[] }
  /** All facts about one person or matter, in its present or past state: “How is my sister doing?” */
  | { readonly kind: 'subject'; readonly subject: string }
  /** The last conversation. */
  | { readonly kind: 'last-talk' }
  /** Events in a period: “What happened in October?” */
  | { readonly kind: 'time' }
  /** Events before or after a named event: “What happened the week before the move?” */
  | { readonly kind: 'around'; readonly event: string; readonly side: Side }

export type Side = 'before' | 'after' | 'around'

/**
 * Reads the kind of answer that a question asks for, in English and Chinese. It is a fact unless the question is clearly of another kind.
 *
 * @param text the question, with the user's name replaced by “me” or 我
 * @param ranges the times it names
 * @example
 * readKind('What did we talk about last time?', []) // { kind: 'last-talk' }
 * readKind('我的身体情况你知道多少？', []) // { kind: 'overview', matters: ['health'] }
 */
export function readKind(text: string, ranges: readonly TimeRange[]): QuestionKind {
  const question = simplifyChinese(text.trim())
  const matters = readMatters(question)
  if (matters !== null) return { kind: 'overview', matters }
  if (findTerms(question).length === 0 || ASKS_ONE.test(question)) return { kind: 'fact' }
  if (LAST_TALK.test(question) && namesNothing(question)) return { kind: 'last-talk' }
  if (ranges.length > 0 && namesNothing(question)) return { kind: 'time' }
  if (LONG_STRETCH.test(question)) return { kind: 'overview', matters: ['person'] }
  const around = readAround(question)
  if (around !== null) return around
  const subject = ranges.every(({ from, to }) => to - from > LONG_TIME_MS) ? readSubject(question) : null
  return subject === null ? { kind: 'fact' } : { kind: 'subject', subject }
}

/** Reports whether a text names no topic: it has only times and words of asking. */
function namesNothing(text: string): boolean {
  if (!HAN.test(text))
    return findTerms(text.replaceAll(ENGLISH_TIMES, ' ')).every((term) => ANYTHING.has(term))
  const rest = text.replaceAll(CHINESE_TIMES, '').replaceAll(ANYTHING_CHINESE, '')
  return [...rest.matchAll(/\p{Script=Han}/gu)].every(([character]) => isChineseFunctionCharacter(character))
}

function sideOf(side: string | undefined, groups: Readonly<Record<string, string | undefined>>): Side {
  if (groups['early'] !== undefined) return 'before'
  if (groups['late'] !== undefined) return 'after'
  if (side === undefined) return 'around'
  if (/around/i.test(side)) return 'around'
  return /before|prior|leading/i.test(side) ? 'before' : 'after'
}

/** Reads a question about events around a named one; `null` for another question. */
function readAround(text: string): QuestionKind | null {
  const groups = (HAN.test(text) ? AROUND_CHINESE : AROUND_ENGLISH).exec(text)?.groups
  if (groups === undefined) return null
  const { asked = '', event = '', side } = groups
  // “Where did I live before the move?” asks for a place, and “just before” names no event.
  if (asked.trim() === '' || !namesNothing(asked) || namesNothing(event) || ASKS_WHETHER.test(asked))
    return null
  return { kind: 'around', event: event.trim(), side: sideOf(side, groups) }
}

/** Terms of words that name no topic. A question with only these is about a time or a conversation. */
const ANYTHING = new Set(
  findTerms(`happen happened happening go going gone went wrong on tell told talk talked talking discuss discussed chat chatted speak spoke
    say said mention mentioned cover covered topic topics conversation conversations session sessions time times last previous recent
    recently latest event events thing things anything something everything stuff news new mind life doing take place took change
    changed else happens remember recall remind know summarise summarize summary leave left start begin beginning middle end early mid late busy keep kept
    good bad like feel feeling felt week weeks weekend weekends month months day days year years night evening morning today currently`),
)
const ANYTHING_CHINESE =
  /发生|什么|啥|事情|事儿|[好坏]?消息|聊天|聊|谈|说|讲|告诉|提到?|话题|内容|(?:上|前|最近|最后|那)(?:一?[次回趟]|几天)|最近|那?时候?|那?阵子?|那段日子|段时间|期间|记得|知道|做|干|忙|过得?|情况|变化|大事|遇到|赶上|经历|左右|前后|大概|来着|事|都|咱|哪天|到哪儿?|主要|新/g
const ENGLISH_TIMES =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|christmas|\d+(?:st|nd|rd|th)?)\b/gi
const CHINESE_TIMES =
  /(?:过去|最近|近)?的?[一二三四五六七八九十两半几\d]+(?:年|个?月份?|号|日|周|天)[来里间]?|[去今前明]年|[上下这本那]个?(?:月|周|星期|礼拜)|[春夏秋冬](?:天|季)|(?:年|月)?[初底末]|[上中下]旬/g
const HAN = /\p{Script=Han}/u
const TALKED = String.raw`(?:talk(?:ed|ing)?|discuss(?:ed|ing)?|chat(?:ted|ting)?|sp(?:oke|eak)|sa(?:y|id)|t(?:old|ell)|mention(?:ed)?|cover(?:ed)?|conversation|session|chat)`
/** Matches questions about the last conversation: “What did we talk about last time?”, 上次聊到哪儿了. */
const LAST_TALK = new RegExp(
  [
    String.raw`\b${TALKED}\b.*\b(?:last time|last session|last conversation|last chat|the other (?:day|time)|previously|most recently)\b`,
    String.raw`\blast (?:time|session|conversation|chat|talk)\b.*\b${TALKED}\b`,
    String.raw`\b(?:last|latest|previous|most recent) (?:conversation|session|chat|talk)\b`,
    String.raw`\b(?:leave|left) off\b`,
    String.raw`(?:上次|上一次|上回|前一次|最近一次|最后一次|前几天).*(?:聊|谈|说|讲|话题)`,
    String.raw`(?:聊|谈|说|讲)到哪`,
  ].join('|'),
  'i',
)
/** Nouns for stretches of time: “weeks”, “evening”. */
const STRETCHES = 'weeks?|weekend|months?|days?|night|evening|morning|time'
/** Prepositions of time: “leading up to”, “following”. */
const AROUND_WORDS = 'before|after|prior to|leading up to|following|around'
/** Matches words for a time around an event: “the weeks before”, “just after”. */
const AROUND_ENGLISH = new RegExp(
  String.raw`^(?<asked>.*?)\b(?:(?:in|during|on|over|at)\s+)?(?:the\s+)?(?:(?:few\s+)?(?:${STRETCHES})\s+)?(?:just\s+|right\s+|shortly\s+|soon\s+)?(?<side>${AROUND_WORDS})\s+(?:the\s+(?:day|time)\s+(?:that\s+|when\s+)?)?(?<event>.+?)[\s?.!]*$`,
  'i',
)
/** The same in Chinese: 搬家之前那几周, 面试前后. */
const AROUND_CHINESE =
  /^(?<event>.+?)(?:的时候)?的?(?:那?(?<early>(?:之?前|以前)(?!是|在|做|干|住|叫|有|当|吃|用)|前夕)|(?<late>之?后|以后)|(?<near>前后|那阵子?|那段时间|那会儿|期间))的?(?:那?[一几两]?个?(?:星期|礼拜|周|天|晚上|阵子|段时间|月))?[，,]?(?<asked>.*(?:什么|啥|哪些|怎么).*)$/
/** Matches a yes-or-no question that asks for no events: “Is the Sunday after next free?”, but not “Did anything happen …?”. */
const ASKS_WHETHER =
  /^\W*(?:so |and |but )?(?:is|are|was|were|am|do|does|did|can|will|would|has|have|had)\b(?!.*\b(?:\w+thing|news|what|how)\b)/i
/** A question about a time longer than this, such as “this year”, may still be about a subject. In milliseconds. */
const LONG_TIME_MS = 60 * 86_400_000
/** Matches questions for one thing by their first word: “when”, “who”. */
const ASKS_ONE =
  /^(?:when|where(?! (?:do|did) (?:things|matters|we) stand)|who|why|how (?:long|many|much|old|often))\b|什么时候|几点|几号|谁|(?<!知道|了解)多少|为什么/i
/** Questions about a year or more: “what has my year been like”, “what has changed in my life”. */
const YEAR_QUESTIONS = either(
  /what(?:['’]s| has| have| was) (?:my|this|the last|the past) (?:\p{L}+ )?(?:years?|life)(?: (?:in|at|with) [^,;?]+)? (?:been )?like/u,
  /what has (?:changed|happened) in (?:my|our) (?:life|lives)|how has (?:my|our) life (?:changed|been)/u,
)
/** Matches questions about a year or more of a whole life: “What has my year abroad been like?”. */
const LONG_STRETCH = pattern(
  'iu',
  String.raw`^(?:so |and )?(?:${YEAR_QUESTIONS})\b`,
  /我.*[年月](?:都)?(?:经历|发生)了?(?:哪些|什么|啥|怎样)/u,
)
