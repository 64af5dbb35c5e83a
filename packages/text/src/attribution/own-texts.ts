// Recognises texts that their sender claims to have written, and titles of notes.
import { either } from '../pattern.ts'

/** Removes the mark of a quotation from lines that claim to be the speaker's. */
export function unquoteOwnLines(text: string): string {
  const isNote = TO_SELF.test(text.split('\n', 1)[0] ?? '')
  return text.replace(/^([ \t]*)>(.*)$/gmu, (line, gap: string, words: string) =>
    isNote || claims(words) ? `${gap} ${words}` : line,
  )
}

/** Reports whether the words before or after a text say that the speaker wrote it, or that it is about the speaker. */
export function claimsText(text: string): boolean {
  const lead = /^[^\n:：«„“"「]{0,200}[:：\n«„“"「]/u.exec(text)?.[0] ?? (text.length <= 200 ? text : '')
  const tail = text.slice(-400).trimEnd().split('\n').at(-1)?.slice(-160) ?? ''
  if (MADE_UP.test(`${lead} ${lead.toLowerCase()} ${tail}`)) return false
  return IS_MINE.test(text) || WROTE.test(lead) || (text.includes('\n') && WROTE.test(tail))
}

const claims = (words: string): boolean => WROTE.test(words) && !MADE_UP.test(words)

/** Times and topics of notes: “weekly”, “shopping”. */
const NOTE_TIMES = either(
  /daily|weekly|monthly|yearly|week|month|end of (?:day|week)|today['’]?s?|this week['’]?s?/u,
  /morning|evening|training|food|sleep|mood|pain|shopping|packing|grocery|wish|bucket/u,
)
/** Titles of notes: “weekly review”, “to-do list”, “Tagebuch”. */
const NOTE_TITLES = either(
  /(?:mon|tues|wednes|thurs|fri|satur|sun)day|day \d+/u,
  String.raw`(?:${NOTE_TIMES}) (?:review|log|notes?|journal|diary|list|plan|summary|recap|round-?up|check-?in|pages)`,
  /notes?(?: to self)?|to[- ]?dos?(?: list)?|goals?|targets?|resolutions?|budget|packing|shopping|things (?:i|we|to)/u,
  /\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?|journal|diary|dear diary|log|reminders?|plan/u,
  /(?:reasons?|arguments?) (?:to|for|against|not to|why)|pros(?: (?:and|&|\/) cons)?|wins|losses|notizen|tagebuch|einkaufsliste/u,
  /liste|wochen(?:rückblick|bericht|plan)|tagesplan|(?:petites? )?notes?|journal|liste|pense-b[eê]te/u,
  /(?:point|bilan|r[eé]cap) (?:de la|du|de ma|de mon) \p{L}+|notas?|apuntes|diario|di[aá]rio|lista|resumen de (?:la|mi) semana|resumo da semana/u,
  /balance (?:de la|semanal)/u,
)
/** Times and topics of Chinese notes: 本周, 购物. */
const NOTE_TOPICS_ZH =
  '今[天日]|本周|这周|本月|这个?月|每[日天周月]|一周|周末|年度|个人|工作|学习|购物|待办|行程|训练|减肥|明[天日]|上周'
/** Whole titles of notes: “tue”, “notes for Monday”, 购物清单. */
const NOTE_LINES = either(
  /(?:mon|tue|wed|thu|fri|sat|sun)(?:s|rs|urs)?\.?/u,
  String.raw`(?:${NOTE_TITLES})(?: (?:for|of|on|about|du|de la|vom|für|pour|de|del|da|do|move|leave|stay|go|\d)[^:：.!?]{0,24})?`,
  String.raw`(?:${NOTE_TOPICS_ZH})?(?:的)?(?:日记|周记|月记|手账|小结|总结|复盘|计划|清单|待办|备忘录?|笔记|打卡|流水账|安排|行程|反思|日程|目标)(?:[ （(，,：:].{0,16})?`,
  /(?:業務|业务|今日の?|週間?|周间?)?(?:メモ|日記|日记|日誌|リスト|やること|予定)|(?:오늘|이번 ?주|주간|업무)?\s?(?:메모|일기|목록|할 ?일|일지|계획)/u,
)
/** Matches the title of notes for oneself: “tue”, “Weekly review, w/e 17th”, “reasons to move”, 日记 周四 阴. */
const NOTES = new RegExp(
  String.raw`^(?:(?:my|meine?|mes|mon|ma|mis?|meus?|minhas?|我的?|私の|내) ?)?(?:${NOTE_LINES})$`,
  'iu',
)

