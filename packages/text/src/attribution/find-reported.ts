// Finds words of others that a verb of saying introduces: “Max said: I live in Rome”. Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import {
  dashesOf,
  endOfParagraph,
  headsOf,
  isEmptyAt,
  type Head,
  type IntroducedText,
} from './find-introduced.ts'
import { opensOwnChinese } from './own-leads.ts'
import { OWN_TEXT_SAYS, POSTED_MYSELF } from './own-texts.ts'
import type { Stretch } from './stretch.ts'

/**
 * Finds another person's speech after a verb of saying. After a colon (“Max said: …”) the speech runs to the end of the line, or of the
 * text if it starts on the next line. After a comma it runs to the end of the sentence. The speaker's own quoted words stay.
 */
export function findReported(given: IntroducedText): Stretch[] {
  return [...afterColon(given), ...withinSentences(given), ...findUnmarked(given)]
}

function afterColon(given: IntroducedText): Stretch[] {
  const { lines } = given
  const found: Stretch[] = []
  for (const [index, line] of lines.entries()) {
    for (const head of [...headsOf(line), ...dashesOf(line)]) {
      if (!isReport(head.text.trimEnd()) || (head.isDash === true && !LEFT.test(head.text))) continue
      found.push({ start: head.end, end: endOfSpeech(given, index, head) })
      break
    }
  }
  return found
}

/** Returns where the speech after a head ends: in its line, or below it if nothing follows in the line. */
function endOfSpeech({ marked, lines }: IntroducedText, index: number, head: Head): number {
  const line = lines[index]
  if (line === undefined) return head.end
  const rest = line.text.slice(head.end - line.start)
  if (rest.trim() !== '') {
    const secondDash = head.isDash === true ? rest.search(/\s[-–—]\s/) : -1
    return secondDash < 0 ? line.end : head.end + secondDash
  }
  const next = nextLineWithText(lines, index)
  if (next < 0) return line.end
  return isListed(lines[next]?.text ?? '') ? endOfParagraph(lines, next) : marked.length
}

/** Returns the index of the next line with text, or -1 if there is none. */
function nextLineWithText(lines: IntroducedText['lines'], index: number): number {
  for (let next = index + 1; next < lines.length; next += 1) if (!isEmptyAt(lines, next)) return next
  return -1
}

function isListed(line: string): boolean {
  return /^\s*(?:[-*•·]|\d+[.)、])\s*/.test(line)
}

/** Matches heads before the speaker's own words: “You asked where I live: …”, “here goes”. */
const ANSWERS_YOU =
  /^[^\p{L}]*(?:as )?you\b|\byou (?:\p{L}+ )?asked$|\bto say$|\bhere goes$|(?:小|传|学|解|演|再|难|好|按理|照)说$/iu
/** Matches heads without a speaker: “That being said: …”, “I asked and nobody answered: …”. */
const NO_SPEAKER =
  /^\s*(?:that|which|all)? ?(?:being |having )?(?:says|said)\b|\b(?:nobody|no one) (?:has )?(?:answer|repli|respond|comment)\w+\s*$/i
/** Maximum characters between a verb of saying and the colon. */
const MAX_GAP = 60

/** Reports whether a head before a colon or dash introduces words of another: “Max said”. */
function isReport(head: string): boolean {
  if (OF_ANOTHER.test(head)) return true
  if (ANSWERS_YOU.test(head.trim()) || POSTED_MYSELF.test(head) || OWN_TEXT_SAYS.test(head)) return false
  const saying = [...head.matchAll(SAYING)].at(-1)
  if (saying !== undefined && head.length - saying.index - saying[0].length <= MAX_GAP)
    return !OWN.test(head.slice(0, saying.index)) && !NO_SPEAKER.test(head)
  const sayingZh = SAYING_ZH.exec(head)
  return sayingZh !== null && !OWN_ZH.test(head.slice(0, sayingZh.index)) && !opensOwnChinese(head.trim())
}

