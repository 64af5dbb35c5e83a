import { maskUnspoken, splitSentences, withoutNonRequests } from '@keepsake/text'

// A model may read a request to forget where rules (`hearRequests`) find none. These patterns check that the user asked.

/** Match words of any wish to forget. They are wide: they only show that a request is possible. */
const WISH_EN =
  /\b(?:forg[eo]t(?:ten|ting)?|eras|delet|remov|disregard|ignor|scratch|strik|wip(?:e|ing)|scrub|purg|bur(?:y|ied)|dead|lose|drop|clear|clean|blank|unhear|unsa[yi]|un-|undo|redact|shred|burn|bin\b|trash|tak(?:e|ing) (?:it|that|this|back)|took|keep|kept|remember|rememb|stor|sav(?:e|ing)|record|writ|wrote|note|log|hold|mention|bring|brought|talk|speak|spoke|said|say|told|tell|typed?|typing|ask(?:ed)? (?:me|about)|remind|rais|touch|go(?:es)? (?:there|no|away)|leave|left out|let (?:it|that|this|go)|never|nobody|no one|nothing|not hear|hear[d]?|between (?:us|you)|private|secret|confidential|off (?:the record|limits|the table)|closed|chapter|over and done|done with|behind me|is over|past|gone|stay(?:s)? (?:here|out)|out of|regret|wish|shouldn|should not|rather you|pretend|happen|exist|strictly|hush|quiet|silen|zip|lips|rest\b|peace|stop|don[’']?t|do not|no more|anymore|any more|again)/i
const WISH_ZH =
  /忘|别|莫|勿|甭|休|不要|不用|不必|不想|不愿|不提|不说|不记|不聊|不谈|不讲|不留|不再|没必要|删|抹|擦|清|去掉|拿掉|划掉|撤|收回|翻篇|翻页|过去|过了|了结|结束|到此为止|没说|没讲|没提|没听|没发生|没有过|不存在|当我|当作|当没|就当|烂在|埋|藏|保密|秘密|私|只跟你|你知我知|算了|后悔|不该|多嘴|嘴快|隐|打住|停|免提|跳过|掠过|略过/

/** Match words that usually ask for it. One such sentence is enough for its turn. */
const PLAIN_EN =
  /\b(?:(?:(?:do not|don[’']?t|never|please|rather you did(?: not|n[’']t))\s+(?:\w+\s+){0,3}?(?:keep|remember|store|save|write|record|note|hold on|repeat|mention|bring|tell|talk|speak|ask)\b[^.!?]{0,30}\b(?:that|this|it|him|her|them|about|any of)\b)|(?:(?<!\b(?:not|don[’']?t|never|can[’']?t|cannot|won[’']?t|didn[’']?t|I|we|he|she|they) (?:ever )?)forg[eo]t(?:ten|ting)?|erased?|wiped?|deleted?|scratch|strike|unhear|scrub|lose|drop)\s+(?:\w+\s+){0,3}?(?:that|this|it|what|all|everything|him|her|them|about)\b|off the record|between (?:you and me|us)|(?:never|did(?: not|n[’']t)) (?:said|say|hear|heard|told|tell|typed?|mentioned?|happen(?:ed)?)|should(?: not|n[’']t) have (?:said|told|typed|written|mentioned|brought)|wish i had(?: not|n[’']t)|closed (?:chapter|book|subject)|take (?:that|it|this) back|unsa(?:y|id)|not (?:be )?(?:kept|stored|remembered|saved)|goes no further|stays? (?:between|with) (?:us|you))/i
const PLAIN_ZH =
  /(?:别|莫|勿|不要|不用|不必|甭)(?![^，。！？]{0,4}忘)(?:再|给我|帮我)?(?:把)?[^，。！？]{0,6}(?:记|存|留|提|说出去|讲出去|外传|告诉)|(?<![别莫没勿要会敢能])忘(?:了|掉|记)(?:它|吧|这|那|我|刚)?|(?:抹|删|擦|划|清)(?:了|掉|去)|当(?:我|作|没)[^，。！？]{0,4}没|没(?:说|讲|提)过|翻篇|不该(?:说|讲|告诉|提)|保密|你知我知|烂在|不提(?:了|它|这|那)|到此为止|收回(?:刚|前|这|那)?/

/** Checks whether a text may ask to forget something. */
export function mayAskToForget(text: string): boolean {
  return WISH_EN.test(text) || WISH_ZH.test(text)
}

/** Checks whether a text likely asks to forget something. */
export function likelyAsksToForget(given: string): boolean {
  const text = withoutNonRequests(given)
  return PLAIN_EN.test(text) || PLAIN_ZH.test(text)
}

/**
 * Checks whether a turn supports a request to forget that a model read: its sentence may ask for it, or another one likely
 * does. Quoted and pasted text does not count.
 *
 * @param quote words of the turn; `null` for all of it
 */
export function isAskedIn(text: string, quote: string | null): boolean {
  const spoken = maskUnspoken(text)
  const index = quote === null ? 0 : text.indexOf(quote)
  if (index < 0) return false
  const own = spoken.slice(index, index + (quote ?? text).length)
  if (!/[\p{L}\p{N}]/u.test(own)) return false
  return likelyAsksToForget(spoken) || (quote !== null && mayAskToForget(sentencesAround(spoken, own)))
}

/** Returns the sentences that a quote touches. */
function sentencesAround(text: string, quote: string): string {
  const from = text.indexOf(quote)
  const to = from + quote.length
  const around = splitSentences(text).filter(
    (sentence) => sentence.start < to && sentence.start + sentence.text.length > from,
  )
  return around.map((sentence) => sentence.text).join(' ')
}
