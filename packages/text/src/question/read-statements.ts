// Returns the sentences of a text that state something, and whom they are about.
import { either } from '../pattern.ts'
import { splitSentences } from '../terms/split-sentences.ts'
import { RELATIVE, RELATIVE_CHINESE } from './asked-relation.ts'
import { isLikeName, readLeadingChineseName } from './name-like.ts'

/** A sentence that states something. */
export interface Statement {
  readonly text: string
  /** The words for the subject if the sentence is only about another person: “My sister” of “My sister is allergic to nuts.” */
  readonly another: string | null
  /** The statement without wishes. It is set when it is first needed. */
  withoutWishes?: Statement
}

/** Returns the sentences of a text that state something, without questions, suppositions and possibilities. */
export function readStatements(text: string): Statement[] {
  return splitSentences(text)
    .filter(
      ({ text: sentence }) =>
        ![ASKS, ASKS_PLAINLY, SUPPOSES, UNSURE].some((pattern) => pattern.test(sentence)),
    )
    .map((sentence) => ({ text: sentence.text, another: readAnother(sentence.text) }))
}

/** Whether a question asks for a plan or a wish. */
export function asksWish(question: string): boolean {
  return ASKS_WISH.test(question)
}

/** Removes wishes to have or become something from a statement. */
export function withoutWishes<S extends Statement>(statement: S): S | Statement {
  return (statement.withoutWishes ??= dropWishes(statement))
}

function dropWishes(statement: Statement): Statement {
  const text = statement.text.replaceAll(WISHES, ' ')
  return text === statement.text ? statement : { text, another: statement.another }
}

