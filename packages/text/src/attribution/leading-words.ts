// Reads the words before a text and says whether they attribute it to another speaker.
import { either, pattern } from '../pattern.ts'
import { givesData } from './own-leads.ts'

/** How an introducer presents a text that is not the speaker's own. */
export type Lead =
  /** The text is to be worked on: translated, summarised, explained. */
  | 'work'
  /** The introducer names a text. */
  | 'text'

const worksOnText = (words: string): boolean => WORK_ON_TEXT.test(words) || WORK_ELSEWHERE.test(words)

/** Returns how words introduce another's text, or `null` if the speaker's own words follow. */
export function readLead(head: string): Lead | null {
  if (worksOnText(head) && !/\bI (?:\p{L}+ )?(?:translate|summari[sz]e|proofread)\b/u.test(head))
    return 'work'
  if (SPOKEN_FOR.test(head) && !OWN_START.test(head)) return 'work'
  if (REPEATED.test(head)) return 'text'
  if (givesData(head)) return null
  const kind = KIND_OF_TEXT.exec(head) ?? KIND_BY_ARTICLE.exec(head)
  if ((kind === null && TO_KEEP.test(head)) || /^[^\p{L}]*for the record\s*$/iu.test(head)) return null
  const isAsked = ASKED.test(head) && WORK_ON_ANYTHING.test(head)
  if (isAsked && !speaksOfSelf(head) && (kind !== null || POINTS_ON.test(head.replace(MANNER, ' '))))
    return 'work'
  return namesText(head) ? 'text' : null
}

/** Reports whether the last part of a head names a text and states nothing: “The mail I got yesterday”, not “The file is csv”. */
function namesText(head: string): boolean {
  const part = head.split(/[,，]/).at(-1) ?? ''
  if (TOOK_FROM_ELSEWHERE.test(part) && POINTS_ON.test(part) && !TO_KEEP.test(part)) return true
  const kind = KIND_OF_TEXT.exec(part) ?? KIND_BY_ARTICLE.exec(part)
  if (kind === null) return false
  if (FROM_TEXT.test(part)) return true
  const before = part.slice(0, kind.index)
  if (MINE.test(before) && !FICTION.test(part)) return false
  if (
    STATES.test(before.replace(SHOWS, ' ')) ||
    /\b(?:is|are|was|were|has|have|had)\s+\S/i.test(part.slice(kind.index + kind[0].length))
  )
    return false
  return !speaksOfSelf(part) || TOOK_FROM_ELSEWHERE.test(part)
}
/** Matches a request for a manner of answering: “Make it short: …”. */
const MANNER =
  /\b(?:make|keep) (?:it|this|that) (?:(?:very|really|as|a bit|nice and) )?(?:short|quick|brief|simple|easy|fast|fun|clear|precise|concise)\b/giu
/** Matches “Let me start with this: …”. */
const OWN_START =
  /\b(?:let me|let['’]s|i['’]ll|i|i will|i would|to|we) (?:\p{L}+ )?(?:start|begin|open|end|finish)\b/iu
