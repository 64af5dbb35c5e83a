// Finds another author's text with a request about it in a paragraph or line of its own, in any language. Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import { simplifyChinese } from '../terms/simplify-chinese.ts'
import { KIND_OF_TEXT, TO_AGENT } from './leading-words.ts'
import { isOwnLead } from './own-leads.ts'
import { OWNERS } from './own-texts.ts'
import { FIRST_PERSON, groupsOf, linesOf, type Line, type Stretch } from './stretch.ts'

/** Finds text of another author with a request above or below it. Without a request, enough signs of another author suffice. */
export function findHandedOver(text: string, masked: string): Stretch[] {
  const head = /^[^:：\n]{1,160}[:：\n]/u.exec(text)?.[0] ?? ''
  if (SPEAKS_FOR.test(head)) return [{ start: head.length, end: text.length }]
  const lines = linesOf(text).map((line) => ({
    ...line,
    text: line.text.trim().replace(/：/g, ':').replace(/？/g, '?'),
  }))
  const groups = groupsOf(lines).filter((group) => group.length > 0)
  const parts = groups.length > 1 ? groups : (groups[0] ?? []).map((line) => [line])
  if (parts.length < 2) return []
  const first = parts[0] ?? []
  const last = parts.at(-1) ?? []
  const hasParagraphs = groups.length > 1
  const weightOfLast = weighRequest(last, hasParagraphs)
  const partsAbove = hasParagraphs ? parts.slice(0, -1) : [parts.slice(0, -1).flat()]
  const from = handedOver(weightOfLast, partsAbove)
  if (from >= 0 && weightOfLast > 0) return [{ start: from, end: last[0]?.start ?? text.length }]
  // Enough signs of another author need no request.
  if (handedOver(0, groups) >= 0) return [{ start: groups[0]?.[0]?.start ?? 0, end: text.length }]
  const start = first.at(-1)?.end ?? 0
  // A text below a request may have quotation marks or a fence, which end it and are masked already.
  const isMaskedAlready = masked.slice(start) !== text.slice(start)
  if (isMaskedAlready || handedOver(weighRequest(first, hasParagraphs), [parts.slice(1).flat()]) < 0)
    return []
  return [{ start, end: text.length }]
}

/** Signs that count twice, since nearly only other authors' texts have them. */
const SURE: ReadonlySet<string> = new Set('rated aged written furniture labelled declared verse'.split(' '))

/**
 * Returns where another author's text begins, or -1. The weight of the request and the number of signs must reach 3 together. Sure signs
 * count twice.
 */
function handedOver(weight: number, block: readonly (readonly Line[])[]): number {
  const signsOfParts = block.map(signsIn)
  const signs = [...new Set(signsOfParts.flat())]
  const sureSigns = signs.filter((sign) => SURE.has(sign))
  if (weight + signs.length + sureSigns.length < 3) return -1
  // A signature alone may end the user's own paragraph, so that another sign must begin the text.
  const firstPart = signsOfParts.findIndex((found) => found.some((sign) => sign !== 'signed'))
  return block[Math.max(0, firstPart)]?.[0]?.start ?? -1
}

/** Returns how clearly a request is about another's text, 0 to 3. A plain question counts 1 in a paragraph of its own. */
function weighRequest(lines: readonly Line[], isInOwnParagraph: boolean): number {
  const paragraph = lines.map((line) => line.text).join('\n')
  const request = paragraph.replace(SOURCE, '').replace(FOR_ME, ' ')
  const isOfSelf = FIRST_PERSON.test(request)
  const [opening = ''] = request.split(/(?<=[.!?。！？])\s/u)
  if (ABOUT_WORDING.test(opening) && !OF_MINE.test(opening)) return 3
  if (NAMES_SOURCE.test(opening)) return 2
  if (request === '' || request.length > LONGEST_REQUEST || (isOfSelf && /[.!。！](?:\s|$)/u.test(request)))
    return 0
  const points =
    !isOfSelf && (POINTS.test(request) || KIND_OF_TEXT.test(request)) ? 2 : Number(isInOwnParagraph)
  return SOURCE.test(paragraph) ? points + 1 : points
}

/** Returns the kinds of signs of another author in a paragraph. */
function signsIn(group: readonly Line[]): string[] {
  const found = group.flatMap(({ text }, index) => signsOf(text, index, group.length))
  const fields = group
    .map(({ text }) => LABELLED.exec(text)?.groups)
    .filter((field) => field !== undefined && (field['sign'] !== ':' || !isOwnLead(field['label'] ?? '')))
  const isForm =
    fields.length > 1 && fields.some((field) => FIRST_PERSON.test(field?.['rest'] ?? field?.['line'] ?? ''))
  return [...found, ...(isForm ? ['labelled'] : []), ...(isVerse(group) ? ['verse'] : [])]
}

