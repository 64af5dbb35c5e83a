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
/** Words before a wish: “hey, one rule:”, “could you”, “I'd rather you”. */
const LEAD =
  /^[\s\p{P}]*(?:(?:ok|okay|so|and|also|oh|hey|hi|please|just|actually|by the way|btw|fyi|(?:(?:one|a|small|quick|new) )+(?:more )?(?:thing|rule|request|favou?r)|listen|look|(?:can|could|would|will|should|must) you|you (?:should|must|can(?!.*\b(?:again|after all|now)\b))|i(?:['’]?d| would) (?:like|prefer|want|love|rather)(?: it)?(?: if)?(?: you)?(?: to)?|i (?:want|need) you to|remember to|make sure (?:to|you))[\s,:.-]+)*/iu
/** Words after a wish that give its reason or thank: “…, they're annoying”, “… please lol”. */
const TAIL =
  /(?:\s*[,;–—]\s*(?:it|they(?:['’]?re)?|i(?:['’]?m)?|everyone|because|cause|cos|since|thanks|even|ever)\b.*|[\s,]+(?:please|thanks|thx|lol|haha+|ok|okay))[\s\p{P}]*$/iu
const MARKER =
  'from now on|from here on(?: out)?|going forward|in (?:the )?future|every (?:single )?(?:time|day|morning|evening|night|message|reply|answer)|each time|any ?more|at all times|all the time|constantly'
/** Words by which a wish holds but once. */
const ONCE =
  /\b(?:this time|(?:just )?(?:this )?once|for now|when you|today|tonight|tomorrow|(?:in|for) this (?:\p{L}+ )?(?:text|e-?mail|message|story|one|letter))\b/iu
/** Verbs of what an assistant does in talk. */
const ACTS =
  'answer|reply|respond|speak|talk|write|call (?:me|my|it|him|her|them)|address|use|keep|be|mention|bring up|ask|remind|check (?:in|on)|give|explain|end|start|begin|finish|include|add|avoid|greet|treat|refer|sign|say|quote|joke|swear|apologi[sz]e|lecture|assume|suggest|recommend|translate|format|stick to|skip'
const ADVERBS = "(?:(?:please|just|always|only|never|(?:do not|don['’]?t)(?: ever)?)\\s+)*"
const PRODUCTS = '(?:(?:your|all) )?(?:answers?|repl(?:y|ies)|responses?|messages?)\\b'
const STOPPED =
  'using|calling|asking|apologi[sz]ing|saying|ending|starting|adding|giving|lecturing|sending|answering|replying|writing|talking to me|speaking to me'
/** What an assistant may do too much of. */
const HABITS =
  'emojis?|exclamation marks|bullet points|lists|jargon|small talk|pet names|nicknames|swearing|jokes|disclaimers|essays|follow[ -]?ups?|lectures|apologies|flattery|markdown|my (?:full )?name'
/** Words that “call me” goes on with where it gives no name. */
const NO_NAME =
  'back|later|when|at|tomorrow|on|if|tonight|an?|the|old|crazy|mad|nuts|weird|silly|stupid|lazy|paranoid|again|any ?time|up|out|over|in|next|soon|now|asap|maybe|names'

const english = (source: string): RegExp => new RegExp(`^${source}`, 'iu')

/** English wishes without their lead and tail. */
const STANDS_ENGLISH: readonly RegExp[] = [
  english(
    String.raw`(?:${MARKER})[\s,:]+${ADVERBS}(?:(?:${ACTS})\b|no\s|stop\s|${PRODUCTS}).+|${PRODUCTS}\s.+\bonly$|(?:only )?(?:short|brief) ${PRODUCTS}`,
  ),
  english(
    String.raw`(?:always|never|(?:do not|don['’]?t) ever)\s+(?:${ACTS})\b(?!\s+(?:it|that|this|never)[\s\p{P}]*$).+`,
  ),
  english(String.raw`${ADVERBS}(?:${ACTS})\b.+\b(?:${MARKER}|always)[\s\p{P}]*$`),
  english(
    String.raw`(?:(?:whenever|every time|each time) i \p{L}+|(?:when|if) i (?:ask|tell|send|say|talk|write|mention|want|need|complain|(?:am|['’]?m) (?:sad|angry|upset|tired|stressed|down|rude|wrong|late|in|at)))\b.{2,60}?,\s*${ADVERBS}(?:${ACTS}|tell me|let me)\b.+`,
  ),
  english(
    String.raw`(?:answer|reply|respond|write|speak|talk)(?: to me)? (?:very |more )?(?:shortly|briefly|concisely|in short|in brief|formally|informally|plainly|simply|in (?:${LANGUAGES_EN}))(?: only)?[\s\p{P}]*$`,
  ),
  english(String.raw`(?:talk|speak|write) (?:to|with) me (?:like|as|in)\b.+`),
  english(
    String.raw`keep (?:your |the |all )?(?:answers?|repl(?:y|ies)|responses?|messages?|it|things) (?:very |nice and )?(?:short|brief|simple|concise|formal|casual)\b.{0,20}$`,
  ),
  english(
    String.raw`(?:be|stay) (?:more |very )?(?:brief|concise|direct|blunt|formal|informal|honest with me|straight with me)[\s\p{P}]*$`,
  ),
  english(
    String.raw`(?:call|address|refer to)(?:ed|red)? me (?:by |as )?(?!(?:${NO_NAME})\b)[\p{L}'’.\/-]+(?: [\p{L}'’.-]+)?(?: instead)?[\s\p{P}]*$`,
  ),
  english(
    String.raw`(?:no (?:more )?|(?:stop with|skip|drop|cut|enough of) the |(?:do not|don['’]?t) (?:use|send|give me|add|include|ask me) (?:any )?)(?:${HABITS})\b.{0,30}$`,
  ),
  english(
    String.raw`use (?:only )?(?:metric|imperial|celsius|fahrenheit|british|american|simple|plain)\b.{0,30}$|use .{2,30} (?:with|for) me[\s\p{P}]*$`,
  ),
  english(String.raw`(?:stop|quit|mind not|not) (?:${STOPPED})\b(?!\s+(?:it|that|this)[\s\p{P}]*$).{2,60}$`),
  english(
    String.raw`(?:do not|don['’]?t|never|stop|avoid) (?:ever )?(?:bring(?:ing)? up|mention(?:ing)?|suggest(?:ing)?|recommend(?:ing)?|(?:remind|ask)(?:ing)? me (?:of|about)|talk(?:ing)? (?:to me )?about) (?!(?:it|that|this|them|him|her)\b).+`,
  ),
]

/** Wishes in other languages. */
const STANDS: readonly RegExp[] = [
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:以后|今后|从现在起|从现在开始|从今天起|从今以后|往后|每次|永远|一律)(?!我)[^我。！？]{0,6}?(?:都|要|请|只|别|不要|不许|不准|用|叫|喊|称呼|回|说|讲|提|问|写|聊|发).{1,30}$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:就)?(?:叫|称呼|喊)我(?!起床|别|不|回|去|来|吃)[^，。！？我的了]{1,8}(?:就好|就行|吧)?[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:的)?(?:回答|回复|说话|讲话|语气|口气|答)(?:得|要|请|可以)?(?:再|更)?(?:简短|简洁|简单|短|直接|\S{1,4}(?=一?[点些]))(?:一?[点些])?(?:就好|就行|[吧嘛哦啊呗])?(?:[，,].{0,20})?[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:每次|每回)(?:给我|帮我|跟我|我).{1,14}?(?:都|就)?(?:别|不要|不用|请|只)\S.{0,20}$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:以后)?(?:别|不要)(?:(?:再|老|总是?)(?:[跟和对给]我)?|[跟和对给]我)(?:提|说起|聊|推荐|问)(?![了醒这那它]).{1,16}$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:跟|和|对)我(?:说话|聊天|讲话)(?:的时候|时)?(?:不用|别|不要|请|可以|要).{1,24}$/u,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:别|不要|不许)(?:再)?(?:给我|跟我)?(?:用|发|加)(?:任何)?(?:表情|表情符号|emoji|感叹号|英文|敬语|列表).{0,4}$/iu,
  /^[\s\p{P}]*(?:请|麻烦)?(?:你)?(?:都|只)?用(?:中文|英文|英语|德语|法语|日语|韩语|粤语|西班牙语|文言文)(?:回答|回复|跟我说|跟我聊|说话).{0,6}$/u,
  /^[\s\p{P}]*(?:por favor,?\s+)?(?:a partir de ahora,?\s*|desde ahora,?\s*)?(?:resp[oó]nde(?:me)?|contesta(?:me)?|h[aá]bla(?:me)?) siempre\b.+|^[\s\p{P}]*(?:por favor,?\s+)?(?:a partir de ahora|desde ahora)\b.+|^[\s\p{P}]*(?:ll[aá]mame)\s+\S+[\s\p{P}]*$|^[\s\p{P}]*(?:por favor,?\s+)?(?:nunca|no) (?:uses|menciones|hables)\b.+/iu,
  /^[\s\p{P}]*(?:bitte\s+)?(?:ab jetzt|ab sofort|von jetzt an|in zukunft|k[uü]nftig)\b.+|^[\s\p{P}]*(?:bitte\s+)?(?:antworte|schreib|sprich|rede)(?: mir| mit mir)?(?: bitte)? (?:immer|nur|stets)\b.+|^[\s\p{P}]*nenn(?:e)? mich\s+(?:bitte\s+)?\S+[\s\p{P}]*$|^[\s\p{P}]*(?:bitte\s+)?(?:benutze?|verwende?|schreib) (?:bitte )?(?:nie|keine)\b.+|^[\s\p{P}]*(?:bitte\s+)?erw[aä]hne? (?:bitte )?(?:nie|niemals)\b.+/iu,
  /^[\s\p{P}]*(?:s['’]il te pla[iî]t,?\s+)?(?:d[eé]sormais|dor[eé]navant|[aà] partir de maintenant)\b.+|^[\s\p{P}]*(?:r[eé]ponds|[eé]cris|parle)(?:-moi)? (?:toujours|bri[eè]vement)\b.*|^[\s\p{P}]*appelle-moi\s+\S+[\s\p{P}]*$|^[\s\p{P}]*(?:n['’]utilise|ne mentionne|ne (?:me )?parle) (?:pas|jamais|plus)\b.+/iu,
  /^[\s\p{P}]*(?:por favor,?\s+)?(?:a partir de agora|de agora em diante)\b.+|^[\s\p{P}]*(?:responde|responda|fala|escreve) sempre\b.+|^[\s\p{P}]*(?:me chama de|chama-me|me chame de)\s+\S+[\s\p{P}]*$|^[\s\p{P}]*(?:nunca|n[aã]o) (?:uses|use|menciones|mencione)\b.+/iu,
  /(?:これから|今後|いつも|必ず).{1,20}(?:答えて|返事して|話して|書いて|呼んで|使って|しないで|言わないで)|^[\s\p{P}]*\S{1,12}(?:と|って)呼んで|絵文字は?使わないで/u,
  /(?:앞으로|이제부터|항상|언제나).{1,30}(?:대답|답|말|써|불러|부르|쓰지|하지)\S*|^[\s\p{P}]*\S{1,12}(?:라고|이라고) 불러\S*|이모티콘(?:은|을)? 쓰지 마/u,
]

