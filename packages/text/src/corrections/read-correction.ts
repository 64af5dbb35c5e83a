// Reads sentences in which speakers correct their own earlier words: “I meant Lisbon, not Porto”.
import { either, pattern } from '../pattern.ts'

/** A speaker's correction of their own words. */
export interface Correction {
  /** The right words, or `null` if the speaker only says that something was wrong: “No, Rufus was the old one.” */
  readonly right: string | null
  /** The wrong words, if the speaker repeats them: “not Porto”. */
  readonly wrong: string | null
  /** Whether the words can only correct: “typo”, “I meant”, 打错了. “Sorry” and 等等 may mean something else. */
  readonly isExplicit: boolean
  /** Whether only the two values mark the correction: “not Bonn, Köln”. Then it corrects only a value of the same kind. */
  readonly isBare: boolean
  /** The words before the right value: “I work in”. `null` if the sentence goes on about something else. */
  readonly frame: string | null
  /** Whether the correction directly follows the statement that it corrects: “I'm 38, no, 39”. */
  readonly isWithin: boolean
  /** The speaker's words before the correction in the same turn. */
  readonly before: string
  /** The index of the sentence with the right words. */
  readonly place: number
}

/** The patterns of a language for corrections. They match a part of a sentence: the words between its commas, dashes and colons. */
interface Markers {
  /** Matches the marks between the parts of a sentence. */
  readonly between: RegExp
  /** Matches words at the beginning of a part that can only correct. */
  readonly explicit: RegExp
  /** Matches words at the beginning of a part that may correct or mean something else. */
  readonly vague: RegExp
  /** Matches vague words at the end of a part: “Marie I mean”, 是小语才对. */
  readonly trailing: RegExp
  /** Matches words without content at the beginning of a part. */
  readonly filler: RegExp
  /** Matches words before the right value: “it's”, “he lives in”, 是. */
  readonly copula: RegExp
  /** Matches a noun and a verb before the right value: “the hamster's name is”, 乌龟叫. Used if the correction is certain. */
  readonly subject: RegExp
  /** Match a part with both values: “Lisbon not Porto”, 不是苏州是常州. */
  readonly pairs: readonly RegExp[]
  /** Matches a part with the wrong value alone: “not Porto”, “I said Porto”. */
  readonly not: RegExp
  /** Matches a part that says what a wrong value really is: “Rufus was the old one”. */
  readonly disowns: RegExp
  /** Matches a question that repeats the wrong value: “Did I say Porto?”. */
  readonly asked: RegExp
  /** Matches parts that may follow the value: “with one n”. */
  readonly remark: RegExp
  /** Matches words that no value contains. */
  readonly noValue: RegExp
}

/** A sentence, or a part of one that corrects its beginning. */
type Piece = Readonly<{ text: string; place: number; isWithin: boolean }>

/**
 * Reads a speaker's correction of their own words: “I meant Lisbon, not Porto”, “typo: 1520”, “sorry, Tuesday”, 打错了，是常州.
 * {@link findCorrected} finds the corrected words, if there are any.
 *
 * @param sentences a turn's own sentences, in simplified characters
 * @returns `null` if nothing is corrected
 * @example
 * readCorrection(['Oops, I meant Lisbon, not Porto.']) // { right: 'Lisbon', wrong: 'Porto', isExplicit: true, … }
 */
export function readCorrection(sentences: readonly string[]): Correction | null {
  const pieces = piecesOf(sentences)
  let parts = new Parts()
  let first = 0
  let disowned: Correction | null = null
  for (const [index, piece] of pieces.entries()) {
    const read = parts.read(piece)
    const { text = '', isWithin = false } = pieces[first] ?? {}
    const before = pieces.slice(0, first).map((earlier) => earlier.text)
    const isNext = NAMES_RIGHT.test(text) && OPENS.test(before.at(-1) ?? '')
    const isSure = isWithin || isNext || FOLLOWS.test(text)
    const heard =
      read === null ? null : { ...read, isWithin: isSure, before: before.join(' '), place: piece.place }
    // Later in a turn, words that may mean something else correct nothing.
    if (heard !== null && heard.right !== null && (first === 0 || heard.isExplicit || isSure)) return heard
    if (parts.isDisowned && (heard?.isExplicit === true || isSure)) disowned ??= heard
    if (heard === null || heard.right !== null) {
      parts = new Parts()
      first = index + 1
    }
  }
  return disowned
}

