import { findTerms } from '../terms/analyse-text.ts'

/** How a person wants to be talked to from now on, or the end of such a wish. */
export interface StandingInstruction {
  /** Whether it may end an earlier one: “you can use emojis again”, “stop answering in German”. */
  readonly mayWithdraw: boolean
  readonly isStanding: boolean
  /** The content words of what it is about. */
  readonly terms: readonly string[]
}

const LANGUAGES_EN =
  'english|german|french|spanish|italian|portuguese|chinese|mandarin|japanese|korean|dutch|polish|russian|arabic|turkish|swedish|hindi'
const LEAD =
  "(?:(?:ok|okay|so|and|also|oh|hey|please|pls|just|actually|by the way|btw|one (?:more )?thing|listen|look|can you|could you|would you|will you|you (?:should|must|can)|i(?:['’]?d| would) (?:like|prefer|want|love)(?: it if)? you(?: to)?|i (?:want|need) you to)[\\s,:]+)*"
const MARKER =
  'from now on|from here on(?: out)?|going forward|in (?:the )?future|every time|each time|any ?more|at all times'
/** Verbs of what an assistant does in talk. */
const ACTS =
  'answer|reply|respond|speak|talk|write|call|address|use|keep|be|mention|bring up|ask|remind|give|explain|end|start|begin|finish|include|add|avoid|greet|treat|refer|sign|say|quote|joke|swear|apologi[sz]e|lecture|assume|suggest|recommend|translate|format|stick to'
const STOPPED =
  'using|calling|asking|apologi[sz]ing|saying|ending|starting|adding|giving|lecturing|sending|answering|replying|writing|talking to me|speaking to me'

const english = (source: string): RegExp => new RegExp(source, 'iu')

const STANDS: readonly RegExp[] = [
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:${MARKER})[\s,:]+${LEAD}(?:(?:always|only|never|(?:do not|don['’]?t)(?: ever)?)\s+)?(?:${ACTS})\b.+`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:always|never|(?:do not|don['’]?t) ever)\s+(?:${ACTS})\b(?!\s+(?:it|that|this|never)[\s\p{P}]*$).+`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:(?:only|do not|don['’]?t)\s+)?(?:${ACTS})\b.+\b(?:${MARKER}|always)[\s\p{P}]*$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:answer|reply|respond|write|speak|talk)(?: to me)? (?:very |more )?(?:shortly|briefly|concisely|in short|in brief|formally|informally|plainly|simply|in (?:${LANGUAGES_EN}))(?: please| only)?[\s\p{P}]*$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}keep (?:your |the |all )?(?:answers?|repl(?:y|ies)|responses?|messages?|it|things) (?:very |nice and )?(?:short|brief|simple|concise|formal|casual)\b.{0,20}$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:be|stay) (?:more |very )?(?:brief|concise|direct|blunt|formal|informal|honest with me|straight with me)[\s\p{P}]*$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:call|address) me (?:by )?(?!back\b|later\b|when\b|at\b|tomorrow\b|on\b|if\b|tonight\b)[\p{L}'’.-]+(?: [\p{L}'’.-]+)?(?: please| instead)?[\s\p{P}]*$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:no (?:more )?|stop with the )(?:emojis?|exclamation marks|bullet points|lists|jargon|small talk|pet names|nicknames|swearing|jokes)\b.{0,20}$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:do not|don['’]?t) (?:use|send) (?:any )?(?:emojis?|exclamation marks|bullet points|jargon|pet names|nicknames|markdown|my (?:full )?name)\b.{0,20}$`,
  ),
  english(String.raw`^[\s\p{P}]*${LEAD}stop (?:${STOPPED})\b(?!\s+(?:it|that|this)[\s\p{P}]*$).{2,60}$`),
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:以后|今后|从现在起|从现在开始|从今天起|从今以后|往后|每次|永远|一律)(?!我)[^我。！？]{0,6}?(?:都|要|请|只|别|不要|不许|不准|用|叫|称呼|回|说|讲|提|问|写|聊|发).{1,30}$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:就)?(?:叫|称呼|喊)我(?!的)[^，。！？我]{1,8}(?:就好|就行|吧)?[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:的)?(?:回答|回复|说话|讲话|答)(?:得|要|请)?(?:再)?(?:简短|简洁|简单|短|直接)(?:一?[点些])?(?:就好|就行|吧)?[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:别|不要|不许)(?:再)?(?:给我|跟我)?(?:用|发|加)(?:任何)?(?:表情|表情符号|emoji|感叹号|英文|敬语|列表).{0,4}$/iu,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:都|只)?用(?:中文|英文|英语|德语|法语|日语|韩语|粤语|西班牙语|文言文)(?:回答|回复|跟我说|跟我聊|说话).{0,6}$/u,
  /^[\s\p{P}]*(?:por favor,?\s+)?(?:a partir de ahora,?\s*|desde ahora,?\s*)?(?:resp[oó]nde(?:me)?|contesta(?:me)?|h[aá]bla(?:me)?) siempre\b.+|^[\s\p{P}]*(?:por favor,?\s+)?(?:a partir de ahora|desde ahora)\b.+|^[\s\p{P}]*(?:ll[aá]mame)\s+\S+[\s\p{P}]*$|^[\s\p{P}]*(?:por favor,?\s+)?(?:nunca|no) (?:uses|menciones|hables)\b.+/iu,
  /^[\s\p{P}]*(?:bitte\s+)?(?:ab jetzt|ab sofort|von jetzt an|in zukunft|k[uü]nftig)\b.+|^[\s\p{P}]*(?:bitte\s+)?(?:antworte|schreib|sprich|rede)(?: mir| mit mir)?(?: bitte)? (?:immer|nur|stets)\b.+|^[\s\p{P}]*nenn(?:e)? mich\s+(?:bitte\s+)?\S+[\s\p{P}]*$|^[\s\p{P}]*(?:bitte\s+)?(?:benutze?|verwende?|schreib) (?:bitte )?(?:nie|keine)\b.+|^[\s\p{P}]*(?:bitte\s+)?erw[aä]hne? (?:bitte )?(?:nie|niemals)\b.+/iu,
  /^[\s\p{P}]*(?:s['’]il te pla[iî]t,?\s+)?(?:d[eé]sormais|dor[eé]navant|[aà] partir de maintenant)\b.+|^[\s\p{P}]*(?:r[eé]ponds|[eé]cris|parle)(?:-moi)? (?:toujours|bri[eè]vement)\b.*|^[\s\p{P}]*appelle-moi\s+\S+[\s\p{P}]*$|^[\s\p{P}]*(?:n['’]utilise|ne mentionne|ne (?:me )?parle) (?:pas|jamais|plus)\b.+/iu,
  /^[\s\p{P}]*(?:por favor,?\s+)?(?:a partir de agora|de agora em diante)\b.+|^[\s\p{P}]*(?:responde|responda|fala|escreve) sempre\b.+|^[\s\p{P}]*(?:me chama de|chama-me|me chame de)\s+\S+[\s\p{P}]*$|^[\s\p{P}]*(?:nunca|n[aã]o) (?:uses|use|menciones|mencione)\b.+/iu,
  /(?:これから|今後|いつも|必ず).{1,20}(?:答えて|返事して|話して|書いて|呼んで|使って|しないで|言わないで)|^[\s\p{P}]*\S{1,12}(?:と|って)呼んで|絵文字は?使わないで/u,
  /(?:앞으로|이제부터|항상|언제나).{1,30}(?:대답|답|말|써|불러|부르|쓰지|하지)\S*|^[\s\p{P}]*\S{1,12}(?:라고|이라고) 불러\S*|이모티콘(?:은|을)? 쓰지 마/u,
]