/** Reports whether a line that looks like a letter's address is none: it addresses the agent, or heads one's own list. */
function isOwnAddress(text: string): boolean {
  return TO_AGENT.test(text) || (/[:：]$/.test(text) && (FIRST_PERSON.test(text) || isOwnLead(text)))
}

const tailOf = (text: string): string => (text.length > LONGEST_SIGN ? `…${text.slice(-LONGEST_SIGN)}` : text)

/** Returns the kinds of signs in one line of a paragraph. */
function signsOf(text: string, index: number, count: number): string[] {
  const around = [
    ...(index === 0 && ADDRESSES.test(text) && !isOwnAddress(text) ? ['addressed'] : []),
    ...(index === count - 1 && SIGNED.test(tailOf(text)) ? ['signed'] : []),
    ...(DECLARES.test(text) ? ['declared'] : []),
  ]
  if (around.length > 0 || text.length > LONGEST_SIGN || FIRST_PERSON.test(text)) return around
  if (RATED.test(text)) return ['rated']
  if (ENDS.test(text)) return index === 0 && count > 1 && SIGNED.test(text) ? ['title'] : []
  if (AGED.test(text)) return ['aged']
  if (/^[(（[【].*[)）\]】]$/u.test(text)) return ['bracketed']
  if (/\S\s[|·•‧・]\s\S.*\s[|·•‧・]\s/u.test(text)) return ['furniture']
  if (ITEMS.test(text)) return ['items']
  if (DATED.test(text)) return BYLINE.test(text) ? ['written'] : ['dated']
  const label = LABELLED.exec(text)?.groups?.['label'] ?? text
  if (index > 0 || count === 1 || isOwnLead(label)) return []
  return /\p{Ll}|\p{Lo}/u.test(text) ? ['title'] : ['title', 'capitals']
}

/** Reports whether a paragraph is verse: at least three short lines of three words or more, two of which end in a comma. */
function isVerse(group: readonly Line[]): boolean {
  const commaEnds = group.filter(({ text }) => /[,，;；]$/.test(text)).length
  return (
    group.length > 2 &&
    commaEnds > 1 &&
    group.every(
      ({ text }) => text.length <= 60 && /\S\s+\S+\s+\S|[\p{Script=Han}\p{Script=Hiragana}]{4}/u.test(text),
    )
  )
}

