/** What a speaker puts right of their own words before. */
export interface Correction {
  readonly right: string
  /** What was said wrongly, where it is named: “not Porto”. */
  readonly wrong: string | null
  /** Whether the words can mean nothing else: “typo”, “I meant”, 打错了; not “sorry”, 等等. */
  readonly isExplicit: boolean
  /** Whether it names both values and nothing else marks it: “not Bonn, Köln”. It corrects only a value of the same kind. */
  readonly isBare: boolean
  /** The place of the sentence in which it begins, and of the one with the right words. */
  readonly begins: number
  readonly place: number
}

interface Markers {
  /** Parts of a sentence: words between its commas, dashes and colons. */
  readonly between: RegExp
  /** Words at the beginning of a part, by which it corrects. */
  readonly explicit: RegExp
  /** The same, of words that may mean something else. */
  readonly vague: RegExp
  /** Vague words at the end of a part: “Marie I mean”, 是小语才对. */
  readonly trailing: RegExp
  /** Words at the beginning of a part that say nothing. */
  readonly filler: RegExp
  /** Words before the right value: “it's”, 是. */
  readonly copula: RegExp
  /** Splits a part that names both: “Lisbon not Porto”, 不是苏州是常州. */
  readonly pairs: readonly RegExp[]
  /** A part that names the wrong value alone. */
  readonly not: RegExp
  /** Parts that may follow the value: “with one n”. */
  readonly beside: RegExp
  /** Words that no value has. */
  readonly noValue: RegExp
  /** Maximum characters of a value. */
  readonly longest: number
}

