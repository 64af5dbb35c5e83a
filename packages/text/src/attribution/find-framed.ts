// Finds blocks that begin or end with the signs of another author, in any language. Called by mask-unspoken.ts.
import type { IntroducedText } from './find-introduced.ts'
import { isSpeaker } from './find-dialogue.ts'
import { isOwnLead } from './own-leads.ts'
import { isEmpty, type Line, type Stretch } from './stretch.ts'

const SPEAKS_OF_SELF =
  /\b(?:I|[Mm]y|[Ww]e|[Oo]ur|[Mm]e)\b|\bi['’]|(?<![\p{L}])(?:[Ii]ch|[Mm]ein\p{L}{0,2}|[Jj]e|[Jj]['’]\p{L}+|[Mm]on|[Mm]a|[Mm]es|[Yy]o|[Mm]i|[Ss]oy|[Tt]engo|[Vv]ivo|[Ee]u|[Mm]eu|[Mm]inha|[Ss]ou|[Tt]enho|[Mm]oro)(?!\p{L})|[我咱俺]|私|僕|저는|나는|내 |제 /u
const ENDS = /[.!?…。！？]["”’)）]?\s*$/u
const LONGEST_SIGN = 80

/** Matches a line that only addresses others: “Hallo zusammen,”, “Madame, Monsieur,”, 担当者様. */
const ADDRESSES =
  /^(?!.*(?:[.!?。！？]\s|\d))\s*\p{L}[^\n]{0,58}(?:[,，:：]|(?:様|さま|殿|御中|各位|님께|께)[,、]?|(?<=^\s*)(?:拝啓|前略|謹啓))\s*$/u
/** Matches a line that is a name, as under a letter: “Mme Faure”, 石川, 三楼 陈太太 敬上. */
const NAME =
  /^\s*(?:[-–—~]\s?|(?:love|from|yours|best|cheers|thanks|xx?o?|gruß|bises|besos?|beijos?|abraços?),?\s)?(?:(?:\p{Lu}[\p{L}'’-]*\.?|de|da|do|del|della|di|du|la|le|el|von|van|den|der|y|e|und|et|and|&)(?:,?\s+|\s*$)){1,6}$|^(?!.*[了吗吧的])[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{2,6}(?:[ \u3000][\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{1,6}){0,2}\s*$/u
const ADDS = /^\s*(?:p\.?\s?p?\.?\s?s\b|ps\b|附|又及|追伸)/iu

/** Returns a letter with words around it: from the address, or the start, to the name below. An own letter has nothing behind it. */
function letterIn(lines: readonly Line[]): Stretch[] {
  const from = lines.findIndex(
    (line, i) =>
      beginsParagraph(lines, i) &&
      ADDRESSES.test(line.text) &&
      !SPEAKS_OF_SELF.test(line.text) &&
      (!/[:：]\s*$/.test(line.text) || !isOwnLead(line.text.replace(/[:：]\s*$/, ''))),
  )
  if (from < 0) return []
  const last = lines.findLastIndex((line) => !isEmpty(line))
  const isApart = lines.slice(0, from).some((line) => !isEmpty(line))
  // A last word such as “Traduis” looks like a name: without words before the letter, it is none.
  const to = lines.findLastIndex(
    (line, i) =>
      i > from + 1 &&
      (isApart || i < last) &&
      endsParagraph(lines, i) &&
      NAME.test(line.text) &&
      !isEmpty(line),
  )
  const behind = lines.slice(to + 1).find((line) => !isEmpty(line))
  if (to < 0 || ADDS.test(behind?.text ?? '')) return []
  return [{ start: lines[from]?.start ?? 0, end: lines[to]?.end ?? 0 }]
}

function beginsParagraph(lines: readonly Line[], index: number): boolean {
  const before = lines[index - 1]
  return before === undefined || isEmpty(before) || /[:：]\s*$/.test(before.text)
}

function endsParagraph(lines: readonly Line[], index: number): boolean {
  const next = lines[index + 1]
  return next === undefined || isEmpty(next)
}

const DATE = String.raw`(?:\d{1,4}[./年-]\s?\d{1,2}[./月-]\s?\d{1,4}日?|\d{1,2}\.?º?ª?\s(?:de\s)?\p{L}{3,12}\.?(?:,?\s(?:de\s)?\d{4})?|\p{L}{3,12}\.?\s\d{1,2},?\s\d{4})`
const AGE = String.raw`(?:\b\d{1,3}\+? ?(?:s|secs?|min(?:ute)?s?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mos?|months?|y|yrs?|years?)\.? ago|\b(?:vor|il y a|hace|há|fa) \d{1,3} \p{L}+|\b\d{1,3} \p{L}+ (?:atrás|fa)|\d{1,3} ?(?:秒|分钟?|小时|時間|天|日|周|週間?|个?月|か月|年|초|분|시간|일|주|개월)\s?(?:之?前|전))`
/** Matches who wrote something and when: “By Gillian T on 2 May 2024”, “Écrit le 7 juillet 2023 par …”, 投稿者：ねこ丸 2023/11/04. */
const WRITTEN_BY = new RegExp(
  String.raw`^(?=.*(?:${DATE}|${AGE})).*(?<!\p{L})(?:by|von|par|por|de|del|da|di|aus|from|投稿者|作者|发布者|作成者|작성자|글쓴이)(?!\p{L})[\s:：]{0,3}[@\p{L}]`,
  'iu',
)
/** Matches the age of a post beside other elements of its head: “2 semanas atrás · Local Guide”, “@nachov · 5 h”. */
const POSTED_AGO = new RegExp(
  String.raw`^\s*(?:[(（]${AGE}[)）]\s*$|${AGE}\s*(?:[·•・|]|来自)|.{0,40}[·•・|]\s*(?:${AGE}|\d{1,3}\s?(?:h|m|d|min|Std|時間|시간|小时)\b)|(?:posted|asked|answered|edited|updated|reviewed|published)\b.{0,40}${AGE})`,
  'iu',
)
/** Matches a rating: “4,0 von 5 Sternen”, 评分：★★☆, ⭐⭐⭐. A mere “4/5” may be one's mood. */
const RATED =
  /[★☆⭐✩✭]{2,}|\b[1-5](?:[.,]\d)?\s?(?:\/|von|sur|de|out of|di|su)\s?5\s(?:stars?|sternen?|étoiles?|estrellas?|estrelas?|stelle)/iu
/** Matches counts of what others did with a text: “17 Personen fanden …”, 转发 23 评论 108, いいね 2,310件. */
const COUNTED =
  /^(?=.*\d).*(?:helpful|hilfreich|utile|útil|answers?|antworten|réponses?|respuestas?|respostas?|raised|backers|donations?|joined|response rate|comments?|kommentare|commentaires|comentarios|comentários|likes?|upvotes?|gefällt|j['’]aime|me gusta|curtidas?|retweets?|views?|aufrufe|vues|vistas|参考になった|いいね|コメント|转发|评论|点赞|回答|有用|좋아요|댓글|도움|조회)/iu
const MANY_COUNTS = /^(?:\s*[\p{S}\p{Extended_Pictographic}\uFE0F]{1,3}\s?\d[\d.,]*\s?[KkMm万]?){2,}\s*$/u
/** Matches items of a page side by side: “Impressum | Datenschutz | Kontakt”. One's own “Plan A | Plan B | Plan C” has no word of a page. */
const SIDE_BY_SIDE =
  /^(?=.*(?<!\p{L})(?:impressum|datenschutz|kontakt|cookies?|contac?to|contact(?: us)?|privacy(?: policy)?|terms|about(?: us)?|home|menu|log ?in|sign in|faq|share|reply|report|mentions légales|répondre|partager|responder|compartir|partilhar|aviso legal|portefólio|blog)(?!\p{L})|首页|登录|分享|举报|回复|返信|共有|답글|공유)[^.!?。！？|·•]{2,40}(?:\s[|·•]\s[^.!?。！？|·•]{2,40}){2,}$/iu
const SITE = /^\s*(?:https?:\/\/)?(?:[\w-]+\.)+(?:com|net|org|de|fr|es|pt|br|jp|kr|cn|io|co|uk|info)\s*$/iu
/** Matches a line that only says how to reach the writer: “Call Shauna, 07700 900318”. */
const REACHED =
  /^(?:call|contact|tel|phone|text|whatsapp|e-?mail|mail|anruf|telefon|appele[rz]|contacto?|llamar|ligar|联系|电话|微信|電話|連絡|전화|연락)(?!\p{L}\p{L}{6}).{0,30}(?:\d[\d ()+-]{6,}|@\S)/iu
const TITLE =
  /(?<!\p{L})(?:wanted|for sale|to let|for rent|zu vermieten|gesucht|à louer|se busca|se alquila|procura-se|aluga-se|rezension|bewertung|lebenslauf|(?:klein)?anzeigen?|zeugenaussage|protokoll|erklärung|beschwerde|gedicht|strophe|avis|annonce|témoignage|attestation|déclaration|poème|petite annonce|reseña|opinión|anuncio|testimonio|declaración|poema|avaliação|anúncio|depoimento|declaração|requerimento|lied|canción|canção|copla|fado|chanson|(?:witness )?statement|testimony|affidavit|declaration|poem|obituary|listing|classified)(?!\p{L})|レビュー|履歴書|口コミ|求人|証言|後記|후기|이력서|진술서|자기소개서|证词|声明书?|登记表|申请表|简历|招租|求租|出租|转让|募集|구함/iu
const BRACKETED = /^\s*[【［[《](?<label>[^】］\]》\n]{2,20})[】］\]》]\s*$/u

/** Returns whether a line stands only beside another's text: its byline, rating, counts, or the items of its page. */
function isFrame({ text }: Line, isFirst: boolean): boolean {
  if (text.length > LONGEST_SIGN || text.trim() === '' || SPEAKS_OF_SELF.test(text)) return false
  if (SIDE_BY_SIDE.test(text) || MANY_COUNTS.test(text) || REACHED.test(text)) return true
  if (isFirst && (SITE.test(text) || isBracketed(text))) return true
  if (ENDS.test(text.replace(/[!！]\s*$/, ''))) return false
  return (
    WRITTEN_BY.test(text) ||
    POSTED_AGO.test(text) ||
    RATED.test(text) ||
    COUNTED.test(text) ||
    (isFirst && TITLE.test(text) && text.length <= 50)
  )
}

function isBracketed(text: string): boolean {
  const label = BRACKETED.exec(text)?.groups?.['label']
  return label !== undefined && !isOwnLead(label)
}

/** Matches a line by which the speaker hands over a text that they copied. */
const PASTED =
  /\b(?:I|we)(?:['’]ve| have)? (?:just )?(?:pasted|copied|copy-pasted|screenshotted|found this)\b|(?<!\p{L})(?:habe .{0,30}(?:kopiert|eingefügt)|ai (?:copié|collé)|he (?:copiado|pegado)|copiei|colei)(?!\p{L})|我?(?:粘贴|复制|贴)(?:了|的|过来)|コピペ|貼り付け|붙여 ?넣|복사/iu

/** Matches a letter within one line: “Sehr geehrte Damen und Herren, … Mit freundlichen Grüßen, Dr. Blei”. */
const LETTER_IN_LINE =
  /^\s*(?:sehr geehrte|dear (?:sirs?|madam|mrs?|ms|dr)\b|madame|monsieur|estimad[oa]|prezad[oa]|尊敬的).{20,}(?:grüßen|regards|sincerely|faithfully|salutations|saludos?|atentamente|atenciosamente|cumprimentos|此致|敬上)/iu
/** Matches a line that says in brackets who wrote the text above: “(SMS de ma grand-mère)”, （社员采访）. */
const ATTRIBUTED =
  /^\s*[(（](?=[^)）]*(?:sms|e-?mail|mail|message|text|note|letter|lettre|nachricht|brief|mensaje|carta|mensagem|interview|来信|短信|采访|インタビュー|メール|手紙|문자|편지|인터뷰))(?=[^)）]*(?:\b(?:from|by|de|von|vom|di)\b|より|から|的|에서|의))[^)）]{3,60}[)）]/iu

/** Matches words by which the speaker writes in another's name: “Take this down for my grandmother”, 替我奶奶写. */
const SPEAKS_FOR =
  /(?<!\p{L})(?:take (?:this|it|that) down|typ(?:e|ing) (?:this|it|that)? ?(?:up )?for|dictat(?:ed|es|ing) (?:this|it|by|me)|on behalf of|in (?:his|her|their) name|(?:s?he|they) can['’]?t (?:type|write)|diktiert|im namen (?:von|mein\p{L}+)|dictée? par|m['’]a dicté|au nom de m\p{L}+|me (?:ha dictado|dictó|dicta)|en nombre de mi|(?:me ditou|ditado)|em nome d[ao])(?!\p{L})|[替代帮]我?(?:爷爷|奶奶|外[公婆]|姥[姥爷]|爸|妈|老[公婆]|朋友|邻居|同事|老板|孩子|儿子|女儿).{0,3}(?:写|打|发|回|转|整理)|口述|代筆|(?:代わり|かわり)に書|대신 ?(?:써|적)|받아 ?적/iu

const LABELLED = /^\s*(?<label>[^\n:：?？]{1,60})[:：?？]\s*(?<answer>\S.*)$/u
const OF_WHOM =
  /(?<!\p{L})(?:(?:full |first |last |applicant |patient |client |customer )?name|applicant|patient|claimant|insured|signature|unterschrift|firma|assinatura|vorname|nachname|antragsteller(?:in)?|patient(?:in)?|kund(?:e|in)|nom|prénom|demandeur|nombre|apellidos?|paciente|nome|requerente|utente)(?!\p{L})|姓名|签名|患者|申请人|客户|氏名|名前|お名前|이름|성명|환자/iu

/** Returns a form whose answers are in the first person and that names whom it is about. */
function formIn(lines: readonly Line[]): Stretch[] {
  const fields = lines.flatMap((line) => {
    const { label = '', answer = '' } = LABELLED.exec(line.text)?.groups ?? {}
    return label === '' ? [] : [{ line, label, answer }]
  })
  const isAbout = fields.some(({ label }) => OF_WHOM.test(label))
  if (fields.length < 3 || !isAbout || !fields.some(({ answer }) => SPEAKS_OF_SELF.test(answer))) return []
  return [{ start: fields[0]?.line.start ?? 0, end: fields.at(-1)?.line.end ?? 0 }]
}

/** Matches a writer who names themself in a declaration: “Eu, Amadeu Teles, …”, 本人张三，…. */
const DECLARES =
  /^\s*(?:(?:I|Ich|Je soussignée?|Je|Yo|Eu|Io|Ik),?\s\p{Lu}[\p{L}.'’-]+(?:\s(?:d[aeo]s?\s|del\s|von\s|van\s)?\p{Lu}[\p{L}.'’-]+){1,3}\s?[,(]|本人\p{Script=Han}{2,3}[，,（(])/u
/** Matches a line of a play: “KONRAD (leise). Ich bin …”, “BÉLISE, à part — …”. */
const PLAYED =
  /^\s*(?<who>\p{Lu}{2}[\p{Lu} .'’-]{0,30}?)(?:\s*[(（][^)）\n]{1,60}[)）]|,\s\p{Ll}[^.—–\n]{1,40}?)?\s*(?:[.:：]\s?[—–-]?|[—–])\s*\S/u

function spokenBy(line: Line): boolean {
  const who = PLAYED.exec(line.text)?.groups?.['who'] ?? ''
  return who !== '' && !isOwnLead(who.toLowerCase()) && isSpeaker(who)
}

const HAS_THREE_WORDS = /\S\s+\S+\s+\S|[\p{Script=Han}\p{Script=Hiragana}]{4}/u

/** Matches a paragraph of verse: at least three short lines of three words or more, most of which end in a comma or not at all. */
function isVerse(group: readonly Line[]): boolean {
  const texts = group.map(({ text }) => text.trim())
  const commas = texts.filter((text) => /[,，;；]$/.test(text)).length
  return (
    texts.length >= 3 &&
    commas >= 2 &&
    texts.every((text) => text.length <= 60 && /^[\p{L}¿¡“"‘]/u.test(text) && HAS_THREE_WORDS.test(text))
  )
}

/** Finds another's letters, posts, pages, forms, declarations, plays and verses by how they begin and end. */
export function findFramed({ text, lines: marked }: IntroducedText): Stretch[] {
  const lines = marked.map((line) => ({ ...line, text: text.slice(line.start, line.end) }))
  const head = /^[^:：\n]{1,160}[:：\n]/u.exec(text)?.[0] ?? ''
  if (SPEAKS_FOR.test(head)) return [{ start: head.length, end: text.length }]
  if (lines.length < 2) return []
  const first = lines.findIndex((line) => !isEmpty(line))
  const end = endOfBlock(lines, text.length)
  const framed = lines.some((line, index) => isFrame(line, index === first))
  const declared = lines.find(({ text: line }) => DECLARES.test(line))
  const played = lines.filter(spokenBy)
  const attributed = lines.find(({ text: line, start }) => start > 0 && ATTRIBUTED.test(line))
  const pasted = lines.find(
    ({ text: line, end: lineEnd }) => PASTED.test(line) && text.slice(lineEnd).trim() !== '',
  )
  // What one types oneself in short lines has no words about it in another paragraph.
  const groups = groupsOf(lines)
  const verses = groups.length < 2 ? [] : groups.filter(isVerse)
  return [
    ...letterIn(lines),
    ...formIn(lines),
    ...(framed ? [{ start: 0, end }] : []),
    ...(declared === undefined ? [] : [{ start: declared.start, end }]),
    ...lines.filter(({ text: line }, index) => LETTER_IN_LINE.test(line) && index < lines.length - 1),
    ...(attributed === undefined ? [] : [{ start: 0, end: attributed.start }]),
    ...(pasted === undefined ? [] : [{ start: pasted.end, end: text.length }]),
    ...(played.length < 2 ? [] : [{ start: played[0]?.start ?? 0, end }]),
    ...verses.map((group) => ({ start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0 })),
  ]
}

/** Returns where the question below a block begins, else the end of the text. */
function endOfBlock(lines: readonly Line[], end: number): number {
  const last = lines.findLastIndex((line) => !isEmpty(line))
  const line = lines[last]
  const isApart = last > 0 && isEmpty(lines[last - 1] as Line)
  return line !== undefined && isApart && /[?？]/.test(line.text) ? line.start : end
}

export function groupsOf(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [[]]
  for (const line of lines) {
    if (isEmpty(line)) groups.push([])
    else groups.at(-1)?.push(line)
  }
  return groups
}
