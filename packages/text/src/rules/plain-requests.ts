// Reads requests to forget in eight languages by a verb and a topic, where no rule matches.
import { CHINESE_SURNAMES } from '../attribution/topic-labels.ts'
import { either, pattern } from '../pattern.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { ASKING, type Asking } from './asking-words.ts'

/** A request to forget, found by its verb in any language of `asking-words.ts`. */
export interface PlainRequest {
  /** The topic in the user's words, or `null` for the preceding statement. */
  readonly about: string | null
  /** Whether it asks to forget everything. */
  readonly isWide: boolean
  /** Whether the request mentions memory. Others may be about a file or a table, so they wait for the user's yes. */
  readonly isSure: boolean
  /** The verb of an unsure request, if the request is the whole sentence and its topic is definite. */
  readonly verb?: 'forget' | 'remove'
}

/** Returns the English term for a term of another language, or the term itself. */
export function conceptOf(term: string): string {
  return CONCEPTS.get(term) ?? term
}

/** Matches the root of any verb of `asking-words.ts`. Most texts fail this cheap test. */
export const MAY_ASK_PLAINLY = pattern(
  'i',
  /forg[eo]t|remember|keep|stor|sav|record|h[oa](?:l|ng)d? on|eras|delet|remov|drop|wip|scrub|purg|\bbin\b/u,
  /dump|lose|leave\b.*\bout of|scratch|strik|tak|\bget|throw|clear|ditch|trash|scrap|let go|discard|toss|write/u,
  /忘|[删刪记記存留抹清擦划劃撤当當]|[去拿]掉|olv|un-?(?:know|learn|hear|see)|cross|\brub|recuerd|guard|anot|apunt|b[oó]rr|elim[ií]n|qu[ií]t|saca/u,
  /supp?rim|retien|reten|enregistr|moris|stock|souvien|acuerd|registr|memori|almacen|beh[aä]lt|speicher|grav|salv|verg|merk/u,
  /l[oö]sch|streich|entfern|raus|wirf|tilg|nimm|oubli|effac|enl[eè]v|retir|ray|vire|note|esque|lembr|apag|tir|exclu/u,
  /覚え|消し|削除|除い|外し|잊|지[우워]|빼|없애|삭제|기억|저장|기록|[記记][録录]|保存/u,
)