/** Reports whether a line titles notes that people make for themselves. */
export function titlesNotes(line: string): boolean {
  return NOTES.test(
    line
      .replace(/[(（][^)）\n]*[)）]|^[\s#*_\-–—>【[]+|[\s#*_:：,，\]】–—-]+$|[!.。]+$/gu, '')
      .replace(/(?<!\d),.*$/, '')
      .trim(),
  )
}

/** Persons whose possession people write without an apostrophe: “my cousins site”. */
export const OWNERS =
  '(?:cousin|mum|mom|dad|sister|brother|friend|mate|boss|neighbou?r|aunt|uncle|gran|nan|wife|husband|partner|colleague|teacher|landlord|niece|nephew|son|daughter|student|pupil|client|customer|kid|flatmate|roommate|grandad|granddad|grandma|dad|ex)'
const OWN_KIND =
  '(?:letter|e-?mail|mail|message|cv|resume|résumé|bio|profile|(?:self-)?intro(?:duction)?|application|review|post|statement|speech|toast|eulogy|vow|diary|journal|note|notebook|status|dictation|log|list|form|answer|home ?page|site|website|blog|draft|caption|brief|nachricht|bewerbung|lebenslauf|profil|anschreiben|tagebuch|notiz(?:en)?|liste|antwort(?:en)?|lettre|courriel|candidature|présentation|journal|fiche|carnet|réponse|carta|correo|currículum|currículo|perfil|presentación|apresentação|solicitud|candidatura|mensaje|mensagem|diario|diário|caderno|cuaderno|nota|lista|ficha|respuesta|resposta)s?'
/** Matches what one's own text says: “my status says it all”. */
export const OWN_TEXT_SAYS = new RegExp(
  String.raw`\bmy (?:(?!\p{L}+['’]s|${OWNERS}s\b)\p{L}+ ){0,2}${OWN_KIND}(?: (?:on|in|at) \p{L}+)? (?:it )?(?:says?|reads?|goes)\b[^,.]{0,20}$`,
  'iu',
)
/** Matches a head without a subject whose author is the speaker: “Posted this on Reddit myself”, “just shared this on my blog today”. */
export const POSTED_MYSELF =
  /^\P{L}*(?:(?:just|recently|once) )?(?:posted|wrote|written|shared|published|drafted) (?:this|that|it|these)\b[^,.!?:\n]{0,40}\b(?:myself|(?:on|in|to|for) my (?:own )?(?:blog|page|profile|wall|feed|site|website|channel|diary|journal))\b/iu
/** Matches the speaker as the author of a text, or as the one it is about: “my letter to the school”, “I wrote this”, 我写的信, “sou eu”. */
const WROTE = new RegExp(
  [
    String.raw`^\P{L}*(?:[Dd]ear diary\b|日记(?=[:：])|(?:征婚|相亲|交友)(?:资料|简介|介绍)(?![的卡]))|(?<!\p{L})(?:my|our|meine?n?|mon|ma|mes|mis?|meus?|minhas?) (?:(?!\p{L}+['’]s|${OWNERS}s\b)\p{L}+[ -]){0,2}?${OWN_KIND}(?!\p{L}|['’]s| (?:from|by)\b)|\bmy own ${OWN_KIND}(?!\p{L})`,
    String.raw`\bI(?:['’]ve| have|['’]m| am)? (?:just |already |once )?(?:(?:put|said)(?= (?:on|in) )|(?:wrote|written|write|writing|drafted)\b(?! down)|(?:posted|texted|sent)(?= (?:this|that|it|these|those|him|her|them|my|the|to)\b|\W*$))|(?<=(?:\b(?:is|are|all|both)|\b(?:that|this|it|these|those)['’]?s?|[,(—-]) ?)mine\b(?! (?:of|who))|(?<!\p{L})(?:von mir|à moi|(?:para|pra) mim|sou eu|soy yo)(?!\p{L})|\b(?:about|for|by) myself\b|\b(?:transcript|transcription|recording|voice (?:note|memo|message)) (?:transcript )?(?:of|by|from) (?:me|myself)\b|${POSTED_MYSELF.source}`,
    String.raw`我(?:自己)?(?:刚|昨天|今天)?(?:写|发|拟)(?:给[^，。：]{1,8}|了|过|好)?的?[^，。：]{0,6}(?:信|邮件|短信|消息|简历|介绍|评价|朋友圈|帖子|文案|申请)|我(?:自己)?的(?:(?:征婚|相亲|交友|个人|求职)?(?:资料|简介|介绍|简历|档案)|自我介绍|求职信|辞职信|申请|情况)|我自己[^，。]{0,6}的|我(?:的|自己的?)?(?:日记|本子|笔记|备忘录|朋友圈|微博|签名|状态|便签|手账)(?:里|上)?[^，。：我]{0,4}(?:写|记|发|说)|^\P{L}*自己(?:刚|昨天|今天)?(?:写|发)[^，。：]{1,8}的|我这(?:日记|篇|份)|写(?:给)?自己|note to self|saved messages|(?:转发)?自己的?(?:备忘|笔记|便签)|这是我(?:明天|今天|昨天|自己)?[要想准]?[备]?(?:写|念|讲|发|交)的`,
    String.raw`\bich (?:schreibe|schrieb|habe [^.:\n]{0,30}geschrieben)|\bj['’](?:ai écrit|écris)|\b(?:he escrito|escribí|escribo|escrevi|escrevo|l[ea]s? mand[ée]|l[ea]s? envi[ée])(?!\p{L})|(?:私|自分)[がで]書いた|(?:私|自分)の(?:です|手紙|メール|履歴書|日記)|自分の[)）]|(?:내가|제가) 쓴|(?:내|제) (?:편지|메일|이력서|자기소개|소개|일기)`,
  ].join('|'),
  'iu',
)
/** Matches words after a text that call it the speaker's: “those are my stats”, “that is me”. */
const IS_MINE =
  /\b(?:this|that|it|those|these|(?:all )?(?:the )?above)(?:['’]s| is| are| was| were) (?:all )?(?:me\b|mine\b|about me\b|my (?:own\b|stats|data|details|numbers|situation|profile|bio|cv|words|text|facts|info))|这(?:就|都)?是我(?:自己)?(?:的|写|发|说|$)|以上(?:都|全)?是我(?:自己)?(?:的|写|发|说)/iu
/** Matches invented texts, which state nothing, even if the speaker wrote them. */
export const MADE_UP =
  /\b(?:novel|poem|song|lyrics|story|scene|script|screenplay|character|dialogue|chapter|essay|monologue|fan ?fic\w*|personas?|alter egos?|(?:fake|made-up|invented|fictional|imaginary|pretend) \p{L}+)\b|小说|人设|小号|马甲|诗|歌|剧本|故事|作文|台词|角色|(?<!\p{L})(?:Roman|Gedicht|Lied|roman|poème|chanson|novela|poema|canción|romance|canção)(?!\p{L})/u

/** Matches the head of a note that one has sent to oneself. */
const TO_SELF = /\bnote to self\b|\bsaved messages\b|自己的?(?:备忘|笔记|便签)/iu
