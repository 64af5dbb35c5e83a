import { either, pattern } from '../pattern.ts'

/** Reports whether a short reply can answer the question before it: “In Ghent.”, but not “Never mind her.”. */
export function fitsQuestion(question: string, reply: string): boolean {
  if (EVADES.test(reply)) return false
  if (!WHERE.test(question) || /\p{Script=Han}/u.test(reply)) return true
  const [first = ''] = reply.trim().split(/(?<=[.!?])\s/u)
  return PLACE.test(reply) || PLACE.test(first) || first.split(/\s+/u).length <= 2
}

const WHERE =
  /\bwhere\b|\b(?:what|which) (?:city|town|village|country|place|street|area)\b|哪[里儿边]|什么地方|哪个?(?:城市|国家|地方)/iu
/** Beginnings of replies that evade a question: “never mind”, “good question”, “no idea”. */
const EVASIONS_ENGLISH = either(
  /never ?mind|long story|(?:that(?:['’]s| is) a )?good question|guess\b|ask me\b|(?:maybe )?later\b/u,
  /not (?:sure|telling|now|today|going to say)|no idea/u,
  /(?:i )?(?:do ?n[o'’]?t|can ?n?[o'’]?t) (?:know|remember|say|recall|tell)|i(?:['’]d| would) rather not|none of your/u,
  /who knows|let(?:['’]s| us) (?:talk|not|change|move)|whatever|(?:it )?does ?n[o'’]?t matter|don['’]?t ask|why do you|it depends|skip (?:that|it)/u,
  /you tell me|next question|what\b/u,
)
/** Matches a reply that evades a question, or only exclaims. */
const EVADES = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:(?:oh|ah|well|um+|hm+|ugh|ha(?:ha)*|lol|heh|sorry|just|please)\b[\s,.!…]*)*(?:${EVASIONS_ENGLISH})`,
  /^[^\p{L}]*(?:oh|ah|well|um+|hm+|ugh|ha(?:ha)*|lol|heh)?[^\p{L}]*$/u,
  /^[^\p{L}]*(?:[嗯哎唉啊哦呃][^\p{L}]*)*(?:不告诉|别[提问说]|[呵哈嘿]+|你?猜|说来话长|(?:以后|下次|待会儿?|晚点)?再[说聊]|保密|不(?:知道|清楚|记得|想说|好说)|忘了|记不|算了|没什么|无可奉告|[问聊]这个|换个话题|随便)/u,
)
/** Matches English words that may name a place. */
export const PLACE: RegExp =
  /(?<![\p{L}'’])(?:in|at|near|on|by|from|outside|around|next to|close to|opposite|above|behind|between|here|there|abroad|home|upstairs|downstairs|downtown|nowhere|everywhere)(?![\p{L}'’])|(?<=\p{L}[\s,]+|^\W*)\p{Lu}\p{L}+(?:[\s,]+\p{Lu}\p{L}+)*\W*$|(?<=[\p{Ll},] )\p{Lu}\p{L}/u
