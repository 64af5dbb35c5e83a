// Reads the subject of a wide question: “my sister” of “What has been going on with my sister?”.
import { simplifyChinese } from '../terms/simplify-chinese.ts'

/**
 * Reads the subject of a wide question by the form of the question. Such a question asks how a person or matter is, went or began, or for
 * all about it, and for no detail. Returns `null` for other questions.
 *
 * @param question the question, with the user's name replaced by “me” or 我
 * @example
 * readSubject('What has been going on with my sister?') // 'my sister'
 * readSubject('What is my sister called?') // null
 */
export function readSubject(question: string): string | null {
  const text = question.trim()
  if (/\p{Script=Han}/u.test(text)) return readChinese(simplifyChinese(text))
  for (const pattern of [ENGLISH_COURSE, ENGLISH_LIKE, ENGLISH_TELL_HOW, ...ENGLISH]) {
    const of = pattern.exec(text)?.groups?.['of']
    if (of === undefined) continue
    const subject = of.replace(/^i (?:been )?(?=\p{L}+ing\b)/iu, '')
    const words = subject.replace(DETERMINER, '').split(/\s+/)
    return NO_SUBJECT.test(subject) || words.length > 5 ? null : subject
  }
  return null
}

function readChinese(text: string): string | null {
  if (!CHINESE_WIDE.test(text) || CHINESE_ONE.test(text)) return null
  const subject = text.replaceAll(CHINESE_ASKING, '')
  return subject === '' || subject.length > 9 ? null : subject
}

const START = String.raw`^(?:(?:so|and|ok(?:ay)?|please|hey|now|well|can you|could you)[,\s]+)*`
const BE = String.raw`(?:['’]s|['’]ve| is| are| was| were| has| have| had)`
/** Matches the end of the question after its subject, which says nothing about it: “lately”, “so far”. */
const END = String.raw`(?:,?\s+(?:so far|lately|recently|these days|at the moment|right now|now|then|already|this year|for me|on me|with me|again|to you|please|been|get(?:ting)? on|going|gone|doing|coming along|hold(?:ing)? up))*[\s?.!]*$`
/** Match wide questions, which name no detail: how something is, went or began, or all about it. The group `of` is the subject. */
const ENGLISH = [
  String.raw`(?:(?:tell|remind) (?:me|us) (?:(?:everything|all|more|a bit|what you know|again) )?(?:about|of)|(?:catch|fill|bring|get) (?:me|us) (?:up|in|up to (?:date|speed))(?: again)? (?:on|with|about)|(?:give|write) (?:me |us )?(?:an?|the) (?:\w+ )?(?:overview|summary|rundown|recap|update|history|picture) (?:of|on|about)|(?:summari[sz]e|sum up|recap))(?: everything(?: to do with| about)?)?`,
  String.raw`(?:(?:tell me|list|recap|summari[sz]e|sum up) (?:what|everything|all)(?: that)? (?:you|we) (?:know|remember|have)|what have i (?:told|said to) you) (?:about|of|on)`,
  String.raw`what (?:do|did|have|should|does) (?:you|we|i) (?:know|remember|got|gathered?|learn(?:ed|t)?)(?: \w+)? (?:about|on)`,
  String.raw`(?:what${BE}(?: been)? (?:going on|happening|happened|new|up|become) (?:with|to|at|in|of|about)|what happened (?:to|with))`,
  String.raw`what(?:['’]s| is| was| are) (?:the (?:whole )?(?:story|history|latest|news|situation|state|status|background)|there to know) (?:of|with|on|about|behind)`,
  String.raw`where (?:do|did) (?:things|matters|we|i) stand (?:with|on)`,
  String.raw`(?:any )?(?:news|updates?) (?:of|on|about|from)`,
  String.raw`how (?:did|has|have|was|is|are)(?: (?:it|things|everything|all))(?: been)?(?: go(?:ne|ing)?| turn(?:ed)? out)?(?: at| in)? (?:with|at|in|on)`,
  String.raw`how${BE}`,
].map((form) => new RegExp(`${START}${form}\\s+(?<of>[^,;]+?)${END}`, 'iu'))
/** Matches “How did the trip come about?”, “How have my finances changed?” and “How have I been sleeping?”. */
const ENGLISH_COURSE = new RegExp(
  String.raw`${START}how (?:did|do|does|has|have) (?<of>.+?) (?:come about|turn(?:ed)? out|go|gone|end(?:ed)?(?: up)?|work(?:ed)? out|start(?:ed)?|chang(?:ed?|ing)|develop(?:ed)?)${END}`,
  'iu',
)
/** Matches “What is my sister like?” and “What has the course been like?”. */
const ENGLISH_LIKE = new RegExp(String.raw`${START}what${BE} (?<of>.+?) (?:been )?like${END}`, 'iu')
/** Matches “Tell me how my jobs have gone.”. */
const ENGLISH_TELL_HOW = new RegExp(
  String.raw`${START}(?:tell|show|remind) me how (?<of>.+?)(?: (?:is|are|has|have|was|were|did))? (?:been|gone?|going|doing|turn(?:ed)? out)${END}`,
  'iu',
)
/** Matches words that make a subject too narrow, such as a clause or a preposition of place: “my talk with Anna on Monday”. */
const NO_SUBJECT =
  /\b(?:who|whom|which|that|when|where|why|how|if|whether|called|named|spelt|old|long|much|many|far|often|related|than|i|he|she|it|they|we|you|me|myself|him|them|her|us)\b(?! (?:been|had)\b)/iu
const DETERMINER = /^(?:(?:my|our|the|a|an|this|that|all|your|his|their) )+/iu
const CHINESE_WIDE =
  /[说讲聊谈][说讲聊谈一给]|[说讲聊谈][一]?[下说讲听]|[理捋]一[理捋下]|介绍|总结|概括|回顾|怎么?样了?[？?。]?$|咋样|如何[？?。]?$|怎么回事|来龙去脉|从头到尾|知道(?:些|多少|什么|.{1,6}的?什么)|了解多少|(?:后来|现在|最近|都)怎么了/u
const CHINESE_ONE =
  /什么时候|几[点号月天次岁个]|谁|哪|为什么|为啥|叫什么|[多]久|多大|建议|推荐|怎么[^样回了]/u
const CHINESE_ASKING =
  /说说看?|讲讲|聊聊|谈谈|[说讲聊谈理捋]一[说讲聊谈理捋下]|[说讲]给我听|给我|跟我|告诉|介绍|总结|概括|回顾|怎么?样了?|咋样|如何|怎么(?:了|回事)|来龙去脉|从头到尾|知道|了解|多少|[些]?什么|一下|后来|现在|目前|最近|今年|这一?年|都|过得|情况|状况|[这那]件?事儿?|的事情?|事情|[你我]的?|是|[的了吗呢吧啊]|[？?。，！]/gu