function withinSentences({ marked }: IntroducedText): Stretch[] {
  const found: Stretch[] = []
  for (const { 0: sentence, index } of marked.matchAll(/[^.!?。！？\n]+/gu)) {
    // Trailing spaces are a redacted quotation, which is then the reported speech.
    if (!/\s{3}$/.test(sentence) && (SAID_AFTER.test(sentence) || saidAtEnd(sentence)))
      found.push({ start: index, end: index + sentence.length })
    for (const { index: at, 0: retold, groups } of sentence.matchAll(RETOLD))
      found.push({ start: index + at + (groups?.['lead'] ?? '').length, end: index + at + retold.length })
    const comma = reportingComma(sentence)
    if (comma >= 0) found.push({ start: index + comma, end: index + sentence.length })
  }
  return found
}

/** Another speaker with a verb of saying: “the driver kept telling me”, “she's like”. */
const KEPT_TELLING = either(
  /(?:he|she|they|some(?:one|body)|every(?:one|body)|people|\p{Lu}\p{Ll}+|(?:my|the|our|his|her|their|this|that|some|an?) (?:[\p{L}'’-]+ ){1,4}?)\s?(?:ke(?:pt|eps?)|spent .{2,25}|went|goes|was|were|is|are|starte?d?|wouldn['’]?t stop|(?:could|did)n['’]?t stop) (?:on )?(?:(?:and on|about) )*(?:telling (?:me|us|him|her|them|everyone)|saying|insisting|claiming|swearing|bragging|boasting|repeating|shouting|moaning|rambling)(?: on)?(?: about)?(?: that| how)?/u,
  /(?:he|she|they|\p{Lu}\p{Ll}+|(?:my|the) [\p{L}'’-]+(?: [\p{L}'’-]+)??)(?:['’]?s| is| was| are| were|['’]re) (?:(?:all |just )?like|all)/u,
  /(?:(?:this|that|here)(?: is|['’]?s) )?what (?:the |my )?(?:ai|chat ?gpt|gpt|claude|gemini|bot|model) (?:came up with|wrote|made|suggested|generated|gave me)(?: for \p{L}+ \p{L}+)?/u,
)
/** Matches retold speech up to the words with which the speaker resumes: “…, so I …”. In each clause of it, “I” is the other person. */
const RETOLD = new RegExp(
  String.raw`(?<lead>(?:^|[,;]|(?<!\p{L})(?:and|but|so|then|when|while|because))\s*)(?!I\b|we\b|you\b|I['’])(?:${KEPT_TELLING}),?\s(?=I\b|i['’]?m\b|we\b|my \p{L}+ is)(?:(?![,;]\s*(?:so|but|although|though|anyway|whereas|while|which|and so)\b).)*`,
  'giu',
)

/** Returns the comma before unmarked reported speech: “Max told me, I live in Rome and my name is Max”. */
function reportingComma(sentence: string): number {
  const opening = Math.max(0, sentence.search(/\p{L}/u))
  for (const { index } of sentence.matchAll(/[,，]/g)) {
    const head = sentence.slice(Math.max(0, index - 100), index).trimEnd()
    if (
      ENDS_IN_SAYING.test(head) &&
      isAsIfOwn(sentence, index + 1) &&
      (isReport(head) || ANOTHERS.test(head))
    )
      return index + 1
    // The length is limited, since otherwise all words before each comma of a long sentence would be read again.
    const mayBeAccount = index > opening && index - opening <= LONGEST_ACCOUNT
    if (mayBeAccount && BY_WHOSE_ACCOUNT.test(sentence.slice(opening, index))) return index + 1
  }
  return -1
}

/** Reports whether a sentence ends in a verb of saying, as in “I live in Rome she says”. “I know what she said” reports no speech. */
function saidAtEnd(sentence: string): boolean {
  return (
    SAID_AT_END.test(sentence) &&
    /(?:^|[,，]\s?)\s{0,3}(?:I|[Mm]y)\b/.test(sentence) &&
    !/\b(?:what|as|that|like|which|because|whatever|everything|all|when|how|where)\s(?:\p{L}+\s){0,3}(?:he|she|they)\s\p{L}+(?: (?:me|us|like))?\s*$/iu.test(
      sentence,
    )
  )
}

/** Maximum characters of an attribution phrase. */
const LONGEST_ACCOUNT = 200

function isAsIfOwn(sentence: string, from: number): boolean {
  return AS_IF_OWN.test(sentence.slice(from).replace(CALLS_OUT, ''))
}

/** Matches attribution at the end of a sentence without a comma: “I live in Rome she goes”. */
const SAID_AT_END =
  /\s(?:he|she|they)\s(?:goes|says|said|went|tells (?:me|us)|told (?:me|us)|was like|shouts|yells|wrote|writes)\s*$/iu

/** Stems of verbs of saying that end in -ed or -s: “whisper”, “boast”. */
const SAYING_STEMS = either(
  /e-?mail|text|messag|phon|shout|yell|whisper|announc|claim|insist|mumbl|mutter|murmur|grumbl|grunt|groan|moan|whin/u,
  /sigh|jok|boast|bragg|holler|yammer|quipp|chime|admitt|confess|exclaim|remark|mention|respond|declar|proclaim|assert/u,
  /swear|exclaim|warn|snapp|hiss|stammer|stutter|bellow|blurt|vow|protest|counter|tweet|post|comment/u,
)
/** Forms of verbs of saying: “says”, “replied”, “was like”. */
const SAYING_FORMS = either(
  /says?|said|tells|told (?:me|us|him|her|them|everyone)|repl(?:y|ies|ied)|answered|wrote|writes/u,
  String.raw`(?:${SAYING_STEMS})e?[ds]`,
  /swore|swears|chimed in|cried|cries|goes|went|word is|reads(?: as \p{L}+)?|(?:was|is|were|be|['’]s) (?:all )?like|something like/u,
)
/** Verbs of saying in English and Chinese: “said”, 嘟囔了一句. */
const SAYING_ENDS = either(
  String.raw`\b(?:${SAYING_FORMS})`,
  /说|写道|回答|喊|告诉我|表示/u,
  /(?:心想|想道|暗想|自语|嘟囔|嘀咕|念叨|宣布|嚷嚷?|吼|发誓|坦白|嚷起来|喊起来|叫起来|喊道|承认|抱怨|感叹|打趣|强调|补充|声称|宣称|通知|留言|转告|叫道|答道?)(?:了|我|大家)?(?:一句|道)?|回(?:了|我|了我)(?:一句)?|来了一句/u,
)
/** Matches a verb of saying at the end of a text. The words after the comma that follows are speech. */
const ENDS_IN_SAYING = new RegExp(String.raw`(?:${SAYING_ENDS})$`, 'iu')
/** English words that begin the name of another speaker: “he”, “people”, “my”. */
const OTHERS_ENGLISH = String.raw`he|she|they|it|somebody|someone|everybody|everyone|people|word|my|our|his|her|their|the|an?|\p{Lu}\p{L}+`
/** Names of another speaker: “my aunt”, 有人, 我老板. */
const OTHERS_NAMED = either(
  String.raw`(?!I\b|we\b|you\b|let\b|as\b|if\b|when\b)(?!that being|this being|being )(?:${OTHERS_ENGLISH})\b(?!.*\bI\b)`,
  /有人|别人|人家|他|她|它|谁|大家|我(?:老板|妈|爸|弟|哥|姐|妹|姑|叔|舅|奶|爷|同事|朋友|室友|房东|主管)|(?!我|你|咱|对|比如|可以|应该)\p{Script=Han}{2,8}(?:回|答|嚷|喊|叫|宣布|通知|转告)/u,
)
/** Matches first words that name another speaker. */
const ANOTHERS = new RegExp(String.raw`^[^\p{L}]*(?:and |but |so |then )?(?:${OTHERS_NAMED})`, 'iu')

/** Matches interjections at the start of speech: “He goes, look, I live …”, 豆包说，好的，我住在…. */
const CALLS_OUT =
  /^\s*(?:(?:ok(?:ay)?|well|yes|yeah|no|sure|look|listen|so|oh|hey|hi|hello|right|honey|dear|great|thanks|好的?|嗯|行|是的?|对|喂|哎|哦|你好|谢谢|没错|当然)\s*[,，]\s*){1,3}/iu
/** Words before the source of an account: “according to”, “if you ask”. */
const SOURCES_ENGLISH = either(
  /according to|going by|to (?:quote|cite|paraphrase)/u,
  /as (?!I\b|we\b|you\b|if\b|long\b|soon\b|far\b|for\b|of\b)[^,.]{1,40}? (?:puts?|tells?|has|says?|sees|would have) it$/u,
  /as (?!I\b|we\b|you\b)[^,.]{1,30} likes? to (?:put|say|tell) it$|to hear|if you (?:ask|believe)|in the (?:words|eyes|opinion|view|mind) of/u,
)
/** Sources of an account: “according to my ex”, 按我前任的说法. */
const SOURCES = either(
  String.raw`(?:but |and |so )?(?:${SOURCES_ENGLISH})\s(?!me$)[^,.]{1,60}`,
  /(?:按照?|据|照|依|用|听|在|借用?|引用?|套用)[^，,。]{1,14}(?:常?说的|的?(?:说法|意思|看法|讲法|描述|印象里?|眼里|口中|嘴里|记录)|的话(?:来说|说|讲)?|说|讲|称|所[说言称])/u,
)
/** Matches the source of an account: “According to my ex, …”, 按我前任的说法，…. A doctor is none, since findings are facts of the user. */
const BY_WHOSE_ACCOUNT = new RegExp(
  String.raw`^[^\p{L}]*(?!.*(?:doctor|physician|nurse|dentist|\btests?\b|results?|医生|大夫|体检|检查|化验|我自己|我看|我说))(?:${SOURCES})$`,
  'iu',
)

/** Finds others' claims in Chinese without quotation marks: 客服说我叫小美. */
function findUnmarked({ marked }: IntroducedText): Stretch[] {
  if (!/\p{Script=Han}/u.test(marked)) return []
  return [...marked.matchAll(SAYS_OF_SELF)]
    .filter(({ 0: words, groups }) => !OWN_WHO.test(groups?.['who'] ?? '') && !KNOWN_BY_KIN.test(words))
    .map(({ index, 0: words }) => {
      const resumed = words.search(RESUMES)
      return { start: index, end: index + (resumed < 0 ? words.length : resumed) }
    })
}

/** Verbs of saying and writing: “told”, “texted”, “according to”. */
const SAYING_VERBS = either(
  /says?|said|saying|tells|told|asks|asked|repl(?:ies|ied)|answers|answered|writes|wrote|texted|messaged|e-?mailed|posted|commented/u,
  /tweeted|reads|states|stated|goes|shouts|shouted|yelled|whispered|claims|claimed|explains|explained|adds|added|sings|sang|announced/u,
  /declared|quotes|quoted/u,
  /(?:left|sent|slipped|handed|passed|gave) (?:\p{L}+ )?(?:an? )?(?:\p{L}+ )?(?:notes?|messages?|voice ?mails?|texts?|cards?|memos?|letters?)/u,
  /(?:was|is|were|be|'s) (?:all )?like|according to|in (?:his|her|their) words/u,
)
/** Matches a verb of saying or writing: “she said”, “left me a note”. */
const SAYING = new RegExp(String.raw`\b(?:${SAYING_VERBS})\b`, 'giu')
/** Nouns for words of a person: “answer”, “motto”. */
const ANSWERS = either(
  /answer|reply|response|words|reaction|comment|excuse|motto|status|bio|signature|message/u,
  /statement|explanation|version|story|post|introduction|self-description/u,
)
/** Possessors of words: “her”, “the neighbour's”. */
const POSSESSORS = String.raw`his|her|their|(?:the|this|that|an?|some|my|our) (?:\p{L}+ )?\p{L}+['’]s|(?!(?:here|there|that|it|what)['’])\p{Lu}\p{L}+['’]s`
/** Nouns for people who speak: “stranger”, “waiter”. */
const SPEAKERS = either(
  /stranger|man|woman|guy|girl|boy|lady|gentleman|kid|driver|waiter|waitress|neighbou?r|clerk|teacher|doctor|nurse|passenger|host|speaker/u,
  /customer|colleague|boss|friend|landlord|landlady|agent|lawyer|coach|patient|client|caller|singer|actor|hero|heroine|narrator|author/u,
)
/** Matches a head that names another person's answer or another speaker: “Her answer was: …”, “The stranger on the train: …”, 他的原话：…. */
const OF_ANOTHER = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:and |but |so )?(?:(?:here|this|that)(?:['’]s| is) )?(?:${POSSESSORS}) (?:\p{L}+ )?(?:${ANSWERS})(?: (?:was|is|were|are|to (?:me|us|that|it)))*\s*$`,
  String.raw`^[^\p{L}]*(?:the|an?|some|this|that|another|one|my|our) (?:\p{L}+ ){0,2}(?:${SPEAKERS})(?: (?:on|in|at|from|with|behind|next to|of|beside)\s.{1,40})?\s*$`,
  /^(?!.{0,30}我的)[^，。]{0,12}的(?:原话|回答|回复|留言|签名|个性签名|说法|解释|口头禅|动态|评论|自述)(?:就?是)?\s*$/u,
  /^(?!.{0,20}我(?:是|当|做))[^，。]{0,12}(?:陌生人|男人|女人|司机|老师|乘客|大叔|大妈|阿姨|小伙子|姑娘|老人|同学|同事|邻居|店员|服务员|医生|护士|房东|导游|主角|歌手|作者)\s*$/u,
)
/** Matches words left for a reader before a dash. */
const LEFT =
  /\b(?:left|sent|slipped|handed|passed|gave|texted|messaged|wrote) (?:\p{L}+ )?(?:an? )?(?:\p{L}+ )?(?:notes?|messages?|voice ?mails?|texts?|cards?|memos?|letters?|me|us)\b|(?<!\bI )\bwrote(?: (?:in|on|at|from|to) [\p{L}\d ]{1,30})?$/iu
const SAYING_ZH =
  /(?:说|心想|想道|暗想|自语|问道?|写道|写|回复|回答|答道|喊|表示|告诉我|发来|留言|评论|唱道|讲|声称|宣布|提到|(?:发|转|寄|传|贴|留)(?:来|过来|给我|给我们|出来|上来)?的?|(?:发|转|寄|传|贴|留|写)(?:来|给我|下|过来)?了?(?:一?[条段封张句个则份])(?:.{0,6}))(?:了|道|过|的是|我)?$/u
const OWN =
  /(?:^|[^\p{L}])(?:I|we|me|let)(?:['’]\p{L}+)?(?:\s+(?:\p{L}+ly|also|just|then|have|had|already|always|even|would|will|should|must|can|once|always|often|to|am|was))*\s*$/iu
const OWN_ZH =
  /(?:我|我们|咱|咱们)(?:也|就|还|想|要|都|先|再|刚|刚才|昨天|只|得|必须|跟你|和你|对你|老实|已经|之前)*$|(?:别|老实|不瞒[你您]|坦白|实话|听我|[跟和对][你您]|话|比如|比方|也就是|就是|可以|不用|应该|来|换句话|虽|理|怎么|直|好)$/u
/** Matches a continuation that reads like the user's own statement. */
const AS_IF_OWN =
  /^\s{0,2}(?:I\b|I['’]|[Mm]y\b|[Ww]e\b|[Oo]ur\b|我|(?:[Pp]lease )?(?:forget|delete|erase|remove|ignore|remember|don['’]t)\b|\p{Lu}|[请忘删别])/u
/** Verbs of saying and thinking: “said”, “wondered”. */
const SAID_OR_THOUGHT = String.raw`says|said|wrote|writes|told|replied|added|explained|texted|thinks|thought|wondered|mused|reflected|murmured|muttered|whispered`
/** Words after a verb of saying: “me”, “yesterday”, “to Ana”. */
const SAID_TO = String.raw`me|us|him|her|them|everyone|yesterday|today|once|to \p{L}+|in \p{L}+ \p{L}+`
/** Verb and speaker after the words: “said Max”, “he thought”, 他这么说. */
const SAID_BY = either(
  /(?:said|says|wrote|writes|told|asked|replied|added|explained)\s+(?!I\b)(?:\p{Lu}|the |my |our |his |her |he\b|she\b|they\b)[^,，]{0,60}/u,
  String.raw`(?!I\b|we\b)(?:he|she|they|\p{Lu}\p{L}+|(?:my|the|our|his|her) \p{L}+)\s+(?:${SAID_OR_THOUGHT})(?:\s+(?:${SAID_TO}))*`,
  /(?![\p{Script=Han}]{0,3}[不没别])(?:(?!我)\p{Script=Han}){1,4}?(?:这么|这样|如此)?(?:说|问|写道|告诉我|想道?|心想)(?:的|道|我)?/u,
)
/** Matches attribution after speech or thought (“…, said Max.”) or within it (“…, he thought, and …”). */
const SAID_AFTER = new RegExp(String.raw`[,，]\s*(?:${SAID_BY})\s*(?:$|[,，](?=\s*and\b))`, 'u')

/** Start of a Chinese statement about oneself: 我叫…, 我住在…. */
const STATES = '我(?:叫|是|姓|住|搬|在|对|爱|喜欢|养|有|的|今年|已经|不|没|怀|离|结)'
/** Chinese verbs of saying: 说, 留言. */
const SAYS = '(?:说|讲|喊|写道|留言|发消息|发微信|发短信|回信|来信|打电话说|自称)'
/** Persons of a speaker who are quoted without marks: 我闺蜜就说我…. */
const KIN_ZH =
  '(?:表|堂|大|二|小)?(?:哥|姐|弟|妹|爸|妈|爷|奶|姑|舅|姨|叔|婆婆|公公|外[公婆]|姥[姥爷]|老[公婆板师]|朋友|闺蜜|兄弟|同[事学桌]|室友|舍友|邻居|男友|女友|男朋友|女朋友|对象|儿子|女儿|领导){1,2}'
/** Matches another person's claim in the first person: 客服说我叫小美. A doctor's findings and the speaker's own phrases stay. */
const SAYS_OF_SELF = new RegExp(
  String.raw`(?<=^|[，。！？\n])[ \t]{0,4}(?!.{0,12}(?:医生|大夫|护士|体检|检查|化验|报告))(?<who>[他她它]|我们?(?:的|家)?${KIN_ZH}|(?![说讲聊来再请帮听跟问])[^，。！？\s我你您]{2,8}?)(?:[就还又老都]|一直|总是?|老是|天天)*(?:[跟和对]我)?${SAYS}(?:了|过|道)?\s?(?=${STATES})[^。！？\n]*`,
  'gu',
)
/** Matches what relatives know about the speaker, who passes it on: 我妈说我有哮喘. Words of doubt may not follow. */
export const KNOWN_BY_KIN = new RegExp(
  String.raw`(?<=^|[，,。！!；;\s])我?(?:的|家)?(?:爸妈|父母|[妈爸]{1,2}|爷爷|奶奶|外[公婆]|姥[姥爷]|[哥姐弟妹]{1,2}|姑姑?|舅舅?|阿?姨|叔叔?|老[公婆]|丈夫|妻子|[男女]朋友|家里?人)(?:[跟和对]我)?(?:说|讲|告诉我)(?=我(?:小时候|从小|生下来就)?(?:(?:有|得过?了?|患有?)(?:轻度|重度|严重的?|慢性|先天性)?\p{Script=Han}{0,6}?(?:病|症|炎|癌|哮喘|高血压|贫血|近视|失眠|抑郁|痛风|湿疹|荨麻疹|偏头痛|甲亢|甲减)|对\p{Script=Han}{1,8}过敏|贫血|出生(?:[在于]\p{Script=Han}{2,8})?)(?:[。！!了]|$|[，,](?!但|可是|不过|其实)))`,
  'u',
)
/** Matches phrases that introduce the speaker's own statement: 老实说我…, 总的来说我…. */
const OWN_WHO =
  /(?:老实|实话|坦白|据|听|按理|一般来|总的来|总体来|简单来?|再|别|话|比如|换句话|也就是|怎么|可以|应该|来|小|传|演|解|虽|直|好|先|跟你|和你|认真|真|悄悄)$/u
/** Matches the place where the speaker resumes after another's words: “，不过”, “，所以我”. */
const RESUMES = /[，,](?=不过|但是?我|其实|所以我|而我)/u
