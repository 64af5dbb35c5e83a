import { sentencesOf } from './passages.ts'

/** A speaker's own lack of knowledge: “I do not know”, not “she does not know”. */
const NOT_KNOWING =
  /\b(?:i|we)(?: really| just| honestly)? (?:do not|don't|did not|didn't) (?:actually )?(?:know|recall|remember|have (?:any |enough |that |this |the |such )*(?:information|memor|record|detail|knowledge|data))(?! (?:how to|anyone|anybody|any of|many))|\b(?:i|we) (?:have no|lack)(?: any)? (?:idea|information|memor|record|recollection|knowledge|details?)|\b(?:i|we)(?: am|'m| are|'re) (?:not sure|unsure|unable to|not able to|not aware)|\b(?:i|we) (?:cannot|can't|can not|could not|couldn't) (?:\w+ )?(?:tell|say|determine|answer|find|recall|remember|know|confirm)|\bno idea\b/i
/** Missing information in the material. */
const NOT_TOLD =
  /\b(?<!\b(?:he|she|they|user) )(?:is|are|was|were|has|have|had|been|being)(?: been)?(?: not|n't| never)(?: been| explicitly| specifically| actually| directly)* (?:mentioned|said|told|stated|specified|given|provided|recorded|discussed|known|clear|available|disclosed|indicated|determined)|\b(?:never|not) (?:been )?(?:mentioned|stated|specified|disclosed|discussed|recorded|provided)\b|\b(?:it|this|that|nothing|context|conversation|dialogue|talk|text|notes?|records?|information|memor(?:y|ies))(?: do| does| did)(?: not|n't) (?:\w+ )?(?:say|mention|tell|state|specify|indicate|contain|include|provide|reveal|give)\b|\b(?:there (?:is|are|was|were)|has|have|had|found|contain|contains) (?:no|nothing|not any)(?: \w+)? ?(?:information|mention|memor\w+|records?|details?|data|evidence|answer|about|in)\b|\bno(?: \w+){0,2} (?:was|were|is|are|has been|have been)(?: ever)? (?:given|mentioned|said|told|stated|found|available|provided|recorded)|\bno (?:relevant |such |specific )*(?:information|memor(?:y|ies)|records?|mention)\b|\b(?:unknown|unanswerable|undetermined)\b|\b(?:is|it's) unclear\b|\b(?:cannot|can't|can not) be (?:determined|answered|known|told|inferred)|\bnot enough information|\binsufficient (?:information|context)/i
const CHINESE =
  /不知道(?!怎么|如何)|不清楚|不确定|不记得|不了解(?:这|该|相关)|无法(?:确定|判断|得知|回答|知道|确认|推断|从)|不能(?:确定|判断|得知|回答)|未知|没有?(?:\p{Script=Han}{0,4})?(?:提到|提过|提及|说过|说明|讲过|记录|相关|信息|告诉|透露|任何内容|答案)|没有说|没有关于|从未提|未(?:曾)?(?:提|说|记录|透露)|无相关|信息不足|没有\S{0,8}(?:的)?(?:信息|内容|记录|记忆)/u
/** Introduces a guess nevertheless. */
const GUESS =
  /\b(?:but|though|however),? (?:it |he |she |they |i |that )?(?:was |is )?(?:probably|perhaps|maybe|likely|might|must|guess|think|would say|assume|suspect)|(?:但|不过|可能|应该|大概|我猜|估计)(?:可能|应该|大概|我猜|估计|是)/i

/**
 * Whether an answer says that it does not know, in its first or last sentence and without a guess. By general phrases of English and
 * Chinese.
 *
 * @example
 * isAbstention('I do not know her age.') // true
 * isAbstention('She does not know how to swim.') // false
 */
export function isAbstention(text: string): boolean {
  const sentences = sentencesOf(text.normalize('NFKC').replace(/[’‘]/g, "'"))
  const ends = [...new Set([sentences[0], sentences.at(-1)])].filter((one) => one !== undefined)
  return ends.some(
    (sentence) =>
      [NOT_KNOWING, NOT_TOLD, CHINESE].some((rule) => rule.test(sentence)) && !GUESS.test(sentence),
  )
}
