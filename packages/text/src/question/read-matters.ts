/** Topics of an overview; `person` is everything. */
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
] as const
export type Matter = (typeof MATTERS)[number]

/** Nouns for whole topics; with other nouns a question asks for one thing. */
const NOUNS: Readonly<Record<Exclude<Matter, 'person'>, RegExp>> = {
  people:
    /\b(?:people|everyone|everybody|relationships?|loved ones|circle)\b|身边的?人|人际|亲友|亲近的人|在乎的人/i,
  family: /\bfamily\b|家人|家庭|家里人|亲人/i,
  friends: /\bfriends(?:hips)?\b|朋友/i,
  health:
    /\b(?:health|medical(?: history| conditions?)?|body|wellbeing|allerg(?:y|ies)|illness(?:es)?|conditions?)\b|身体|健康|病史|病情/i,
  work: /\b(?:work|job|career|profession(?:al life)?|working life)\b|工作|事业|职业/i,
  studies: /\b(?:stud(?:y|ies)|school(?:ing)?|education|university)\b|学业|学习|上学/i,
  home: /\b(?:home|living situation|flat|apartment|household)\b|住处|住的地方|家里的?情况/i,
  hobbies: /\b(?:hobb(?:y|ies)|interests|free time|spare time|pastimes|leisure)\b|爱好|兴趣|业余/i,
  pets: /\b(?:pets|animals)\b|宠物/i,
  plans: /\b(?:plans|goals|future|dreams)\b|计划|打算|目标|未来/i,
}

/** Matches requests for an overview: “Tell me about …”, “What should you know about …”. */
const ASKS_ALL_ENGLISH =
  /^(?:(?:so|and|ok(?:ay)?|please|hey|now|well|can you|could you|would you)[,\s]+)*(?:(?:tell|remind) (?:me|us) (?:(?:something|everything|all|a bit|a little|more|again|what you know) )?(?:about|of)|what (?:do|did|have|should|must|would|ought|does) (?:you|i|we|one|someone|somebody|anyone|a (?:new )?\w+)(?: \w+){0,3}? (?:know|knows|learn|learned|learnt|remember|gather|gathered|told you|tell you|keep in mind|bear in mind|watch out for)(?: \w+){0,2}? (?:about|of|on)|what(?:'s| is) there to know about|what can you (?:tell|say)(?: \w+)? about|(?:give|write|make|draw)(?: \w+)? (?:an?|the) (?:\w+ )?(?:overview|summary|portrait|profile|sketch|picture|introduction|bio\w*|description|rundown) (?:of|about)|summari[sz]e|sum up|describe|introduce|how would you (?:describe|introduce|sum up)|how much do you know about|everything you know about|all you know about)\s+(?<of>.+?)[\s?.!]*$/i
const WHO_MATTERS =
  /\bwho (?:all )?(?:matters|counts|is (?:most |really )?(?:important|close|dear)|are (?:the )?(?:most )?(?:important|close|people|my people|my nearest)|is (?:there )?in my life|do i (?:care|love|have)\b)|\b(?:which|what) people\b.*\b(?:matter|important|close|in my life|around me)\b|\b(?:important|close(?:st)?|main) people\b|\bpeople (?:who matter|in my life|close to me|around me)\b|\bwho(?:'s| is) who in my life\b/i
const WHO_AM_I =
  /^(?:so |and )?(?:who am i|what kind of (?:a )?person am i|what am i like|what do you know(?: so far)?)[\s?.!]*$/i
/** Matches the user as the topic; more words (“me and Joe's wedding”) name a thing. */
const SELF = /^(?:me|myself|my life|me in general|me so far|me already|me and my life|who i am)$/i
const OF_MINE = /^(?:the (?:people|state|story) (?:in|of) )?my\s+(?<noun>.+)$/i
/** Ends the noun of “my health at the moment” at a preposition. */
const NOUN_ENDS =
  /[,;]|\s(?:at|in|of|from|for|with|on|that|who|which|when|where|and (?:what|how|where|who)|like)\s/i

const ASKS_ALL_CHINESE =
  /(?:说说|讲讲|聊聊|谈谈|介绍|总结|概括|描述|形容|说一说|讲一讲|告诉我)|(?:了解|知道|记得|认识|清楚|得知道|掌握).*(?:多少|什么|哪些|啥|几分)|(?:多少|什么|哪些|啥).*(?:了解|知道|记得|记住|清楚|注意)/
const SELF_CHINESE =
  /(?:我这个人|我自己|关于我|对我(?!来说)|了解我|认识我|(?:知道|清楚|记得|记住)(?:了|过)?我(?:些|多少|什么|哪些|啥)|了解的我|(?:眼里|眼中|印象里|印象中|心里|心目中)的?我|对我的?印象|介绍一?下?我|(?:说|讲|聊|谈|说一|讲一|总结|概括|描述|形容)(?:说|讲|聊|谈|一下)?我|我是(?:一?个)?(?:什么样|怎样|怎么样|啥样)的|我是谁)/
const WHO_MATTERS_CHINESE =
  /谁.*(?:对我|我的?生[活命]|我身边|我.*在乎).*|(?:对我|我).*(?:谁|哪些人?|什么人).*(?:重要|在乎|亲近|要紧)|(?:重要|亲近|在乎|要紧)的?(?:人|亲友).*(?:谁|哪|什么)|(?:谁|哪些人).*(?:重要|在乎|亲近|要紧)|我(?:身边|生活里|生活中|生命里|生命中).*(?:人).*(?:谁|哪|什么)/

function namedMatters(text: string): Matter[] {
  return MATTERS.filter((matter) => matter !== 'person' && NOUNS[matter].test(text))
}

function readEnglish(question: string): readonly Matter[] | null {
  if (WHO_MATTERS.test(question)) return ['people']
  if (WHO_AM_I.test(question)) return ['person']
  const of = ASKS_ALL_ENGLISH.exec(question)
    ?.groups?.['of']?.replace(/\s+(?:to you|so far|please|already)$/i, '')
    .trim()
  if (of === undefined) return null
  if (SELF.test(of)) return ['person']
  const noun = (OF_MINE.exec(of)?.groups?.['noun'] ?? '').split(NOUN_ENDS)[0] ?? ''
  if (/^(?:whole )?life$/i.test(noun)) return ['person']
  const matters = namedMatters(noun)
  return matters.length === 0 ? null : matters
}

const LONGEST_CHINESE = 30

function readChinese(question: string): readonly Matter[] | null {
  if (WHO_MATTERS_CHINESE.test(question)) return ['people']
  if (/^我是谁[?？]?$/.test(question)) return ['person']
  if (question.length > LONGEST_CHINESE || !/[我]/.test(question)) return null
  if (/我是(?:一?个)?(?:什么样|怎样|怎么样|啥样)的/.test(question)) return ['person']
  if (!ASKS_ALL_CHINESE.test(question)) return null
  const matters = namedMatters(question)
  if (matters.length > 0) return matters
  return SELF_CHINESE.test(question) ? ['person'] : null
}

const HAN = /\p{Script=Han}/u

/**
 * Reads the topics that a question asks an overview of; `null` if it asks for one thing.
 *
 * @example
 * readMatters('What should you know about my health?') // ['health']
 * readMatters('What do you know about my boss?') // null
 */
export function readMatters(question: string): readonly Matter[] | null {
  return HAN.test(question) ? readChinese(question) : readEnglish(question)
}
