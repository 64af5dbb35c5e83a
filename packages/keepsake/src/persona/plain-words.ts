// Writes facts as short phrases for the profile: “lives in Lyon”.
import { zoneOffset } from '@keepsake/text'
import type { PersonaValue } from './persona-sheet.ts'

const DAY_MS = 86_400_000

/** Maximum characters of a phrase. Longer ones are left out and not cut, because a part of a statement could mislead. */
const MAX_PHRASE_CHARACTERS = 70

/** Writes a value as a phrase: “lives in Lyon”, “was 29 in March 2024”. `null` if too long, or if it may have ended. */
export function sayInPlainWords(
  fact: PersonaValue & { readonly key: string; readonly subject: string },
  now: number,
  timeZone: string | null,
): string | null {
  const phrase = phraseOf(fact)
  if (phrase === null || phrase.length > MAX_PHRASE_CHARACTERS) return null
  const age = now - fact.validFrom
  const outdated = OUTDATED_PATTERNS.find(
    ({ key, words }) => key?.test(fact.key) === true || words.test(phrase),
  )
  if (outdated === undefined) return phrase
  if (age > Math.min(outdated.lastsMs, maxPregnancyMs(fact.text))) return null
  return age <= outdated.freshMs
    ? phrase
    : addMonth(phrase, monthOf(fact.validFrom, timeZone, HAN.test(phrase)))
}

/** Writes a value as a phrase: from its statement if that is short and lasts, else by the pattern of its key. */
function phraseOf({
  key,
  value,
  text,
  subject,
}: PersonaValue & { readonly key: string; readonly subject: string }): string | null {
  const plainValue = value.replace(/\s+/g, ' ').trim()
  if (PHRASE_KEYS.test(key)) return phraseOfPerson(plainValue)
  const predicate = predicateOf(text, subject)
  // Statements of names and partners say less than the pattern of the key.
  const canUseStatement = predicate !== null && key !== 'partner' && key !== 'name'
  const isShort = (predicate?.length ?? 0) <= MAX_PHRASE_CHARACTERS
  if (canUseStatement && isShort && !becomesOutdatedEarlier(predicate, plainValue)) return predicate
  return phraseByKey(key, plainValue)
}

/** Returns a value about people as it is, with a plural verb for several; `null` for an event or a death. */
function phraseOfPerson(value: string): string | null {
  if (!IS_PRESENT.test(value) || HAS_DIED.test(value)) return null
  return value.replace(
    OF_SEVERAL,
    (_, who: string, verb: string) => `${who} ${verb === 'is' ? 'are' : verb.slice(0, -1)}`,
  )
}

/** Writes a value by the pattern of its key. Values of keys without a pattern are phrases already. */
function phraseByKey(key: string, value: string): string {
  if (key === 'residence' && /^(?:on|at|in|near|outside|close to|with|above) /.test(value))
    return `lives ${value}`
  const pattern = PHRASES[key]?.[HAN.test(value) ? 1 : 0]
  return pattern === undefined || startsWithRole(key, value) ? value : pattern.replace('{}', value)
}

/** Checks whether a predicate soon becomes wrong while its value stays right: “moved to Lyon last week” and “Lyon”. */
function becomesOutdatedEarlier(predicate: string, value: string): boolean {
  if (/^(?:is|今年)/.test(predicate)) return false
  return (
    CHANGED.test(predicate) ||
    OUTDATED_PATTERNS.some(({ words }) => words.test(predicate) && !words.test(value))
  )
}

/** Matches a predicate about a change that led to the present state: “got their own flat in Otley”. */
const CHANGED = /^(?:(?:has|have) )?(?:just )?(?:got|moved|found|rented|started|landed|went|turned|became) /

/** Checks whether the value of the key `partner` contains the relation: “girlfriend Ines”, not “Ines”. */
function startsWithRole(key: string, value: string): boolean {
  if (key !== 'partner') return false
  const hasEnglishRole = /^\p{Ll}/u.test(value) && value.includes(' ')
  return hasEnglishRole || /^(?:[男女未前]|老公|老婆|丈夫|妻子|先生|太太|爱人|對象|对象)/u.test(value)
}

