import {
  findTerms,
  isChineseFunctionCharacter,
  isEnglishFunctionWord,
  normaliseText,
  readTimeRanges,
  relatedTerms,
  zoneOffset,
  type TimeRange,
} from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import type { Turn } from '../../turns/turn.ts'
import type { Quoted } from './find-doubts.ts'
import { DAY_MS, hasHan, isUserWord, namesOfSpeakers } from './find-unsupported.ts'
import {
  dimensionsOf,
  exclusiveUnits,
  isSameUnit,
  isUnitWord,
  namesUnit,
  readQuantities,
  type Quantity,
} from './read-quantities.ts'

/** How a statement differs from what was said: `wrong` where that is certain, `open` where a reader must decide. */
export interface Difference {
  readonly outcome: 'wrong' | 'open'
  readonly reason: string
}

export interface Talk {
  readonly quotes: readonly Quoted[]
  readonly turns: readonly Turn[]
  readonly around: string
  /** Whether the user agreed to the agent's words. */
  readonly isConfirmed: boolean
}

const wrong = (reason: string): Difference => ({ outcome: 'wrong', reason })
const open = (reason: string): Difference => ({ outcome: 'open', reason })

/**
 * Compares a statement with what was said: numbers, units, dates, person, negation, degree and its other words.
 *
 * @returns the first certain difference, else the first open one; `null` where the statement says what was said
 */
export function compareStatement(given: Candidate, said: Talk): Difference | null {
  const candidate = isEntry(given) ? { ...given, text: given.value ?? '' } : given
  const particulars = [...compareNumbers(candidate, said), ...compareDates(candidate, said)]
  // A long statement gathers what many turns say: its wording is no sign of a fault.
  const isShort =
    findTerms(candidate.text).length <= MOST_TERMS[hasHan(candidate.text) ? 'unspaced' : 'spaced']
  const claims = isShort
    ? [...(said.isConfirmed ? [] : compareClaim(candidate, said)), compareWords(candidate, said)]
    : []
  const differences = [...particulars, ...claims].filter((value) => value !== null)
  const certain = differences.find(({ outcome }) => outcome === 'wrong')
  return certain ?? (isShort ? (differences[0] ?? null) : null)
}

/** Checks for a key with its value instead of a sentence, as in a persona sheet: "Maya, favourite food: ramen." */
function isEntry({ text, value }: Candidate): boolean {
  return value !== null && /[:：]\s*$/.test(text.replace(/[.。]$/, '').split(value)[0] ?? '')
}

/** Terms of a statement up to which all its words are compared. */
const MOST_TERMS = { spaced: 16, unspaced: 40 }

/** Compares who did it, whether they did, and how much. A confirmed statement is in the agent's words. */
function compareClaim(candidate: Candidate, said: Talk): (Difference | null)[] {
  const isRead = languageOf(candidate.text) !== 'other'
  return isRead
    ? [comparePerson(candidate, said), comparePolarity(candidate, said), ...compareDegree(candidate, said)]
    : []
}

function languageOf(text: string): 'en' | 'zh' | 'other' {
  if (hasHan(text)) return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'other' : 'zh'
  return /\b(?:the|is|has|was|an|and|of|to|with|for)\b/i.test(text) ? 'en' : 'other'
}

const textOf = ({ turns, around }: Talk): string => [...turns.map(({ text }) => text), around].join('\n')

/** Dates of statements, which are compared as times and not as numbers. */
const DATE =
  /\d{4}-\d{2}(?:-\d{2})?|\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月(?:\d{1,2}[日号])?|(?<![\d-])\d{1,2}[日号]|\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may(?= \d|$)|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?(?: \d{1,2}(?:st|nd|rd|th)?(?!\d))?,?(?: \d{4})?|\b(?:in|since|until|of|early|late|mid|by|from|summer|winter|spring|autumn|fall) (?:19|20)\d\d\b|(?:19|20)\d\d年/giu