/** Matches a name before the verb of a sentence: “Kim is allergic to bees.”. */
const NAME_BEFORE_VERB =
  /^(?<name>\p{Lu}[\p{L}-]+)(?: \p{Lu}[\p{L}-]+)?(?: from \p{L}+| and \p{Lu}[\p{L}-]+)?(?:['’]s (?!not\b)\p{L}+)? (?:(?:also|just|never|always|still) )?(?:is|was|has|had|got|can|will|went|came|said|says|\p{Ll}{2,}(?:[^s]s|ed)|bought|sold|broke|won|lost|left|took|made|gave|met)\b/u
/** Matches words for a person before a name: “My hairdresser | Gülay is from Izmir.”. */
const MINE_BEFORE_NAME = /^(?:[Mm]y|[Oo]ur)\s+(?:\p{Ll}[\p{L}-]*\s+){1,3}?(?=\p{Lu})/u

/** Returns the words for the subject of a sentence that is only about another person. Returns `null` for other sentences. */
export function readAnother(sentence: string): string | null {
  if (/\p{Script=Han}/u.test(sentence)) {
    const [start = ''] = LEADING_CHINESE.exec(sentence) ?? []
    const subject =
      OF_ANOTHER_CHINESE.exec(sentence)?.[0] ?? readLeadingChineseName(sentence.slice(start.length))
    return subject === null || sentence.slice(subject.length).includes('我') ? null : subject
  }
  const [start = ''] = LEADING.exec(sentence) ?? []
  const said = sentence.slice(start.length).replace(MINE_BEFORE_NAME, '')
  const { name } = NAME_BEFORE_VERB.exec(said)?.groups ?? {}
  const subject = OF_ANOTHER.exec(sentence)?.[0] ?? (name !== undefined && isLikeName(name) ? name : null)
  return subject === null || SELF.test(sentence.slice(subject.length).replaceAll(AFFECTS_SPEAKER, ' '))
    ? null
    : subject
}
/** Verbs of knowing before a question word: “forgot”, “remember”. */
const KNOWS_VERBS = 'forg[eo]t(?:ten)?|remember|recall|know|sure|tell me|remind me|curious'
/** Words of wanting to know: “wondering”, “forgot who”, “want to know”. */
const WANTING = either(
  /wonder(?:ing)?/u,
  String.raw`(?:${KNOWS_VERBS})\s+(?:again\s+)?(?:who|whom|whose|what|when|where|why|how|which|whether|if|about)`,
  /(?:want|need|like|love) to (?:know|hear|ask)|(?:tell|remind|show|give|find) me|the name of|called again/u,
)
/** Matches requests, and questions worded as statements: “I'm wondering who …”. */
const WANTS_ANSWER = new RegExp(String.raw`\b(?:${WANTING})\b`, 'iu')
const STATES_CHINESE =
  /^(?:[^\p{Script=Han}]|那|但|可|不过|因为|对了|嗯|哎|今天|昨天|刚才|最近)*(?:我|他|她|它|咱)/u
const WANTS_CHINESE =
  /[吗么呢]|什么|啥|谁|哪|几[个点岁月号次年天]|多少|多[大久长高远重]|(?<!都|也|还|从来)没有?[。！!]*$(?<=[过了有]\p{Script=Han}{0,8}没有?[。！!]*)|怎|为何|是否|有没有|是不是|能不能|会不会|(?:告诉|提醒)我|(?:[说讲聊谈理捋][一]?[说讲聊谈理捋下]|(?:介绍|总结)一下|讲给我听)[看吧呀]*[。！!]*$|记得|知道|忘了|忘记|想[问听]|叫做?$/u

/** Reports whether a text states something and asks nothing. Keywords such as “my sister's birthday” count as a question. */
export function statesOnly(text: string): boolean {
  if (/[?？]/u.test(text)) return false
  const isChinese = /\p{Script=Han}/u.test(text)
  if ((isChinese ? WANTS_CHINESE : WANTS_ANSWER).test(text)) return false
  return (isChinese ? STATES_CHINESE : STATES).test(text.trim())
}

const ASKS = /[?？]\s*["'”’)）]*$/u
const LEAD = String.raw`^(?:[^\p{L}]|(?:and|but|so|or|well|ok|okay|oh|yes|no|because|also)\b)*`
/** Matches statements of possible facts and of fiction: “Maybe I'm allergic”, “I might have …”, “In the film she …”, 可能, 小说里. */
const UNSURE = new RegExp(
  String.raw`${LEAD}(?:maybe|perhaps|possibly|in (?:my|the|this|that|a) (?:\p{L}+ )?(?:novel|book|film|movie|story|game|series|play|manga))\b|\bi (?:might|may)(?: also| well)? (?:be|have)\b(?! (?:told|mentioned|said|late\b))|\bi could have been\b|\bi (?:wonder|['’]?m not sure|am not sure) (?:if|whether)\b|(?<![不尽])可能(?!性)|也许|或许|说不定|没准|^(?:[^\p{Script=Han}]|我(?:看|写|读)的|那|这|部|本)*(?:小说|电影|电视剧|漫画|游戏|故事)[里中]`,
  'iu',
)
/** Matches suppositions and dreams: “If I had a dog, …”, “I wish I lived …”, “I dreamed that …”, 假如我有一只狗. */
const SUPPOSES = new RegExp(
  String.raw`${LEAD}(?:if|suppose|supposing|imagine|what if|let['’]s say|pretend|hypothetically)\b|\bi wish (?:i|we|my)\b|\bif (?:only )?i (?:were|had|lived|owned)\b|\b(?:i|we)(?:['’]ve| have| had)? (?:once |just |again )?(?:dream(?:ed|t)\b|(?:had|have) (?:a|an|this|that|the) (?:\p{L}+ )?(?:dream|nightmare)(?= (?:where|that|in which|about|of|last|again)|[\s.,!]*$))|^(?:[^\p{Script=Han}]|那|但|可)*(?:我)?(?:如果|假如|要是|假设|假使|倘若|万一|想象一下)|梦[见到]|做(?:了?个?)?梦|^(?:你(?:说|觉得|看))?[，,]?(?:我们?)?(?:要不要|该不该|应不应该|值不值得)`,
  'iu',
)
const OF_ANOTHER = new RegExp(
  String.raw`${LEAD}(?:(?:my|our|his|her|their|the user['’]s)\s+(?:\p{L}+\s+){0,2}?(?:${RELATIVE})\b|(?:(?:he|she)s?|they(?:re|ve)?)\b)`,
  'iu',
)
const OF_ANOTHER_CHINESE = new RegExp(
  String.raw`^(?:[^\p{Script=Han}]|那|但|可|不过|因为)*(?:我们?|咱们?|俺|用户)?(?:的|家)?(?:[大小二三表堂]?(?:${RELATIVE_CHINESE})|[他她它])`,
  'u',
)
const SELF = /\b(?:i|im|ive|me|myself|we|us)\b/i
const LEADING_CHINESE = /^(?:[^\p{Script=Han}]|那|但|可|不过|因为)*/u
/** Matches what another person does to the speaker's mood, which is no fact about the speaker: “… and it drives me nuts”. */
const AFFECTS_SPEAKER =
  /\b(?:drives?|driving|makes?|making|annoys|bothers|worries|scares|irritates|bugs) (?:me|us)\b/giu

const WISHING = either(
  /(?:think(?:ing)?|thought|consider(?:ing|ed)?|dream(?:ing|t|ed)?|tempted|plan(?:ning)?|talk(?:ing|ed)?)(?: (?:of|about|on))? (?:\p{L}+ )?(?:(?:get|buy|adopt|hav|own|keep|becom|be|learn|mov|tak|start|chang|quitt|leav|rent|join|sell)ing\b|an? )/u,
  /(?:want(?:ed|s)?|wish(?:es)?|hop(?:es?|ing)|(?<=['’]d |would )(?:love|like)|plan(?:s|ning)?|tempted) (?:to (?:\p{L}+ )?(?:get|buy|adopt|have|own|keep|become|be|learn|move|take|start)\b|an? )/u,
  /(?:sav(?:es?|ing)(?: up)?|look(?:s|ing)?) for an? /u,
  /(?:might|may) (?:\p{L}+ )?(?:get|buy|adopt|own|become|learn|move|take up|start) /u,
  // What is only talked about: “we talked about Spain at dinner”.
  /(?:talk(?:ed|ing)?|chat(?:ted|ting)?|spoke|speaking|argu(?:ed|ing)|jok(?:ed|ing)|read(?:ing)?|heard|hearing) (?:\p{L}+ ){0,3}?about /u,
)
const WISHING_CHINESE =
  /(?:想要?|考虑(?:着|过|要不要)?|打算|计划着?|希望|梦想着?|琢磨着?|犹豫(?:要不要)?)[再也去能]{0,2}(?:[养买有学换当搬开考租做找辞]|结婚|离婚|要个|一[只条辆个台套])|(?:聊|谈|说|提)[到起](?!了?我)/u
/** Matches a wish to have or become something, up to the end of its clause: “I'd love to get a parrot”, 我想养一只猫. */
const WISHES = new RegExp(
  String.raw`(?:\b(?:i|we|im|the user)(?:['’](?:m|re|d|ve))?(?: (?!do\b)\p{L}+){0,3}? |^(?:just |also |still |maybe )?)(?:${WISHING})(?:(?!(?:,|\b(?:and|but|because|so)) )[^.;!?])*|(?:${WISHING_CHINESE.source})[^，。！？；]*`,
  'giu',
)
/** Matches questions that a wish may answer: about plans, reasons and the future. */
const ASKS_WISH =
  /\b(?:want|wish|hop|plan|think|thought|consider|dream|sav|tempt|fanc|intend|look|talk|chat|argu|jok|read|hear|mention|discuss|tell|told|say|said)\p{L}*\b|\b(?:would|like|love|might|will|going|gonna|why|next)\b|['’]d\b|\b(?:am|are) (?:i|we) \p{L}+ing\b|[想要聊谈讲]|说过|提[到起过]|打算|考虑|计划|希望|准备|为什么|将来/iu

/** Questions that are written without their sign: “what film should i watch tonight”. */
const ASKS_PLAINLY =
  /^(?:(?:so|and|but|ok|hey) )*(?:what|which|who|where|how|why)(?:['’]?s)? (?:\p{Ll}+ ){0,3}?(?:should|shall|do|does|did|can|could|would|is|are) (?:i|we|you|my|our|the)\b[^,;]*$/iu
const LEADING = new RegExp(LEAD, 'iu')
const SUBJECT = String.raw`(?:i|we|he|she|it|they|that|this|there)(?:['’]\p{L}+)?\s+\p{L}`
const STATES = new RegExp(
  String.raw`${LEAD}(?:${SUBJECT}|(?:my|our|his|her|their)\s+(?:\p{L}+\s+){1,3}?(?:is|are|was|were|has|have|had|did|does|got|will|\p{L}{2,}ed)\b)`,
  'iu',
)
