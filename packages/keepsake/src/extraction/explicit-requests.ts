/** What to drop: its words, or `null` for what was just said. */
export interface ForgetRequest {
  readonly about: string | null
}

const ABOUT = String.raw`(?:(?:that(?=\s+(?:(?:i|i'm|i've|my|we|our|he|she|they)\b|\w+ (?:is|was|has|had|lives|works|likes|loves)\b))|about|what i (?:said|told you|mentioned)(?: (?:to you))? (?:about|of|regarding|on)?|the (?:part|thing|fact|bit) (?:about|that|where)|everything (?:about|i said about|i told you about|you know about)|anything about|all about)\s+)`
const POLITE = String.raw`^(?:(?:please|pls|hey|ok|okay|actually|well|oh|sorry|and|also|now|so|can you|could you|would you|will you|i(?:'d| would) (?:like|want) you to|i want you to|i need you to|you (?:can|should|may|must)|just|kindly)[\s,]+)*`
const FORGET_ENGLISH: readonly RegExp[] = [
  new RegExp(
    `${POLITE}(?:forget|erase|delete|remove|drop|disregard|scratch)\\s+${ABOUT}(.+?)(?:\\s+from (?:your )?memory)?[\\s.!?]*$`,
    'i',
  ),
  new RegExp(
    `${POLITE}(?:erase|delete|remove|drop|wipe)\\s+(?:my|the|our)\\s+(.+?)\\s+from (?:your )?(?:memory|memories|records?)[\\s.!?]*$`,
    'i',
  ),
  new RegExp(
    `${POLITE}(?:do not|don't|dont|stop|never)\\s+(?:remember(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|record(?:ing)?)\\s+${ABOUT}(.+?)[\\s.!?]*$`,
    'i',
  ),
  // Without "please" it may be short for "I don't remember my …".
  new RegExp(
    `^(?:please|pls|kindly|can you|could you|(?:please )?(?:can|could|would) you)\\s+(?:please\\s+)?(?:do not|don't|dont|not|stop)\\s+(?:remember(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|record(?:ing)?)\\s+((?:my|our)\\s.+?)[\\s.!?]*$`,
    'i',
  ),
  new RegExp(
    `${POLITE}(?:do not|don't|dont|stop|never)\\s+(?:stor(?:e|ing)|sav(?:e|ing)|record(?:ing)?)\\s+((?:my|our)\\s.+?)[\\s.!?]*$`,
    'i',
  ),
  new RegExp(
    `${POLITE}never ?mind\\s+(?:about\\s+)?(?:what i (?:said|told you|mentioned)(?: about)?|the (?:part|thing) about)\\s+(.+?)[\\s.!?]*$`,
    'i',
  ),
]
/** "Forget what I just said": about the turn before. */
const JUST_SAID = new RegExp(
  `${POLITE}(?:(?:forget|delete|erase|disregard|ignore|scratch|remove)\\s+(?:(?:about )?(?:what|everything|all) i (?:just |)(?:said|told you|wrote)(?: just now| earlier)?|(?:that|my) last (?:message|turn|part|bit)|that i (?:said|told you) (?:that|this|it))|never ?mind what i (?:just )?said|(?:do not|don't|dont)\\s+(?:remember|store|save|keep|record)\\s+(?:this|that|it|what i (?:just )?said))[\\s.!?]*$`,
  'i',
)
/** "Forget that!", "forget about it": said to wave something away, not to have it dropped. */
const WAVED_AWAY =
  /^(?:it|that|this|him|her|them|me|us|you|one|all|what|anything|everything|to\b.*|who\b.*)$/i

/**
 * A request to forget in an English sentence: "forget that I live in Lyon", "please don't remember my address",
 * "delete what I said about Anna". Everyday uses of the word are none: "don't forget to call", "I forgot my keys",
 * "forget it", "I'll never forget that day".
 */