function compareNumbers(candidate: Candidate, said: Talk): Difference[] {
  const text = candidate.text.replaceAll(DATE, ' ').replaceAll(/\b(?:both|couple|pair|twins|first)\b/gi, ' ')
  const years = new Set(said.turns.map(({ at }) => new Date(at).getUTCFullYear()))
  const quantities = readQuantities(text).filter(({ value }) => !years.has(value))
  const talk = textOf(said)
  const known = readQuantities(talk)
  return quantities
    .flatMap((quantity) => {
      const same = known.filter(({ value }) => value === quantity.value)
      if (same.length === 0 && quantity.value !== 1)
        return isReckoned(quantity, known, said)
          ? [open(`${quantity.value} is reckoned`)]
          : [wrong(`${quantity.value} was not said`)]
      const counted = known.filter(({ noun }) => noun !== null && noun === quantity.noun)
      if (counted.length > 0 && !counted.some(({ value }) => value === quantity.value))
        return [open(`another number of ${quantity.noun} was said`)]
      if (quantity.value === 1) return []
      return compareUnit(quantity, same, talk) ?? []
    })
    .concat(comparePlainUnits(text, talk))
}

function comparePlainUnits(text: string, talk: string): Difference[] {
  return exclusiveUnits(text)
    .filter(
      ({ unit, dimension }) =>
        !namesUnit(talk, unit) && exclusiveUnits(talk).some((entry) => entry.dimension === dimension),
    )
    .map(() => wrong('another unit was said'))
}

function compareUnit({ value, unit }: Quantity, same: readonly Quantity[], talk: string): Difference | null {
  if (unit === null || same.some((quantity) => quantity.unit !== null && isSameUnit(quantity.unit, unit)))
    return null
  const dimensions = new Set(dimensionsOf(unit))
  const otherQuantity = same.find(
    (quantity) => quantity.unit !== null && dimensionsOf(quantity.unit).some((name) => dimensions.has(name)),
  )
  if (otherQuantity !== undefined) return wrong(`${value} was said with another unit`)
  const mayGoUnsaid = unit === 'age' || (unit === 'inch' && namesUnit(talk, 'foot'))
  const isAmbiguous = exclusiveUnits(talk).some(
    (entry) => entry.unit !== unit && dimensions.has(entry.dimension),
  )
  return mayGoUnsaid || (namesUnit(talk, unit) && !isAmbiguous)
    ? null
    : open(`the unit of ${value} was not said`)
}

const VAGUE_NUMBER = /\bish\b|\d(?:ish|s)\b|\b\w+(?:teens|ties)\b|\bhalf\b|\bquarter\b|几|多岁|半/i

/** Checks whether a number may follow from others: a year and an age, a sum, a difference, a share of a year. */
function isReckoned({ value }: Quantity, known: readonly Quantity[], said: Talk): boolean {
  if (VAGUE_NUMBER.test(textOf(said))) return true
  const years = said.turns.map(({ at }) => new Date(at).getUTCFullYear())
  const numbers = known.map((quantity) => quantity.value)
  const from = [...numbers, ...years]
  return from.some((one, index) =>
    from.some(
      (second, i) => index !== i && [one + second, one - second, one * second, one / second].includes(value),
    ),
  )
}

const MONTH = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|月/i
const WEEKDAY =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?\b|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]/i
const WEEK_MS = 7 * DAY_MS
const YEAR_MS = 365.25 * DAY_MS
/** Words of time that the reader of dates may not understand. */
const OF_TIME =
  /\b(?:ago|last|next|since|until|till|yesterday|tomorrow|tonight|today|week|month|year|weekend|fortnight|christmas|easter|new year|birthday|summer|winter|spring|autumn|morning|term|now|this)\b|昨|今|明|前|后|去年|周|星期|礼拜|月|年|节|刚/i

