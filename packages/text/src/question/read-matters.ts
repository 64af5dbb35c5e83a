// Reads which topics a question asks an overview of: “What do you know about my health?”
import { either, pattern } from '../pattern.ts'
import { isChineseFunctionCharacter, isEnglishFunctionWord } from '../terms/function-words.ts'

export type Matter = (typeof MATTERS)[number]

/** Reads the topics of which a question asks an overview: “… about my health?”. Returns `null` if it asks for one thing. */
export function readMatters(question: string): readonly Matter[] | null {
  return HAN.test(question) ? readChinese(question) : readEnglish(question)
}

/** Reads a question that names only the user and whole topics: “What's new in my life?”, “How is my family doing?”. */
function readWideQuestion(question: string): readonly Matter[] | null {
  if (ASKS_ONE_THING.test(question) || !SPEAKS_OF_SELF.test(question)) return null
  const matters = namedMatters(question)
  const named = matters.reduce(
    (text, matter) => text.replaceAll(new RegExp(NOUNS[matter].source, 'giu'), ' '),
    question.replaceAll(/['’](?:s|ve|re|m|d|ll)\b/giu, ' '),
  )
  const words = named.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
  if (!words.every((word) => isEnglishFunctionWord(word) || ASKING_ENGLISH.has(word))) return null
  if (matters.length > 0)
    return matters.some((matter) => !OFTEN_ONE_THING.has(matter)) || ASKS_STATE.test(question)
      ? matters
      : null
  if (!ASKS_LIFE.test(question)) return null
  return /\bwho\b/i.test(question) ? ['people'] : ['person']
}

function namedMatters(text: string): Exclude<Matter, 'person'>[] {
  return MATTERS.filter((matter) => matter !== 'person').filter((matter) => NOUNS[matter].test(text))
}

function readEnglish(question: string): readonly Matter[] | null {
  if (WHO_MATTERS.test(question)) return ['people']
  if (WHO_AM_I.test(question)) return ['person']
  const topic = ASKS_ALL_ENGLISH.exec(question)
    ?.groups?.['of']?.replace(/\s+(?:to you|so far|please|already)$/i, '')
    .trim()
  if (topic === undefined) return readWideQuestion(question)
  if (SELF.test(topic)) return ['person']
  const noun = (OF_MINE.exec(topic)?.groups?.['noun'] ?? '').split(NOUN_ENDS)[0] ?? ''
  if (/^(?:whole )?life$/i.test(noun)) return ['person']
  const matters = namedMatters(noun)
  return matters.length === 0 ? readWideQuestion(question) : matters
}

function readChinese(question: string): readonly Matter[] | null {
  if (WHO_MATTERS_CHINESE.test(question)) return ['people']
  if (question.length > LONGEST_CHINESE || !question.includes('我') || !ASKS_ALL_CHINESE.test(question))
    return null
  const matters = namedMatters(question)
  const named = matters.reduce(
    (text, matter) => text.replaceAll(new RegExp(NOUNS[matter].source, 'giu'), ''),
    question,
  )
  const rest = named.replaceAll(ASKING_CHINESE, '').match(/\p{Script=Han}/gu) ?? []
  // A word that is left names a single thing: 我老板, 上次面试.
  if (!rest.every((character) => isChineseFunctionCharacter(character))) return null
  if (matters.length > 0) return matters
  return SELF_CHINESE.test(question) ? ['person'] : null
}

/** Topics of an overview. `person` covers everything about the user. */
export const MATTERS = [
  'person',
  'people',
  'family',
  'friends',
  'health',
  'work',
  'studies',
  'home',
  'hobbies',
  'pets',
  'plans',
  'money',
] as const

/** Match nouns for whole topics. A question with other nouns asks for one thing. */
const NOUNS: Readonly<Record<Exclude<Matter, 'person'>, RegExp>> = {
  people:
    /\b(?:people|everyone|everybody|relationships?|loved ones|circle)\b|身边的?人?|人际|亲友|亲近的人|在乎的人/i,
  family: /\bfamily\b|家人|家庭|家里的?人|亲人|我们?家里?(?=的?情况|的?事|都?有|谁|几)/i,
  friends: /\bfriends(?:hips)?\b|朋友们?/i,
  health:
    /\b(?:health|medical(?: history| conditions?)?|body|wellbeing|allerg(?:y|ies)|illness(?:es)?|conditions?)\b|身体|健康|病史|病情|毛病|身上|饮食|忌口/i,
  work: /\b(?:work|job|career|profession(?:al life)?|working life)\b|工作|事业|职业/i,
  studies: /\b(?:stud(?:y|ies)|school(?:ing)?|education|university)\b|学业|学习|上学/i,
  home: /\b(?:home|living situation|flat|apartment|household)\b|住处|住的地方|家里的?情况/i,
  hobbies:
    /\b(?:hobb(?:y|ies)|interests|free time|spare time|pastimes|leisure)\b|爱好|兴趣|业余|喜欢[做干玩]/i,
  pets: /\b(?:pets|animals)\b|宠物|养(?=过?的?哪些)/i,
  plans: /\b(?:plans|goals|future|dreams)\b|计划|打算|目标|未来/i,
  money:
    /\b(?:money|finances|financial (?:situation|life))\b|经济(?:情况|状况)|财务|(?:钱|收入)(?=.*(?:情况|状况|怎么?样))/i,
}

/** Verbs of knowing: “know”, “told you”, “keep in mind”. */
const KNOWING = String.raw`know|knows|learn|learned|learnt|remember|gather|gathered|told you|tell you|keep in mind|bear in mind|watch out for`
/** Subjects of such verbs: “you”, “someone”, “a new nurse”. */
const KNOWERS = String.raw`you|i|we|one|someone|somebody|anyone|a (?:new )?\w+`
/** Nouns for an overview: “summary”, “profile”. */
const OVERVIEWS = String.raw`overview|summary|portrait|profile|sketch|picture|introduction|bio\w*|description|rundown`
/** Requests that stand before the topic: “tell me about”, “give me a summary of”. */
const ASKS_ALL_STARTS = either(
  /(?:tell|remind) (?:me|us) (?:(?:something|everything|all|a bit|a little|more|again|what you know) )?(?:about|of)/,
  String.raw`what (?:do|did|have|should|must|would|ought|does) (?:${KNOWERS})(?: \w+){0,3}? (?:${KNOWING})(?: \w+){0,2}? (?:about|of|on)`,
  /what(?:'s| is) there to know about|what can you (?:tell|say)(?: \w+)? about/,
  String.raw`(?:give|write|make|draw)(?: \w+)? (?:an?|the) (?:\w+ )?(?:${OVERVIEWS}) (?:of|about)`,
  /(?:summari[sz]e|sum up|recap|list|describe|introduce)(?: (?:what|everything|all)(?: that)? (?:you|we) (?:know|remember|have) (?:about|of|on))?/,
  /what have i (?:told|said to) you (?:about|of)|how would you (?:describe|introduce|sum up)/,
  /how much do you know about|everything you know about|all you know about/,
)
/** Matches requests for an overview: “Tell me about …”, “What should you know about …”. */
const ASKS_ALL_ENGLISH = new RegExp(
  String.raw`^(?:(?:so|and|ok(?:ay)?|please|hey|now|well|can you|could you|would you)[,\s]+)*(?:${ASKS_ALL_STARTS})\s+(?<of>.+?)[\s?.!]*$`,
  'i',
)
/** Words after “who” in a question for the important people: “matters”, “counts”, “is close”. */
const MATTERING = either(
  /matters|counts|is (?:most |really )?(?:important|close|dear)/,
  /are (?:the )?(?:most )?(?:important|close|people|my people|my nearest)|is (?:there )?in my life|do i (?:care|love|have)\b/,
)
/** Matches a question for the important people: “Who matters to me?”, “who's who in my life”. */
const WHO_MATTERS = pattern(
  'i',
  String.raw`\bwho (?:all )?(?:${MATTERING})`,
  /\b(?:which|what) people\b.*\b(?:matter|important|close|in my life|around me)\b/,
  /\b(?:important|close(?:st)?|main) people\b|\bpeople (?:who matter|in my life|close to me|around me)\b|\bwho(?:'s| is) who in my life\b/,
)
const WHO_AM_I =
  /^(?:so |and )?(?:who am i|what kind of (?:a )?person am i|what am i like|what do you know(?: so far)?)[\s?.!]*$/i
/** Matches a topic that is only the user. With more words it names one thing: “me and Joe's wedding”. */
const SELF = /^(?:me|myself|my life|me in general|me so far|me already|me and my life|who i am)$/i
const OF_MINE = /^(?:the (?:people|state|story) (?:in|of) )?my\s+(?<noun>.+)$/i
/** Matches where the noun of a topic ends: “my health | at the moment”. */
const NOUN_ENDS =
  /[,;]|\s(?:at|in|of|from|for|with|on|that|who|which|when|where|and (?:what|how|where|who)|like)\s/i

/** Matches a Chinese request for an overview: 说说…, 介绍…, …怎么样. */
const ASKS_ALL_CHINESE =
  /说说|讲讲|聊聊|谈谈|[说讲聊谈]一|介绍|总结|概括|描述|形容|回顾|画个?像|告诉|了解|知道|记得|记住|认识|清楚|掌握|注意|印象|哪些|[些有]什么|[些有]啥|都.*[谁啥]|都.*什么|什么样|怎么?样|咋样|啥样|如何|情况|状况|是谁/
/** Matches a Chinese question with the user as its topic: 了解我, 我这个人, 你眼里的我. */
const SELF_CHINESE =
  /(?:关于|对|了解|认识|知道|清楚|记得|记住|掌握|介绍|描述|形容|概括|总结|回顾|[说讲聊谈](?:[说讲聊谈]|一[说讲聊谈下])?|所知)(?:了|到|过|一下|的)*我(?!们|说|讲|聊|谈|觉得|知道)|我(?:自己|这个?人|本人|的生活|的?(?:基本)?情况|的?一切|(?:是|到底是)?(?:个|一个)?(?:怎么?样|咋样|什么样|啥样)|是谁|(?:些|哪些|多少|什么|啥)(?!人))|的我|[里中]我|我.*是.*(?:什么样|怎么?样|啥样)|[给帮]我[做画]/
/** Matches words of asking and words that name no topic: 介绍, 最近. A question of only these and a topic asks for the whole topic. */
const ASKING_CHINESE = pattern(
  'g',
  /自我介绍|自己|说一说|讲一讲|聊一聊|谈一谈|画个?像|介绍|总结|概括|描述|形容|回顾|告诉|了解|知道|晓得|记得|记住|认识|清楚|掌握|注意|印象|觉得|认为|眼[里中]|心[里中]|心目中|别人|什么样|怎么?样|咋样/,
  /啥样|如何|怎么|什么|哪些|多少|所有|全部|一切|一下|一遍|关于|有关|方面|情况|状况|[有]?什么变化|变化|变动|后来|信息|事情|事儿|问题|东西|基本|大概|目前|现在|最近|今年|平[时常]|通常|主要/,
  /[能可][不否]?[能可]?以?|需要|应该|这么久|到现在|生[活命]|咱们|[所说讲聊谈看啥谁请帮给跟和对向替让都还该得要会做干有是过到些点来去吧嘛了的得呀啊呢咱各位事人个种类几口上里中]/,
)
/** Matches a Chinese question for the important people: 谁对我重要, 我身边有哪些人. */
const WHO_MATTERS_CHINESE =
  /谁.*(?:对我|我的?生[活命]|我身边|我.*在乎).*|(?:对我|我).*(?:谁|哪些?人?|什么人).*(?:重要|在乎|亲近|要紧)|(?:重要|亲近|在乎|要紧)的?(?:人|亲友).*(?:谁|哪|什么)|(?:谁|哪些人).*(?:重要|在乎|亲近|要紧)|我(?:身边|生活里|生活中|生命里|生命中).*(?:人).*(?:谁|哪|什么)|我.*[跟和]谁.*(?:来往|打交道)/

/** Words of asking and words that name no topic. A question of only these and a topic asks for the whole topic. */
const ASKING_ENGLISH = new Set(
  `tell remind know knows learn remember remembered describe list summary summarise summarize overview picture sketch portrait
  profile rundown recap outline gist catch fill read heard picked gathered think say see call sum introduce introduction
  life lives living situation story background history side part parts area areas world everyday daily day days
  week weeks month months year years lately recently currently nowadays today now moment present past far time times
  thing things stuff anything everything something someone somebody anyone everybody everyone else
  detail details fact facts info information news issue issues problem problems matter matters kind kinds sort type types bit
  important main key big biggest major central close closest dear dearest new different good bad current general whole overall basic basics
  happen happened happening change changed changes changing go goes going gone been doing keep keeps like get gets getting turn turned
  come came look looks stand stands mean means care cares count counts play plays involved involve affect affects surround surrounding round
  person human mine yours`.split(/\s+/),
)
/** Topics whose noun often names one thing. “What is my job?” asks for one fact, but “How is work going?” for an overview. */
const OFTEN_ONE_THING: ReadonlySet<Matter> = new Set(['work', 'studies', 'home', 'money'])
/** Matches a question for a state: “How is …”, “what's new”. */
const ASKS_STATE =
  /^(?:(?:so|and|ok(?:ay)?|well|hey)[,\s]+)*how(?:'s|'ve| is| are| am| was| have| has| did| do)\b|\b(?:going on|happen\w*|chang\w+|new|like (?:these days|lately|at the moment|now)|situation|side of)\b/i
/** Matches a question for one fact: a time, a place, a reason, an amount, a choice. */
const ASKS_ONE_THING =
  /^(?:(?:so|and|ok(?:ay)?|well|hey)[,\s]+)*(?:when|where|why|whose|how (?:long|many|much|old|often|far|big|tall)|(?:is|are|am|was|were|do|does|did|have|has|should|would|will)\b)/i
/** Matches words for a life as a whole: “my life”, “what has changed”. */
const ASKS_LIFE =
  /\b(?:life|lives|world|story|background|about me|to me|in me|with me|around me|surrounds? me|person|new|news|chang\w+|happen\w*|been (?:up to|doing|going)|overview|summary|rundown|recap|picture|portrait|profile|everything)\b/i
const SPEAKS_OF_SELF = /\b(?:i|me|my|myself|mine)\b|\bi['’]/i

/** Maximum characters of a Chinese question for an overview. */
const LONGEST_CHINESE = 30

const HAN = /\p{Script=Han}/u