export function readForgetRequestEn(sentence: string): ForgetRequest | null {
  const plain = sentence.replace(/[’]/g, "'").trim()
  if (
    !/forget|erase|delete|remov|drop|disregard|scratch|ignore|wipe|never ?mind|remember|stor|sav|keep|record/i.test(
      plain,
    )
  )
    return null
  if (
    /\bi(?:'ll| will| won't|'m| am|)? (?:always |never |can't |cannot |won't |didn't |almost |often |)?(?:forget|forgot|remember)/i.test(
      plain,
    )
  )
    return null
  if (
    /\b(?:don't|do not|never|didn't|won't|can't|dont) (?:ever )?(?:forget|delete|erase|remove|drop|ignore)\b/i.test(
      plain,
    )
  )
    return null
  if (/^(?:do|did|does|are|is|how|why|what|where|when) /i.test(plain)) return null
  if (JUST_SAID.test(plain)) return { about: null }
  for (const pattern of FORGET_ENGLISH) {
    const about = pattern.exec(plain)?.[1]?.trim()
    if (about !== undefined && about.length > 1 && !WAVED_AWAY.test(about)) return { about }
  }
  return null
}

const ASK_CHINESE =
  '^(?:(?:请|麻烦|拜托|对了|那|嗯|好的?|其实|还有)?你?(?:可以|能不能|能|帮我|就|快|还是)?[，,\\s]*)*'
const ABOUT_CHINESE =
  '(?:我(?:刚才|之前|以前|昨天|上次)?(?:跟你|和你|对你)?(?:说|讲|提)(?:过|到|起)?(?:的)?(?:关于)?|关于|有关)?'
const FORGET_CHINESE: readonly RegExp[] = [
  new RegExp(
    `${ASK_CHINESE}(?:忘了|忘掉|忘记|删掉|删除|抹掉|清除)(?:吧)?${ABOUT_CHINESE}(.+?)(?:的事情?|的话|的内容|的信息|这件事|那件事)?(?:吧)?[。！!，\\s]*$`,
  ),
  new RegExp(
    `${ASK_CHINESE}把${ABOUT_CHINESE}(.+?)(?:的事情?|的话|的内容|的信息|这件事|那件事)?(?:都|全部)?(?:给)?(?:忘了|忘掉|忘记|删掉|删除|删了|抹掉|清除)(?:吧)?[。！!，\\s]*$`,
  ),
  new RegExp(
    `${ASK_CHINESE}(?:别|不要|不用|请勿|不必)(?:再)?(?:记住?|记得|保存|存储|记录|存)(?:下来?)?${ABOUT_CHINESE}(.+?)(?:的事情?|的话|这件事)?(?:了|吧)?[。！!，\\s]*$`,
  ),
]
const JUST_SAID_CHINESE = new RegExp(
  `${ASK_CHINESE}(?:(?:忘了|忘掉|忘记|删掉|删除|别记|不要记住?|别记住|当我没说)(?:吧)?(?:我)?(?:刚才|刚刚|前面|上面)?(?:说|讲)?(?:的)?(?:话|那句话|那些话|这句话|这些|内容)?|当我没说过?|(?:把)?(?:我)?(?:刚才|刚刚)(?:说|讲)的(?:话)?(?:都)?(?:忘了|忘掉|删掉|删除|删了)(?:吧)?|(?:这个|这件事|这句话?)?(?:别|不要)(?:记|记住|记下来|保存)(?:了|吧|这个|这件事|这句话)?)[。！!，\\s]*$`,
)
/** 别忘了…, 不要忘记…, 我忘了带钥匙, 我永远不会忘记…. */
const EVERYDAY_CHINESE =
  /(?:别|不要|不能|不会|不敢|没有?|可别|千万别|难以|无法|永远|从来?没?)(?:再)?(?:忘|删|抹|清除)|(?:我|他|她|你们?|我们|差点|都|老是|总是|突然|经常|容易|竟然|居然)(?:又|就|也|已经|给|快|早就|都)?(?:忘|删)/

/** The same in Chinese: 忘掉我说的关于安娜的事, 别记我的地址. */
export function readForgetRequestZh(sentence: string): ForgetRequest | null {
  const plain = sentence.trim()
  if (!/忘|删|抹掉|清除|记|保存|存|当我没说/.test(plain) || /[?？]\s*$|[吗呢么][。！\s]*$/.test(plain))
    return null
  if (JUST_SAID_CHINESE.test(plain)) return { about: null }
  if (EVERYDAY_CHINESE.test(plain)) return null
  for (const pattern of FORGET_CHINESE) {
    const about = pattern.exec(plain)?.[1]?.trim()
    if (
      about !== undefined &&
      about.length > 1 &&
      !/^(?:他|她|它|这个?|那个?|一切|过去|烦恼|时间|自己|我们?)$/.test(about)
    )
      return { about }
  }
  return null
}
