// Defines the events that end facts, and reads returns: “we are back together”.
import { pattern } from '../../pattern.ts'
import { findTerms } from '../../terms/analyse-text.ts'

/** The kind of an event that ends a fact. Each kind ends facts of its own keys. */
export type EndingKind =
  | 'death'
  | 'parting'
  | 'job'
  | 'new-work'
  | 'closing'
  | 'moving'
  | 'coming-home'
  | 'medicine'
  | 'new-medicine'
  | 'pregnancy'
  | 'diet'
  | 'recovery'
  | 'graduation'
  | 'falling-out'
  | 'plan'
  | 'giving-away'
  | 'stopping'

/** An event of a sentence that ends a fact. */
export interface Ending {
  readonly kind: EndingKind
  /** The words that may name the fact that ends, without words about other people. */
  readonly words: string
  /** Of a recovery, the words that may name one of the speaker's people: “my dad's pneumonia”. */
  readonly people?: string
  /** Whether the speaker is the subject: “I stopped …” and not “Mia stopped …”. */
  readonly isOwn: boolean
  /** Whether the words can mean nothing else. Otherwise the fact is marked as doubtful and does not end. */
  readonly isSure: boolean
  /** Whether the words are so ambiguous that they count only if they name a known fact: “done with Ty”. */
  readonly mustName?: boolean
}

/** Reports whether a message says that a person who “is gone” lives, and only left. */
export function showsReturn(message: string): boolean {
  return (
    LIVES_ON.test(message) &&
    !/\b(?:never|not|won['’]?t|wish|if|heaven|dream\p{L}*)\b|梦|如果|要是|[回来]不[来了]/iu.test(message)
  )
}

const REUNITED =
  /\b(?:back together|g[eo]t(?:ten)? back with|took (?:him|her|me) back|made up|patched (?:it|things) up|reconciled)\b|复合了|和好了|又在一起了|重归于好|复婚了/iu
const HOME_AGAIN =
  /(?:\b(?:is|are|was|been|i|we|they|come|came|got|turned|brought|safe|finally)|['’]s) (?:\p{L}+ )?(?:back|home|up|found)(?= home| safe| now| again|$|[.,!~😊🎉])|\bwe found (?!a)|找[到回](?:了|来)|回(?:来|家)了/iu

const IS_NO_RETURN = pattern(
  'iu',
  /[?？]\s*$|\b(?:no|not|never|if|wish|hope|want|might|maybe|dream\p{L}*|ashes|urn|grave|his|her|their)\b|n['’]t\b|\bhome for\b/u,
  /[不没她他想梦]|骨灰|如果|要是|闺蜜|同[事学]|(?<![男女])朋友|我[爸妈哥姐弟妹]/u,
)

/** Whom a sentence says one has again, after they were lost: a partner or a pet. Otherwise returns `null`. */
export function readReturn(sentence: string): 'partner' | 'pets' | null {
  if (IS_NO_RETURN.test(sentence)) return null
  if (REUNITED.test(sentence)) return 'partner'
  return HOME_AGAIN.test(sentence) ? 'pets' : null
}

/** Patterns of synonyms for a relative, pet or plan, each with the term that replaces them. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = (
  [
    ['mother', 'mum|mom|mam|mama|mummy|mommy'],
    ['father', 'dad|daddy|papa|pops'],
    ['grandmother', 'gran|granny|grandma|nan|nana|nanna|nanny'],
    ['grandfather', 'grandad|granddad|grandpa|gramps'],
    ['aunt', 'auntie|aunty'],
    ['fiance', 'fiancé|fiancée|fiancee'],
    ['flatmate', 'roommate|housemate'],
    ['boss', 'manager|supervisor'],
    ['dog', 'puppy|pup'],
    ['cat', 'kitten|kitty'],
    ['marry', 'wedding|married|marrying|marriage'],
    ['trip', 'holiday|vacation|travel|travelling|traveling|flight|flying|fly|journey'],
    ['vegetarian', 'veggie'],
    ['diabetes', 'diabetic'],
    ['asthma', 'asthmatic'],
    ['epilepsy', 'epileptic'],
    ['anemia', 'anaemia|anemic|anaemic'],
    ['depression', 'depressed|depressive'],
    ['anxiety', 'anxious'],
    ['smoke', 'smoking|smoker|cigarettes?|fags'],
  ] as const
).map(([term, words]) => [new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, 'giu'), term])

/** Returns the terms by which a text names people, pets and things: “Mum” and “mother” are one. */
export function findNamingTerms(text: string): string[] {
  const plain = SYNONYMS.reduce((replaced, [words, term]) => replaced.replace(words, term), text)
  return [...new Set(findTerms(plain))].filter((term) => term !== 'user')
}

/** Matches what only the living do after they left: 走了，说明天再来, “he'll be back”, “she texted me from the train”. */
const LIVES_ON = pattern(
  'iu',
  /(?:走|离开|没)了[，,。！!~～\s]*(?:[他她]|还|又|刚|并|就|都|后来|晚上|到家|这会儿)*(?:说(?!过|好|走|没|是|不出|来|实)|(?:给我|来|打)+(?:了?个?)?电话|(?:给我)?发(?:了|来)?(?:个|条)?(?:微信|消息|短信|照片)|报(?:了个?)?平安|到家|回(?:去|家|来|程|老家|学校|单位)|去(?!世|了?[天那])|到(?!死|最后)|[坐乘搭]的?.{0,6}[车机铁班船]|忘(?:了|记)?[带拿]|落了|[明后今]天.{0,4}(?:飞机|航班|[火动]车|高铁)|[明后]天(?:(?![我爸妈叔姑舅姨])\p{Script=Han}){0,3}?(?:[再又]|还?会?来|回来)|(?:下(?:周|次|个?月|礼拜)|过[几两一]天|周[末日一二三四五六]|改天|晚[上点]|待会儿?|等下)(?:会|还|就)?(?:再|又|来|回))/u,
  /\b(?:he|she|they)(?:['’]?s|['’]?re|['’]?ll| is| are| will)(?: be)? (?:back|coming (?:back|again|home|over|on|at|next|tomorrow)|home|calling (?:when|later|tomorrow)|catching|off to|heading|flying|visiting|staying|returning)\b|\b(?:he|she|they)?\s?(?:(?:comes?|flies|drives)|says? (?:he|she|they)['’]?ll come) (?:back|again)\b|\bback (?:on \p{L}+day|tomorrow|next|tonight|later|soon|at \p{N})\b|\b(?:texted|called|phoned|rang|messaged)\b[^.!?]*\b(?:from|when)\b|\b(?:see|seeing) (?:him|her|them) (?:again )?(?:next|tomorrow|soon|on \p{L}+day|at (?:easter|christmas))|\bat the (?:station|airport|bus stop|gate|platform)\b|\bgone (?:home|to (?:work|bed|school|the))\b/u,
)