/** Returns a statement without its subject; `null` if it has another subject or several. */
function predicateOf(text: string, subject: string): string | null {
  const plain = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.。]$/, '')
  for (const who of ['The user', '用户', subject])
    if (plain.toLowerCase().startsWith(who.toLowerCase())) {
      const rest = plain
        .slice(who.length)
        // The speaker may have a longer name in the statement: “Bram J. is a joiner”.
        .replace(/^(?: \p{Lu}[\p{L}.'’-]*)+(?=['’]s| )/u, '')
        .replace(/^(?:['’]s|的)/, '')
        .trim()
        .replace(/^(is|are) also /, '$1 ')
        .replace(/ (?:(?:right )?now|again|finally|at last)$/, '')
      return rest === '' || /^(?:and\b|与|和)/.test(rest) ? null : rest
    }
  return null
}

/** A kind of statement that becomes outdated, by its key or its words. */
interface OutdatedPattern {
  readonly key: RegExp | null
  readonly words: RegExp
  /** The phrase is used unchanged for this time after its statement. */
  readonly freshMs: number
  /** The phrase is used with its month for this time after its statement. Later it is left out. */
  readonly lastsMs: number
}

/** Returns the maximum time from a statement of a pregnancy to its end; infinite for other statements. */
function maxPregnancyMs(text: string): number {
  const [, number = '', unit = ''] =
    /(\d{1,2}) (weeks?|months?) pregnant/.exec(text) ?? /[怀懷]?孕(\d{1,2})[个個]?(周|週|月)/.exec(text) ?? []
  if (number === '') return Number.POSITIVE_INFINITY
  const weeks = /^(?:week|周|週)/.test(unit) ? Number(number) : Number(number) * WEEKS_PER_MONTH
  return Math.max(0, MAX_PREGNANCY_WEEKS - weeks) * 7 * DAY_MS
}
/** Hardly any pregnancy takes longer. */
const MAX_PREGNANCY_WEEKS = 42
const WEEKS_PER_MONTH = 4.4

/** Matches no text. */
const NEVER = /(?!)/
const DAYS_AND_NIGHTS_EN =
  '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d+|a few|a couple of|the next) (?:\\p{L}+ )?(?:days?|weeks?|fortnights?|nights?)'
const NEAR_TIMES_EN =
  '(?:this|next|last) (?:week|weekend|month|\\w+day)|soon|yesterday|at the moment|right now|for now'
const NEAR_TIMES_ZH = [
  '昨[天晚]|前[天晚]|[本这這下上](?:[个個]?[周週月]|[个個]?(?:星期|礼拜|禮拜))|前[几幾些]天|前[阵陣]子',
  '马上|馬上|最近|目前|眼下',
].join('|')
const AGES_EN = [
  String.raw`\b(?:is|are|turn(?:ed|s|ing)|aged) (?:\d{1,3}|\w+teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)\b`,
  String.raw`\b\d{1,3} (?:years?|months?|weeks?)(?: old)?\b`,
].join('|')
const SEASONS_EN =
  'next year|this (?:year|spring|summer|autumn|fall|winter|term|semester)|this season|currently|recently|just|new'
/** The times after which phrases become outdated. Words for shorter times come first. Chosen, not measured. */
const OUTDATED_PATTERNS: readonly OutdatedPattern[] = [
  {
    key: null,
    words: /\b(?:tonight|today|tomorrow|this (?:morning|afternoon|evening))\b|今[天晚早]|明[天早晚]/i,
    freshMs: DAY_MS / 2,
    lastsMs: 2 * DAY_MS,
  },
  {
    key: null,
    words: new RegExp(String.raw`\b(?:${NEAR_TIMES_EN})\b|${NEAR_TIMES_ZH}`, 'i'),
    freshMs: DAY_MS,
    lastsMs: 45 * DAY_MS,
  },
  {
    key: null,
    words: new RegExp(
      [
        String.raw`\bfor ${DAYS_AND_NIGHTS_EN}\b`,
        String.raw`\buntil (?:tomorrow|next|\p{L}+day)\b`,
        String.raw`(?:吃|休|住|歇)[一两三几半\d]+(?:天|周|个?星期)(?!了)`,
      ].join('|'),
      'iu',
    ),
    freshMs: 2 * DAY_MS,
    lastsMs: 30 * DAY_MS,
  },
  { key: /^mood$/, words: NEVER, freshMs: DAY_MS, lastsMs: 3 * DAY_MS },
  { key: /^(?:plans|goals|current-activity)$/, words: NEVER, freshMs: 14 * DAY_MS, lastsMs: 180 * DAY_MS },
  {
    key: /^health-state$/,
    words: /\b(?:pregnant|expecting|recovering|in (?:hospital|plaster|a cast))\b|怀孕|孕|住院/i,
    freshMs: 14 * DAY_MS,
    lastsMs: 275 * DAY_MS,
  },
  {
    key: /^age$/,
    words: new RegExp(String.raw`${AGES_EN}|\d+个?[岁月]`, 'i'),
    freshMs: 45 * DAY_MS,
    lastsMs: Number.POSITIVE_INFINITY,
  },
  {
    key: null,
    words: new RegExp(String.raw`\b(?:${SEASONS_EN})\b|今年|明年|刚`, 'i'),
    freshMs: 30 * DAY_MS,
    lastsMs: 365 * DAY_MS,
  },
]

/** Renders the month of a time in a time zone. */
function monthOf(time: number, timeZone: string | null, isChinese: boolean): string {
  const localTime = new Date(time + zoneOffset(timeZone, time) * 60_000)
  return isChinese
    ? `${localTime.getUTCFullYear()}年${localTime.getUTCMonth() + 1}月`
    : localTime.toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** Adds the month to a phrase: “is 29” of March 2024 becomes “was 29 in March 2024”. */
function addMonth(phrase: string, month: string): string {
  if (HAN.test(month)) return `${phrase}（${month}）`
  const past = phrase
    .replace(/ (?:right )?now$/, '')
    .replace(
      /^(.*?)\b(is|are) /,
      (_, who: string, verb: string) => `${who}${verb === 'is' ? 'was' : 'were'} `,
    )
  return `${past} in ${month}`
}

const HAN = /\p{Script=Han}/u

/** Phrases by key, for values whose statement is long. `{}` stands for the value. */
const PHRASES: Readonly<Record<string, readonly [en: string, zh: string]>> = {
  name: ['is called {}', '叫{}'],
  nickname: ['goes by {}', '小名{}'],
  'form-of-address': ['wants to be called {}', '希望被称作{}'],
  age: ['is {}', '{}'],
  origin: ['comes from {}', '来自{}'],
  residence: ['lives in {}', '住在{}'],
  occupation: ['works as {}', '职业是{}'],
  employer: ['works at {}', '在{}工作'],
  allergies: ['is allergic to {}', '对{}过敏'],
  partner: ['partner {}', '伴侣{}'],
  'living-with': ['lives with {}', '和{}同住'],
}
/** Matches keys whose values are phrases by themselves: “sister Mia”, “dog Rex”. */
const PHRASE_KEYS = /^(?:children|pets|parents|siblings|relatives|friends|colleagues)$/
/** Matches values about the present of a person: “sister Mia”. “Sister helped with the boxes” is an event. */
const IS_PRESENT =
  /^(?:(?:two|three|four|five|six|\d) )?[^\s]+(?:(?:,| and)? \p{Lu}[^\s]*)*$|\b(?:is|are|lives?|works?|studies|plays|teaches|runs|has)\b|\p{Script=Han}/u

/** Matches values that state a death: “brother passed away in June”. */
export const HAS_DIED = /\b(?:died|passed away)\b|去世|[过過]世|走了|不在了/
/** Matches a singular verb of several people: “parents lives”. */
const OF_SEVERAL =
  /^((?:\p{Ll}+ )*?(?:parents|children|kids|\p{Ll}+(?:er|[dnt])s)) (is|lives|works|plays|speaks)\b/u
