import { pattern } from '@keepsake/text'
import { sentencesOf } from './passages.ts'

/** Matches a speaker's own lack of knowledge: “I do not know”, but not “she does not know”. */
const NOT_KNOWING = [
  // “I don't really remember that”. “I don't know how to swim” says something else.
  /\b(?:i|we)(?: really| just| honestly)? (?:do not|don't|did not|didn't) (?:actually )?(?:know|recall|remember|have (?:any |enough |that |this |the |such )*(?:information|memor|record|detail|knowledge|data))(?! (?:how to|anyone|anybody|any of|many))/i,
  // “I have no information”.
  /\b(?:i|we) (?:have no|lack)(?: any)? (?:idea|information|memor|record|recollection|knowledge|details?)/i,
  // “I'm not sure”.
  /\b(?:i|we)(?: am|'m| are|'re) (?:not sure|unsure|unable to|not able to|not aware)/i,
  // “I cannot tell”.
  /\b(?:i|we) (?:cannot|can't|can not|could not|couldn't) (?:\w+ )?(?:tell|say|determine|answer|find|recall|remember|know|confirm)/i,
  /\bno idea\b/i,
]
/** Words for the text from which an answer is read. */
const MATERIAL = 'it|this|that|nothing|context|conversation|dialogue|talk|text|notes?|records?|information'
/** Matches sentences about missing information in the material: “The talk does not say”. */
const NOT_IN_MATERIAL = [
  // “It was not explicitly mentioned”.
  /\b(?<!\b(?:he|she|they|user) )(?:is|are|was|were|has|have|had|been|being)(?: been)?(?: not|n't| never)(?: been| explicitly| specifically| actually| directly)* (?:mentioned|said|told|stated|specified|given|provided|recorded|discussed|known|clear|available|disclosed|indicated|determined)/i,
  /\b(?:never|not) (?:been )?(?:mentioned|stated|specified|disclosed|discussed|recorded|provided)\b/i,
  // “The notes do not say”.
  new RegExp(
    `\\b(?:${MATERIAL}|memor(?:y|ies))(?: do| does| did)(?: not|n't) (?:\\w+ )?(?:say|mention|tell|state|specify|indicate|contain|include|provide|reveal|give)\\b`,
    'i',
  ),
  // “There is no mention”.
  /\b(?:there (?:is|are|was|were)|has|have|had|found|contain|contains) (?:no|nothing|not any)(?: \w+)? ?(?:information|mention|memor\w+|records?|details?|data|evidence|answer|about|in)\b/i,
  // “No date was given”.
  /\bno(?: \w+){0,2} (?:was|were|is|are|has been|have been)(?: ever)? (?:given|mentioned|said|told|stated|found|available|provided|recorded)/i,
  /\bno (?:relevant |such |specific )*(?:information|memor(?:y|ies)|records?|mention)\b/i,
  /\b(?:unknown|unanswerable|undetermined)\b|\b(?:is|it's) unclear\b/i,
  /\b(?:cannot|can't|can not) be (?:determined|answered|known|told|inferred)/i,
  /\bnot enough information|\binsufficient (?:information|context)/i,
]
/** Matches both kinds in Chinese: 不知道 (I do not know), 没有提到 (was not mentioned). */
const CHINESE = pattern(
  'u',
  /不知道(?!怎么|如何)|不清楚|不确定|不记得|不了解(?:这|该|相关)/,
  /无法(?:确定|判断|得知|回答|知道|确认|推断|从)|不能(?:确定|判断|得知|回答)|未知/,
  /没有?(?:\p{Script=Han}{0,4})?(?:提到|提过|提及|说过|说明|讲过|记录|相关|信息|告诉|透露|任何内容|答案)/u,
  /没有说|没有关于|从未提|未(?:曾)?(?:提|说|记录|透露)|无相关|信息不足/,
  /没有\S{0,8}(?:的)?(?:信息|内容|记录|记忆)/,
)
const ABSTENTIONS = [...NOT_KNOWING, ...NOT_IN_MATERIAL, CHINESE]
/** Matches a guess after an abstention: “but it was probably …”, 应该是. */
const GUESS = pattern(
  'i',
  /\b(?:but|though|however),? (?:it |he |she |they |i |that )?(?:was |is )?(?:probably|perhaps|maybe|likely|might|must|guess|think|would say|assume|suspect)/,
  /(?:但|不过|可能|应该|大概|我猜|估计)(?:可能|应该|大概|我猜|估计|是)/,
)

/** Reports whether an answer says in its first or last sentence that it does not know, and makes no guess there. */
export function isAbstention(text: string): boolean {
  const sentences = sentencesOf(text.normalize('NFKC').replace(/[’‘]/g, "'"))
  const firstAndLast = [...new Set([sentences[0], sentences.at(-1)])].filter((one) => one !== undefined)
  return firstAndLast.some(
    (sentence) => ABSTENTIONS.some((pattern) => pattern.test(sentence)) && !GUESS.test(sentence),
  )
}