const ENGLISH: Markers = {
  between: /\s*(?:[,;—–!]|(?<!\d):|:(?!\d)|\s-\s|\.{2,}|\.\s+(?=\p{Ll})|…)\s*/u,
  explicit:
    /^(?:(?:that(?:['’]s| is| was) )?(?:an? )?typo|correction|i (?:actually )?meant(?: to (?:say|write|type|put))?|i (?:wanted|was trying) to (?:say|write|type|put)|i should have (?:said|written|put)|i mis(?:typed|spoke|spelled|spelt|said)(?: (?:it|that|myself))?|auto-?correct(?:ed)?|make that|(?:scratch|strike) that(?! from\b)|i (?:wrote|typed|spelled|spelt|said|got|put) (?:it|that|this) (?:wrong(?:ly)?|incorrectly)|(?:i )?(?:mixed|got) (?:it|that|them|the \p{L}+|up the \p{L}+) ?(?:mixed )?(?:up|wrong)?|wrong (?:word|name|number|day|date|key|digit)s?|(?:fat fingers?|slip of the (?:tongue|finger)))(?![\p{L}'’])/iu,
  vague:
    /^(?:sorry|i['’]?m sorry|apologies|pardon|oops|whoops|oopsie|wait|hang on|hold on|my (?:bad|mistake|fault)|i mean|did i (?:say|write|type) [^?]{1,30}|actually(?=,? (?:it|that|he|she)['’]?s )|(?:it|that|he|she)['’]?s actually(?= ))(?![\p{L}'’])/iu,
  trailing:
    /\s+(?:i meant?|sorry|my bad)(?: lol| haha+)?$|(?<=^(?:no )?(?:it|that|he|she|they)(?:['’]?s|['’]re| is| are)\s.*)\s*\bactually$/iu,
  filler:
    /^(?:ah|oh|er|erm|um|uh|argh|ugh|gah|damn|yikes|haha|lol|actually|no|nope|and|so|but)(?![\p{L}'’])/iu,
  copula:
    /^(?:(?:it|that|this|he|she|they|i)(?:['’]?(?:s|m|re)| is| was| am| are| should (?:be|have been|say|read))|(?:it|that|this) should(?:['’]ve| have) (?:been|said)|should (?:be|have been|say|read)|(?:(?:the (?:right|correct) (?:one|name|number|date|day|word)|(?:his|her|its|my|the) (?:name|number|address)) ?(?:['’]s|is|was)))\s+(?:called |named |spelled |spelt |actually )?/iu,
  pairs: [
    /^(?<right>.+?)\s+(?:and |but )?not\s+(?<wrong>.+)$/iu,
    /^(?<right>.+?)\s+(?:instead of|rather than)\s+(?<wrong>.+)$/iu,
    /^not\s+(?<wrong>.+?)\s+but\s+(?<right>.+)$/iu,
  ],
  not: /^(?:and |but )?not\s+(?<wrong>.+)$/iu,
  beside:
    /^(?:with|without|spelled|spelt|as in|like|mixed|got|of course|obviously|please|thanks|that is)(?!\p{L})/iu,
  noValue:
    /(?:^|\s)(?:i|you|we|he|she|they|to|that|this|what|who|why|how|when|because|if|so|very|about|of course|is|are|was|were|said|good|fine|ok|okay|nothing|something|everything|please|thanks|later|again|back)(?:\s|$)/iu,
  longest: 40,
}

const CHINESE_ERROR = '(?:打|写|说|记|输|搞|弄|讲|看|拼)'
const CHINESE_LEAD = '(?:我|刚才|刚刚|刚|上面|前面|哎呀|啊|呃|抱歉|不好意思|对不起|是|好像)*'

const CHINESE: Markers = {
  between: /\s*(?:[，,；;：—–！!…\s]|(?<!\d):|:(?!\d))+\s*/u,
  explicit: new RegExp(
    `^${CHINESE_LEAD}(?:${CHINESE_ERROR}错(?:了?字了?|了)?|口误|笔误|手滑了?|更正(?:一下)?|纠正(?:一下)?|改正(?:一下)?)(?=$|是|叫|应该|不是)|^${CHINESE_LEAD}(?:想说的?|要说的?|指的|的意思)是`,
    'u',
  ),
  vague: new RegExp(
    `^(?:不对(?:不对)?|等等|等一?下|不好意思|抱歉|对不起|错了|我(?:刚才|刚刚|刚)?是说|(?:应该|应)(?:是|叫|为)(?=.+))(?:啊|哦|了)?`,
    'u',
  ),
  trailing: /(?<=.)(?:才对|打错了?|说错了?)$/u,
  filler: /^(?:啊|哦|噢|呃|嗯|哎呀|哎|诶|不|那个|其实)+(?=$|[^对是])/u,
  copula: /^(?:是|应该是|应该叫|叫做?|应为|为|住在?|在)/u,
  pairs: [
    /^(?:是|应该是)?(?<right>[^不]+?)而?不是(?<wrong>.+)$/u,
    /^不是(?<wrong>[^是]+?)(?:而是|是)(?<right>.+)$/u,
  ],
  not: /^而?不(?:是|叫)(?<wrong>.+)$/u,
  beside: /^(?:谢谢|哈哈|手滑|抱歉|不好意思|对不起)/u,
  noValue: /[我你您他她它咱吗呢吧么谁什怎哪][^\d]?|先|可能|觉得|就是|这|那|没|会|要/u,
  longest: 14,
}

/** Characters of a sentence that may correct. */
const LONGEST_SENTENCE = 200
const ASKS = /[?？]\s*$/u
const HAN = /\p{Script=Han}/u
/** “*Mark”: how a typing error is put right in chats. “*waves*” is what a role does. */
const STAR = /^\s*(?:\*\s*([^*]{1,40})|([^*]{1,40}?)\s*\*)$/u
const QUOTES = /^["'“”‘’「『«]+|(?:["'“”‘’」』».。!！~～\s]|\p{Extended_Pictographic})+$/gu
/** How a value is spelled, after it: “Ewa with a w”. */
const SPELLED = /\s+with(?:out)? (?:an?|one|two|double) \S{1,3}$/iu
/** The rest of “it's pistachios (that) I'm allergic to”. */
const CLEFT = /\s+(?:that\s+|who\s+)?(?:i|we|he|she|they)(?:['’]?(?:m|re|s|ve))?\s.*$/iu

/** Matches where a sentence begins to correct itself: “…, sorry, I mean”, “…, scratch that,”, …，不对，是. */
const WITHIN =
  /[,;—–…]\s*(?=(?:(?:oh|er|erm|um|uh|ah|no|sorry|wait|oops)[,.…\s]+)*(?:i meant?|scratch that|make that|correction)\b(?! (?:to|that|it|you|if|when|how|who|what)\b)[,:\s])|[，,；…]\s*(?=[哦啊呃]?(?:不对|不對|[打写說说]错了?|[打寫說]錯了?|口误|更正)[，,：:]?\s*(?:应该|應該)?[是叫])/giu
/** Matches the beginning of a sentence that states something itself: “I was born …”, 我儿子…. */
const OPENS =
  /^\W*(?:(?:and|but|so|well|yes|yeah|ok)\W+)?(?:i|we|my|our|he|she|they|his|her|their|the)\b|^[^，。]{0,2}[我他她它咱]/iu
/** Matches vague words that correct where they follow a statement: “sorry, I mean Bruges”, 不对，是舟山. */
const SURE =
  /^(?:(?:oh|er|erm|um|uh|ah|no|sorry|wait|oops)[,.…\s]+)+i mean\b|^[哦啊呃]?不[对對][，,]?\s*(?:应该|應該)?[是叫]/iu

/**
 * Splits a sentence before the words that correct its beginning: “I was born in Ghent, | sorry, I mean Bruges”.
 *
 * @example
 * splitAtCorrection('我住在宁波，不对，是舟山') // ['我住在宁波', '不对，是舟山']
 */
export function splitAtCorrection(sentence: string): string[] {
  return OPENS.test(sentence) ? sentence.split(WITHIN) : [sentence]
}

/**
 * Reads what a speaker puts right of their own words before: “I meant Lisbon, not Porto”, “typo: 1520”, “sorry, Tuesday”, 打错了，是常州.
 * Whether it corrects anything is found with {@link findCorrected}.
 *
 * @param sentences a turn's own sentences, in simplified characters
 * @returns `null` where nothing is put right
 * @example
 * readCorrection(['Oops, I meant Lisbon, not Porto.']) // { right: 'Lisbon', wrong: 'Porto', isExplicit: true, … }
 */
export function readCorrection(sentences: readonly string[]): Correction | null {
  const found = new Parts()
  for (const [index, sentence] of sentences.entries()) {
    const read = found.read(sentence)
    if (read === null) {
      found.reset()
      continue
    }
    if (read.right === null) continue
    // Later in a turn, words that may mean something else correct nothing.
    const isWhole = index === 0 || found.isOpening || read.isExplicit || SURE.test(sentence)
    if (isWhole) return { ...read, right: read.right, begins: found.isOpening ? 0 : index, place: index }
    found.reset()
  }
  return null
}

interface ReadParts {
  readonly right: string | null
  readonly wrong: string | null
  readonly isExplicit: boolean
  readonly isBare: boolean
}

/** The parts of sentences so far: markers alone are read on into the next sentence. */
class Parts {
  #isExplicit = false
  #isVague = false
  #wrong: string | null = null
  /** Whether all sentences so far only open a correction: “Autocorrect!”. */
  isOpening = true

  reset(): void {
    this.#isExplicit = false
    this.#isVague = false
    this.#wrong = null
    this.isOpening = false
  }

  /** Reads a sentence; `null` where it corrects nothing. */
  read(sentence: string): ReadParts | null {
    const starred = STAR.exec(sentence)
    const value = starred?.[1] ?? starred?.[2]
    if (value !== undefined && !/\p{P}\s/u.test(value))
      return { right: tidy(value), wrong: null, isExplicit: true, isBare: false }
    const markers = HAN.test(sentence) ? CHINESE : ENGLISH
    const asked = /^(?:wait |sorry |oh )*did i (?:say|write|type) (?<wrong>[^?]{1,30})\?$/iu.exec(
      sentence.trim(),
    )
    const wrong = asked?.groups?.['wrong']
    if (wrong !== undefined) {
      this.#isVague = true
      this.#wrong = wrong
      return { right: null, wrong, isExplicit: false, isBare: false }
    }
    if (ASKS.test(sentence) || sentence.length > LONGEST_SENTENCE) return null
    return this.#readParts(sentence.replaceAll(QUOTES, '').split(markers.between), markers)
  }

  #readParts(parts: readonly string[], markers: Markers): ReadParts | null {
    let right: string | null = null
    let wrong = this.#wrong
    for (const part of parts) {
      const words = this.#withoutMarkers(part, markers)
      if (words === '' || (right !== null && markers.beside.test(words))) continue
      const pair = markers.pairs.map((pair) => pair.exec(words)?.groups).find((pair) => pair !== undefined)
      const not = markers.not.exec(words)?.groups
      if (pair !== undefined && right === null) {
        right = pair['right'] ?? ''
        wrong = pair['wrong'] ?? null
      } else if (not !== undefined && wrong === null) wrong = not['wrong'] ?? null
      else if (right === null) right = words
      else if (wrong === null && !this.#isExplicit) return null
    }
    const isBare = !this.#isExplicit && !this.#isVague
    if (isBare && (right === null || wrong === null)) return null
    if (right === null) return { right: null, wrong, isExplicit: this.#isExplicit, isBare }
    const bare = right.trim().replace(SPELLED, '').replace(markers.copula, '')
    const value = tidy(bare === right.trim().replace(SPELLED, '') ? bare : bare.replace(CLEFT, ''))
    const isValue = value !== '' && value.length <= markers.longest && !markers.noValue.test(value)
    if (!isValue) return null
    return { right: value, wrong: wrong === null ? null : tidy(wrong), isExplicit: this.#isExplicit, isBare }
  }

  #withoutMarkers(part: string, { explicit, vague, trailing, filler }: Markers): string {
    let words = part.trim()
    for (;;) {
      const [marker, isExplicit] = [explicit.exec(words)?.[0] ?? vague.exec(words)?.[0], explicit.test(words)]
      const skipped = marker ?? filler.exec(words)?.[0]
      if (skipped === undefined || skipped === '') break
      if (marker !== undefined && isExplicit) this.#isExplicit = true
      else if (marker !== undefined) this.#isVague = true
      words = words.slice(skipped.length).trim()
    }
    const [tail] = trailing.exec(words) ?? []
    if (tail !== undefined && /meant/iu.test(tail)) this.#isExplicit = true
    else if (tail !== undefined) this.#isVague = true
    return words.replace(trailing, '')
  }
}

function tidy(value: string): string {
  return value.replaceAll(QUOTES, '').trim()
}