function compareDates(candidate: Candidate, said: Talk): Difference[] {
  const { turns } = said
  const index =
    turns.find(({ id }) => candidate.evidence.some(({ turn }) => turn === id))?.at ?? candidate.validFrom
  const zone = turns.at(-1)?.timeZone ?? null
  const stated = readTimeRanges(candidate.text, index, zoneOffset(zone, index))
  if (stated.length === 0) return []
  const allowed = turns.flatMap((turn) => {
    const times = timesIn(turn)
    return times.length === 0 || OF_TODAY.test(turn.text) ? [dayOf(turn), ...times] : times
  })
  const talk = textOf(said)
  const days = new Set(readQuantities(talk).map(({ value }) => value))
  return stated.flatMap((range) => {
    if (allowed.some((one) => isWithin(one, range))) return []
    const isDay = range.to - range.from <= DAY_MS && Math.abs(range.from - index) < 45 * DAY_MS
    if (isDay && days.has(new Date(range.from).getUTCDate())) return []
    return [OF_TIME.test(talk) ? open('its date may follow from the talk') : wrong('its date was not said')]
  })
}

/** Words that place something on the day of their turn. */
const OF_TODAY = /\b(?:today|tonight|this (?:morning|afternoon|evening)|now|just)\b|今|刚|现在/i

function dayOf({ at, timeZone }: Turn): TimeRange {
  const shift = zoneOffset(timeZone, at) * 60_000
  const from = Math.floor((at + shift) / DAY_MS) * DAY_MS - shift
  return { from, to: from + DAY_MS }
}

/** Returns the times that a turn names, also of the week or year before and after where it leaves that open. */
function timesIn({ text, at, timeZone }: Turn): TimeRange[] {
  const isFixed =
    /\b(?:last|next|this|past|coming)\s+(?:mon|tue|wed|thu|fri|sat|sun)|[上下这本]个?(?:周|星期|礼拜)/i.test(
      text,
    )
  // The reader of dates takes "the Saturday after next" for the last one.
  if (/after next|下下/i.test(text)) return []
  const weeks = isFixed || !WEEKDAY.test(text) ? [0] : [0, WEEK_MS, -WEEK_MS]
  const steps = [...weeks, ...(MONTH.test(text) ? [YEAR_MS, -YEAR_MS] : [])]
  return text
    .split(/[.!?;\n。！？；，,]/)
    .flatMap((clause) => steps.flatMap((step) => readTimeRanges(clause, at + step, zoneOffset(timeZone, at))))
}

/** Checks whether a said time is the stated one or more exact. */
function isWithin(said: TimeRange, stated: TimeRange): boolean {
  return said.from >= stated.from - 1 && said.to <= stated.to + DAY_MS / 2
}

const RELATIONS: readonly string[] = [
  'mother mum mom mummy mommy mam ma 妈妈 妈 母亲 老妈 我妈',
  'father dad daddy papa 爸爸 爸 父亲 老爸',
  'parents folks 父母 爸妈',
  'sister sis 姐姐 姐 妹妹 妹 老妹 老姐',
  'brother bro 哥哥 哥 弟弟 弟 老弟 老哥',
  'sister-in-law 嫂子 弟媳 小姑',
  'brother-in-law 姐夫 妹夫 小舅子',
  'mother-in-law 婆婆 岳母 丈母娘',
  'father-in-law 公公 岳父 老丈人',
  'son boy 儿子 大儿子 小儿子',
  'daughter girl 女儿 闺女',
  'kid kids child children 孩子 娃 小孩',
  'husband hubby 丈夫 老公 先生',
  'wife missus 妻子 老婆 太太 媳妇',
  'partner spouse fiance fiancee 对象 爱人 伴侣 未婚妻 未婚夫',
  'boyfriend bf 男朋友 男友',
  'girlfriend gf 女朋友 女友',
  'ex 前任 前男友 前女友 前夫 前妻',
  'grandmother grandma gran nan nana granny 奶奶 外婆 姥姥 祖母',
  'grandfather grandad grandpa granddad gramps 爷爷 外公 姥爷 祖父',
  'grandson 孙子 外孙',
  'granddaughter 孙女 外孙女',
  'uncle 叔叔 舅舅 伯伯 姑父 姨父 大伯',
  'aunt auntie aunty 阿姨 姑姑 姨妈 婶婶 舅妈 伯母 姑妈 小姨',
  'cousin 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹',
  'nephew 侄子 外甥',
  'niece 侄女 外甥女',
  'friend mate pal buddy bestie 朋友 闺蜜 哥们 发小 死党',
  'flatmate roommate housemate 室友 舍友',
  'neighbour neighbor 邻居',
  'boss manager supervisor 老板 上司 领导 经理',
  'colleague coworker co-worker workmate 同事',
  'classmate 同学',
  'teacher tutor coach 老师 教练',
  'doctor gp 医生 大夫',
  'landlord landlady 房东',
  'twin twins 双胞胎',
  'stepmother stepmum stepmom 继母 后妈',
  'stepfather stepdad 继父 后爸',
  'stepson stepdaughter 继子 继女',
  'godson goddaughter 干儿子 干女儿',
]
const RELATION_OF = new Map(
  RELATIONS.flatMap((words, index) => words.split(' ').map((word) => [word, index] as const)),
)
const CHINESE_RELATIONS = [...RELATION_OF.keys()]
  .filter((word) => hasHan(word))
  .toSorted((a, b) => b.length - a.length)