const SHOWS = /\b(?:here|this|that|these|those|below|following|it)(?:\s+(?:is|are|was|were)|['’]s)\b/iu
const STATES = /\b(?:is|are|was|were)\b|['’]re\b/iu

/** Reports whether a line without a colon hands over the text below it. */
export function handsOver(line: string): boolean {
  if (line.length > LONGEST_LEAD) return false
  const lead = readLead(line)
  if (FOUND_POST.test(line) || WROTE_BELOW.test(line)) return true
  if (lead === null) return false
  return worksOnText(line) || (lead === 'work' && KIND_OF_TEXT.test(line) && POINTS_ON.test(line))
}

/** Reports whether a question asks about a text that is shown with it: “What does this tweet mean”, 这首歌是谁唱的. */
export function asksAboutText(question: string): boolean {
  if (
    /\b(?:me|my|us|our)\b/iu.test(
      question.replace(/^.*\b(?:tell|help) me\b|\bmy (?:friend|brother|sister|colleague)\b/iu, ' '),
    )
  )
    return false
  if (/我(?:的|家|们|来说|自己)/u.test(question.replace(KIN_OF_MINE_ZH, ''))) return false
  return ASKED_OF_TEXT.test(question) || (WORK_ON_TEXT.test(question) && POINTS_ON.test(question))
}

/** Reports whether a head before a dash points to a text. Otherwise the dash introduces nothing: “You got through it - stay strong”. */
export function leadsOverDash(head: string): boolean {
  const isNamed =
    KIND_OF_TEXT.test(head) || /\b(?:this|these|following|below|above)\b|\p{Script=Han}/iu.test(head)
  return isNamed && POINTS_ON.test(head) && (readLead(head) === 'work' || TOOK_FROM_ELSEWHERE.test(head))
}

/** Reports whether a sentence shows another's words or doubts their honesty: “This is what Max wrote me.”. */
export function showsSaying(sentence: string): boolean {
  return SHOWN_AS_SAID.test(sentence)
}
/** Verbs of saying and sending: “said”, “texted”. */
const SHOWN_VERBS = String.raw`said|says|wrote|writes|told|sent|texted|posted|answered|replied|left`
/** Words before the speaker: “what”, “how”, “the words that”. */
const SHOWN_HOW = 'what|how|the (?:words|message|text) (?:that )?'
/** Places of posts in Chinese: 知乎, 朋友圈. */
const POSTED_IN_ZH = '贴吧|知乎|微博|小红书|豆瓣|朋友圈|网上|论坛|抖音|公众号|群里|评论区'
/** Reports whether a question doubts the text that follows: “Is this a scam”. */
export function doubtsText(question: string): boolean {
  return /^[^\p{L}]*(?:is|are|could|might) (?:this|that|it|these)(?: be)? (?:an? |just )?(?:scam|spam|fraud|phishing|hoax|fake|real|ai|bot|joke)\s*$|^这是(?:诈骗|骗局|真的|假的|垃圾).{0,6}吗\s*$/iu.test(
    question,
  )
}

/** Reports whether a sentence begins with a word for work on a text: “translate to Dutch pls …”. */
export function beginsWork(sentence: string): boolean {
  return BEGINS_WORK.test(sentence)
}
/** Verbs of work on a text: “translate”, “proofread”. */
const WORK_VERBS = 'translate|summari[sz]e|rephrase|reword|paraphrase|proof-?read|transcribe|spell-?check'

/** Reports whether a line asks for work on the text above it. */
export function handsOverAbove(line: string): boolean {
  return line.length <= LONGEST_LEAD && WORK_ON_TEXT.test(line) && POINTS_ON.test(line)
}

/** Maximum characters of an introducer. */
export const LONGEST_LEAD = 200

/** Reports whether words speak about the speaker. “For me” and “I need you to” only name the speaker as a reader. */
export function speaksOfSelf(head: string): boolean {
  const asked = head.replace(
    /\bi(?:'d| would) like you to|\bi (?:need|want) you to|\bI (?:need|want) (?:this|it)\b/giu,
    ' ',
  )
  return (
    FIRST_PERSON.test(asked) || FIRST_PERSON_ZH.test(head.replace(FOR_ME_ZH, '').replace(KIN_OF_MINE_ZH, ''))
  )
}

/** Matches the address of a letter to the agent, which the speaker wrote. */
export const TO_AGENT =
  /(?<!\p{L})(?:assistant|ai|chatgpt|claude|gemini|bot|computer|ki|ia|assistente?|asistente)(?!\p{L})|助手|机器人/iu
/** Details of a text that are corrected or counted: “commas”, “typos”. */
const TEXT_DETAILS =
  'commas?|punctuation|words|letters|characters|syllables|spelling|grammar|typos?|errors?|mistakes?|verbs|nouns|adjectives|capitals?|line breaks'
/** Forms that a text is turned into: “haiku”, “bullet points”. */
const TEXT_FORMS = either(
  /haikus?|poems?|songs?|rhymes?|verses?|letters?|e-?mails?|tweets?|stor(?:y|ies)|jokes?/u,
  /limericks?|sonnets?|raps?|slogans?|headlines?|bullet points|third person|past tense/u,
)
/** English requests for work on a text: “summarise”, “fix the typos”, “turn this into a poem”. */
const ENGLISH_WORK = either(
  /summari[sz]e|translate|proof-?read|rephrase|reword|rewrite|re-write|paraphrase|shorten|condense|transcribe|transliterate/u,
  /spell-?check|copy-?edit|tl;?dr (?:of|for|this|the)|(?:summary|translation|gist|key points|main points) of/u,
  String.raw`(?:add|insert|remove|count|fix|check|correct|find|mark|underline|highlight) (?:\p{L}+ ){0,2}(?:${TEXT_DETAILS})`,
  /read (?:it |this )?(?:aloud|out loud)/u,
  String.raw`(?:turn|make|convert|put|change|transform|set|adapt) (?:this|that|it|these|the following) (?:in)?to (?:an? )?(?:\p{L}+ )?(?:${TEXT_FORMS})`,
  /how (?:(?:do|would|can|should) (?:you|i|we|one)|to) (?:say|spell|pronounce|put) (?:this|that|it|the following|in \p{Lu}\p{L}+)/u,
)
/** Matches work that is only ever done on a text. */
const WORK_ON_TEXT = pattern(
  'iu',
  String.raw`\b(?:${ENGLISH_WORK})\b`,
  /翻译|翻成|译成|译为|用.{1,4}(?:怎么|如何)[说讲写念]|(?:加上?|补上?|去掉|检查|改正|找出|数一?数|统计)[^，。：]{0,5}(?:标点|错别字|字数|多少个?字|拼音|病句|空格)|朗读|改改/u,
  /润色|改写|校对|缩写|扩写|续写|提炼|(?:帮|请|给我|替|你).{0,4}(?:总结|概括|归纳)|(?:总结|概括|归纳|摘要)[^，。]{0,4}(?:以下|下面|下列|这|如下)/u,
)
/** Kinds of text that are continued: “roman”, “carta”. */
const STORY_KINDS =
  'romance|roman|novela|conto|cuento|conte|história|historia|histoire|geschichte|carta|lettre|brief'
/** Requests and questions in European languages: “übersetze”, “que dit”, “переведи”. */
const EUROPEAN_WORK = either(
  /fass(?:e|t)?\s.{0,60}\szusammen|übersetz(?:e|t|en)?|was (?:steht|heißt|bedeutet)\s.{0,20}(?:hier|da|das|dies)/u,
  /was (?:will|meint|soll) (?:er|sie|der|die|das|ich darauf)|résume[rz]?|traduis(?:e[rz])?|que (?:dit|veut dire|répondre)|corrige/u,
  /resume (?:est[ea]|el|la|los|o|a|isto|esto)|traduce|traduz(?:a|e)?|qué (?:dice|significa|quiere)|o que (?:diz|significa|quer|achas?)|riassumi/u,
  /traduci|cosa (?:dice|significa|vuole)/u,
  String.raw`(?:continu[ae]|continúa|sigue|escreve|escribe|écris|schreib(?:e|t)?) (?:o|a|le|la|el|den|die|das|uma?|une?|una|eine?n?) (?:${STORY_KINDS})`,
  /перескажи|переведи|что (?:здесь|тут) написано/u,
)
/** Matches work that is only ever done on a text, and questions about one, in other languages. */
const WORK_ELSEWHERE = pattern(
  'iu',
  String.raw`(?<!\p{L})(?<!\b(?:je|ich|yo|eu)\s)(?:${EUROPEAN_WORK})(?!\p{L})`,
  /要約して|訳して|何と書いて|요약해|번역해|뭐라고 (?:써|쓰)/u,
)
/** English verbs and questions: “fix”, “explain”, “what does”. */
const ANY_WORK_ENGLISH = either(
  /edit|correct|fix|improve|polish|review|analy[sz]e|explain|interpret|classify|extract|read|check|parse|convert|format|grade|critique/u,
  /respond to|reply to|answer|continue|complete|finish|describe|evaluate|rate|debug|run|execute|process|look (?:at|over|through)/u,
  /go through|what (?:does|do|is|are)|who (?:wrote|is)|is|does|thoughts|feedback|help|make|turn|put|guess|tell me/u,
)
/** Matches work that is also done on other things. It counts only in a request that points to a text. */
const WORK_ON_ANYTHING = pattern(
  'iu',
  String.raw`\b(?:${ANY_WORK_ENGLISH})\b`,
  /修改|检查|分析|解释|解读|看看|看下|看一下|看一看|读|念|评价|点评|识别|整理|提取|回复|回答|处理|批改|什么意思|怎么看|帮我|如何|什么|谁|吗/u,
)
/** Verbs of a request in the imperative: “edit”, “tell”. */
const ASKED_VERBS = either(
  /edit|correct|fix|improve|polish|review|analy[sz]e|explain|interpret|classify|extract|read|check|parse|convert|format|grade|critique|respond|reply/u,
  /answer|continue|complete|finish|describe|evaluate|rate|debug|run|execute|process|look|go|make|turn|put|guess|tell|thoughts|feedback/u,
)
/** Starts of a request: “could you”, “I need you to”, “check”. */
const ASKED_STARTS = either(
  /(?:can|could|would|will) (?:you|we|someone)\b|(?:any|what|who|how|is|does|help|i(?:'d| would) like you to|i need you to|i want you to)\b/u,
  String.raw`(?:${ASKED_VERBS})\b`,
)
/** Matches a request or a question at the start: “Could you check …”, “any thoughts”, 帮我. */
const ASKED = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:(?:please|pls|hey|hi|hello|ok|okay|so|and|now|also|then|just|quick question|\p{Lu}\p{L}*,)[\s,]+)*(?:${ASKED_STARTS})`,
  /帮|请|能不能|可以|看看|看下|看一下|分析|解释|检查|修改|什么意思|怎么看|什么[？?]|谁|吗[？?]/u,
)
/** English nouns for texts: “email”, “chapter”, “screenshot”. */
const TEXT_KINDS = either(
  /e-?mails?|mails?|messages?|text messages?|sms|dms?|letters?|pages?|web ?pages?|web ?sites?|articles?|comments?|threads?|tweets?|blogs?/u,
  /documents?|docs?|pdfs?|attachments?|transcripts?|transcriptions?|chat logs?|dialogues?|logs?|outputs?|(?:search|tool|query) results?|tales?/u,
  /novels?|chapters?|poems?|lyrics|songs?|verses?|scripts?|scenes?|monologues?|quotes?|quotations?|passages?|paragraphs?|excerpts?|snippets?/u,
  /extracts?|captions?|testimonials?|memos?|newsletters?|announcements?|press releases?|readme|code|json|html|xml|csv|yaml|markdown|sentences?/u,
  /essays?|speech(?:es)?|diary|diaries|interviews?|prompts?|manuals?|contracts?|resumes?|résumés?|cvs?|cover letters?|abstracts?|clipboard/u,
  /copypasta|invoices?|adverts?|ads?|payloads?|metadata|screenshots?|voice ?mails?|subtitles?|testimonials?|obituar(?:y|ies)|horoscopes?/u,
  /dictations?|(?:job|dating) (?:ads?|profiles?)|postcards?|curriculum vitae|ocr|speech[- ]to[- ]text/u,
)
export const KIND_OF_TEXT = pattern(
  'iu',
  String.raw`\b(?:${TEXT_KINDS})\b`,
  /邮件|电邮|信件|来信|书信|[这那一]封信|短信|[这那]条消息|对话|网页|页面|网站|文章|文档|文件|帖子|评论|歌词|歌曲|[这那一]?首歌|诗歌|[这那一]?首诗|小说|故事|剧本|台词|独白|新闻|报道|公告|通知|日志/u,
  /(?:搜索|查询|工具|运行|返回|输出)结果|输出|代码|段落|段话|[这那]个?句子|[这那]句话|原文|正文|聊天记录|会议记录|摘录|引文|简历|作文|短文|课文|文字|文本|文案|演讲|日记|采访|提示词|说明书|合同|截图|字幕|笔录|元数据/u,
  /微博|推文|推特|明信片|贺卡|识别(?:结果|文字|内容)|朋友圈|弹幕|[买卖]家评价|语音(?:留言|消息|转文字)|[纸字便]条|启事|纪要|[这那]首歌|(?:交友|个人|作者)简介|以下内容|下面的?内容|内容如下/u,
)
/** Nouns that name a text only after an article: “story”, “report”. */
const ARTICLE_KINDS = either(
  /stor(?:y|ies)|chats?|conversations?|responses?|results?|reports?|profiles?|bios?|descriptions?|entry|entries|records?|sources?|contents?/u,
  /notices?|forms?|files?|texts?|posts?|sites?|exercises?|homework|minutes|tickets?|instructions?|listings?|templates?|reviews?/u,
)
/** Matches nouns that name a text only after “the” or “this”. Otherwise they may name a topic. */
const KIND_BY_ARTICLE = new RegExp(
  String.raw`\b(?:the|this|that|these|those|an?|his|her|their|its|following|attached|pasted|from|\p{L}+['’]s)\s+(?:\p{L}+\s+){0,2}(?:${ARTICLE_KINDS})\b`,
  'iu',
)
/** Matches fiction, including the speaker's own. */
const FICTION =
  /\b(?:novel|chapter|short story|fiction|poem|lyrics|song|verse|script|screenplay|scene|monologue|essay|character|fan ?fic\w*|role-?play|tale)\b|小说|剧本|台词|独白|诗|歌词|首歌|作文|虚构|角色/iu
const POINTS_ON =
  /\b(?:this|these|that|those|it|(?:the )?(?:following|below|above)|what follows)\b|以下|下面|下列|如下|下文|上面|以上|上文|这/iu
/** Matches requests to remember, which introduce the speaker's own statements. */
const TO_KEEP =
  /\b(?:remember|memori[sz]e|note|keep in mind|save|store|record|know|learn|update)\b|记住|记下|记一下|记得|记录|备注|保存|知道|了解/iu
const FIRST_PERSON = /\b(?:I|we)\b|\bi['’](?:m|ve|d|ll)\b|\bi\b/u
const FIRST_PERSON_ZH = /我/u
const FOR_ME_ZH = /(?:帮|给|替|让|跟|和|对|请|发|告诉|为)(?:一下)?我们?|我(?:想|要|希望)?(?:请|让|麻烦)你/gu
const KIN_OF_MINE_ZH =
  /我们?(?:家|的)*(?=哥|姐|弟|妹|爸|妈|爷|奶|外[公婆]|老[公婆板师]|丈夫|妻|媳|朋友|闺蜜|同[事学]|室友|邻居|男友|女友|男朋友|女朋友|儿子|女儿|孩子|领导)/gu
/** English verbs of receiving and finding: “got”, “pasted”. */
const TOOK_VERBS = either(
  /got|get|received|receive|found|find|copied|copy|pasted|paste|saw|see|read|heard|forwarded|forwarding|quoting|quote|citing|came across/u,
  /was sent|were sent|sent me|screenshotted|stumbled|looked up|downloaded|wrote|am reading|translating|need translated|'m reading/u,
)
/** Matches verbs of receiving or finding a text: “copied”, “was sent”, 收到. */
const TOOK_FROM_ELSEWHERE = pattern(
  'iu',
  String.raw`\b(?:${TOOK_VERBS})\b`,
  /收到|看到|读到|找到|复制|粘贴|转发|发现|摘|抄|截|听到|搜到|翻到/u,
)
const MINE = /\b(?:my|our)\s+(?:(?!\p{L}+['’]s\b)\p{L}+\s+){0,2}$|我(?:们|家)?的[^的]{0,4}$/iu
/** First words of a request to speak for another: “start with”, “repeat after me”, “fwd”. */
const SPOKEN_STARTS = either(
  /(?:start|begin|open|end|finish|continue)s?\s+(?:off\s+)?(?:with|like|as follows|by saying)\b|goes\s+(?:like|as follows)\b/u,
  /repeat after me|say (?:after me|out loud|it back)|(?:fwd?|fw|forwarded|forwarding|repost(?:ed|ing)?|rt|reblogged|quot(?:e|ing))\s*$/u,
)
/** Requests to play or repeat: “pretend you”, “act as”. */
const PRETENDING = either(
  /repeat after me|pretend (?:that )?(?:you|to be)|imagine (?:that )?you|act as|role-?play(?:ing)? as/u,
  /speak as|introduce yourself|you (?:would|will|could|should|might) (?:say|answer|write|reply)/u,
)
/** Matches words before a text that another is to say, or that is made up: “Start with: …”, “Pretend you are Max …: …”, 跟我念：…, 转发：…. */
const SPOKEN_FOR = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:(?:please|now|it|and|that|let it|which)\s+)*(?:${SPOKEN_STARTS})`,
  String.raw`\b(?:${PRETENDING})\b`,
  /\bsays? (?:this )?to (?:yourself|himself|herself|themselves)\b|^\s*(?:转发|转自|转帖|转载|转)[^，。]{0,6}$/u,
  /(?:开头|开场|结尾|第一句)(?:就?是|为|写|用)?\s*$|^以.{0,12}开头|(?:假设|假装|想象|如果|假如)你|扮演|跟(?:着)?我[念读说]|造句|听写|默写|朗读|背诵|例句|范文/u,
)
/** Matches a head before the listener's own words: “You said: …”. */
const REPEATED =
  /^[^\p{L}]*(?:(?:but|and|so|well|yesterday|earlier|last time|before)[,\s]+)*you (?:\p{L}+ ){0,2}?(?:said|told me|wrote|claimed|answered|replied|mentioned)(?: \p{L}+){0,4}\s*$/iu
const FROM_TEXT =
  /^[^\p{L}]*(?:(?:this|it)(?:\s+is|['’]s)\s+)?(?:from|taken from|copied from|quoted from|according to)\s/iu
/** Matches a line about a post below it: “lol found this on reddit”. */
const FOUND_POST =
  /^[^\p{L}]*(?:(?:lol|omg|haha|hey|so|ok|wow|just|I)[\s,]+)*(?:saw|found|read|spotted|came across|stumbled (?:up)?on|copied) (?:this|these|the following) (?:\p{L}+ ){0,2}?(?:on|in|from|off|via) (?:reddit|twitter|x|facebook|fb|insta(?:gram)?|tumblr|quora|linkedin|tiktok|nextdoor|mumsnet|discord|an? (?:forum|blog|subreddit)|the internet|r\/\w+)(?: (?:today|yesterday|lol|earlier))?[.!]*\s*$/iu
/** Matches a line that names the author or the place of the text below it: “someone in my group wrote this”. */
const WROTE_BELOW = pattern(
  'iu',
  /^[^\p{L}]*(?:(?:lol|omg|so|ok|wow|and|but)[\s,]+)*(?!(?:I|we|you)\b)(?:[\p{L}'’]+ ){1,8}?(?:posted|wrote|shared|sent|commented|tweeted|texted|uploaded)(?: (?:me|us|up))? (?:this|the following)(?: (?:in|on|to|at|today|yesterday|last)\b.{0,40})?[.!]*\s*$/u,
  /^[^\p{L}]*this (?:was|is|came|appeared|showed up|turned up|stood) (?:up )?(?:in|on) .{0,30}\b(?:column|page|papers?|newspaper|magazine|forum|group|chat|feed|letters|comments|thread|newsletter|board)(?: (?:today|yesterday|last week))?[.!]*\s*$/u,
)
/** Nouns for short texts: “tweets”, “lyrics”. */
const SHOWN_KINDS = either(
  /tweets?|posts?|comments?|sentences?|lines?|verses?|lyrics|texts?|messages?|e-?mails?|mails?|quotes?|captions?|paragraphs?|phrases?|poems?|songs?/u,
  /jokes?|reviews?|bios?|profiles?|notes?|statements?|passages?|excerpts?|transcripts?|dialogues?|prompts?|ads?|rhymes?|riddles?|proverbs?/u,
)
/** Words of questions about a text: “mean”, “spam”, “wrote”. */
const TEXT_QUESTIONS = either(
  /mean|means|about|from|by|correct|right|real|true|fake|spam|scam|sound|sounds|good|okay|ok|funny|genuine/u,
  /grammatical|say|saying|says|stand for|wrote|author|answer|reply|respond|writes|think|spot|wrong|better/u,
)
/** Questions for an author or a work: “who”, “which band”. */
const ASKED_AUTHORS = 'who|which (?:band|singer|author|film|movie|book|song|poet)'
/** Matches a question about a text shown with it: “What does this tweet mean”, 这首歌是谁唱的. */
const ASKED_OF_TEXT = pattern(
  'iu',
  String.raw`^(?=.*\b(?:${TEXT_QUESTIONS})\b).*\b(?:this|these|that|the following)\s+(?:\p{L}+\s+){0,2}(?:${SHOWN_KINDS})\b`,
  String.raw`\b(?:${ASKED_AUTHORS})\b.{0,30}\b(?:sings?|sang|wrote|writes|said|says|is it from|recorded)\b.{0,12}\b(?:this|these|it|that)\b\s*$`,
  /\b(?:somebody|someone|anybody|anyone|people|a person) (?:who|that) (?:writes?|says?|posts?|wrote|said|posted) (?:this|that|the following)\s*$/u,
  /[这那](?:[条句段首篇个则封]|几[句段条]).{0,6}(?:微博|话|歌|诗|推文|帖子|评论|文字|句子|消息|短信|台词|歌词|文案|笑话|留言|词|段子|弹幕).{0,12}(?:什么意思|意思|谁|哪|通顺|对吗|对不对|怎么[样看改回]|好吗|病句|出自|真的|靠谱|吗)/u,
  /\b(?:mistakes?|errors?|typos?|tense|grammar|spelling|met(?:re|er)|tone|irony|language|dialect|verbs?|adjectives?)\b.{0,20}\b(?:here|this|these|it)\s*$/u,
  /(?:错别字|病句|语病|时态|语气|修辞).{0,8}(?:吗|什么|几|哪)/u,
)
/** Matches a sentence that shows words as another's: “This is what Max wrote me”, “My patient said the following”, 以下是老师发给我的话. */
const SHOWN_AS_SAID = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:(?:this|that|here)(?:\s+is|['’]?s)|these are) (?:exactly )?(?:${SHOWN_HOW})\s*(?!I\b|we\b|you\b)(?:\p{L}+\s+){1,4}(?:${SHOWN_VERBS})\b.{0,30}$`,
  String.raw`^[^\p{L}]*(?!(?:I|we|you)\b)(?:[\p{L}'’]+\s+){1,4}?(?:said|says|told (?:me|us)|wrote(?: to me)?|writes|states?|stated|reports?|reported|posted|replied|answered) (?:the following|as follows)\s*$`,
  String.raw`^\s*(?:以下|下面|这)(?:就|都)?是我?在?[^，。]{0,4}(?:${POSTED_IN_ZH})[^，。]{0,4}(?:看|刷|读|搜|翻|抄|复制)到?的(?:话|内容|帖子)?\s*$`,
  /^\s*(?:以下|下面|这)(?:就)?是(?!我(?:们)?(?:自己)?(?:说|写|发|讲|回))[^，。]{1,12}(?:说|写|发|寄|讲|回|留)(?:给我们?|来|过来)?的(?:话)?\s*$/u,
)
/** Matches a sentence that begins with work on a text: “translate to Dutch pls”, 翻译成英语. */
const BEGINS_WORK = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:(?:please|pls|hey|hi|ok|okay|can you|could you|would you)[\s,]+)*(?:${WORK_VERBS})\b`,
  /^[^\p{L}]*(?:(?:please|pls|can you|could you)\s+)*(?:write|draft|compose|make|record)\s(?!.{0,60}\b(?:my|me|our|us)\b)(?:\p{L}+\s+){1,8}(?:saying|that says|which says|that reads)\s/u,
  /^[^\p{L}]*(?:voice ?mail|sms|text|message|e-?mail|note|dm|tweet|post|comment) (?:from|by)\s/u,
  /^\s*(?:(?:请|麻烦)?(?:你)?(?:帮我|帮忙|给我)?)(?:翻译|翻成|译成|译为|润色|改写|校对)|^.{0,80}\b(?:song|tune|verse|rhyme|poem) (?:that|which) (?:goes|says|begins|starts)\s/u,
)
