import { either } from '../pattern.ts'
import { splitSentences } from '../terms/split-sentences.ts'
import { RELATIVE, RELATIVE_CHINESE } from './asked-relation.ts'

/** A sentence that states something. */
export interface Statement {
  readonly text: string
  /** Whether it is about another person alone: “My sister is allergic to nuts.” */
  readonly isOfAnother: boolean
}

const ASKS = /[?？]\s*["'”’)）]*$/u
const LEAD = String.raw`^(?:[^\p{L}]|(?:and|but|so|or|well|ok|okay|oh|yes|no|because|also)\b)*`
/** What is only thought possible, and fiction: “Maybe I'm allergic”, “I might have …”, “In the film she …”, 可能, 小说里. */
const UNSURE = new RegExp(
  String.raw`${LEAD}(?:maybe|perhaps|possibly|in (?:my|the|this|that|a) (?:\p{L}+ )?(?:novel|book|film|movie|story|game|series|play|manga))\b|\bi (?:might|may)(?: also| well)? (?:be|have)\b(?! (?:told|mentioned|said|late\b))|\bi could have been\b|\bi (?:wonder|['’]?m not sure|am not sure) (?:if|whether)\b|(?<![不尽])可能(?!性)|也许|或许|说不定|没准|^(?:[^\p{Script=Han}]|我(?:看|写|读)的|那|这|部|本)*(?:小说|电影|电视剧|漫画|游戏|故事)[里中]`,
  'iu',
)
/** Suppositions and dreams: “If I had a dog, …”, “I wish I lived …”, “I dreamed that …”, 假如我有一只狗, 你说我要不要养狗. */
const SUPPOSES = new RegExp(
  String.raw`${LEAD}(?:if|suppose|supposing|imagine|what if|let['’]s say|pretend|hypothetically)\b|\bi wish (?:i|we|my)\b|\bif (?:only )?i (?:were|had|lived|owned)\b|\b(?:i|we)(?:['’]ve| have| had)? (?:once |just |again )?(?:dream(?:ed|t)\b|(?:had|have) (?:a|an|this|that|the) (?:\p{L}+ )?(?:dream|nightmare)(?= (?:where|that|in which|about|of|last|again)|[\s.,!]*$))|^(?:[^\p{Script=Han}]|那|但|可)*(?:我)?(?:如果|假如|要是|假设|假使|倘若|万一|想象一下)|梦[见到]|做(?:了?个?)?梦|^(?:你(?:说|觉得|看))?[，,]?(?:我们?)?(?:要不要|该不该|应不应该|值不值得)`,
  'iu',
)
const OF_ANOTHER = new RegExp(
  String.raw`${LEAD}(?:(?:my|our|his|her|their|the user['’]s)\s+(?:\p{L}+\s+){0,2}?(?:${RELATIVE})\b|(?:he|she|they)\b)`,
  'iu',
)
const OF_ANOTHER_CHINESE = new RegExp(
  String.raw`^(?:[^\p{Script=Han}]|那|但|可|不过|因为)*(?:我们?|咱们?|俺|用户)?(?:的|家)?(?:${RELATIVE_CHINESE}|[他她它])`,
  'u',
)
const SELF = /\b(?:i|me|myself|we|us)\b/i
/** What another does to one's nerves is still about them: “… and it drives me nuts”. */
const MOODS =
  /\b(?:drives?|driving|makes?|making|annoys|bothers|worries|scares|irritates|bugs) (?:me|us)\b/giu
const RELATIVE_IN_QUESTION = new RegExp(String.raw`\b(?:${RELATIVE}|he|she|they|his|her|their)\b`, 'iu')
const ASKS_OF_SELF =
  /\b(?:am|do|did|have|had|was|can|could|should|will|would) i\b|\b(?:is|are|was|were|['’]s) my\b/iu
const RELATIVE_IN_CHINESE = new RegExp(`${RELATIVE_CHINESE}|[他她它]`, 'u')

/** Reads the sentences that state something: no questions, suppositions, or what is only possible. */
export function readStatements(text: string): Statement[] {
  return splitSentences(text)
    .filter(({ text: sentence }) => ![ASKS, SUPPOSES, UNSURE].some((pattern) => pattern.test(sentence)))
    .map((sentence) => ({ text: sentence.text, isOfAnother: isOfAnother(sentence.text) }))
}

function isOfAnother(sentence: string): boolean {
  if (/\p{Script=Han}/u.test(sentence)) {
    const [subject] = OF_ANOTHER_CHINESE.exec(sentence) ?? []
    return subject !== undefined && !sentence.slice(subject.length).includes('我')
  }
  return OF_ANOTHER.test(sentence) && !SELF.test(sentence.replaceAll(MOODS, ' '))
}

/** Checks whether a question asks about the asker and no other person: “Am I allergic?”, not “Is my sister allergic?” */
export function asksOfSelf(question: string): boolean {
  if (/\p{Script=Han}/u.test(question)) return question.includes('我') && !RELATIVE_IN_CHINESE.test(question)
  return ASKS_OF_SELF.test(question) && !RELATIVE_IN_QUESTION.test(question)
}

const SUBJECT = String.raw`(?:i|we|he|she|it|they|that|this|there)(?:['’]\p{L}+)?\s+\p{L}`
const STATES = new RegExp(
  String.raw`${LEAD}(?:${SUBJECT}|(?:my|our|his|her|their)\s+(?:\p{L}+\s+){1,3}?(?:is|are|was|were|has|have|had|did|does|got|will|\p{L}{2,}ed)\b)`,
  'iu',
)
/** Verbs of knowing before a question word: “forgot”, “remember”. */
const KNOWS_VERBS = 'forg[eo]t(?:ten)?|remember|recall|know|sure|tell me|remind me|curious'
/** Words of wanting to know: “wondering”, “forgot who”, “want to know”. */
const WANTING = either(
  /wonder(?:ing)?/u,
  String.raw`(?:${KNOWS_VERBS})\s+(?:again\s+)?(?:who|whom|whose|what|when|where|why|how|which|whether|if|about)`,
  /(?:want|need|like|love) to (?:know|hear|ask)|(?:tell|remind|show|give|find) me|the name of|called again/u,
)
/** Requests, and questions that are put as statements. */
const WANTS_ANSWER = new RegExp(String.raw`\b(?:${WANTING})\b`, 'iu')
const STATES_CHINESE =
  /^(?:[^\p{Script=Han}]|那|但|可|不过|因为|对了|嗯|哎|今天|昨天|刚才|最近)*(?:我|他|她|它|咱)/u
const WANTS_CHINESE =
  /[吗么呢]|什么|啥|谁|哪|几[个点岁月号次年天]|多少|多[大久长高远]|怎|为何|是否|有没有|是不是|能不能|会不会|(?:告诉|提醒)我|(?:[说讲聊谈理捋][一]?[说讲聊谈理捋下]|(?:介绍|总结)一下|讲给我听)[看吧呀]*[。！!]*$|记得|知道|忘了|忘记|想[问听]|叫做?$/u

/** Checks whether a text states something and asks nothing. Keywords (“my sister's birthday”) count as a question. */
export function statesOnly(text: string): boolean {
  if (/[?？]/u.test(text)) return false
  const isChinese = /\p{Script=Han}/u.test(text)
  if ((isChinese ? WANTS_CHINESE : WANTS_ANSWER).test(text)) return false
  return (isChinese ? STATES_CHINESE : STATES).test(text.trim())
}