const WITHDRAWN_ENGLISH: readonly RegExp[] = [
  english(
    String.raw`(?:you (?:can|may|could)|feel free to|(?:it|that)['’]?s (?:ok|okay|fine) (?:to|if you)) .+\b(?:again|now|after all|if you like)[\s\p{P}]*$`,
  ),
  english(
    String.raw`(?:you (?:do not|don['’]?t|no longer) (?:have to|need to)|no need to|you needn['’]?t) .+\b(?:any ?more|any longer|now|after all)[\s\p{P}]*$`,
  ),
  english(
    String.raw`(?:(?:stop|quit) (?:answering|replying|writing|speaking|talking|calling me)\b|(?:enough (?:with|of)|drop|stop with) (?:all )?the\b).+`,
  ),
  english(
    String.raw`[\p{L} ]{2,30} (?:is|are) (?:fine|ok|okay|allowed|welcome) (?:again|now|after all)[\s\p{P}]*$`,
  ),
]

const WITHDRAWN: readonly RegExp[] = [
  /^[\s\p{P}]*(?:(?:算了|好吧|行吧)[，,]?)?\S{1,8}(?:又|还是)?可以(?:再|继续|重新)?(?:用|发|提|说|讲|叫)了[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:你)?(?:现在|又)?(?:可以|能)(?:再|继续|又|重新)?(?:用|发|提|说|讲|叫|回|推荐|问|聊).{1,16}了?[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:你)?(?:现在)?(?:不用|不必|不需要)(?:再|总是|一直)?.{2,16}了[\s\p{P}]*$/u,
  /^[\s\p{P}]*(?:ya )?puedes .+ (?:otra vez|de nuevo)[\s\p{P}]*$|^[\s\p{P}]*du (?:darfst|kannst) (?:jetzt )?wieder .+|^[\s\p{P}]*tu peux (?:de nouveau|[aà] nouveau) .+|^[\s\p{P}]*(?:j[aá] )?podes? .+ (?:outra vez|de novo)[\s\p{P}]*$|また.{1,12}(?:使って|話して)いい|다시 .{1,20}(?:써도|해도) (?:돼|괜찮)/iu,
]