type ReadParts = Omit<Correction, 'isWithin' | 'before' | 'place'>

/** Reads sentences one by one. A sentence with only markers, or only the wrong words, is continued by the next sentence. */
class Parts {
  #isExplicit = false
  #isVague = false
  #wrong: string | null = null
  #frame: string | null = ''
  /** Whether the speaker says that the wrong words are something else: “Rufus was the old one”. */
  isDisowned = false

  /** Reads a sentence. Returns `null` if it corrects nothing. */
  read({ text: said, isWithin }: Piece): ReadParts | null {
    const text = said.replace(LAUGH, '')
    const starred = STAR.exec(text)
    const value = starred?.[1] ?? starred?.[2]
    if (value !== undefined && !/\p{P}\s/u.test(value))
      return { right: tidy(value), wrong: null, isExplicit: true, isBare: false, frame: '' }
    const markers = HAN.test(text) ? CHINESE : ENGLISH
    this.#isVague ||= isWithin || DAY_ALONE.test(text)
    const wrong = markers.asked.exec(text.trim())?.groups?.['wrong']
    if (wrong !== undefined) {
      this.#isVague = true
      return this.#heard(null, (this.#wrong = wrong))
    }
    if (/[?？]\s*$/u.test(text) || INSISTS.test(text) || text.length > LONGEST_SENTENCE) return null
    const mayGoOn = isWithin || this.#wrong !== null || FOLLOWS.test(text)
    return this.#readParts(text.replaceAll(QUOTES, '').split(markers.between), markers, mayGoOn)
  }