const WITHDRAWN: readonly RegExp[] = [
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:you (?:can|may|could)|feel free to|(?:it|that)['’]?s (?:ok|okay|fine) (?:to|if you)) .+\b(?:again|now|after all|if you like)[\s\p{P}]*$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:you (?:do not|don['’]?t|no longer) (?:have to|need to)|no need to|you needn['’]?t) .+\b(?:any ?more|any longer|now|after all)[\s\p{P}]*$`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}(?:stop|quit) (?:answering|replying|writing|speaking|talking|calling me)\b.+`,
  ),
  english(
    String.raw`^[\s\p{P}]*${LEAD}[\p{L} ]{2,30} (?:is|are) (?:fine|ok|okay|allowed|welcome) (?:again|now|after all)[\s\p{P}]*$`,
  ),
  /^[\s\p{P}]*(?:你)?(?:现在|又)?(?:可以|能)(?:再|继续|又|重新)?(?:用|发|提|说|讲|叫|回).{1,16}了?[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:你)?(?:现在)?(?:不用|不必|不需要)(?:再|总是|一直)?.{2,16}了[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:ya )?puedes .+ (?:otra vez|de nuevo)[\s\p{P}]*$|^[\s\p{P}]*du (?:darfst|kannst) (?:jetzt )?wieder .+|^[\s\p{P}]*tu peux (?:de nouveau|[aà] nouveau) .+|^[\s\p{P}]*(?:j[aá] )?podes? .+ (?:outra vez|de novo)[\s\p{P}]*$|また.{1,12}(?:使って|話して)いい|다시 .{1,20}(?:써도|해도) (?:돼|괜찮)/iu,
]

/** Terms of how and when, that any instruction may have. */
const COMMON = new Set(
  findTerms(
    'please now again always never use using send answer answering reply respond write speak talk call me start stop need feel free fine okay allowed like anymore longer future time any keep short mention bring say 可以 用 发 提 说 讲 叫 回 答 复 再 以后 今后 不用 别 要 现在 开始 du darfst kannst wieder jetzt benutzen benutze keine puedes usar otra vez de nuevo tu peux utiliser podes usar',
  ),
)

/** Reads a sentence of a user as a wish of how to be talked to from now on, in the languages of the table; `null` for others. */
export function readInstruction(sentence: string): StandingInstruction | null {
  if (sentence.length > LONGEST || /[?？]\s*$/.test(sentence)) return null
  const mayWithdraw = WITHDRAWN.some((pattern) => pattern.test(sentence))
  const isStanding = STANDS.some((pattern) => pattern.test(sentence))
  if (!mayWithdraw && !isStanding) return null
  return { mayWithdraw, isStanding, terms: findTerms(sentence).filter((term) => !COMMON.has(term)) }
}

/** Maximum characters of an instruction. Longer sentences tell something else. */
const LONGEST = 160