const CHINESE_RELATION = new RegExp(CHINESE_RELATIONS.join('|'), 'gu')

/** Returns the kinds of people that a text names by their relation, in order. */
function relationsIn(text: string): number[] {
  const english = (text.toLowerCase().match(/[a-z]+(?:-in-law)?/g) ?? []).flatMap((word) => {
    const relation = RELATION_OF.get(word) ?? RELATION_OF.get(word.replace(/s$/, ''))
    return relation === undefined ? [] : [relation]
  })
  const chinese = (text.match(CHINESE_RELATION) ?? []).flatMap((word) => RELATION_OF.get(word) ?? [])
  return [...english, ...chinese]
}

/** The subjects of statements and of clauses about the speaker. */
const OF_AGENT = /^(?:the )?(?:agent|assistant)\b|^(?:助手|助理)/iu
const SECOND_PERSON = /\b(?:you|your|yours|you['’]\w+|u|ur)\b|[你您]/i
const FIRST_PERSON_SUBJECT =
  /\b(?:i|i['’]?m|i['’]?ve|i['’]?d|i['’]?ll|im|ive|we|we['’]?\w{0,2})\b|(?<![给跟和对比让叫教帮找陪替被把])[我咱俺](?!们?的|们?家[的里]?|[爸妈爷奶哥姐弟妹叔姑姨舅公婆]|老[公婆爸妈板师弟妹]|男|女|儿|闺|对象|前|室友|同事|朋友|邻居)/i
const OTHERS_SUBJECT =
  /^\W*(?:(?:and|so|but|well|oh|then|because|since|cos|plus|also|apparently|turns out|yeah|yes|no|ok|okay|ugh|god)[\s,]+)*(?:his|her|their|he|she|they)(?:['’]\w+)?\b|^\W*(?:昨晚?|今早?|上周|刚才?|后?来)?天?[他她]/i
const OF_SPEAKER =
  /^\W*(?:\w+[\s,]+){0,2}?(?:my|our)\s+(?:(?:own|dear|little|big|old|new|best|younger|older|late|eldest|youngest)\s+)*|^\W*(?:我|咱|俺)(?:们|家)?的?/i

const CLAUSE =
  /[.!?;:。！？；：…\n—–]+|,\s|，|\s-\s|\s*\b(?:but|though|although|whereas|while|except|and)\b\s*|但是?|不过|可是?(?=[我他她])|而且/iu

function clausesOf({ turn, quote }: Quoted): string[] {
  const text = turn.text
  const start = quote === null ? 0 : Math.max(0, text.indexOf(quote))
  const end = quote === null ? text.length : start + quote.length
  const found: string[] = []
  let from = 0
  for (const clause of text.split(CLAUSE)) {
    const index = text.indexOf(clause, from)
    from = index + clause.length
    if (clause.trim() !== '' && index < end && from > start) found.push(clause)
  }
  return found
}

function comparePerson(candidate: Candidate, said: Talk): Difference | null {
  const stated = relationsIn(candidate.text)
  const talk = textOf(said)
  const known = new Set(relationsIn(talk))
  const unsaid = stated.find((relation) => !known.has(relation))
  if (unsaid !== undefined)
    return open(`there was no word of such a person: ${RELATIONS[unsaid]?.split(' ')[0] ?? ''}`)
  const ofUser = said.quotes.filter(({ turn }) => turn.role === 'user')
  if (ofUser.length === 0) return null
  const clauses = ofUser.flatMap(clausesOf)
  if (
    OF_AGENT.test(candidate.text) &&
    ofUser.length === said.quotes.length &&
    !clauses.some((clause) => SECOND_PERSON.test(clause))
  )
    return open('its words are not about the agent')
  if (isOfUser(candidate, ofUser)) {
    const nearest = nearestTo(candidate.text, clauses)
    const isUnsaidOf = nearest.some((clause) =>
      relationsIn(clause).some((relation) => !stated.includes(relation)),
    )
    const subjects = nearest.map((clause) => subjectBefore(clause, ofUser))
    return isUnsaidOf || subjects.includes('other') ? open('its words are about another person') : null
  }
  // A statement about another person whose words have the speaker as their subject.
  const isAboutOther = /^(?:the )?user['’]s\b|^用户的/iu.test(candidate.text) && stated.length > 0
  if (
    isAboutOther &&
    clauses.length > 0 &&
    clauses.every((clause) => relationsIn(clause).length === 0 && FIRST_PERSON_SUBJECT.test(clause))
  )
    return open('its words are about the speaker')
  const quoted = new Set(clauses.flatMap(relationsIn))
  const isOfAnother = [...quoted].some((relation) => !stated.includes(relation))
  if (isOfAnother) return open('its words are about another person')
  return null
}

/** Checks whether a statement has the user as its subject, by a word for the user or by name. */
function isOfUser({ text, subject }: Candidate, quotes: readonly Quoted[]): boolean {
  const names = quotes.flatMap(({ turn }) => turn.speaker ?? [])
  const isNamed =
    names.includes(subject) && text.startsWith(subject) && !/^['’]s?\b|^的/.test(text.slice(subject.length))
  return isNamed || (isUserWord(text) && !/^(?:the )?user['’]s|^用户的/iu.test(text))
}

/** Returns whom a clause is about; where it does not say, the clause before it in the turn does. */
function subjectBefore(clause: string, quotes: readonly Quoted[]): 'user' | 'other' | null {
  const turn = quotes.find(({ turn: { text } }) => text.includes(clause))?.turn
  const before = turn === undefined ? [] : clausesOf({ turn, quote: null })
  const index = before.indexOf(clause)
  for (const precedingClause of [clause, ...before.slice(0, Math.max(0, index)).toReversed()]) {
    if (OTHERS_SUBJECT.test(precedingClause) || startsWithPerson(precedingClause)) return 'other'
    if (FIRST_PERSON_SUBJECT.test(precedingClause)) return 'user'
    // A clause of its own sentence in English needs no subject: "been sober since May".
    if (!hasHan(precedingClause)) return null
  }
  return null
}

/** Checks whether a clause begins with a person other than the speaker: "my brother", "Grandpa", 我妈. */
function startsWithPerson(clause: string): boolean {
  const rest = clause.replace(OF_SPEAKER, '').trim()
  const [first = ''] = rest.toLowerCase().split(/[^\p{L}-]+/u)
  const isName =
    /^\p{Lu}\p{Ll}+/u.test(rest) &&
    !isEnglishFunctionWord(first) &&
    relatedTerms(findTerms(first)[0] ?? '', 'en').length === 0
  return isName || RELATION_OF.has(first) || CHINESE_RELATIONS.some((word) => rest.startsWith(word))
}

/** Returns the clauses that share most words and numbers with a statement. */
function nearestTo(text: string, clauses: readonly string[]): string[] {
  const stated = new Set([...findTerms(text), ...readQuantities(text).map(({ value }) => String(value))])
  const shared = clauses.map(
    (clause) =>
      [...findTerms(clause), ...readQuantities(clause).map(({ value }) => String(value))].filter(
        (term) => stated.has(term) && !isEnglishFunctionWord(term),
      ).length,
  )
  const most = Math.max(0, ...shared)
  return clauses.filter((_, index) => shared[index] === most)
}

const NEGATION =
  /\b(?:not|no|never|none|nothing|neither|nor|without|cannot|hardly|barely|no(?:body|where))\b|n['’]t\b|\b(?:dont|doesnt|didnt|isnt|wasnt|arent|cant|wont|havent|hasnt|couldnt|wouldnt|aint)\b|不|没|无法|非(?!常)|未(?!来|婚)|别(?!人|的|墅)/i
const NO_NEGATION =
  /不过(?=[\s，,。我你他她这那也还是]|$)|不错|不仅|不但|不只|不断|不管|不论|要不|差不多|了不起|不好意思|是不是|有没有|对不对|好不好|不得了|不止|没错|no problem|no idea|not only|no matter|why not|no wonder|not bad|can['’]t wait|cant wait/giu
/** Words that end or refuse something, and so deny it. */
const REFUSAL =
  /\b(?:stop(?:s|ped|ping)?|quit(?:s|ting)?|gave up|given up|giving up|refus\w+|fail\w*|former\w*|ex|used to|hat(?:e|es|ed)|dislik\w+|can['’]?t stand|loath\w+|lost|lack\w*|avoid\w*|cancel\w*|end(?:ed|s)|left|no longer|any ?more|away from|skip\w*|miss(?:ed|es)?|nearly|almost)\b|戒|不再|取消|放弃|讨厌|辞|退|以前|曾经|差点|差一点|离开/i

function isDenied(text: string): boolean {
  return NEGATION.test(text.replaceAll(NO_NEGATION, ' '))
}

function comparePolarity(candidate: Candidate, said: Talk): Difference | null {
  const clauses = said.quotes.flatMap(clausesOf)
  const isStated = isDenied(candidate.text)
  const isSaid = clauses.some(isDenied)
  if (isStated === isSaid) return null
  const comparedText = isStated ? clauses.join(' ') : candidate.text
  return REFUSAL.test(comparedText) ? null : open('it affirms what its words deny, or the reverse')
}

/** Words of degree and certainty, by kind: `weak` ones change a statement that leaves them out, `strong` ones where it adds them. */
const DEGREES: readonly {
  readonly kind: string
  readonly when: 'said' | 'stated' | 'either'
  readonly words: RegExp
}[] = [
  {
    kind: 'possibility',
    when: 'said',
    words:
      /\b(?:might|(?<!(?:in|since|until|till|by|of|last|next|this|early|late|mid|from) )may(?! \d)|maybe|perhaps|possibly|probably|could|consider\w*|thinking (?:about|of)|think(?:s)? (?:about|of)|not sure|unsure|undecided|if|unless|tempted|toying|suspect\w*|guess|reckon|supposedly|apparently|seems?|looks like|potential\w*|likely|uncertain|unclear|doubt\w*|rumou?r\w*|toss-up|depend\w*)\b|可能|也许|大概|说不定|考虑|没准|好像|似乎|估计|如果|要是|不一定|不确定|犹豫|或许|万一|据说|听说|大约/i,
  },
  {
    kind: 'plan',
    when: 'said',
    words:
      /\b(?:going to|gonna|will|plan(?:s|ning|ned)?|hop(?:e|es|ing)|want\w*|wanna|would (?:like|love)|wish\w*|intend\w*|aim(?:s|ing)?|dream(?:s|ing)?|appl(?:y|ied|ying|ies)|try(?:ing)? to|tries to|supposed to|meant to|should)\b|['’](?:ll|d (?:like|love))\b|打算|想(?!起|到)|准备|计划|将|希望|争取|申请|本来/i,
  },
  {
    kind: 'past',
    when: 'said',
    words:
      /\b(?:used to|formerly|previously|former|back (?:then|when)|in the past|as a (?:kid|child|teen\w*)|no longer|any ?more|ex)\b|以前|从前|曾|小时候|当年|不再/i,
  },
  {
    kind: 'near',
    when: 'said',
    words:
      /\b(?:almost|nearly|practically|just about|close to|virtually)\b|差点|差一点|差不多|几乎|快要?|将近/i,
  },
  {
    kind: 'bound',
    when: 'either',
    words:
      /\b(?:at least|at most|(?<!(?:gone|went|go|going|goes|moved|came|come|raised|fed|put|signed) )up to|over(?= \d)|under(?= \d)|less than|more than|fewer than|no more than|below|above|maximum|minimum|tops|max)\b|至少|最多|不到|超过|以上|以下|以内|多(?=[个年月天岁块万千百])/i,
  },
  {
    kind: 'seldom',
    when: 'either',
    words:
      /\b(?:rarely|seldom|hardly|barely|scarcely|once in a (?:while|blue moon)|now and then|occasionally|sometimes|from time to time)\b|很少|偶尔|有时|难得|几乎不/i,
  },
  {
    kind: 'always',
    when: 'stated',
    words:
      /\b(?:always|every(?! other)|everything|all(?! over| the time)|never|constantly|regularly|entirely|completely|totally|fully|fluent\w*|severe\w*|chronic\w*|extreme\w*|strict\w*|deeply|only|solely|definitely|certainly|permanent\w*|expert|best|worst|most|favou?rite|obsess\w*|passionate\w*|addict\w*|professional\w*)\b|总是|每(?!天|周|月|年|个|次|公|英|小)|一直|从不|从来|完全|全部|所有|都|只|非常|极|严重|彻底|精通|流利|最|肯定|一定|永远|长期|专业/i,
  },
  { kind: 'sole', when: 'said', words: /\bthe only\b|\bonly (?:one|child|person)\b|唯一|独生/i },
  {
    kind: 'slight',
    when: 'said',
    words:
      /\b(?:a bit|a little|slightly|kind of|kinda|sort of|sorta|somewhat|mild\w*|half|partly|partially|mostly|semi|quasi|low-key|ish|beginner|basic|trying to learn|learning)\b|有点|稍微|一点|略|半|基本|部分|大多|轻微|勉强/i,
  },
]

function compareDegree(candidate: Candidate, said: Talk): Difference[] {
  const clauses = said.quotes.flatMap(clausesOf).join(' , ')
  const latestSaid = Math.max(...said.quotes.map(({ turn }) => turn.at))
  const isInFuture = readTimeRanges(candidate.text, latestSaid).some(({ to }) => to > latestSaid + DAY_MS)
  return DEGREES.flatMap(({ kind, when, words }) => {
    const isSaid = words.test(clauses)
    const isStated = words.test(candidate.text) || (kind === 'plan' && isInFuture)
    const isOff =
      (isSaid && !isStated && when !== 'stated') ||
      (isStated && !isSaid && when !== 'said' && !words.test(textOf(said)))
    return isOff ? [open(`it says more or less than its words (${kind})`)] : []
  })
}

/** Words that statements use whatever was said. */
const GLUE = new Set(
  findTerms(
    'user users agent assistant say said mention mentioned called named name own owns keep have has own plans plan planning want wants believe believes think thinks feel feels find finds found like likes live lives work works go goes went make made take took get got currently recently now person people thing things woman man year years old age time call date day days month week part place since about born turn currently both also former previously lately longer roughly approximately around together responsible two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand first second third half twice 用户 助手 说 提到 表示 认为 觉得 有 是 在 叫 名叫 打算 计划 现在 目前 最近 今年 去年 年 月 日 号 岁 天 的 人 家 到 从 因为 所以 曾经 已经',
  ),
)
/** Least share of a statement's words that must have been said. */
const LEAST_WORDS_SAID = { spaced: 0.75, unspaced: 0.8 }

function compareWords(candidate: Candidate, said: Talk): Difference | null {
  const talk = textOf(said)
  const heard = new Set(findTerms(normaliseText(talk)))
  const isChinese = hasHan(candidate.text)
  const text = candidate.text.replaceAll(DATE, ' ')
  const isOther = languageOf(candidate.text) === 'other'
  const first = new Set(said.turns.flatMap(({ speaker }) => findTerms(speaker?.split(/\s+/)[0] ?? '')))
  const terms = [...new Set(findTerms(normaliseText(text)))].filter((term) => {
    if (first.has(term) || isUnitWord(term) || isUserWord(term) || (isOther && term.length < 4)) return false
    if (GLUE.has(term) || /^\d/.test(term) || RELATION_OF.has(term)) return false
    return isChinese ? term.length === 1 && !isChineseFunctionCharacter(term) : !isEnglishFunctionWord(term)
  })
  const unsaid = terms.filter(
    (term) => !heard.has(term) && !isRelated(term, heard, languageOf(candidate.text)),
  )
  const name = unsaidName(candidate, said)
  if (name !== null) return open(`"${name}" was not said`)
  const share = terms.length === 0 ? 1 : 1 - unsaid.length / terms.length
  return share >= LEAST_WORDS_SAID[isChinese ? 'unspaced' : 'spaced']
    ? null
    : open(`much of it was not said: ${unsaid.slice(0, 5).join(', ')}`)
}

const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}’'-]+/gu
/** A name in Chinese: what follows a word of naming or of place. */
const NAMED_IN_CHINESE =
  /(?:名叫|叫|姓|在|去|到|住|来自)(\p{Script=Han}{2})|(?:[老小]?)(\p{Script=Han})(?=阿姨|叔|老师|医生|师傅|先生|女士|小姐|经理|总(?!是|共|算|之|统|部))/gu
const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i

/** Finds a name of a statement that was not said. */
function unsaidName(candidate: Candidate, { turns, ...rest }: Talk): string | null {
  const said = normaliseText(textOf({ turns, ...rest }))
  const text = candidate.text.replaceAll(DATE, ' ')
  const called = namesOfSpeakers(turns)
  if (hasHan(text)) {
    const names = [...text.matchAll(NAMED_IN_CHINESE)].flatMap(([, name, short]) => name ?? short ?? [])
    return (
      names.find(
        (name) => !Array.from(name).every((char) => said.includes(char) || isChineseFunctionCharacter(char)),
      ) ?? null
    )
  }
  const names = (text.match(CAPITALISED) ?? [])
    .map((name) => name.replace(/['’]s?$/, ''))
    // In other languages the first word is often an article.
    .filter((name) => languageOf(text) === 'en' || !text.startsWith(name))
  return (
    names.find((name) => {
      const word = normaliseText(name)
      if (
        said.includes(word) ||
        called.has(word) ||
        isUserWord(word) ||
        CALENDAR.test(word) ||
        RELATION_OF.has(word) ||
        isEnglishFunctionWord(word)
      )
        return false
      const [term = word] = findTerms(word)
      return !GLUE.has(term)
    }) ?? null
  )
}

/** Checks for another form of a word, or a synonym. */
function isRelated(term: string, heard: ReadonlySet<string>, language: 'en' | 'zh' | 'other'): boolean {
  if (language === 'zh') return false
  if (language === 'other') return [...heard].some((word) => sharesBeginning(word, term))
  return relatedTerms(term, 'en').some(({ terms }) => terms.every((term) => heard.has(term)))
}

/** Least share of the longer of two words that they have in common at the start. */
const LEAST_BEGINNING = 0.6

function sharesBeginning(first: string, second: string): boolean {
  let length = 0
  while (length < first.length && first[length] === second[length]) length += 1
  return length >= 3 && length >= LEAST_BEGINNING * Math.max(first.length, second.length)
}
