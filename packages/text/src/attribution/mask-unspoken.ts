// Masks the parts of a message that are not its sender's own statements, so that no fact is extracted from them.
import { either, pattern } from '../pattern.ts'
import { LRUCache } from 'lru-cache'
import { blankAttachments, withoutAttachments } from '../attachments/attachment-lines.ts'
import { simplifyChinese } from '../terms/simplify-chinese.ts'
import { findCarried, mayCarry } from './find-carried.ts'
import { findDialogue } from './find-dialogue.ts'
import { findDocuments } from './find-documents.ts'
import { findHandedOver } from './find-handed-over.ts'
import { findIntroduced, type IntroducedText } from './find-introduced.ts'
import { findLabelled } from './find-labelled.ts'
import { findLaidOut } from './find-laid-out.ts'
import { findLetters } from './find-letters.ts'
import { findMarkup } from './find-markup.ts'
import { findPosted } from './find-posted.ts'
import { findQuoted } from './find-quoted.ts'
import { findReported } from './find-reported.ts'
import { findScreened } from './find-screened.ts'
import { findSounded } from './find-sounded.ts'
import { findSources } from './read-own-words.ts'
import { resumedAt } from './resumed-at.ts'
import { blankOut, FIRST_PERSON, linesOf, type Stretch } from './stretch.ts'
import { isOwnText } from './is-own-text.ts'
import { spellOwnTables } from './own-tables.ts'
import { claimsText, unquoteOwnLines } from './own-texts.ts'
import { asksAboutText, beginsWork, doubtsText, LONGEST_LEAD, showsSaying } from './leading-words.ts'

/**
 * Replaces text that the speaker does not state by spaces, so that offsets stay valid: quoted speech, *actions* of role-play, titles, code,
 * links, markup, mails, transcripts, verses, and texts for work. Layout and marks are read first, and introducing words second.
 *
 * Rules cannot recognise jokes, lies, or text pasted without a mark. These pass as statements.
 *
 * @returns a text of the same length, in simplified characters
 * @example
 * maskUnspoken('Translate this: I live in Rome.') // 'Translate this:                '
 */
export function maskUnspoken(written: string): string {
  const whole = simplifyChinese(blankAttachments(written)).replaceAll(QUOTE_ENTITY, (entity) =>
    '"'.padStart(entity.length),
  )
  const text = spellOwnTables(whole)
  if (text !== whole && text.length <= LONGEST_TALK) return maskPart(text, { isOwn: true })
  if (text.length > LONGEST_TALK)
    return maskUnspoken(text.slice(0, LONGEST_TALK)) + text.slice(LONGEST_TALK).replace(/[^\n]/g, ' ')
  const cached = maskedTexts.get(text)
  if (cached !== undefined) return cached
  const masked = isPlain(text) ? text : maskMarked(text)
  maskedTexts.set(text, masked)
  return masked
}

/** Matches quotation marks that HTML writes as entities. */
const QUOTE_ENTITY = /&(?:quot|[lr]dquo|[lr]aquo|#34|#x22|#822[01]|#x201[cd]);/gi

/** Maximum characters of texts and results in the cache, about the turns that are processed at one time. */
const MAX_CACHED_CHARACTERS = 1_000_000
/** Caches masked texts, since each turn is read for facts, for requests, for updates and for its expression. */
const maskedTexts = new LRUCache<string, string>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (masked) => 2 * masked.length + 1,
})

/** Masks the text of others, except the user's own words below it. */
function maskMarked(composed: string): string {
  const text = blankOut(composed, findSources(composed))
  const own = withoutQuotes(text)
  if (own !== text || isOwnText(text)) return maskPart(unquoteOwnLines(own), { isOwn: true })
  const start = text.includes('\n') ? resumedAt(text) : -1
  const masked =
    start < 0
      ? maskPart(text)
      : maskPart(text.slice(0, start), { isWhole: false }) + maskPart(text.slice(start), { isOwn: true })
  // More than half is masked already, so that no other sign is needed.
  if (lettersIn(masked) * 2 < lettersIn(text)) return masked
  const resumed = start < 0 ? text.length : start
  return blankOut(
    masked,
    findHandedOver(text, masked).map((found) => ({ ...found, end: Math.min(found.end, resumed) })),
  )
}