/** Matches a request for work on a text, for an answer to its writer, or a doubt about it. Each line is for one language. */
const ABOUT_WORDING = new RegExp(
  simplifyChinese(
    [
      String.raw`\b(?:translat|summari[sz]|shorten|condens|proof-?read|rephras|reword|rewrit|paraphras|transcri|parod)\w*|\b(?:pasted|copied|punctuation|grammar|spelling|typos?|wording|dialect|(?:what|which) genre|the met(?:re|er)|rhymes?|key points|third person)\b|\b(?:reply to|respond to|answer (?:it|this|that|him|her|them|back)|write back|(?:an?|the|this|nice|witty|polite) (?:reply|response|comment|opener))\b|\b(?:should|would|do|can|could) (?:I|you) (?:say back|answer|reply|respond)\b|\bwho(?: do you think)? (?:wrote|said|sings?|sang|delivered|spoke)\b|\b(?:scam|spam|phishing|hoax|legit|red flags?|fake)\b|^\P{L}*continue\b|\bwho['’]?s (?:this|that|it) by\b|\bwrote (?:this|that|it|these)\b|\bwhat(?:['’]?s| is| does| do)? (?:he|she|it|this|they|that) (?:actually |really |even |all )?(?:on about|mean|saying|going on about)\b|\b(?:next|rest of the|other) (?:lines?|verses?)\b|^\P{L}*(?:found|got|saw|copied|nicked|stole) (?:this|that|it|these)\b(?! (?:week|morning|year|month))`,
      String.raw`(?<!\p{L})(?:übersetz|rechtschreib|kopiert|eingefügt|zusammenfass|kürz|korrigier|umformulier|reimschema|stilmittel|tonfall|zeichensetzung|zurück ?schreib)\p{L}*|fass\p{L}* .{0,40}zusammen|(?:ihm|ihr|ihnen|darauf|was|wie) (?:\p{L}+ ){0,2}(?:antwort|schreib)\p{L}*|(?:antworte|schreib)\p{L}* (?:\p{L}+ ){0,2}(?:ihm|ihr|ihnen|darauf|man)(?!\p{L})|(?:echt|seriös|betrug|gefälscht|betrüger\p{L}*)\s*\?`,
      String.raw`(?<!\p{L})(?:tradui|orthograph|copié|collé|résum|corrig|réécri|reformul|raccourci)\p{L}*|(?:que|quoi|comment) (?:lui |leur |y )?(?:répondre|écrire)|répond\p{L}*-(?:lui|leur)|(?:lui|leur) répon|une réponse|arnaque|ponctuation|registre|(?:ce|du) (?:poème|texte|mail|message|passage)`,
      String.raw`(?<!\p{L})(?:traduc|traduz|ortogra|copiad|pegad|copiei|colei|resum|corrig|reescrib|reescrev|reformul|acort|encurt|pontu|puntú)\p{L}*|(?:respónde|contésta)l\p{L}+|l[eo]s? (?:respondo|contesto|pongo|escribo)|(?:una|la|uma|a) (?:respuesta|resposta)|(?:devo|como) responder|estafa|golpe|métrica|retóric\p{L}+|(?:el|o|do|del|este) texto|de quem é|quién (?:escribió|canta)`,
      String.raw`翻译|统计|(?:后面|下面|前面|下|上|[这那])[几一两]?句|出自|啥意思|译成|总结|概括|缩写|扩写|[续仿改接]着?写|润色|改成|提炼|回[复他她]|怎么回|评论|语气|诈骗|骗子|错别字|病句|批改|粘贴|复制|[真假]的吗|谁[写唱]的|演讲稿|这[封首篇段条份]`,
      String.raw`訳し|訳して|要約|添削|誤字|採点|コピペ|貼り付け|返信|返事|返せば|直して|見出し|続きを|(?:この|その)(?:レビュー|投稿|手紙|歌詞|文章)|詐欺|サクラ|誰の(?:歌|詩|言葉)`,
      String.raw`번역|요약|맞춤법|띄어쓰기|채점|붙여 ?넣|복사|답장|답변|답하|답글|댓글|고쳐|다듬|이어서|가짜|사기|누구 ?노래`,
    ].join('|'),
  ),
  'iu',
)
/** Matches words that point to a text or its writer. */
const POINTS =
  /\b(?:this|that|these|he|she|him|her|his|they|them|OP|it)\b|(?<!\p{L})(?:das|dies\p{L}*|er|ihm|ihnen|dar(?:auf|aus|an|über)|ça|cela|il|elle|lui|est[eao]|es[eao]|él|ella|l[eo]s?|lhe|ist[eao]|iss[eao]|ess[ea]|el[ea])(?!\p{L})|这|那|[他她它]|これ|この|それ|その|彼|이거|이 |그 /iu
