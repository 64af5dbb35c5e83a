// Patterns of standing instructions, which are wishes about the style of all future replies. Used by read-instruction.ts.
import { OWNERS } from '../attribution/own-texts.ts'
import { either, pattern } from '../pattern.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { LANGUAGE_NAMES, LANGUAGES_EN, LANGUAGES_ZH } from './instruction-matters.ts'

/** Matches words before a wish: “hey, one rule:”. */
export const LEAD =
  /^[\s\p{P}]*(?:(?:ok|okay|so|and|also|oh|hey|hi|please|just|actually|well|by the way|btw|fyi|(?:(?:one|a|small|quick|new) )+(?:more )?(?:thing|rule|request|favou?r)|listen|look)[\s,:.-]+)*/iu
/** Words that address a wish: “could you”, “I'd rather you”, “make sure to”. */
const WISH_STARTS = either(
  /(?:can|could|would|will|should|must) you|(?:can|could) we(?= (?:please )?(?:not|never))|you (?:should|must|have to|need to|ought to|can(?!.*\b(?:again|after all|now)\b))/u,
  /i(?:['’]?d| would)(?: really| much)? (?:like|prefer|want|love|rather|appreciate)(?: it)?(?: if| that)?(?: you)?(?: to| would| could)?/u,
  /i (?:want|need|expect) you to|it(?:['’]?d| would) be (?:great|good|nice|lovely|best|better|helpful) if you(?: would| could)?|let['’]?s|remember to/u,
  /make sure (?:to|you)|be sure to/u,
)
/** Matches words that address a wish to the assistant: “could you”, “I'd rather you”. */
export const FRAME = new RegExp(String.raw`^(?:${WISH_STARTS})[\s,:]+(?:please[\s,]+)?`, 'iu')
/** Matches words that address a wish not to do something: “I don't want you to”. */
export const FRAME_NOT =
  /^(?:i (?:do not|don['’]?t) (?:want|like|need)(?: it when)? you (?:to )?|you (?:should|must)(?: not|n['’]t) |(?:i(?:['’]?d| would)[^,.]{2,24}|it(?:['’]?d| would) be[^,.]{2,16}) you (?:did(?: not|n['’]t)|do(?: not|n['’]t)|not) |(?:remember|make sure|be sure|try) not to )/iu
/** Matches a reason or thanks after a wish: “…, they're annoying”, “… please lol”. */
export const TAIL =
  /(?:\s*[,;–—]\s*(?:it|they(?:['’]?re)?|i(?:['’]?m)?|everyone|because|cause|cos|since|thanks|even)\b.*|[\s,]+(?:please|thanks|thank you|thx|lol|haha+|ok|okay|alright|got it|deal))[\s\p{P}]*$/iu
/** Matches a question at the end that only asks for consent. */
export const TAG =
  /[,，\s]+(?:t[aá]|ok(?:ay)?|vale|né|right|yeah|alright|d['’]accord|hein|gell?|好吗|好不好|行吗|可以吗)\s*[?？]\s*$/iu
/** Words for replies. */
const PRODUCTS = '(?:(?:your|all) )?(?:answers?|repl(?:y|ies)|responses?|messages?|texts)\\b'
/** Words for a lasting wish: “from now on”, “every time”. */
const MARKER = `from now on|from here on(?: out)?|going forward|in (?:the )?future|every (?:single )?(?:time|day|morning|evening|night|message|reply|answer)|each time|any ?more|at all times|all the time|constantly|(?:(?:in|for|with) (?:all )?(?:of )?your|in (?:all|every|each)) (?:answers?|replies|reply|responses?|messages?|texts?)|in general|by default|for good|until i say otherwise`
/** Matches a condition after a wish: “… whenever I write”, “… when you give me recipes”. */
const CONDITION = String.raw`\b(?:(?:whenever|(?:every|each|any) ?time) (?:i|you|we)|when you (?:give|send|write|answer|reply|talk|explain|recommend|suggest|cook|plan))\b.{2,40}`
/** Matches words that limit a wish to one time: “this time”, 今天. */
export const ONLY_ONCE =
  /\b(?:this time|(?:just )?(?:this )?once|for now|call me when you|(?<!from )today|tonight|tomorrow|(?:in|for)? ?this (?:\p{L}+ )?(?:text|e-?mail|message|story|one|letter|answer|reply|question))\b|[这那](?:一?次|回|[篇封条]|个问题|道题)|(?<!每[次天回].{0,12})今[天晚](?!起)|明天/iu
/** Verbs for what an assistant does in a conversation. */
const ACTS = either(
  'answer|reply|respond|speak|talk|write|call (?:me|my|it|him|her|them)|address|use|keep|be',
  'mention|bring up|ask|remind|check (?:in|on)|give|explain|describe|end|start|begin|finish',
  'include|add|avoid|greet|treat|refer|sign|say|tell|let me|quote|joke|swear|apologi[sz]e|lecture',
  'assume|suggest|recommend|translate|format|stick to|skip|leave out|put|show|list|summari[sz]e',
  'correct|point out|switch|cite|confirm|offer|repeat|spell|round|convert|warn',
  '(?:chuck|throw|stick|pop|slip|sneak|work|put)(?=.* in)|praise|compliment|critici[sz]e|interrupt',
  'judge|thank',
)
/** Verbs for work on texts that the user sends. */
const WORK_ACTS = 'review|rewrite|proofread|edit|fix|check|debug|comment on'
export const ACTS_FORBIDDEN = new RegExp(
  String.raw`^don't (?!be\b)(?:${ACTS})\b(?!\s+(?:it|that|this)\b).{3,}`,
  'iu',
)
const ADVERBS = "(?:(?:please|just|always|only|never|(?:do not|don['’]?t)(?: ever)?)\\s+)*"
const STOPPED =
  'using|calling|asking|apologi[sz]ing|saying|ending|starting|adding|giving|lecturing|sending|answering|replying|writing|talking to me|speaking to me'
/** Things of which users want fewer in replies: “emojis”, “disclaimers”. */
const HABITS =
  'emojis?|exclamation marks|bullet points|lists|jargon|small talk|pet names|nicknames|swearing|jokes|puns|spoilers?|disclaimers|essays|follow[ -]?ups?|lectures|apologies|flattery|markdown|my (?:full )?name|unsolicited advice|slang|idioms|abbreviations|technical terms|(?:long|big|fancy|difficult|complicated) words|long sentences'
/** Things that an assistant may offer without a request: “advice”, “links”. */
const OFFERS =
  'advice|tips|suggestions|solutions|recommendations|opinions|feedback|comments|jokes|quotes|links'
/** Forms of a text: “answer in short sentences”, “use bullet points”. */
const FORMS_OF_TEXT =
  '(?:(?:very|only|more|just) )?(?:(?:short|shorter|long|longer|full|complete|simple|simpler|plain|easy) (?:sentences?|words|paragraphs|language)|bullet points|plain text|lower ?case|emojis?)'
/** Manners of talk. Virtues such as “patient” are missing, because users also wish to have them. */
const MANNERS =
  'brief|concise|direct|blunt|formal|informal|casual|playful|chatty|wordy|sarcastic|laid[ -]back|stiff|robotic'
/** Words that apply a manner to talk: “with me”, “when you talk to me”. */
const IN_TALK =
  "(?:(?:with|to|towards?) me|when (?:you|we)(?:['’]re| are)? (?:talk|speak|chat|writ|text|reply|answer)(?:e|ing)?(?: (?:to|with) (?:me|each other))?)"
/** Words after “call me” that are no name, as in “call me back”. */
const NO_NAME =
  'back|later|when|at|tomorrow|on|if|tonight|an?|the|old|crazy|mad|nuts|weird|silly|stupid|lazy|paranoid|again|any ?time|up|out|over|in|next|soon|now|asap|maybe|names|and|or|because|cause|cos|its|is|as'

/** Matches words after “X is a closed subject”. */
const CLOSING = String.raw`(?: (?:for (?:me|us|you|good|now)|between us|from now on|now))*(?:,.{2,24})?[\s\p{P}]*`
const english = (source: string): RegExp => new RegExp(`^(?:${source})`, 'iu')

/** Match English wishes without their lead, frame and tail. Each comment is an example. */
export const STANDS_ENGLISH = [
  // “from now on answer in German”
  String.raw`(?:${MARKER})[\s,:]+(?:(?:you (?:are to|should|must|will|can)|i(?:['’]d like| want) you to|let['’]?s)\s+)?${ADVERBS}(?:(?:${ACTS})\b|no\s|stop\s|${PRODUCTS}|you(?:['’]?re| are)\s).+`,
  // “answers in German only”
  String.raw`${PRODUCTS}\s.+\bonly$`,
  // “only short replies”
  String.raw`(?:only )?(?:short|brief) ${PRODUCTS}`,
  // “always review my code for typos”
  String.raw`always\s+(?:${WORK_ACTS}) (?:my|what i|(?:any|every)thing i)\b.+`,
  // “never mention my ex”
  String.raw`(?:always|never|(?:do not|don['’]?t) ever)\s+(?!(?:end|start|begin|finish)\s*,)(?:${ACTS})\b(?!\s+(?:it|that|this|never)[\s\p{P}]*$).+`,
  // “answer in German from now on”
  String.raw`${ADVERBS}(?:${ACTS})\b.+(?:\b(?:${MARKER}|always)[\s\p{P}]*$|${CONDITION}$)`,
  // “when I ask for a recipe, give me two”
  String.raw`(?:(?:whenever|(?:every|each|any) ?time) i \p{L}+|(?:when|if) i (?:ask|tell|send|paste|share|post|upload|show|give|say|talk|write|mention|want|need|complain|(?:am|['’]?m) (?:sad|angry|upset|tired|stressed|down|rude|wrong|late|in|at)))\b.{2,60}?(?:,|(?=\s(?:do not|don['’]?t|always|never|just|only)\b)|(?<= (?:an?|the|some|another|new) \p{L}+)(?=\s(?:${ACTS}) me\b))\s*${ADVERBS}(?:${ACTS}|${WORK_ACTS})\b.+`,
  // “answer briefly”
  String.raw`(?:answer|reply|respond|write|speak|talk)(?: to me)? (?:very |more )?(?:shortly|briefly|concisely|in short|in brief|formally|informally|plainly|simply)(?: only)?[\s\p{P}]*$`,
  // “switch back to English”
  String.raw`(?:answer|reply|respond|write|speak|talk|use|switch|go back|change)(?: to me)?(?: back)?(?: in| to)? (?:british |american |plain |simple )?(?:${LANGUAGES_EN})(?: only| again| for good)?[\s\p{P}]*$`,
  // “spell it colour, not color”
  String.raw`spell (?:it |\p{L}+ )?(?:as )?\p{L}+,? (?:and )?not (?:as )?\p{L}+[\s\p{P}]*$`,
  // “talk to me like a pirate”
  String.raw`(?:talk|speak|write) (?:to|with) me (?:like|as|in)\b.+`,
  // “keep your answers short”
  String.raw`keep (?:your |the |all )?(?:answers?|repl(?:y|ies)|responses?|messages?|it|things) (?:very |nice and )?(?:short|brief|simple|concise|formal|casual)\b[^,;]{0,20}(?:[,;].{0,60})?$`,
  // “answer in short sentences”
  String.raw`(?:answer|reply|respond|write|speak|talk)(?: to me)? (?:in|with) ${FORMS_OF_TEXT}[\s\p{P}]*$`,
  // “use bullet points”
  String.raw`use ${FORMS_OF_TEXT}[\s\p{P}]*$`,
  // “write shorter replies”
  String.raw`(?:write|send|give me|keep to) (?:(?:much|more|a bit) )?(?:shorter|longer|simpler|briefer) ${PRODUCTS}[\s\p{P}]*$`,
  // “no advice unless I ask”
  String.raw`(?:(?:(?:do not|don['’]?t|never|stop) giv(?:e|ing) (?:me )?|no )(?:any |more )*(?:${OFFERS})|(?:do not|don['’]?t|never) (?:${ACTS})\b.{2,40}) (?:unless|until) i (?:ask|say so|tell you|request|want)\b.{0,20}$`,
  // “don't be so formal”
  String.raw`(?:(?:be|stay|sound)|(?:do not|don['’]?t|never|stop) (?:be|being|sound|sounding)) (?:(?:a (?:bit|little|lot)|so|too|that|overly|more|less|very) )*(?:${MANNERS})(?: ${IN_TALK})?[\s\p{P}]*$`,
  // “use simple words with me”
  String.raw`(?:be|stay|use|(?:do not|don['’]?t) use) .{2,40} (?:with|for) me[\s\p{P}]*$`,
  // “call me Mags, not Margaret”
  String.raw`${ADVERBS}(?:call|address|refer to)(?:ed|red)? me (?:by |as |with |using )?(?!(?:${NO_NAME})\b)[\p{L}'’.\/-]+(?: (?!(?:not|its?|it['’]s|again|that|because|cos)\b)[\p{L}'’.-]+)?(?: instead| again)?(?:,? (?:and )?(?:not|instead of|rather than) \p{L}+|\s(?:its?|it['’]s|that['’]?s|because|bc|cos|cause)\b.*)?[\s\p{P}]*$`,
  // “no more emojis”
  String.raw`(?:no (?:more )?|avoid |(?:stop with|skip|drop|cut|enough of) the |(?:do not|don['’]?t) (?:use|send|give me|add|include|ask me) (?:any )?)(?:${HABITS})\b.{0,30}$`,
  // “no spoilers ever”
  String.raw`no .{3,30}\bever[\s\p{P}]*$`,
  // “just bullet points from now on”
  String.raw`(?:just |only )?(?:bullet points?|lists?|plain text|short sentences?|(?:one|two) (?:sentences?|lines?)|(?:kilos?|kg|miles|km|celsius|metric|imperial|pounds))(?: and .{2,20})? (?:only|always|from now on)(?: please)?(?:[,;].*)?$`,
  // “every recipe you send me must be vegan”
  String.raw`(?:(?:${MARKER})[\s,:]+)?(?:any|every|all) (?:\p{L}+ ){1,3}you (?:give|send|write|suggest|show|tell|make|recommend)(?: me)?\b.{0,20}?\b(?:has to|have to|must|should|needs? to|is to)\b.+`,
  // “no jokes in anything you write”
  String.raw`(?:please )?(?:no|without|avoid) .{3,40} in (?:anything|whatever|everything|what) you (?:write|send|say|tell|give|post|answer)\b.{0,20}`,
  // “never bring my ex up”
  String.raw`(?:never|(?:do not|don['’]?t)(?: ever)?) bring (?!(?:it|that|this|them|him|her)\b)[\p{L}'’ ]{2,24} up\b.*`,
  // “use they/them for Sam”
  String.raw`use \p{L}+\/\p{L}+ (?:pronouns )?(?:for|with|when) .+`,
  // “use only simple words”
  String.raw`use (?:only )?(?:british|american|simple|plain)\b.{0,30}$`,
  // “give temperatures in celsius”
  String.raw`(?!.*\d)(?:${ACTS})\b.*\b(?:metric|imperial|celsius|fahrenheit)\b.{0,30}$`,
  // “don't lecture me”
  String.raw`(?:do not|don['’]?t|never|stop) (?:swear|curse|lecture|joke|apologi[sz]e|judge|flirt|interrupt|patroni[sz]e)(?:ing)?\b.{0,30}$`,
  // “don't sugarcoat things”
  String.raw`(?:do not|don['’]?t|never) sugar-?coat (?:things|anything|stuff|what you .{2,20})[\s\p{P}]*$`,
  // “stop using emojis”
  String.raw`(?:stop|quit|mind not|not) (?:${STOPPED})\b(?!\s+(?:it|that|this)[\s\p{P}]*$).{2,60}$`,
  // “don't ask about my job”
  String.raw`(?:do not|don['’]?t|not|never|stop|avoid) (?:ever )?(?:bring(?:ing)? up|mention(?:ing)?|suggest(?:ing)?|recommend(?:ing)?|remind(?:ing)? me (?:of|about)|ask(?:ing)? (?:me )?about|(?:talk|speak)(?:ing)? (?:to me )?(?:about|of)) (?!(?:(?:it|that|this)\b|(?:them|him|her)\b(?!.*\b(?:again|any ?more)\b))).+`,
  // “drop the subject of my ex”
  String.raw`(?:drop|leave|close) the (?:subject|topic) of .+`,
  // “the topic of work is off the table”
  String.raw`(?:the |that )?(?:subject|topic|matter) (?:of|with|about) .{2,40} is (?:closed|off the table|off[ -]limits)${CLOSING}$`,
  // “my divorce is a closed subject”
  String.raw`(?!(?:he|she|it|that|this|they)).{2,30} (?:is|are) (?:a closed (?:subject|topic)|off(?: the table|[ -]limits) as a (?:topic|subject))${CLOSING}$`,
  // “I never want to hear about him again”
  String.raw`(?:i )?(?:do not|don['’]?t|never)(?: ever)? want to (?:hear|talk|speak) (?:about|of) (?!(?:it|that|this)\b).+\b(?:again|any ?more|ever)\b.*`,
  // “I prefer lists in your answers”
  String.raw`i (?:prefer|like|want|need) .{3,40} in your (?:answers|replies|responses|messages)[\s\p{P}]*$`,
].map(english)

const FROM_NOW_ZH = '从(?:今[天日儿]?|现在)(?:以后|往后|起|开始)|以后|今后|往后'
/** Matches words before a Chinese wish, such as 请 and 以后. */
const LEAD_ZH = String.raw`^[\s\p{P}]*(?:(?:请|麻烦|拜托|记住|记得|对了|另外|那|嗯|好吧?|算了|其实|你|您|就|${FROM_NOW_ZH}|能不能|可不可以|能否|我(?:更)?(?:希望|想要?|要|喜欢|宁愿)(?:让)?(?:你|您)|希望(?:你|您))[,，：:\s]*)*`
const FORBIDS_ZH = '别|不要|不许|不准|不用|不必|少'
const ACTS_ZH =
  '回[答复]|答|说|讲|写|用|叫|喊|称|提|问|推荐|聊|给|发|加|放|告诉|解释|剧透|列|分[点条段]|指出|先|总结|催|劝|客气'
/** Acts that users refuse when they are sad, or when the assistant repeats them: 别老是反问我. */
const EXCESS_ZH = '反问|追问|说教|讲|说|问|劝|催|打断|教育|批评|安慰|敷衍|道歉|夸|开玩笑|分析|给.{0,3}建议'
/** Forms of a text: 短句, 表情包. */
const FORMS_ZH = '短句子?|大白话|白话|口语|表情包?|emoji|颜文字|列表|要点|例子|比喻|敬语|成语'
/** Matches an act and an object of a reply: 先给结论, 都要用中文. Without an object, 都要 and 先 may also state a habit: 都要排队. */
const REPLY_ACT_ZH = `(?:先|只|再)?(?:回[答复]|总结|分[点条段]|(?:${ACTS_ZH}|提醒|鼓励|夸)(?:一?下)?(?:我(?!们?[爸妈老])|.{0,3}(?:结论|重点|要点|答案|例子|步骤|建议|选项|表情|表格|[一两三几][句点段])|${LANGUAGES_ZH}))`
/** Matches the end of a complaint, which is no wish: 每次都要我道歉，烦死了. */
const COMPLAINS_ZH = String.raw`(?:[烦累气]|无语|受不了|崩溃|郁闷|委屈|唉)[死坏]?[了啊呀人]*[\s\p{P}]*$`
const chinese = (source: string): RegExp => new RegExp(`${LEAD_ZH}(?:${source})`, 'iu')

/** Match Chinese wishes. Each comment is an example. */
export const STANDS_CHINESE = [
  // 今后请用中文回答
  `(?:${FROM_NOW_ZH})(?!我|.{0,6}再[说聊谈讲])[^我他她谁，。！？]{0,6}?(?:剧透|(?:${ACTS_ZH})(?![\\s\\p{P}]).{1,30}$)`,
  // 一直用中文回答
  `(?:一直|永远|始终|总是|一律|都)(?!我)(?:${FORBIDS_ZH})?(?:再)?(?:[跟和对给]我)?(?:剧透|提|问|推荐|用[^，。]{1,6}[回答复说聊写]|回[答复]|叫我|称呼我).{0,20}$`,
  // 每次回答先给结论
  `每(?:次|回|当)(?!.*(?:我(?:都|就|也|会|要|想)|${COMPLAINS_ZH}))[^他她。！？]{0,16}?(?:你就.|请|别|不要|不用|[给帮]我(?!们?[爸妈老])|告诉我|分[点条段]|(?<!我)(?:都要|先|只)${REPLY_ACT_ZH}).{0,20}$`,
  // 叫我小满就好
  `(?:一直|以后|都)?(?:叫|称呼|喊)我(?!起床|别|不|跟|和|到|过|回|去|来|吃|做|帮|怎么|为|一声|什么)[^，。！？我的了]{1,8}(?:就好|就行|吧)?[\\s\\p{P}]*$`,
  // 回答短一点
  `(?:的)?(?:回答|回复|说话|讲话|语气|口气|答)(?:得|要|请|可以|能不能|可不可以|能)?(?:再|更)?(?:简短|简洁|简单|短|直接|\\S{1,4}(?=一?[点些]))(?:一?[点些])?(?:就好|就行|[吧嘛哦啊呗])?(?:[，,].{0,20})?[\\s\\p{P}]*$`,
  // 别再提我前任
  `(?:${FORBIDS_ZH})(?:再|老|总是?)?(?:[跟和对给]我)?(?:提|说起|说到|聊|推荐|问|叫我)(?![了醒这那它多高前供升]|我?(?:为什|怎么|什么|起床)).{1,16}$`,
  // 前任的事别再提了
  `(?!过去|从前|以前|这些|那些)[^，。！？]{1,12}(?:的|[这那]件?)事儿?[，,]?(?:[你您请就都]|以后)*(?:${FORBIDS_ZH})再?(?:[跟和对]我)?(?:提|说|聊|问)[起到]?[他她它]?了?[\\s\\p{P}]*$`,
  // 别老是反问我
  `(?:别|不要|不用)(?:再)?(?:老是?|总是?|一直|动不动就?|(?:每[次回天]|天天)都?)(?:[跟和对给]我)?(?:${EXCESS_ZH})我?.{0,8}$`,
  // 我难过的时候别讲道理
  `(?:当|如果|要是)?我[^，。！？他她]{1,12}(?:的时候|时|的话)[，,]?你?[就请都]*(?:(?:别(?![人的处])|不要|不许|不准)(?:再)?(?:[跟和对给]我)?(?:${EXCESS_ZH}).{1,24}|(?:听我说|(?:陪陪?|安慰|抱抱|鼓励|哄哄?)我(?!们?[爸妈老哥弟姐妹家])).{0,8}(?:就好|就行|吧)[\\s\\p{P}]*)$`,
  // 每次聊天先跟我打招呼
  `每(?:次|回)(?:[和跟]我)?(?:聊天|对话|说话|回[复答])[^我他她。！？]{0,6}(?:先|都要)(?:[跟和对给]我)?(?:说|问|讲|打招呼|夸|叫).{0,12}$`,
  // 每次我出门提醒我带伞
  `每(?:次|回|当)我[^，。！？我他她爸妈老]{1,8}[，,]?(?:都|就|请|也)*(?:提醒|告诉|鼓励|表扬)我(?!们).{1,16}$`,
  // 每天要夸我一句哦
  `每天(?:都)?(?:要|得|请|记得)(?:夸|鼓励|提醒|问|陪|[跟和对给]我(?:说|讲))我?.{0,10}[哦喔噢吧呗][\\s\\p{P}]*$`,
  // 回答用短句
  `(?:回[答复]|说话|答)我?(?:请|都|只|多|尽量|要)*用(?:${FORMS_ZH}).{0,4}$`,
  // 多用表情包
  `多(?:用|发|加)(?:一?[点些])?(?:${FORMS_ZH}).{0,2}$`,
  // 用英文回我
  `用(?:${LANGUAGES_ZH})[回答]我.{0,2}$`,
  // 跟我说话的时候别太客气
  `(?:跟|和|对)我(?:说话|聊天|讲话)(?:的时候|时)?(?:(?:${FORBIDS_ZH}|请|可以|要).{1,24}|就?像.{1,10}(?:一样|似的|那样).{0,4})$`,
  // 别用表情
  `(?:${FORBIDS_ZH})(?:再)?(?:给我|跟我)?(?:用|发|加)(?:任何)?(?:表情|emoji|[感惊]叹号|英文|敬语|列表|术语).{0,4}$`,
  // 回答里别用术语
  `(?:(?:${FORBIDS_ZH})?在)?(?:你的)?(?:回[答复]|消息|菜谱|食谱)(?:里面?|中|的时候|时)[，,]?(?:请|都|要|只|用|多|列|先|分|给|加|附|${FORBIDS_ZH})\\S{1,16}$`,
  // 跟我说话用英文
  `(?:回[答复]|跟我说话?|和我聊天?)我?(?:都|只|一律|全)?用(?:${LANGUAGES_ZH}).{0,6}(?:[，,].{0,30})?$`,
  // 只用英文回答
  `(?:都|只)?用(?:${LANGUAGES_ZH})(?:回答|回复|说话).{0,6}$`,
  // 用英语跟我说
  `用[^，。]{1,8}(?:跟|和|对)我(?:说|聊|讲).{0,4}$`,
  // 改用英文吧
  `(?:改|换|还是|就)+(?:用|成|回|说|讲)(?:${LANGUAGES_ZH})(?:好了)?[吧。！]*$`,
].map(chinese)

/** Imperatives of replying in other languages. */
const ACTS_OTHER = String.raw`antworte\p{L}*|schreib\p{L}*|sprich|rede|r?e?spond[ae]\p{L}*|cont[eé]sta\p{L}*|h[aá]bla\p{L}*|escr[ií]b\p{L}*|responder|r[eé]pond\p{L}*|parle\p{L}*|[eé]cri[sv]\p{L}*|fal[ae]\p{L}*|escrev[ae]\p{L}*`
/** Matches words before a wish in other languages, such as “bitte” and “por favor”. */
const LEAD_OTHER = String.raw`[\s\p{P}]*(?:(?:bitte|por favor|porfa|s['’]il te pla[iî]t|stp|ok|jetzt|ahora|maintenant|agora|vuelve a|volta a|und|y|et|e)[\s,]+)*`
/** Matches the start of a wish not to do something in another language. */
const FORBIDDEN_OTHER = pattern(
  'iu',
  /(?:benutze?|verwende?|erw[aä]hne?|nenne?|sprich|rede|schreib|frag)\s(?:\p{L}+\s){0,5}(?:nicht|nie|niemals|kein\p{L}*)(?!\p{L})/u,
  /(?:ya )?(?:nunca|no)(?: vuelvas a| me)* (?:us|mencion|habl|record|pregunt|llam)\p{L}+/u,
  /n(?:e |['’])(?:me |m['’])?(?:utilise|mentionne|parle|rappelle|appelle|demande)[sz]? (?:pas|jamais|plus)(?!\p{L})/u,
  /(?:j[aá] )?(?:nunca|n[aã]o)(?: volt\p{L}+ a| me)* (?:us|mencion|fal|lembr|pergunt|cham)\p{L}+/u,
).source
/** Japanese imperatives for what an assistant does. `END_JA` matches the end of the sentence after one. */
const ACTS_JA = `(?:答え|返事し|返答し|返し|話し|喋っ|しゃべっ|書い|呼ん|使っ|教え|説明し|言っ|聞い|要約し|まとめ|褒め|励まし|接し)て|(?:使わ|言わ|聞か|呼ば|話さ|触れ|書か|褒め|勧め|謝ら|し)ないで`
const END_JA = String.raw`(?:くださ\p{L}*|下さ\p{L}*|くれ(?:ない|ません)?か?|くれると(?:嬉|助)\p{L}*|ほしい\p{L}*|欲しい\p{L}*|もらえ\p{L}*|ね|よ|な)*[\s\p{P}]*$`
/** German verbs of what an assistant does: “antworte”, “schreib”. */
const GERMAN_ACTS = String.raw`antwort\p{L}*|schreib|frag|fragen zur[uü]ck|r[uü]ckfragen|sprich|rede|erw[aä]hn\p{L}*|erkl[aä]r\p{L}*`
/** German words for a lasting wish: “immer”, “nie”. */
const GERMAN_ALWAYS = 'immer|nie|niemals|stets|jedes ?mal|k[uü]nftig|keine'
/** Words for a lasting wish in other languages, at its start or end. */
const LASTING_OTHER =
  'ab jetzt|ab sofort|von jetzt an|in zukunft|k[uü]nftig|a partir de ahora|de ahora en adelante|desde ahora|d[eé]sormais|dor[eé]navant|[aà] partir de maintenant|a partir de agora|de agora em diante'
/** Match wishes in other languages. */
export const STANDS_OTHER: readonly RegExp[] = [
  pattern(
    'iu',
    /^[\s\p{P}]*(?:por favor,?\s+)?(?:(?:resp[oó]nde(?:me)?|cont[eé]sta(?:me)?|h[aá]bla(?:me)?) siempre\b|siempre (?:resp[oó]nde(?:me)?|cont[eé]sta(?:me)?|h[aá]bla(?:me)?) (?:breve|corto|formal|en|con|sin|de (?:tú|usted))(?:mente)?(?!\p{L})).*/u,
    /^[\s\p{P}]*(?:tut[eé]ame|tr[aá]tame de \p{L}+|(?:tutoie|vouvoie)[sz]?-moi|(?:bitte )?(?:(?:du|sie)z(?:e|t|en sie)? mich|immer (?:duzen|siezen)))\b/u,
    /^[\s\p{P}]*(?:no (?:hace falta que|tienes que|necesitas)|(?:pas besoin de|tu n['’]as pas besoin de)|n[aã]o precisas?) .*(?:cada vez|siempre|todo el (?:rato|tiempo)|salvo|a menos|chaque fois|toujours|tout le temps|sauf|tod[ao] (?:hora|vez|momento)|sempre|s[oó] se)/u,
    /^[\s\p{P}]*(?:bitte\s+)?(?:antworte|schreib|sprich|rede)(?: mir| mit mir)?(?: bitte)? (?:immer|nur|stets)\b.+/u,
    String.raw`^(?!.*(?<!\p{L})(?:ich|er|wir|man)(?!\p{L}))(?=.*(?<!\p{L})(?:${GERMAN_ALWAYS})(?!\p{L})).*(?<!\p{L})(?:${GERMAN_ACTS})(?!\p{L}).*`,
    /^[\s\p{P}]*(?:r[eé]ponds|[eé]cris|parle)(?:-moi)? (?:toujours|bri[eè]vement)\b.*/u,
    /^[\s\p{P}]*(?:(?:responde|responda|fala|escreve) sempre|sempre (?:me )?(?:responda|escreva|fale))\b.+/u,
  ),
  new RegExp(
    [
      `^${LEAD_OTHER}(?!.*(?<!\\p{L})(?:ihm|ihr|ihnen|él|ella|lui|elle|ele|ela)(?!\\p{L}))(?:${ACTS_OTHER})(?:[\\s-]\\p{L}+){0,4} (?:${LANGUAGE_NAMES})[\\s\\p{P}]*$`,
      `^${LEAD_OTHER}(?:${FORBIDDEN_OTHER}).+|^${LEAD_OTHER}(?:${LASTING_OTHER})(?!\\p{L}).+`,
      `^${LEAD_OTHER}(?:nenne? mich|ll[aá]mame|appelle-moi|me cham[ae] de|chama-me)\\s+(?:(?:bitte|${LASTING_OTHER})\\s+)?\\S+(?:\\s+(?:bitte|por favor|s['’]il te pla[iî]t|${LASTING_OTHER}))*[\\s\\p{P}]*$`,
      `^(?!.*(?:彼女?|[父母兄姉弟妹]|上司|先生|友達|あの人|みんな)[はがも]).*(?:これから|今後|いつも|必ず|毎回|常に|ずっと|二度と|もう|${LANGUAGE_NAMES}|短|簡潔|敬語|タメ口).{0,24}(?:${ACTS_JA})${END_JA}`,
      String.raw`^[\s\p{P}]*\S{1,12}(?:と|って)呼んで|^.{1,16}(?:を|は|の話を?|について|のこと[をは]?)(?:もう|二度と|絶対に?)?(?:使|言|聞|触れ|話|しゃべ|出|し)[わかばさられ]?ないで${END_JA}`,
      String.raw`(?:앞으로|이제부터|항상|언제나|매번|늘|다시는|절대|존댓말|반말|${LANGUAGE_NAMES}|짧게|간단히?).{0,30}(?:대답|답|말|써|불러|부르|쓰지|하지|얘기|설명)\S*[\s\p{P}]*$|^[\s\p{P}]*\S{1,12}(?:라고|이라고|으로) 불러\S*|^.{1,24}(?:쓰지|(?:얘기|이야기|말|언급)(?:은|는|를|을)? ?하지|꺼내지) (?:마|말)\S*[\s\p{P}]*$`,
    ].join('|'),
    'iu',
  ),
]

/** Match English sentences, without their lead, that end earlier bans. `ENDS_WISHES` match those that end earlier wishes. */
export const ENDS_BANS = [
  String.raw`(?:you (?:can|may|could)|you(?:['’]re| are) (?:allowed|free|welcome) to|feel free to|(?:it|that)(?:['’]?s| is) (?:ok|okay|fine|all ?right)(?: for you)?(?: to| if you)|i (?:do not|don['’]?t) mind(?: if)?(?: you)?)\s+(?!stop|quit|not\b|skip|leave out|drop|lose|ditch|forget)`,
  String.raw`.{2,40} (?:is|are)(?: now)? (?:fine|ok|okay|allowed|welcome)\b.{0,24}?\b(?:again|now|after all|from now on)[\s\p{P}]*$`,
  String.raw`(?!(?:do not|don['’]?t|never|stop)\b)(?:.*,\s*)?(?:${ACTS}|go back|switch back)\b.*\b(?:again|back to .+)[\s\p{P}]*$|(?:and )?back to .{2,30}$`,
].map(english)
export const ENDS_WISHES = [
  String.raw`you (?:(?:do not|don['’]?t|no longer) (?:have|need) to|need(?: not|n['’]t)|can (?:stop|quit|skip|leave out|drop|lose|ditch|forget))\b|no need (?:for you )?to\b|(?:stop|quit|enough (?:with|of)|drop|forget|skip)\b.{2,}|no .{2,30}|i (?:do not|don['’]?t) need .{2,40} any ?more`,
].map(english)
/** Matches a sentence in another language that ends a ban: 可以再提了, “du darfst wieder …”. */
export const ENDS_BANS_OTHER = pattern(
  'iu',
  /^[\s\p{P}]*(?:算了|好吧|行吧|其实)?[，,]?(?:你|现在|又|也)*(?:可以|能)(?:再|继续|又|重新)?(?!吗).{1,16}$/u,
  /^(?:[问提叫]我)?[^我他她，。]{1,10}(?:又|还是|也)?(?:可以|没关系|没事|无所谓|不要紧)(?:再|继续|重新)?.{0,8}了[\s\p{P}]*$|(?:改|换|恢复|回|说)(?:回|到|成)\S{1,8}[吧了]?[\s\p{P}]*$/u,
  /^(?!.*(?:aufh[oö]r|dej|arr[eê]t|par[ae]r|deix))[\s\p{P}]*(?:ya |ahora |s[ií] |j[aá] |agora |jetzt |maintenant )*(?:du (?:darfst|kannst)|sie (?:d[uü]rfen|k[oö]nnen)|puedes?|pod[eé]s|tu peux|vous pouvez|voc[eê] pode|pode)\s.+/u,
  /(?:wieder|de nuevo|otra vez|de nouveau|[aà] nouveau|de novo|outra vez) (?:ok|okay|erlaubt|in ordnung|bien|bem|permi\p{L}*|autoris\p{L}*|\p{L}*nutzen)/u,
  /また.+(?:て|で)(?:も)?(?:いい|良い|大丈夫|ね|よ)*[\s\p{P}]*$|(?:て|で)も?(?:いい|良い|大丈夫|構わ|OK)|[가-힣]도 (?:돼|되|괜찮|좋)/u,
)
export const ENDS_WISHES_OTHER = pattern(
  'iu',
  /^[^，。]{0,20}[，,]?(?:算了|还是)?(?:取消|作废|不算数|撤销)[吧了]?(?:[，,].{0,16})?$|^[^，。我他她]{2,12}(?:不用|不需要|不必)了(?:[，,].{0,16})?$|^[\s\p{P}]*(?:你|现在|以后)*(?:不用|不必|不需要|没必要|别|不要)(?:再|总是|一直|每次)?.{1,16}了?[\s\p{P}]*$/u,
  /(?<!\p{L})(?:nicht|kein\p{L}*) mehr(?!\p{L})|(?<!\p{L})h[oö]r (?:bitte )?auf(?!\p{L})|(?:musst|brauchst) (?:\p{L}+ )*(?:nicht|kein\p{L}*)/u,
  /^[\s\p{P}]*(?:ya no|no .+ m[aá]s|deja de|no (?:hace falta|tienes que))(?!\p{L})|^[\s\p{P}]*(?:n[aã]o .+ mais|j[aá] n[aã]o|para de|deixa de|n[aã]o precisas?)(?!\p{L})/u,
  /^[\s\p{P}]*(?:ne |n['’]|arr[eê]te).* plus(?!\p{L})|^[\s\p{P}]*arr[eê]te|plus besoin|pas besoin/u,
  /(?:もう|これ以上).+(?:ないで|やめて|しなくて|いらない|不要)|やめて(?:くだ|ね|よ)*\p{L}*[\s\p{P}]*$|なくて(?:も)?(?:いい|大丈夫)|(?:이제|더 이상|그만).+(?:마|말아|해도 돼|필요 ?없)\S*[\s\p{P}]*$/u,
)

/** Terms that any instruction may have, such as those for how and when. They are not its topic. */
export const COMMON_TERMS = new Set(
  findTerms(
    `please now again always never use using send answer answering reply respond write speak talk call me start stop need feel
    free fine okay allowed like mind anymore longer future time any keep mention bring say tell give put actually miss go back
    drop forget skip du darfst kannst wieder jetzt benutzen benutze keine puedes usar otra vez de nuevo tu peux utiliser podes
    usar antworte antworten schreib schreibe schreiben sprich sprechen rede reden erwähnen erwähne nenn nenne nennen mich mir
    immer nie niemals nur bitte auf ohne über meinen meine sind ist nicht mehr kein responde responder contesta habla hablar
    siempre nunca en con sin sobre mi ya no mas llames llámame menciones mencionar hables uses réponds répondre parle parler
    toujours jamais pas ne mon ma mes utilise mentionne mentionner appelle appelles moi sempre não mais meu minha mencione fala
    falar chama chames chame outra vez novo ok okay`,
  ),
)

/** Matches Chinese words that any instruction may have. They are not its topic. */
export const COMMON_WORDS_ZH =
  /以后|今后|往后|从现在(?:起|开始)|现在|每[次回当]|一直|总是|永远|可以|没关系|没事|无所谓|不要紧|不(?:用|必|要|许)|还是|算了|回[答复]|[请别再吧了都又也在里你我能用发提说讲叫放先]/gu

/** Matches words that show that the speaker reports a wish to someone else: “…, I told my mum”. */
export const REPORTED =
  /,\s*(?:(?:i|he|she|they|we|(?:my|the) \p{L}+) (?:told|said|wrote|says|texted|shouted|asked)|(?:says|said) (?:the|my|he|she))\b|[，,](?:这|那)是.{1,6}(?:的话|说的)/iu
/** Matches a motto or rule of another person or a house: “…, that's my mum's rule”, …是我家的家训. */
export const MOTTO = pattern(
  'iu',
  /(?:['’]s|\bis|\bwas|\bthats) (?:an? |the )?(?:\p{L}+ )?rule (?:in|at|of|with|for) (?:our|my|the|this|his|her|their)\b/u,
  /\b(?:(?:['’]?s|is|was|are) |, )?(?:(?:my|our|his|her|their|the|an?) (?:\p{L}+ )*?\p{L}+['’]?s (?:\p{L}+ )?(?:rule|policy|advice|words)|(?:my|our|his|her|their|the) (?:\p{L}+ )?(?:(?:house|family|school|office|work|company|club|gym) (?:rule|policy)|motto|mantra|saying|philosophy|slogan))\b/u,
  /(?:\bthats|['’]s|\bis|\bwas) (?:what|how) (?:my|our|his|her|the|he|she|they|we)\b.*\b(?:taught|told|say|says|said|raised|preach\p{L}*|learned)\b/u,
  String.raw`(?:['’]s|\bis|\bwas|\bthats) (?:what|how|something) (?:my |our )?${OWNERS}\b|,\s*(?:as )?(?:my |our )?${OWNERS} (?:(?:always|used to|would|often) )+(?:say|said|tell|told)\b`,
  String.raw`(?:['’]s|\bis|\bwas|,) (?:my |our )?${OWNERS}['’]?s (?:\p{L}+ )?(?:rule|policy|advice|words?|thing|saying|line|motto|mantra)\b`,
  /(?:座右铭|口头禅|家训|(?:的|定的|家)规矩|的原则|教我的|常说|座右の銘|口癖|家訓|좌우명|가훈)/u,
  /(?<!\p{L})(?:Motto|lema|devise|dit[aã]o|die Regel (?:von|meine[rs])|la (?:regla|norma) de mi|la r[eè]gle de m|a regra d[aoe])(?!\p{L})/u,
)
/** Matches a verb of saying in the clause before a wish. */
export const VERB_OF_SAYING =
  /\b(?:said|says|told|tells?|asked|screamed|shouted|wrote|texted|rule|sign)\b|[说讲喊骂劝他她]|告诉|要求/iu
export const ASKS = /[?？]\s*$/u
/** Matches a question that asks the assistant for something that lasts: “could you keep it short from now on?”. */
export const REQUESTS_IN_QUESTION = new RegExp(
  String.raw`\b(?:can|could|would|will) you\b.*\b(?:${MARKER}|always|never|stop|not|call me)\b|\b(?:can|could) we (?:please )?(?:not|never)\b|\b(?:can|could|would|will) you be\b.*\b${IN_TALK}|^[\s\p{P}]*你?(?:能不能|可不可以|能否)`,
  'iu',
)
/** Maps casual words to their standard form, and past forms after “I'd prefer if you …” to the imperative. */
export const STANDARD_FORMS = new Map(
  "dont:don't u:you pls:please plz:please wrote:write spoke:speak kept:keep gave:give told:tell said:say left:leave replied:reply used:use included:include described:describe"
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)
export const FORBIDS = new RegExp(
  String.raw`\b(?:do not|don['’]?t|never|stop|quit|avoid|no|not|without|skip|leave out|closed|off the table|off[ -]limits|(?:drop|leave|close) the (?:subject|topic))\b|${FORBIDS_ZH}|永远不`,
  'iu',
)

/** Matches words that forbid something in other languages. */
export const FORBIDS_OTHER =
  /(?<!\p{L})(?:nicht|nie|niemals|kein\p{L}*|ohne|nunca|jam[aá]s|sin|sem|n[aã]o|no|ne|n['’]\p{L}+|pas|jamais|sans)(?!\p{L})|ないで|なし|禁止|やめて|지 ?[마말]|없이/iu
/** Matches the name that the user does not want: “, not Margaret” of “call me Mags, not Margaret”. */
export const OTHER_NAME = /(?<=\bme \p{L}+),? (?:and )?(?:not|instead of|rather than) \p{L}+/iu

/** Matches the ending of a regular verb in the past: “answered”, “skipped”. */
export const PAST_ENDING =
  /(?<=answer|respond|call|ask|remind|talk|add|explain|mention|address|start|end)ed$|(?<=skip|stop)ped$/u