/** Matches words right after a quotation by which the speaker claims it. */
const CLAIMS_BEHIND =
  /^[\s,.–—-]*(?:(?:this|that)(?:['’]?s| was| is) (?:me|mine)\b|I said (?:that|this|it)\b|[这那]?[句话是就]{1,4}我(?:自己)?[^，。我]{0,4}[说写])/iu
/** Matches words right before a quotation of one's own earlier words: “as I said before”, 我之前说过. */
const REPEATS_SELF =
  /(?:\b(?:as|like) I(?:['’]ve| have)? (?:\w+ )?(?:said|told you|mentioned|wrote)|\bI (?:repeat|already (?:said|told you)|told you)|\bquote me(?: on (?:this|that))?|\bmy own words)\b[^.!?\n"]{0,30}$|我(?:之前|刚才|刚刚|昨天|上次|早就?|已经|都)*(?:[跟和对]你)?(?:说|讲|提)过[^。！？\n]{0,6}$|我的?原话(?:就?是)?[:：]?\s*$/iu

/** Removes the quotation marks of a text that the speaker claims: “I said this: …”, “… that's me”. */
function withoutQuotes(text: string): string {
  const { index, 0: quoted } =
    /["“«„「](?:[^"“”„«»「」]{8,}|[^"“”„«»「」]*\p{Script=Han}{4}[^"“”„«»「」]*)["”»“」]/u.exec(text) ?? {
      index: -1,
      0: '',
    }
  if (index < 0) return text
  const before = text.slice(0, index)
  const behind = text.slice(index + quoted.length)
  const isClaimed =
    claimsText(text.slice(0, index + 1)) ||
    REPEATS_SELF.test(before.slice(-80)) ||
    CLAIMS_BEHIND.test(behind.slice(0, 40))
  return isClaimed ? `${before} ${quoted.slice(1, -1)} ${behind}` : text
}

/**
 * Masks a part of a message. With `isOwn` the speaker claims the part, so that only speech of others within it is masked. `isWhole` says
 * that the part is the whole message.
 */
function maskPart(text: string, { isOwn = false, isWhole = true } = {}): string {
  const marked = findQuoted(blankOut(text, findMarkup(text, isOwn, isWhole)))
  const given = { text, marked, lines: linesOf(marked) }
  const finders = [...(isOwn ? [] : TEXT_FINDERS), findReported, findSounded, findPlayed]
  return blankOut(
    marked,
    finders.flatMap((find) => find(given)),
  )
}

/** Functions that find texts of another author. They are not used if the speaker claims the message as their own. */
const TEXT_FINDERS = [
  findLetters,
  findDocuments,
  findIntroduced,
  findAskedAbout,
  findPosted,
  findLaidOut,
  findLabelled,
  findCarried,
  findDialogue,
  findScreened,
]

/** Reports whether most of a text, or all of its first person, is another's. */
export function isMostlyUnspoken(written: string): boolean {
  const text = withoutAttachments(written).replace(ASIDE, '')
  const own = maskUnspoken(text)
  if (own === simplifyChinese(text)) return false
  if (lettersIn(own) * 2 < lettersIn(text)) return true
  if (isOwnText(text)) return false
  const person = SAYS_AS_SUBJECT.test(text) ? SAYS_AS_SUBJECT : FIRST_PERSON
  return (
    person.test(text.replace(FOR_ME, ' ')) && !person.test(own.replace(QUESTION, ' ').replace(FOR_ME, ' '))
  )
}

/** Matches words in brackets before the rest of a message. They are the speaker's own, but state no fact. */
const ASIDE = /^\s*(?:\([^)\n]{1,400}\)|（[^）\n]{1,400}）)(?=\s*\S)/u
/** Matches a question, whose first person states nothing. */
const QUESTION = /[^.!?。！？,，\n]*[?？]/gu
/** Matches the first person as a subject. */
const SAYS_AS_SUBJECT = /\b(?:I|[Ww]e)\b|(?<=^|\s)i(?=\s)/u
/** Matches the first person within requests, which states nothing: “for me”, 帮我. */
const FOR_ME = /\b(?:for|give|t(?:ell|old)|sent|wrote|show|help|let) (?:me|us)\b|(?:帮|给|替|跟|让)我/giu

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** English verbs of saying, and requests for work: “said”, “translate”. */
const MARKED_VERBS = either(
  /sa(?:id|ys?|ying|ng)|sings?|reads|(?:shout|scream|yell|chant|squawk|sing|mutter|announc|repeat|recit|print)(?:e?s|ed|ing)?|blares/u,
  /spells|goes|introduce[sd]?|below|as follows|(?:over)?heard|found|saw|spotted|noticed|copied|tells|told|wrote|writes?/u,
  /repl(?:y|ied|ies)|answered|returned|returns|responded|responds|generated|produced|emitted|logged|outputs?|gave|came back|spat out/u,
  /according|going by|to hear|if you (?:ask|believe)|in the (?:words|eyes|opinion|view|mind)|the way|was like|(?:claim|insist)(?:s|ed)/u,
  /texted|shouted|yelled|whispered|announced|added|explained|translate|summari[sz]e|rephrase|reword|rewrite|paraphrase|proof-?read/u,
  /shorten|condense|transcribe|transliterate|(?:that|which) (?:goes|begins|starts)|once upon|long ago|spell-?check/u,
)
/** Nouns and verbs of fiction and dreams: “game”, “geträumt”. */
const MARKED_FICTIONS = either(
  /game|dream|nightmare|daydream|movie|film|novel|story|musical|song|poem|episode|campaign|simulation|fantasy|vision/u,
  /hallucination|geträumt|träumte|rêvé|so[ñn](?:é|ado)|sonh(?:ei|ado)|spiel|traum|roman|jeu|rêve|juego|sueño|jogo|sonho|filme/u,
)
/** Matches characters without which a text has nothing quoted, laid out or introduced. Most messages have none. */
const MARKED = pattern(
  'iu',
  /["“”„«»‘`*_<>|＞【「『（([{\r\n\u0085\u2028\u2029\v\f:：~#=♩♪♫♬🎵🎶%§]|\/\/|^\s*[-•·–—]\s|https?:/u,
  // An apostrophe within a word quotes nothing: “don't”.
  /(?<![a-z])['’]|['’](?![a-z])|['’]s (?:all )?like\b/u,
  String.raw`\b(?:${MARKED_VERBS})\b`,
  /\b(?:this|these|that|following|it|here)\b[^?]{0,80}\?|\b(?:turn|make|convert|put|change|transform|set|adapt) (?:this|that|it|these)\b/u,
  /\b(?:this|that|here)(?: is|['’]s) (?:exactly )?(?:what|how)\b|\b(?:sms|text|message|e-?mail|note|dm|tweet|post|comment|voice ?mail) (?:from|by)\b/u,
  /\s[-–—]\s/u,
  /[这那].{0,40}[?？]|word is|to (?:quote|cite|paraphrase)|holler(?:s|ed)|chimed|thought|thinks|wondered|mused|draft|compose/u,
  /make up|invent|prepare|such as|for (?:example|instance)|likes? to|swore|mumbl|e-?mailed|something like|these words|the following|as follows/u,
  /借用|引用|套用|心想|想道|暗想|自语|[编拟起]|翻成|说|写|答|下面|以下|宣布|嘟囔|嘀咕|嚷|通知|转告|留言|生成|打印|返回|输出|回我|一句|[按据照依]|眼里|口中/u,
  /嘴里|刻|印着|绣着|[念唱贴挂标纹喷]着|播报|显示|回答|喊|[看听捡][到见]|发现|自我介绍|如下|突然|大声|告诉我|表示|从前|很久以前/u,
  /[★⭐☆✩✭]{2}|\\begin|\bto=\S|role-?play|you are now|(?:he|she|they) (?:went|shouts|yells)|(?:ignore|disregard) /u,
  /mock|practi[sc]e|dummy|rehears|audition|monologue|soliloquy|improv|screenplay|fan ?fic|\b(?:tell|insist|claim|swear|bragg|boast|repeat|moan|rambl)ing\b|\b(?:is|are|was|were) (?:all |just )?like i\b|\ball i['’]?m\b/u,
  /忽略|无视|问|my character|in character|pretend|as if \p{L}+ w|cosplay/u,
  String.raw`\b(?:${MARKED_FICTIONS})`,
  /游戏|梦|扮|演|小说|电影|剧|故事|动漫|漫画|动画|歌|诗|平行|想象|幻想|副本|前世|假装|\p{Script=Han}[ \u3000]\p{Script=Han}/u,
  /自称|讲|喊|[留来回]言|来信|回信|翻译|总结|概括|归纳|摘要|润色|改写|译成|译为|校对|缩写|扩写|续写|提炼/u,
)

function isPlain(text: string): boolean {
  return !MARKED.test(text) && !mayCarry(text)
}

/** Finds statements made in a role, a game or a dream. They end where the speaker returns to their own voice. */
function findPlayed({ text, marked }: IntroducedText): Stretch[] {
  return [...WITHIN.flatMap((pattern) => stretchesOf(pattern, marked)), ...playedIn(text, marked)]
}

function stretchesOf(pattern: RegExp, marked: string): Stretch[] {
  return [...marked.matchAll(pattern)].map(({ index, 0: words }) => ({
    start: index,
    end: index + words.length,
  }))
}

/** Finds the sentences from the announcement of a role or performance to the speaker's return. */
function playedIn(text: string, marked: string): Stretch[] {
  if (ENTERS.test(text) || SCENE.test(text)) return [{ start: 0, end: text.length }]
  if (
    !PLAYS.test(marked) &&
    !PERFORMS.test(marked) &&
    !RENAMES.test(marked) &&
    !(GAME.test(marked) && PARTS.test(marked))
  )
    return []
  const found: Stretch[] = []
  let start = -1
  let isGame = false
  for (const { 0: sentence, index } of marked.matchAll(SENTENCE)) {
    if (start >= 0 && RETURNS.test(sentence)) {
      found.push({ start, end: index })
      start = -1
    }
    if (start >= 0) continue
    const opening = PLAYS.exec(sentence) ?? PERFORMS.exec(sentence) ?? RENAMES.exec(sentence)
    if (opening !== null) start = index + opening.index
    else if (isGame && PARTS.test(sentence)) start = index
    isGame ||= GAME.test(sentence)
  }
  return start < 0 ? found : [...found, { start, end: text.length }]
}

/** Finds text that follows a question about it (“Who sings this? I live …”) or an unfinished request (翻成英语 我住在…). */
function findAskedAbout({ text, marked }: IntroducedText): Stretch[] {
  const choices = CHOICES.exec(marked)
  if (choices !== null) return [{ start: choices.index, end: text.length }]
  const example = MIGHT_SAY.exec(marked)
  if (example !== null) return [{ start: example.index + example[0].length, end: text.length }]
  let start = 0
  for (const { 0: ending, index } of marked.matchAll(/[.!?。！？]+(?=\s|$|\p{Script=Han})|[。！？]+|\n/gu)) {
    const sentence = marked.slice(start, index)
    const end = index + ending.length
    const runOn = findRunOn(sentence)
    if (runOn >= 0) return [{ start: start + runOn, end: text.length }]
    if (sentence.length <= LONGEST_LEAD && handsOverBehind(sentence, ending, marked.slice(end, end + 40)))
      return /\S/.test(marked.slice(end)) ? [{ start: end, end: text.length }] : []
    start = end
  }
  const runOn = findRunOn(marked.slice(start))
  return runOn < 0 ? [] : [{ start: start + runOn, end: text.length }]
}

function handsOverBehind(sentence: string, ending: string, behind: string): boolean {
  if (showsSaying(sentence)) return true
  if (!/[?？]/.test(ending)) return false
  return (
    asksAboutText(sentence) ||
    (/^\s*\n/.test(behind) && SHOWS_BELOW.test(sentence)) ||
    (doubtsText(sentence) && /^\s*(?:I\b|my\b|dear\b|forget\b|我|请?忘)/iu.test(behind))
  )
}

/** Returns where another's text begins in a request for work without a mark between them, or -1: 翻成英语 我住在…. */
function findRunOn(sentence: string): number {
  const head = sentence.slice(0, LONGEST_LEAD)
  if (!beginsWork(head)) return -1
  for (const { index } of head.matchAll(SPEAKS))
    if (index > 3 && !GOES_ON.test(head.slice(Math.max(0, index - 20), index + 1).trimEnd())) return index + 1
  return -1
}

/** Matches an announcement that the speaker continues as another person: a role, a character's card, or a letter in another name. */
const PLAYS = pattern(
  'iu',
  /\brole-?play(?:s|ing)?\b(?!ers?\b)|\bmy character\b(?! (?:is|was|has) (?:a bit|quite|rather|very|so|too)\b)/u,
  /\bpretend (?:to be me|(?:that )?I(?:['’]m| am) (?:not me|someone|somebody))|\bas if (?:you|she|he|they) (?:were|was) me\b|\bin character\b/u,
  /\byou are now in \p{L}+ mode\b/u,
  /^\s*(?:character|persona)(?: card| sheet)?\s*:\s*(?:my name|I (?:live|was born)|I(?:['’]m| am) (?:an?|the) (?!(?:\p{L}+ ){0,3}(?:person|people|soul|type|guy|man|woman|\p{L}+(?:vert|ist|er))\b))/u,
  /\b(?:ignore|disregard) (?:all |any |your )?(?:of your )?(?:previous|prior|earlier|above) (?:instructions|prompts?|rules)/u,
  /(?:忽略|无视)(?:之前|以上|前面|所有)(?:的|所有)?(?:指令|提示|规则)|\bcosplay(?:ing)?\b|角色扮演/u,
  /(?:我|咱们?)?(?:在|正在|要|得)?(?:背台词|对台词|练台词|排练|(?:面试|演讲|台词|口语|朗诵|试镜)(?:练习|排练|模拟|彩排)|模拟面试)[^，,。：:]{0,4}[，,：:。]/u,
  /(?:我|你)(?:来)?(?:扮演|演)(?:的是)?(?!讲|唱|出|员|戏|过|技|奏|习|示|变)|假装(?:我是)?(?:另一个|别的?)人|剧本杀|语c/u,
)
/** Things that users perform, rehearse or invent: “mock interview”, “audition piece”, “story opening”. */
const PERFORMANCES = either(
  /(?:mock|practi[sc]e|fake|pretend|dummy) (?:job )?(?:interview|exam|oral|trial|call|audition|date|speech|pitch)/u,
  /(?:job )?(?:interview|audition|speech|oral|acting|exam|pitch) (?:practi[sc]e|rehearsal|exercise|piece|drill|simulation|scene)/u,
  /(?:audition|acting|theatre|stage|dramatic) (?:monologue|speech|lines)|lines(?= ?[:,])|monologue|soliloquy|dress rehearsal|improv(?: scene)?|(?:speech|lines|part|role|scene) (?=as \p{Lu})/u,
  /(?:short story|novel|screenplay|fan ?fic(?:tion)?|script)(?: (?:opening|beginning|draft|so far))?|story (?:opening|beginning|draft|so far)/u,
)
/** Matches the announcement of a performance, which is no sentence about it: “mock interview, …”, “here's my story opening. …”. */
const PERFORMS = new RegExp(
  String.raw`(?<=^|[.!?\n]\s{0,3})(?!\s*(?:my|our) (?:novel|script|screenplay|short story)\.)[^\p{L}\n]*(?:(?:ok(?:ay)?|so|now|hey|right)[,\s]+)*(?:(?:here(?:['’]s| is)|this is|for|from|doing|time for|let['’]s do|i (?:need|have|want) to (?:learn|memori[sz]e|practi[sc]e|rehearse|do)|(?:i['’]?m |i am )?(?:learning|memori[sz]ing|practi[sc]ing|rehearsing|doing)(?: for)?)\s+)?(?:(?:my|an?|the|this|our|some)\s+)?(?:${PERFORMANCES})\s?(?:(?:as|for|of|from|with|by) [^.,:!?\n]{1,30})?(?=\s*[,:.!\n–—-]|\s*$)`,
  'iu',
)
/** Everyday gestures, behind which one may give one's own name: “*waves* I'm Bryn”. */
const GESTURES =
  'waves?|smiles?|sighs?|laughs?|grins?|shrugs?|nods?|yawns?|blushes|coughs?|sips?|drinks?|hugs?|cries|winks?'
/** Matches a scene before a name, by which one goes into a role: “*draws sword* I'm Lyra”. */
const SCENE = new RegExp(
  String.raw`^\s*\*(?!(?:${GESTURES})\b)(?:\p{L}+s\b[^*\n]{1,58}|\p{Script=Han}{2,20})\*\s*["“]?(?:(?:[Hh]i|[Hh]ello|[Gg]reetings|[Hh]ey)[,.!]? )?(?:(?:[Ii]['’]?m|I am|[Mm]y name is|[Cc]all me) (?:the )?\p{Lu}|我(?:是|叫))`,
  'u',
)
/** Matches a remark in brackets with which a speaker takes a role. */
const ENTERS = /^\s*[(*[]{1,2}(?:in character|ic|as \p{Lu}[\p{L} ]{1,20})[)*\]]{1,2}/iu
/** Matches a new name for the model: “You are now DAN.”. */
const RENAMES = /\b[Yy]ou are now [A-Z]{2,}\b(?! [a-z])/u
/** Matches the announcement of a game: “Let's play a game. You are a cop, I'm a thief.”. */
const GAME = /\b(?:let['’]?s play|play a|a game|a scene|a scenario)\b|玩个?游戏|演一段/iu
const PARTS =
  /\byou(?:['’]re| are) (?:an?|the|my) \p{L}+(?: \p{L}+)?(?:,| and|;)\s*(?:and )?I(?:['’]m| am) (?:an?|the|your)\b|你(?:当|是|做)\S{1,8}[，,]\s*我(?:当|是|做)/iu
/** Matches the return to the speaker's own voice. */
const RETURNS =
  /^[^\p{L}]*(?:ooc\b|out of character|in (?:real life|reality|truth)|irl\b|for real|seriously|actually|(?:ok |okay )?(?:end|stop|enough|done)\b.{0,12}(?:role-?play|game|play)|现实[里中]|出戏|说真的|说正经|言归正传|其实|实际上|不演了|不玩了)/iu
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*|\n/gu

/** English nouns for fiction and dreams: “game”, “dream”. */
const FICTIONS =
  'game|dream|nightmare|daydream|movie|film|novel|story|musical|song|poem|episode|campaign|simulation|fantasy'
/** Words before a noun for fiction: “the”, “last night's”. */
const FICTION_ARTICLES = String.raw`the|my|a|this|that|another|some|last night['’]s`
/** Words before a fiction in other languages: “im”, “dans le”. */
const WITHIN_PREPOSITIONS =
  '[iI](?:m|n (?:meinem|einem|diesem))|[dD]ans (?:le|mon|un|ce)|[eE]n (?:el|mi|un|este)|[nN](?:[oa]|um)|[eE]m um'
/** Nouns for fiction in other languages: “Traum”, “juego”. */
const FICTIONS_ELSEWHERE =
  'Spiel|Traum|Roman|Film|jeu|rêve|roman|film|juego|sueño|jogo|sonho|romance|filme|novela'
/** Match a fiction that continues in the same sentence: “In the game I play I live …”, 在游戏里我住在…, “a nightmare where I live …”. */
const WITHIN: readonly RegExp[] = [
  new RegExp(
    String.raw`\b[Ii]n (?!my story\b)(?:${FICTION_ARTICLES}) (?:\p{L}+ ){0,2}?(?:${FICTIONS})(?: (?:that |which )?(?:I['’]?m|I am|we['’]?re|I was|I) \p{L}+(?: in)?)?,?\s+(?=(?:I|[Mm]y|[Ww]e)\b)[^.!?\n]*`,
    'gu',
  ),
  /\b(?:had|having|have) (?:an? |this |another )?(?:\p{L}+ )?(?:dream|nightmare|vision|hallucination)s? (?:where|that|in which)\s+(?=(?:I|[Mm]y|[Ww]e)\b)[^.!?\n]*/gu,
  /(?<!\p{L})(?:geträumt|träumte|[jJ][’']ai rêvé|[sS]oñé|soñado|[sS]onhei|sonhado)(?!\p{L})[^.!?\n]*/gu,
  new RegExp(
    String.raw`(?<!\p{L})(?:${WITHIN_PREPOSITIONS})\s(?:${FICTIONS_ELSEWHERE})(?!\p{L})(?=[^.!?\n]{0,80}(?<!\p{L})(?:ich|[jJ][e’']|[sS]o[yu]|[vV]ivo|[mM]oro|[tT]en[gh]o|[eE]sto[yu])(?!\p{L}\p{L}))[^.!?\n]*`,
    'gu',
  ),
  /(?<!我的)(?:游戏|梦|小说|电影|电视剧|剧|故事|漫画|动漫|动画|剧本|歌|诗|平行宇宙|平行世界|想象|幻想|副本|前世)(?:里面?|中|当中)[，,]?\s?(?=我)[^。！？\n]*/gu,
  /(?:做(?:了?个?)?梦|梦见|梦到)[^，。！？\n]{0,4}(?=我)[^。！？\n]*/gu,
]

/** Matches the start of the speaker's own statement after a request: “translate to Dutch pls I live in Rome”. */
const SPEAKS = /\s(?:I|i|[Mm]y|[Ww]e|[Ff]orget)\b(?!['’]?d like)|[\s\p{Script=Han}](?:我|请忘|忘掉)/gu
/** Matches words that continue the request: “…, so I …”, 帮我. */
const GOES_ON =
  /(?:\b(?:so|because|cause|that|as|if|when|while|since|before|after|until|than|which|what|who|how|where|why|for|and|but|or|the|text|letter|mail|one|thing|stuff|everything|something)|[,，;；帮给替让跟和对请为把是的])\s*$/iu

/** Matches a question about text below it: “What do you think of these affirmations?”. */
const SHOWS_BELOW =
  /^(?!.*\b(?:me|my|us|our)\b).*\b(?:these|this|the following)\s+(?:\p{L}+\s+){0,2}\p{L}+\s*$|^(?!.*(?<!自)我).*这(?:些|几|段|首|篇|句).{1,12}(?:怎么样|如何|好吗|好不好|行吗|可以吗)\s*$/iu

/** Matches the options of a multiple-choice question. */
const CHOICES = /(?<=[?？]\s{0,4})[aA][).．、](?=\s*\S)[^?？]{1,400}?(?<=\s|[。.])[bB][).．、]/u

/** Words before an example: “such as”, “something like”. */
const SUCH_AS = String.raw`such as|for example|for instance|e\.g\.|something like|along the lines of|like`
/** Words before a request to write: “please”, “help me to”. */
const WRITING_LEADS = 'please|can you|could you|now|so|then|and|help me(?: to)?'
/** Matches an example of what the requested text may contain: “Write me a bio, for example I live …”, 写个自我介绍，比如我叫…. */
const MIGHT_SAY = pattern(
  'imu',
  String.raw`(?:^|[.!?]\s)[^\p{L}\n]*(?:(?:${WRITING_LEADS})\s+)*(?:write|draft|compose|make up|come up with|invent|prepare)\b.{0,80}?(?:\b(?:${SUCH_AS})[,:]?\s+)(?=(?:I|[Mm]y|[Ww]e)\b)`,
  /(?:^|[。！？])(?!我)[^。！？\n]{0,20}(?:写|编|造|拟|起草)[^。]{0,20}(?:比如说?|例如|譬如|诸如|像|类似)[，,：:]?(?=我)/u,
)

/** Maximum characters of a spoken message. Everything after them counts as pasted. */
export const LONGEST_TALK = 40_000