/** Matches a clause that asks to keep something. */
const KEEPS =
  /\b(?:(?<!\b(?:not|n['’]?t|never) )keep|stays?|leave(?!\b.*\bout of\b)|can stay)\b|(?<!不想让你)留着|可以留|别删|不算|\bbleibt\b|natürlich nicht|\bguárda|\btu la gardes\b|pode ficar|消さないで|そのまま|남겨/iu
/** Matches the marks and words between two clauses. */
const CLAUSE =
  /[,;:!?.，；：！？。、…\n]+|\s[-–—]\s|\s(?:because|cause|since)\s|\s(?:so|and) (?=(?:please|pl[sz]|can you|could you|don['’]?t|do not)\b)/u

/** Matches “forget it” and “drop that” alone, which dismiss a matter and remove nothing. */
const DISMISSES =
  /^\s*(?:(?:oh|ok|okay|just|well|no)[\s,]+)*(?:drop |forget (?:about )?)(?:it|that|this)\s*$/iu

/** People who say something: 他, 我妈, 同事小王, 阿强, 丽丽. */
const CHINESE_PEOPLE = either(
  String.raw`[他她]们?|有人|人家|别人|大家|对方`,
  String.raw`(?:我们?(?:家|的)?)?(?:[大小二三老前]*(?:老[公婆妈爸板师]|[爸妈哥姐弟妹]{1,2}|奶奶|爷爷|外[公婆]|姥[姥爷]|叔叔?|阿姨|舅舅?|姑姑?|婆婆|公公|儿子|女儿|[男女]?朋友们?|[男女]友|对象|前任|闺蜜|同[事学]|室友|邻居|领导|上司|经理|导师|教练|医生|大夫|护士|房东|律师))(?:[小老阿]\p{Script=Han})?`,
  String.raw`[小阿]\p{Script=Han}{1,2}|老(?!实|是)\p{Script=Han}|${CHINESE_SURNAMES}\p{Script=Han}{1,2}|(?<double>(?![天常刚偏人])\p{Script=Han})\k<double>|\p{Lu}\p{Script=Latin}+`,
)
/** Matches what another person said or asked of the speaker, up to a request to the listener: 小王说…，忘了吧, but not 小王说的事，忘了吧. */
const TOLD_BY_ANOTHER = [
  String.raw`(?<=^|[，,；;、。！？!?\s])(?:但是?|可是?|不过|结果|后来|然后|因为|而且|刚才?|昨[天晚]|今[天早])*(?:${CHINESE_PEOPLE})`,
  String.raw`(?:也|都|就|又|还|总|老是?|一直|刚才?|昨[天晚]|今[天早]|之前|已经|[跟对和]我|发消息|打电话|来|微信上?)*`,
  // 让我生气的事，忘了吧 and 说我胖的事，忘了吧 name a matter.
  String.raw`(?:劝我|[让叫要求]我(?![^把，,：:别不忘]*的[这那]?[件个]?事[，,]?[请都就]*[忘删])|安慰我?|告诉我|回复?我?(?=[，,：:])|(?:说|讲|表示|建议|觉得)(?!(?:过|了|起)?的|起来|我[^，,：:]*(?:的|[那这]件?)事[，,][请都就你]*[忘删]))`,
  String.raw`[，,：:]?(?:(?![，,；;]\s*(?:请|麻烦|[你您帮给]|(?:别|不要)[记存留]))[^。！？!?\n])*`,
].join('')

/** Matches mentions of forgetting that are no request: “don't forget”, “I'd rather forget”, “she told me to forget”, 我又忘了. */
const NO_REQUEST = new RegExp(
  [
    String.raw`\b(?:do not|don['’]?t|never|can['’]?t|cannot|won['’]?t) (?:ever )?(?:let me |you )?(?:forget\b|mention it\b)`,
    String.raw`\b(?:i|we|he|she|they)(?:['’](?:d|ll|ve|m))?(?: (?:would|will|want to|wanna|need to|have|had|am|keep|kept|always|often|never|totally|just|almost|nearly|rather|like to|love to|tend to|try to|trying to))* (?:forg[eo]t(?:ten|ting)?|scratch|lost?|losing|dropped)\b`,
    String.raw`\b(?:told|asks?|asked|tells?|wants?|wanted|says?|said) (?:me|us) (?:to |should )?(?:just )?(?:forget|drop|delete|erase)\b[^,.;!?]*`,
    String.raw`\b(?:did|have|had|should|shall) (?:i|we|he|she|they) (?:\w+ ){0,4}?(?:forg[eo]t|delet|eras|remov|drop|wip|los)\p{L}*`,
    String.raw`\bhow (?:do|can|could|would|should|to) [^.!?]*`,
    String.raw`(?<!\p{L})(?<!(?:ich|yo|je|eu) )(?:sagte?|meinte?|schreibt|schrieb|rät|riet|dice|dijo|dit|disse|diz)(?: mir| uns)?\s*[,:]\s*[^.!?]*`,
    String.raw`^[^.!?]*(?<!\p{L})(?:un jour|alguna vez|alg[uú]n d[ií]a|jam[aá]i?s|algum dia|alguma vez|jemals|du deine?n? (?:bruder|schwester|mutter|vater|freundi?n?|sohn|tochter)|(?<=\bdu .*)je|could you ever)(?!\p{L})[^.!?]*\?`,
    String.raw`(?:olvidar|oublier|esquecer)(?: a)? (?:(?:un[ae]?|uma?|algo|alguien|algu[eé]m|quelqu['’]une?)|(?:tus?|ton|ta|tes|tua|teu) (?:herman|amig|m[aã]e|madre|padre|pa[ip]|hij|fr[eè]re|s(?:œ|oe)ur|m[eè]re|p[eè]re|fils|fille|irm[aã]|filh)\p{L}*)(?!\p{L})`,
    String.raw`^\W*(?:das )?kannst du vergessen(?=\s*[,.!])(?!, (?:dass|was|wo|wie))`,
    String.raw`\bvergiss (?:\p{L}+ ){0,2}nicht|\bnicht (?:zu )?vergessen`,
    '我们?(?:应该|应当|该|是不是|要不要|能不能|可以)[^，。！？你]{0,4}忘[^，。！？]*[吗呢么]|忘了(?:算|就|的话|怎么|没有?关系)|忘[了记](?:[跟和向][你您])?(?:[说讲提]|告诉[你您])[了过]?(?=[，,：:。！!\\s]|$)|(?<![帮给替请让把])我(?:们|已经|刚刚?|都|也|昨[天晚]|今[天早])*把[^，。！？]*(?:[删抹清擦]|去掉|拿掉|划掉)了?(?!吧)[^，。！？]*|怎么(?:样|才)?[^，。！？]{0,4}(?:[删忘清抹].|去掉)[^，。！？]*|你(?:是不是|又|都|已经|竟然)*忘[了记][^，。！？]*(?<!好|行|可以)[吗没么]|(?:别|不要|不能|千万别|没|沒)忘|别提(?:多|了)|忘不了|(?<=^|[，。！？\\s])(?:真的?|好|很|多|只|太|特别)*想要?忘(?:了|掉|记)|(?<!给)我(?:真|好|很|又|都|也|总|总是|老|一直|差点|经常|已经|早就?|终于|彻底|完全|几乎|快)*(?:想|要|希望)?忘(?:了|掉|记)',
    String.raw`\b(?:drop|leave|close) the (?:subject|topic)\b[^,.;!?]*`,
    TOLD_BY_ANOTHER,
    '忘れ(?:ないで|ずに|られ|ちゃ|てしま|てた|た)|잊(?:지|었|고 싶|어버렸)',
  ].join('|'),
  'giu',
)

/** Matches a statement that another person forgot: 那家伙脾气坏，忘了我的名字. A request points to the person: 忘了他吧. */
const FORGOTTEN_BY_ANOTHER =
  /(?<=^|[。！？])\s*(?:[他她]|[那这](?:个|位)?(?:家伙|人)|我[妈爸哥弟姐妹]{1,2}|我(?:老板|老师|朋友|同事|老公|老婆))[^。！？]*，忘(?:了|掉|记)(?![^。！？]*(?:[他她这那吧事说话]|的[。！？]*$))[^。！？]*/u

/** Matches a report alone. With a verb of forgetting before it, it is the user's request: “forget her matter, she told me not to …”. */
const IS_REPORT = new RegExp(`^[^忘删抹清擦]*${TOLD_BY_ANOTHER}$`, 'u')

/** Reports whether a sentence states what another person forgot, or asked the speaker to forget. */
export function isOfAnother(sentence: string): boolean {
  return FORGOTTEN_BY_ANOTHER.test(sentence) || IS_REPORT.test(sentence.replace(/[\s。！？!?~～…]+$/u, ''))
}

/** Removes mentions of forgetting that are no request from a sentence. */
export function withoutNonRequests(sentence: string): string {
  return sentence.replace(NO_REQUEST, ' … ')
}

/** Returns the topic of a clause: the words that are left without `idle` ones, or an empty string. */
function matterOf(clause: string, ...idle: readonly RegExp[]): string {
  const rest = idle.reduce((text, words) => text.replace(words, ' · '), clause)
  if (findTerms(rest).length === 0) return ''
  return (
    rest
      .replace(/[«»"“”「」]/g, ' ')
      // German nouns have capitals like names: “Jonas ist im Gefängnis” names no Jonas Gefängnis.
      .replace(/(?<=\p{Lu}\p{L}*)[\s·]*·[\s·]*(?=\p{Lu})/gu, ' … ')
      .replace(/[\s·]+/g, ' ')
      .trim()
  )
}

/** Matches the comma before a German clause that goes on with the request. */
const GOES_ON =
  /,\s+(?=(?:dass|daß|was|wo|wie|wenn)\b|(?:streichen|l[oö]schen|vergessen|entfernen)\W*$)|(?<=\b(?:nett|lieb|freundlich|gut|sein|dich|sie|bitten|m[oö]glich)),\s+(?=[^,]*\bzu \p{L}+\W*$)|,(?=\s+(?:por favor|bitte|please|s['’]il (?:te|vous) pla[iî]t),)|(?<=\b(?:por favor|bitte|please|pla[iî]t)),(?=\s+\p{L}+(?:ar|er|re|en)\b)/giu

/** Nouns for texts and files: “CV”, “spreadsheet”. */
const WORK_TEXTS =
  'cv|resume|e-?mail|letter|essay|draft|paragraph|sentence|code|file|document|photo|picture|recipe|poem|speech|slide|spreadsheet|table'
/** Matches work on a text or a file, and a question how to remove: “take it out of my cv”, 把这段话里的…删了. */
const ON_A_TEXT = pattern(
  'iu',
  String.raw`\b(?:from|in|of) (?:my|the|this|that|our) (?:\p{L}+ )?(?:${WORK_TEXTS})s?\b`,
  /\b(?:the )?(?:first|second|third|last|next|whole) (?:paragraph|sentence|line|word|slide|verse|page)s?\b/u,
  /(?:[这那]一?[段篇封张首]|邮件|文章|作文|简历|照片|代码|表格|稿子|文档|句子)[^，。]{0,4}[里中]|(?:有没有|怎么[做办弄删去])[？?。]?$/u,
  /(?<!\p{L})(?:Absatz|Satz|Abschnitt|frase|párrafo|parágrafo|phrase|paragraphe)(?!\p{L})/u,
)

/**
 * Finds a request to forget by its verb alone, in any language of `asking-words.ts`. The caller looks for its topic in the memories.
 *
 * @param before the preceding sentence, for “…, get rid of it”
 */
export function readPlainRequest(said: string, before = ''): PlainRequest | null {
  if (ON_A_TEXT.test(said) || isOfAnother(said)) return null
  const sentence = withoutNonRequests(said).replace(GOES_ON, ' ')
  const clauses = [before, sentence]
    .flatMap((part) => part.split(CLAUSE))
    .filter((part) => /\p{L}/u.test(part))
  for (const asking of ASKING) {
    const isRecalled = new RegExp(asking.recalls.source, 'iu').test(sentence)
    const isAddressed = asking.addresses !== undefined && said.search(asking.addresses) >= 0
    // A verb such as “take out” also moves things, so it must be about memory or be said to the assistant.
    const movesFromMemory = (clause: string): boolean =>
      asking.moves?.test(clause) === true &&
      (isRecalled ||
        asking.matters?.test(clause) === true ||
        (isAddressed && asking.discards?.test(clause) === true))
    const isRequest = (clause: string): boolean =>
      asking.forgets.test(clause) ||
      ((asking.removes.test(clause) || movesFromMemory(clause)) && !KEEPS.test(clause))
    const requests = [...clauses.keys()].filter((index) => isRequest(clauses[index] ?? ''))
    const lastWithTopic = requests.findLast((index) => matterOf(clauses[index] ?? '', asking.idle) !== '')
    const index = lastWithTopic ?? requests.at(-1) ?? -1
    const clause = clauses[index] ?? ''
    if (index < 0 || !sentence.includes(clause) || DISMISSES.test(clause)) continue
    return readMatter(asking, clauses, index)
  }
  return null
}

/** Words of descriptions of one's last words: “the last thing I told you a minute ago”. */
const WORDS_OF_LAST = new Set(
  `the that my very last latest previous preceding most recent thing things bit part message sentence remark comment statement
  words i have just said told you to mentioned wrote sent typed what a minute moment second ago about now in please it`.split(
    /\s+/,
  ),
)
const LAST_WORDS =
  /\b(?:last|latest|previous|preceding|most recent) (?:thing|bit|part|message|sentence|remark|comment|statement)s?\b|\b(?:said|told you|wrote) (?:just now|(?:a|one) (?:minute|moment|second) ago)\b/iu
const LAST_WORDS_ZH =
  /^我?的?(?:刚才|刚刚|刚|方才|上面|前面|最后|上|前)[那这一的句条段件些个说讲写发提到告诉你跟和对话消息内容事情过了都也全下来]*$/u

/** Reports whether a topic is the speaker's last words, as in “my last message”, and so the preceding statement. */
export function meansLastWords(about: string, said: string): boolean {
  const words = about.toLowerCase().match(/[\p{L}'’]+/gu) ?? []
  const isEnglish = words.every((word) => WORDS_OF_LAST.has(word)) && LAST_WORDS.test(said)
  return (
    isEnglish || (LAST_WORDS_ZH.test(about.replaceAll(/\s/g, '')) && /[说讲写发提诉句条段话息]/u.test(said))
  )
}

/** Returns the terms of the clauses that ask to keep something: “keep Rupert, but forget my other brother”. */
export function findKeptTerms(said: string): ReadonlySet<string> {
  const clauses = said
    .split(CLAUSE)
    .filter((clause) => KEEPS.test(clause) && !ASKING.some(({ forgets }) => forgets.test(clause)))
  return new Set(clauses.flatMap((clause) => findTerms(clause.replace(KEEPS, ' '))))
}

/** Matches a clause that may only cancel a plan: “forget the bike”. */
const DROPS = /^\W*forget (?!.*\b(?:please|pl[sz]|my|how|thing|stuff|business)\b)/iu
/** Matches “leave the bit about Rome out of it”, which may be about a speech or a letter. */
const LEAVES_OUT = /\bleave (?!what|everything|anything)/iu
/** Matches a sentence of a verb and a definite topic: “forget the divorce”, 把离婚的事删了. */
const DEFINITE =
  /^\W*(?:forget(?: about)?|delete|erase|remove) (?:the|my|our|that) \p{L}|^(?:请|麻烦)?把\p{Script=Han}+(?:删|抹|清除)[了掉]?[吧]?\W*$|^(?:请|麻烦)?(?:删|抹|清除)[了掉]\p{Script=Han}+\W*$/iu
/** Matches a request that only postpones something: “forget it for now”. */
const FOR_NOW = /\bfor (?:now|today|tonight|the moment)\b|先忘/iu
/** Matches a new plan instead of the cancelled one, or a question: 忘掉火车吧，我坐飞机去, “what were you saying?”. */
const PLANS =
  /^\s*(?:we|i)(?:['’]?(?:re|m|ll)| are| am| will)? (?:going|taking|having|doing|getting|off)\b|\binstead\b|^\s*(?:what|who|where|when|why|how) (?:is|are|was|were|do|does|did|about)\b|^\s*(?:lass(?:t)? uns|(?:reden|gehen|fahren|machen|nehmen) wir|wir (?:gehen|fahren|machen|nehmen))\b|^\s*(?:那|还是)?(?:我们?|咱们?)(?!的)[^，。]{0,3}?(?:去|坐|用|买|换|改|选|吃|走|骑|打车|开始)|^\s*(?:今[天晚]|明[天晚]|现在|周末)(?![^，。]*[不别没])/u

/** Matches a clause that asks to remove what was just said: “bin it”, 别留着. */
const POINTS =
  /\b(?:it|that|this|them|those)\b|^\s*(?:(?:[你您请就那]|麻烦|帮我|给我|还是)*别留着?|(?:[你您请]|麻烦|帮我|给我)+就?(?:[删清抹擦去]了|[删清抹擦]掉)|(?:还是|[就那])*(?:[删清抹擦]了|[删清抹擦]掉)吧)[吧啊哈]?\s*$/iu

/** Reads the topic of a request from its own clause, or from the clauses around it. */
function readMatter(asking: Asking, clauses: readonly string[], index: number): PlainRequest | null {
  const { forgets, removes, recalls, idle, all, data } = asking
  const clause = clauses[index] ?? ''
  const after = clauses.slice(index + 1)
  const isPlan = after.some((next) => PLANS.test(next))
  if (isPlan && (DROPS.test(clause) || !(forgets.test(clause) || removes.test(clause)))) return null
  const mentionsMemory = (text: string): boolean => new RegExp(recalls.source, 'iu').test(text)
  const isAll = all !== undefined && new RegExp(all.source, 'iu').test(clause)
  if (isAll && data !== undefined && matterOf(clause, data, idle) === '')
    return { about: null, isWide: true, isSure: false }
  const others = [...clauses.slice(0, index).toReversed(), ...after].filter((other) => !KEEPS.test(other))
  const about = [clause, ...others].map((part) => matterOf(part, idle)).find((topic) => topic !== '')
  const isSure =
    !LEAVES_OUT.test(clause) &&
    (mentionsMemory(`${clause} ${others[0] ?? ''}`) ||
      (forgets.test(clause) && !DROPS.test(clause) && !FOR_NOW.test(clause) && !isPlan))
  const isDirect = !isSure && !FOR_NOW.test(clause) && clauses.length === 1 && DEFINITE.test(clause)
  const verb = forgets.test(clause) ? 'forget' : 'remove'
  // For a language without words for everything, other rules read requests without a topic.
  if (about === undefined && (all === undefined || !mentionsMemory(clause)))
    return POINTS.test(clause) ? { about: null, isWide: false, isSure: false } : null
  return { about: about ?? null, isWide: false, isSure, ...(isDirect ? { verb } : {}) }
}

/** English terms by their translations, for frequent topics in the languages of `asking-words.ts`. Each group begins with English. */
const CONCEPTS = new Map(
  `brother hermano bruder frere irmao, sister hermana schwester soeur irma, mother madre mama mutter maman mere mae,
  father padre papa vater pere pai, son hijo sohn fils filho, daughter hija tochter fille filha, wife esposa mujer frau femme mulher,
  husband marido mann mari, friend amigo amiga freund freundin ami amie, dog perro hund chien cachorro, cat gato katze,
  live vivo vive wohne wohnt habite moro mora, work trabajo arbeit arbeite travail travaille trabalho, name nombre nom nome,
  birthday cumpleanos geburtstag anniversaire aniversario, address direccion adresse endereco, allergy alergia allergie`
    .split(',')
    .flatMap((entry) => {
      const [concept = '', ...words] = entry
        .trim()
        .split(/\s+/)
        .map((word) => findTerms(word)[0] ?? word)
      return words.map((word) => [word, concept] as const)
    }),
)