const OF_MINE = new RegExp(
  String.raw`\b(?:my|our)\b(?! ${OWNERS}\b)|\bmine\b|(?<!\p{L})(?:mein\p{L}*|mon|ma|mes|mis?|meus?|minhas?)(?!\p{L})|我的|私の|自分の|내 |제 `,
  'iu',
)
/** Matches the opening of a remark on the source of a text: “thats my mate Jade”, “this came through the door”. */
const NAMES_SOURCE = new RegExp(
  String.raw`^\P{L}*(?:(?:that|this)(?:['’]?s| is| was) (?:from |off |by )?(?:(?:my|our|the) ${OWNERS}\b|\p{Lu}\p{L}+\b)|(?:this|that|it) (?:just )?(?:came|arrived|turned up|popped up)\b)`,
  'u',
)
const FOR_ME = /(?<!\p{L})(?:me|mi[rc]h?|mich|-?moi|m['’])(?!\p{L}\p{L}{9})|[帮给替]我/giu
const ENDS = /[.…。！？!?]["”’)）]?\s*$/u
/** Maximum characters of a request that points to a text. */
const LONGEST_REQUEST = 160
/** Maximum characters of a line that is a sign, such as a title or a date. */
const LONGEST_SIGN = 80

/** Matches lines of pages and posts, which people do not write about themselves: “A | B”, “@anna”, “#tag”, “€”. */
const ITEMS = /\S\s?[|·•‧・]\s?\S|(?:^|\s)@[\p{L}\d_]{2,}|(?:^|\s)#\p{L}[\p{L}\d_]+|[€$£¥₩]/u
/** Matches a note in brackets on the author of the text above: “(SMS de ma grand-mère)”. */
const SOURCE = /^[(（][^)）\n]{3,60}[)）]/u
const RATED =
  /helpful|hilfreich|utile|útil|参考になった|도움이|[★☆⭐✩✭]{2}|星\s?\d|\b\d(?:[.,]\d)?\s?(?:von|sur|de|out of)\s?5\b/iu
const AGED =
  /\b\d{1,3}\+?\s?\p{L}+\.? ago\b|(?<!\p{L})(?:vor|il y a|hace|há) (?:\d+|einem|einer|un|una|um|uma) \p{L}+|\d \p{L}+ atrás|\d ?(?:秒|分钟?|小时|時間|天|日|周|週間?|个?月|か月|年|초|분|시간|일|주|개월)\s?(?:之?前|전)/u
const BYLINE =
  /(?<!\p{L})(?:by|von|par|por|de|from|投稿者|作者|作成者|작성자)[\s:：]{0,3}[@\p{L}].*\d|\d.*(?<!\p{L})(?:by|von|par|por) \p{L}/iu
const DATED = /\d{1,4}[./年-]\s?\d{1,2}|\b\d{1,2}:\d\d|\b(?:19|20)\d\d\b/u
/** First words of an address: “dear”, “liebe”, 尊敬的. */
const SALUTATIONS = either(
  /dear|to whom it may concern|hi|hiya|hey|hello|morning|liebe[rs]?|lieber/u,
  /sehr geehrte\p{L}*|(?:ma |mon )?chère?s?|querid[oa]s?|estimad[oa]s?|car[oa]s?/u,
  /尊敬的|[親亲][愛爱]的/u,
)
/** Matches the address of a letter: “Dear Ana,”, “Nachbarn im Haus:”, 各位：. */
const ADDRESSES = pattern(
  'iu',
  /^(?:(?!(?:I|My|Ich|Je|Yo|Eu|We)\b)\p{L}+ [^\n.!?。！？]{1,50}|[^\n.!?。！？]{1,12}(?:様|さま|殿|御中|各位|님|께|您好|你好|经理|老师|先生|女士|太太))[,，:：]$/u,
  /\p{L}{1,12}(?:様|殿|御中|各位|님께)$/u,
  String.raw`^(?:${SALUTATIONS})(?!\p{L}{2})[^\n.!]{0,40}[,，!！:：]`,
)
const SIGNED =
  /^(?:[-–—~]+\s?)?(?:\p{L}+,\s)?(?:\p{Lu}[\p{L}'’.-]*\s?){1,4}$|^[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana} ]{2,9}$|[-–—]{1,2}\s?\p{L}[\p{L} ,'’\d]{1,30}$|[.!?]\s(?:\p{Lu}[\p{L}'’.]*,?\s?){1,3}\d{0,4}$|(?:드림|올림|敬上|拝)$|^x+o?$/u
const DECLARES =
  /^(?:I|Ich|Je soussignée?|Je|Yo|Eu),?\s\p{Lu}[\p{L}.'’-]+(?:\s(?:d[aeo]s?\s|del\s|von\s)?\p{Lu}[\p{L}.'’-]+){1,3}\s?[,(]|^本人\p{Script=Han}{2,3}[，,（(]/u
/** Matches a field of a form or a line of a play: “Name: …”, “Any illness? …”, “KONRAD (leise). …”. */
const LABELLED =
  /^(?:\d+[.、]\s*)?(?<label>[^\n:?]{1,60})(?<sign>[:?])\s*(?<rest>\S.*)|^(?<who>\p{Lu}{2}[\p{Lu} .'’-]{0,30}?)(?:\s*[(（][^)）\n]{1,60}[)）]|,\s\p{Ll}[^.—–\n]{1,40}?)?\s*(?:[.]\s?[—–-]?|[—–])\s*(?<line>\S.*)/u

/** Words before a text that another dictates: “take this down”, “im Namen von”. */
const DICTATIONS = either(
  /take (?:this|it|that) down|typ(?:e|ing) (?:this|it|that)? ?(?:up )?for|dictat(?:ed|es|ing) (?:this|it|by|me)|on behalf of/u,
  /in (?:his|her|their) name|(?:s?he|they) can['’]?t (?:type|write)|diktiert|im namen (?:von|mein\p{L}+)|dictée? par/u,
  /m['’]a dicté|au nom de m\p{L}+|me (?:ha dictado|dictó|dicta)|en nombre de mi|(?:me ditou|ditado)|em nome d[ao]/u,
)
/** Matches words by which the speaker writes in another's name: “Take this down for my grandmother”, 替我奶奶写. */
const SPEAKS_FOR = pattern(
  'iu',
  String.raw`(?<!\p{L})(?:${DICTATIONS})(?!\p{L})`,
  /[替代帮]我?(?:爷爷|奶奶|外[公婆]|姥[姥爷]|爸|妈|老[公婆]|朋友|邻居|同事|老板|孩子|儿子|女儿).{0,3}(?:写|打|发|回|转|整理)|口述|代筆/u,
  /(?:代わり|かわり)に書|대신 ?(?:써|적)|받아 ?적/u,
)
