// Decides whether a user's reply takes up what the agent said before it.
import { pattern } from '@keepsake/text'
import type { AnalysedText } from '../user-state/analysed-text.ts'

/** Matches replies that neither accept nor answer a statement: “nah”, “thanks”, 嗯. */
const EMPTY_REPLY = pattern('iu')`
  ^[\s\p{P}\p{S}]*(?:
    (?:no(?:pe)?|nah|not really|what|lol|haha+|hm+|well|ok(?:ay)?|k|thanks?|thank you|thx|ty|cheers
      |(?:good )?(?:morning|night)|hi|hey|bye|(?:(?:i['’]?ll|i will|will) )?think(?: about it)?|whatever|never mind|yum
      |嗯+|哦+|好的?|谢谢你?|[哈呵嘿]+|不(?:是|用|了|要)?|没有|算了|再见|早|晚安|知道了|我?再看看)
    [\s\p{P}\p{S}]*
  )+$
`

/** Matches replies that ask back, put off or doubt, and so confirm nothing: “How much is one?”, “Let me check”, 再看看. */
const PUTS_OFF = pattern('iu')`
  [?？]\s*$
  |^[\s\p{P}\p{S}]*(?:(?:ok(?:ay)?|hm+|well|right|oh|ah|yeah|nah|no|嗯+|哦|好的?|那|这)[\s\p{P}\p{S}]*)*(?:
    maybe|perhaps|possibly|not sure|dunno|(?:i )?do(?:n['’]?t| not) know|depends|let me|lemme
    |(?:i|we)(?:['’]ll|['’]d| will| would| might| may| should| need to| have to)(?: have)?(?: to)? (?:
      see|check|look|think|ask|consider|find out|sleep on)
    |sounds?\b|也许|可能|说不定|再[说看想]|[等让]?我?[去先]?(?:看看|想想|查[查下]|问[问下])|考虑
    |不(?:知道|清楚|一定|确定)|回头)
`
/** A reply of at most this number of characters is read as a reply to the statement before it. */
const SHORT_REPLY = 30
/** Matches replies that accept or correct a statement: “Yes, exactly”, “No, two”, 对. */
const ACCEPTS = pattern('iu')`
  ^[\s\p{P}\p{S}]*(?:(?:oh|ah|ha(?:ha)*|lol|well|ok(?:ay)?|啊|哦|哈+|嗯)[\s\p{P}\p{S}]+)*(?:
    y(?:es|eah|ep|up|h|a)\b|aye\b|exactly|indeed|right\b|true\b|correct|absolutely|definitely|totally|spot on
    |that['’]?s (?:it|right|true)|(?:it|they|she|he|we|i) (?:is|was|are|were|do|does|did|has|have|am|will|would)\b
    |done\b|will do|deal\b|agreed|good (?:idea|one|call)|on it|no\b|not\b|actually|wrong|对|是[的啊呀]?|没错|就是|当然
    |确实|正是|好(?:主意|啊|呀|办法)|行|可以|答应|不|没|其实)
`

/**
 * Whether a reply answers a question, accepts or corrects a statement, or repeats a word of it.
 *
 * @param said the agent's turn
 * @param asked terms of the question of the recall; repeating one of them says nothing
 */
export function takesUp(said: AnalysedText, reply: AnalysedText, asked: ReadonlySet<string>): boolean {
  const repeatsWord = reply.terms.values().some((term) => said.terms.has(term) && !asked.has(term))
  const isLong = !reply.isElliptic && reply.text.length > SHORT_REPLY
  if (isLong) return repeatsWord
  const isQuestionBefore = /[?？]\s*$/u.test(said.prompt.line)
  if (isQuestionBefore) return true
  if (EMPTY_REPLY.test(reply.text) || PUTS_OFF.test(reply.text)) return false
  return repeatsWord || ACCEPTS.test(reply.text)
}