/** Terms of how and when, that any instruction may have. */
const COMMON = new Set(
  findTerms(
    'please now again always never use using send answer answering reply respond write speak talk call me start stop need feel free fine okay allowed like anymore longer future time any keep short mention bring say 算 算了 可以 用 发 提 说 讲 叫 回 答 复 再 以后 今后 不用 别 要 现在 开始 du darfst kannst wieder jetzt benutzen benutze keine puedes usar otra vez de nuevo tu peux utiliser podes usar',
  ),
)

/** Matches who said it to another: “…, I told my mum”. */
const REPORTED =
  /,\s*(?:i|he|she|they|we|(?:my|the) \p{L}+) (?:told|said|wrote|says|texted|shouted|asked)\b/iu
const ASKS = /[?？]\s*$/u
/** Matches a question that asks the assistant for something that lasts: “could you keep it short from now on?”. */
const REQUESTS = new RegExp(
  String.raw`\b(?:can|could|would|will) (?:you|u)\b.*\b(?:${MARKER}|always|never|stop|not|call me)\b`,
  'iu',
)
const CASUAL: readonly (readonly [RegExp, string])[] = [
  [/\bdont\b/giu, "don't"],
  [/\bpls\b|\bplz\b/giu, 'please'],
  [/\bu\b/giu, 'you'],
  // “I'd prefer it if you wrote …”.
  [/(?<=\bif you )wrote\b/giu, 'write'],
  [/(?<=\bif you )spoke\b/giu, 'speak'],
  [/(?<=\bif you )kept\b/giu, 'keep'],
  [/(?<=\bif you )gave\b/giu, 'give'],
  [/(?<=\bif you )did(?: not|n['’]t)\b/giu, "don't"],
  [/(?<=\bif you )(answer|address|call|ask|remind|talk|start|end|add|skip)p?ed\b/giu, '$1'],
]

/** Reads a sentence of a user as a wish of how to be talked to from now on, in the languages of the table; `null` for others. */
export function readInstruction(sentence: string): StandingInstruction | null {
  if (
    sentence.length > LONGEST ||
    REPORTED.test(sentence) ||
    (ASKS.test(sentence) && !REQUESTS.test(sentence))
  )
    return null
  const typed = CASUAL.reduce((text, [casual, whole]) => text.replace(casual, whole), sentence)
  const wish = typed.replace(LEAD, '').replace(TAIL, '').replace(TAIL, '')
  const isIn = (patterns: readonly RegExp[], text: string): boolean =>
    patterns.some((pattern) => pattern.test(text))
  const mayWithdraw = isIn(WITHDRAWN_ENGLISH, wish) || isIn(WITHDRAWN, sentence)
  const isStanding = !ONCE.test(wish) && (isIn(STANDS_ENGLISH, wish) || isIn(STANDS, sentence))
  if (!mayWithdraw && !isStanding) return null
  return { mayWithdraw, isStanding, terms: findTerms(sentence).filter((term) => !COMMON.has(term)) }
}

/** Maximum characters of an instruction. Longer sentences tell something else. */
const LONGEST = 160