  #heard(right: string | null, wrong: string | null): ReadParts {
    const isExplicit = this.#isExplicit
    return {
      right,
      wrong: wrong === null ? null : tidy(wrong.replace(CLEFT, '')),
      isExplicit,
      isBare: !isExplicit && !this.#isVague,
      frame: this.#frame,
    }
  }

  /** @param mayGoOn whether other words may follow the right value */
  #readParts(parts: readonly string[], markers: Markers, mayGoOn: boolean): ReadParts | null {
    let right: string | null = null
    this.#isExplicit ||= parts.some((part) => markers.explicit.test(part))
    for (const part of parts) {
      const words = this.#withoutMarkers(part, markers)
      if (words === '') continue
      const pair = markers.pairs
        .map((pair) => pair.exec(words)?.groups)
        .find((pair) => this.#valueOf(pair?.['right'] ?? '', markers) !== null)
      const not = (
        markers.not.exec(words) ??
        (mayGoOn || this.#isExplicit || this.#isVague ? markers.disowns.exec(words) : null)
      )?.groups?.['wrong']
      if (right !== null) {
        if (not === undefined && this.#frame === '' && !markers.remark.test(words)) this.#frame = null
        this.#wrong ??= markers.remark.test(words) ? null : (not ?? null)
        if (this.#wrong === null && !this.#isExplicit && !mayGoOn && !markers.remark.test(words)) return null
      } else if (pair !== undefined) {
        this.#wrong = pair['wrong'] ?? null
        right = this.#valueOf(pair['right'] ?? '', markers)
      } else if (not !== undefined) {
        this.isDisowned ||= !markers.not.test(words)
        this.#wrong = not
      } else {
        right = this.#valueOf(words, markers)
        if (right === null && this.#wrong === null) return null
      }
    }
    return this.#isExplicit || this.#isVague || this.#wrong !== null ? this.#heard(right, this.#wrong) : null
  }

  /** Returns the value without the words around it, or `null` if the words cannot be a value. */
  #valueOf(words: string, { copula, subject, noValue }: Markers): string | null {
    const said = words.trim().replace(SPELLED, '')
    const isCertain = this.isDisowned ? OWN.test(said) : this.#isExplicit || this.#wrong !== null
    const frame = copula.test(said) || !isCertain ? copula : subject
    const bare = said.replace(frame, '')
    if (this.isDisowned && bare === said) return null
    const value = tidy(bare === said && !/^\d/u.test(bare) ? bare : bare.replace(CLEFT, ''))
    const isTooLong = value.length > LONGEST_VALUE[HAN.test(value) ? 'han' : 'other']
    if (value === '' || isTooLong || noValue.test(value)) return null
    this.#frame = said.slice(0, said.length - bare.length).trim()
    return value
  }

  #withoutMarkers(part: string, { explicit, vague, trailing, filler }: Markers): string {
    let words = part.trim()
    for (;;) {
      const isExplicit = explicit.test(words)
      const marker = (explicit.exec(words) ?? vague.exec(words))?.[0]
      const skipped = marker ?? filler.exec(words)?.[0]
      if (skipped === undefined || skipped === '') break
      if (marker !== undefined && isExplicit) this.#isExplicit = true
      else if (marker !== undefined) this.#isVague = true
      words = words.slice(skipped.length).trim()
    }
    const [tail] = trailing.exec(words) ?? []
    if (tail !== undefined && /meant|才对/iu.test(tail)) this.#isExplicit = true
    else if (tail !== undefined) this.#isVague = true
    return words.replace(trailing, '')
  }
}

function tidy(value: string): string {
  return value
    .replaceAll(QUOTES, '')
    .replace(/(?<=[\p{Script=Han}\d])了$/u, '')
    .trim()
}

/** Joins a value and the next sentence that denies another: “21! not 12.”. */
function joinNext(sentence: string, place: number, all: readonly string[]): string {
  const next = all[place + 1] ?? ''
  return /^[\p{L}\p{N}' -]{1,25}!+$/u.test(sentence.trim()) && /^not\s/iu.test(next)
    ? sentence.trim().replace(/!+$/u, `, ${next}`)
    : sentence
}

/** Splits sentences before the words that correct their beginning: “I was born in Ghent, | sorry, I mean Bruges”. */
function piecesOf(sentences: readonly string[]): Piece[] {
  return sentences.map(joinNext).flatMap((sentence, place) =>
    (OPENS.test(sentence) ? sentence.split(WITHIN) : [sentence]).map((text, index) => {
      return { text, place, isWithin: index > 0 }
    }),
  )
}

const ENGLISH_SAID = String.raw`you (?:keep|kept) (?:saying|writing|calling (?:him|her|it|me))|i (?:just |only |earlier )?(?:said|wrote|typed|put|told you|did(?:n['’]t| not) mean|should(?:n['’]t| not) have (?:said|written|typed))(?: that| it was| it is)?`
const PREPOSITION = '(?:in|at|for|from|on|as)'
const ENGLISH_IS = String.raw`(?:['’](?:s|m|re|ve)|['’]?d been| is| was| am| are| were| has| have| should(?:['’]ve| have)? (?:be|been|say|read|said))(?: actually| really| now)?(?: called| named| spelled| spelt| born)?(?: ${PREPOSITION})?\s+|(?: (?:take|teach|study|studie|play|drive|speak)(?:e?s)?| \p{L}+ ${PREPOSITION})\s+`

/** Words that can only correct: “typo”, “I meant”, “make that”. */
const EXPLICIT_ENGLISH = either(
  /(?:that(?:['’]s| is| was) )?(?:an? )?typo|correction(?: to what i said(?: earlier| before)?)?/u,
  /i (?:actually )?meant(?: to (?:say|write|type|put))?|meant(?: to (?:say|write|type|put))?/u,
  /i (?:wanted|was trying) to (?:say|write|type|put)|i should have (?:said|written|put)/u,
  /(?:that|it|this) should(?:['’]ve| have) (?:been|said|read)|i mis(?:typed|spoke|spelled|spelt|said)(?: (?:it|that|myself))?/u,
  /(?:his|her|its|my|the) (?:\p{L}+(?:['’]s)? )?name(?: is|['’]s) (?:actually |really )?spel(?:led|t)|auto-?correct(?:ed)?|make that/u,
  /(?:scratch|strike) that(?! from\b)|i (?:wrote|typed|spelled|spelt|said|got|put) (?:it|that|this) (?:wrong(?:ly)?|incorrectly)/u,
  /(?:i )?(?:always )?(?:mix(?:ed)?|got|swap(?:ped)?|confused?) (?:it|that|those|them|the \p{L}+) (?:mixed )?(?:up|wrong)|(?:i )?mixed up the \p{L}+/u,
  /wrong (?:word|name|number|day|date|key|digit)s?|(?:fat fingers?|slip of the (?:tongue|finger))/u,
)
/** Words that may correct: “sorry”, “wait”, “I mean”. */
const VAGUE_ENGLISH = either(
  /sorry|i['’]?m sorry|apologies|pardon|oops|whoops|oopsie|wait|hang on|hold on|my (?:bad|mistake|fault)|i mean|or rather|rather/u,
  /actually(?=,? (?:(?:it|that|he|she)['’]s|(?:it|that) is|(?:his|her|its|my|our|the) (?:\p{L}+(?:['’]s)? )?name) )/u,
  /(?:it|that|he|she)['’]?s actually(?= )|edit(?=\s*$)/u,
)
/** Owners of a denied value: “one”, “sister's”, “old flat”. */
const OTHER_OWNERS = either(
  /one|\p{L}+['’]s|\p{L}+s['’]|(?:childhood |old |first |previous |former |last |late )\p{L}+|cousin|friend/u,
  /neighbou?r|colleague|uncle|aunt|nephew|niece|brother|sister|mother|father|dad|mum|mom|boss/u,
)
/** First words that are no name: “my”, “that”, “she”. */
const NO_NAMES = '[Mm]y|[Oo]ur|[Tt]h(?:is|at|e)|[Ii]t|[Ss]?[Hh]e'
const ENGLISH: Markers = {
  between:
    /\s*(?:[,;—–!]|(?<!\d):|:(?!\d)|\s-\s|\.{2,}|\.\s+(?=\p{Ll})|…)\s*|\s+but\s+(?=(?:it|that|he|she|they|[iI])\b)/u,
  explicit: new RegExp(
    String.raw`^(?:${EXPLICIT_ENGLISH})(?: the other day| earlier| before| yesterday| last time)?(?![\p{L}'’])`,
    'iu',
  ),
  vague: new RegExp(String.raw`^(?:${VAGUE_ENGLISH})(?![\p{L}'’])`, 'iu'),
  trailing:
    /\s+(?:i meant?|sorry|my bad)(?: lol| haha+)?$|(?<=^(?:no )?(?:it|that|he|she|they)(?:['’]?s|['’]re| is| are)\s.*)\s*\bactually$/iu,
  filler:
    /^(?:ah|oh|er+|erm+|u[mh]+|argh|ugh|gah|damn|yikes|haha|lol|actually|well|no|nope|and|so|but|or)(?![\p{L}'’])/iu,
  copula: new RegExp(
    String.raw`^(?:(?:it|that|this|he|she|they|i|we|mine|ours|(?:this|the \p{L}+) one|(?:the (?:right|correct)|his|her|its|my|the) (?:one|name|number|address|date|day|word))(?:${ENGLISH_IS})|should (?:be|have been|say|read)\s+|its\s+)(?:actually )?`,
    'iu',
  ),
  subject: new RegExp(
    String.raw`^(?:(?:my|our|his|her|its|their|the)\s)?(?:\p{L}+(?:['’]s)?\s){0,2}?\p{L}+(?:${ENGLISH_IS})(?!name\b)`,
    'iu',
  ),
  pairs: [
    /^(?<right>.+?)\s+(?:and |but )?not\s+(?<wrong>.+)$/iu,
    /^(?<right>.+?)\s+(?:instead of|rather than)\s+(?<wrong>.+)$/iu,
    /^not\s+(?<wrong>.+?)\s+but\s+(?<right>.+)$/iu,
  ],
  not: new RegExp(`^(?:(?:and |but )?(?:it['’]?s |it is )?not|${ENGLISH_SAID})\\s+(?<wrong>.+)$`, 'iu'),
  disowns: new RegExp(
    String.raw`^(?!(?:${NO_NAMES})\b)(?<wrong>\p{L}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?)(?:['’]s| is| was) (?:my|our|his|her|their|the) (?!best|only)(?:\p{L}+['’]?s? )?(?:${OTHER_OWNERS})$`,
    'u',
  ),
  asked:
    /^(?:(?:wait|sorry|oh|hm+)[,\s]+)*(?:did i (?:say|write|type)|(?:do )?you (?:have|had|wrote|said|put)(?: (?:me|it|that|him|her))?(?: down)?(?: (?:as|in|at|for))?) (?<wrong>[^?]{1,30})\?$/iu,
  remark:
    /^(?:with|without|just (?:had|turned)|no \p{L}{1,2}(?: at| in|$)|spelled|spelt|as in|like|mixed|got|of course|obviously|please|thanks|that is)(?!\p{L})/iu,
  noValue:
    /(?:^|\s)(?:i|you|your|my|our|we|us|me|he|she|they|to|that|this|it|its|what|who|why|how|when|because|if|so|very|about|of course|is|are|was|were|did|does|do|said|good|fine|ok|okay|nothing|something|everything|please|thanks|later|again|back|there|here)(?:['’]\p{L}+)?(?:\s|$)/iu,
}

const CHINESE_ERROR = '(?:打|写|说|记|输|搞|弄|讲|看|拼)'
const CHINESE_LEAD =
  '(?:我|刚才|刚刚|刚|上面|前面|上次|之前|昨天|那天|哎呀|啊|呃|抱歉|不好意思|对不起|是|好像)*'

const CHINESE: Markers = {
  between: /\s*(?:[，,；;：—–！!…。\s]|(?<!\d):|:(?!\d))+\s*/u,
  explicit: new RegExp(
    `^${CHINESE_LEAD}(?:${CHINESE_ERROR}(?:错|混|顺嘴)(?:了?字了?|了)?|口误|笔误|手滑了?|改一下|更正(?:一下)?|纠正(?:一下)?|改正(?:一下)?)(?=$|是|叫|应该|不是)|^${CHINESE_LEAD}(?:想说的?|要说的?|指的|的意思)是`,
    'u',
  ),
  vague: new RegExp(
    `^(?:(?:不对)+|好吧(?=\\d)|等等|等一?下|不好意思|抱歉|对不起|错了|不是(?=$)|我(?:刚才|刚刚|刚)?是说|(?:应该|应)(?:是|叫|为)(?=.+)|其实是|是(?=\\p{Script=Han}{2,6}$))(?:啊|哦|了)?`,
    'u',
  ),
  trailing: /(?<=.)(?:才对|打错了?|说错了?)$/u,
  filler: /^(?:啊|哦|噢|呃|嗯|哎呀|哎|诶|不|那个|其实)+(?=$|[^对是])/u,
  copula:
    /^(?:[他她它](?=[\d一二三四五六七八九十]+岁)|(?:[他她它]|我的|我们?|现在|这[只个条位])*(?:应该是|应该叫|应为|是在|是|叫做?|姓|为|住在?|在|[教学练](?:的[是叫])?))/u,
  subject:
    /^(?:我的?)?\p{Script=Han}{1,3}?(?:[的]?(?:名字|生日))?(?:应该是|是在|是|叫做?|住在?)(?=\p{Script=Han}|\d)/u,
  pairs: [
    /^(?:是|应该是)?(?<right>[^不]+?)而?不是(?<wrong>.+)$/u,
    /^(?:[^不，]{0,4})不是(?<wrong>[^是]+?)(?:而是|是)(?<right>.+)$/u,
  ],
  not: new RegExp(
    `^(?:[^不，]{0,4}?而?不(?:是|叫|在(?![^，]*了))|(?:我|上次|之前|刚才|刚刚|昨天|前面)*(?<!不)(?:说|写|打)(?:的是|过|成|是|我)+|(?:你们?(?:一直|老是|总是|老|总)+|别再)(?:说|写|打|叫)(?:的是|成|是)?)(?<wrong>.+)$`,
    'u',
  ),
  disowns:
    /^(?<wrong>[\p{L}]{1,6}?)(?:才?是)(?:我?(?:以前|之前|原来|妹|姐|哥|弟|妈|爸|朋友|邻居|同事|表|堂|亲戚|另)\S{0,6}|\S{0,4}的(?:猫|狗|那个)|以前\S{0,4})$/u,
  asked:
    /^(?:我|上次|之前|刚才|刚刚|昨天|前面)*(?:是不是)?(?:说|写|打)(?:的是|过|成|是|我)*(?<wrong>[^？?]{1,14})[吗么]?[？?]$/u,
  remark:
    /^(?:谢谢|哈哈|手滑|抱歉|不好意思|对不起|立早|弓长|木子|双木|耳东|口天|古月|言午|没有\p{Script=Han}字旁)|的\p{Script=Han}$/u,
  noValue:
    /[我你您他她它咱吗呢吧么谁什怎哪][^\d]?|先|可能|觉得|就是|这|那|没|会|要|挺|喜欢|[今明昨]天|好\p{Script=Han}|(?:上班|上学|读书|工作|打工|生活|长大|出生)$/u,
}

/** Maximum characters of a sentence that may correct, and of a value. */
const LONGEST_SENTENCE = 200
const LONGEST_VALUE = { han: 14, other: 40 }
const HAN = /\p{Script=Han}/u
/** Matches the correction of a typing error in chats: “*Mark”. “*waves*” is an action of role-play. */
const STAR = /^\s*(?:\*\s*([^*,]{1,40})(?:,[^*]*)?|([^*]{1,40}?)\s*\*)$/u
const QUOTES = /^["'“”‘’「『«]+|(?:["'“”‘’」』»*.。!！~～\s]|\p{Extended_Pictographic})+$/gu
/** Matches a remark on spelling after a value: “Ewa with a w”. */
const SPELLED = /\s+with(?:out)? (?:an?|one|two|double) \S{1,3}$/iu
/** Matches words after a value: “it's pistachios (that) I'm allergic to”, “39 since last week”. */
const CLEFT =
  /\s+(?:(?:that\s+|who\s+)?(?:i|we|he|she|they)(?:['’](?:m|re|s|ve)|m|ve)?\s.*|since\s.*|where\s.*|since .*|already|now|out of habit|by (?:mistake|accident)|of course)$/iu

/** Words that correct within a sentence: “I meant”, “scratch that”. */
const CORRECTS_WITHIN = 'i meant?|scratch that|make that|correction|or rather|hang on|no wait|wait no'
/** The first right word: a capital, a number, or the last word of its part. */
const RIGHT_WORD = String.raw`[\p{Lu}\d][^\s,.]*|\p{Ll}+(?=$|[,.!]|\s(?:since|now)\b)`
/**
 * Matches the mark before which a sentence is cut, since it corrects itself after it: “…, sorry, I mean”, “…, no, Aldi,”, …，不对，是.
 * A value that is only denied at the end corrects nothing: …，不是苏州.
 */
const WITHIN = pattern(
  'giu',
  String.raw`(?:[,;—–…]|\.{1,3}(?=\s))\s*(?=(?:(?:oh|er+|erm+|u[mh]+|ah|no|or|sorry|wait|oops)[,.…\s]+)*(?:${CORRECTS_WITHIN})\b(?! (?:to|that|it|you|if|when|how|who|what)\b)[,:\s])`,
  String.raw`(?:[,;—–…]|\.{2,3})\s*(?=(?:(?:er+|erm+|u[mh]+|well|actually|no|or|sorry|wait|oops)[,.…\s]+)+(?:${RIGHT_WORD})(?:\s[\p{Lu}\d][^\s,.]*)*(?:$|[,.!;]|\s(?:since|now)\b))`,
  /[，,；…]\s*(?=[哦噢啊呃]?(?:不[对對]|不是(?![^，,。！!是]{1,10}[。！!]*$)|[打写說说寫]错了?|[打寫說]錯了?|口误|更正|我是[说說])[，,：:]?\s*(?:[应應][该該])?[是叫\d\p{Script=Han}])/u,
  /[，,；…]\s*(?=[哦噢啊呃诶]+[，,]?不?[，,]?\s*\p{Script=Han}{1,5}(?:$|[，,。！]))/u,
)
/** Matches the beginning of a sentence that states something itself: “I was born …”, 我儿子…. */
const OPENS =
  /^\W*(?:(?:and|but|so|well|yes|yeah|ok)\W+)?(?:i|im|ive|we|my|our|he|she|they|his|her|their|the)\b|^[^，。]{0,2}[我他她它咱](?!(?:刚才|刚刚|刚|想|要)*(?:是?说|[打写说记搞]错|的意思))/iu
/** Matches words that correct the sentence before: “sorry, I mean Bruges”, “No, …”, “Not Hilton.”, 不对，是舟山. */
const FOLLOWS =
  /^(?:(?:oh|er|erm|um|uh|ah|no|sorry|wait|oops|hang on)[,.…\s]+)*(?:(?:no|nope|not)\b|(?<=\p{L}[,.…\s]+)i mean\b)|^i mean [\p{L}\d][^\s,]*(?:,|\W*$)|^(?!\p{L}+ly\b)[\p{L}\d-]+,? i mean(?: lol| haha+)?\W*$|^(?:啊|哦|呃)*(?:不[对對是]|好吧\d)/iu
/** Matches a name alone, right after a statement: “Sorry, Turin.” */
const NAMES_RIGHT = /^(?:[Ss]orry|[Oo]ops),? \p{Lu}[\p{L}'-]*\W*$/u
/** Matches laughter at the end: “I mean Aldi lol”. */
const LAUGH = /(?:[\s,，]+(?:lol|lmao|haha+|hehe+|xd)|[\s，,]*(?:哈哈+|嘻嘻|233+))+[\s\p{P}]*$/iu
/** Matches a day alone, which corrects the speaker's own words or answers a question: “no, Tuesday”. */
const DAY_ALONE =
  /^no,? (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)? \p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+ \d{1,2}(?:st|nd|rd|th)?)\W*$/iu
/** Matches the beginning of a statement about what the speaker has: “My brother is …”, 我的…. */
const OWN = /^(?:my|our)\b|^我/iu
/** Matches a speaker who repeats earlier words, which were right: “No, I said Thursday.”, 我说的是周四. */
const INSISTS = /^(?:no|nope|but)[,.\s]+i (?:said|told|wrote)\b|^不[是对对]?[，,]?我(?:刚才|之前)?说的?是/iu
