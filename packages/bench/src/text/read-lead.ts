import { readQuantities, type Quantity } from './read-quantities.ts'

/** A line, split into its leading date and its content. */
interface DatedLine {
  /** The date as written, without the hour. `null`: the line does not begin with one. */
  readonly date: string | null
  /** The line without bullet and date. */
  readonly rest: string
}

/** Matches bullets and numbers before a line: “- ”, “1. ”, “## ”. */
const BULLET = /^\s*(?:[-*•·–]\s+|#{1,6}\s+|\d{1,3}[.)]\s+)+/u
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?'
/** Patterns of a day: 2021-05-03, 2021年5月3日, 3 May 2021, May 3, 2021. */
const DAY_FORMS = [
  '\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}',
  '\\d{4}年\\d{1,2}月\\d{1,2}[日号]',
  `\\d{1,2}(?:st|nd|rd|th)? ${MONTH},? \\d{4}`,
  `${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}`,
]
const DAY = `(?:${DAY_FORMS.join('|')})`
const HOUR = '(?:[T ,]*\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[ap]m|Z|[+-]\\d{2}:?\\d{2})?)?'
const FIRST_DAY = new RegExp(DAY, 'i')
const EACH_DAY = new RegExp(DAY, 'gi')
/** Matches brackets at the start of a line: “[since 2024-05-02] …”. */
const BRACKETS = /^[[(（【]([^\])）】]{4,60})[\])）】]\s*[:：-]?\s*/u
/** Matches a date without brackets before a colon, bar or dash. In “3 May 2021 was fine” the date is content. */
const BARE_DATE = new RegExp(`^(${DAY})${HOUR}\\s*(?:[:：|]|\\s[-–—]\\s)\\s*`, 'i')
/** Matches the words that brackets may contain together with a date. */
const TIME_WORDS = new RegExp(
  `^(?:${[
    '\\s|[\\d:.,/+-]',
    'since|until|on|at|from|to|valid|as|of|said|date|time|utc|[ap]m|z|t|no|longer|current',
    '自|从|到|至|于|起|止|截至|已不是最新情况|年|月|日|号',
  ].join('|')})*$`,
  'iu',
)

/** Splits bullet and leading date from the content of a line. If a line has only a date, the date is the content. */
export function readLead(line: string): DatedLine {
  const text = line.replace(BULLET, '')
  const brackets = BRACKETS.exec(text)
  const bareDate = BARE_DATE.exec(text)
  let date = readBracketedDate(brackets?.[1] ?? '')
  let leadLength = brackets?.[0].length ?? 0
  if (date === null) {
    date = bareDate?.[1] ?? null
    leadLength = bareDate?.[0].length ?? 0
  }
  const rest = text.slice(leadLength).trim()
  return date === null || rest === '' ? { date: null, rest: text.trim() } : { date, rest }
}

/** Returns the first day in the text of brackets. `null`: the text says more than a time. */
export function readBracketedDate(inside: string): string | null {
  const day = FIRST_DAY.exec(inside)?.[0]
  const isTimeOnly = TIME_WORDS.test(inside.replaceAll(EACH_DAY, ' '))
  return day !== undefined && isTimeOnly ? day : null
}

/** Reads year, month and day of a line's date. */
export function quantitiesOfDate(date: string): readonly Quantity[] {
  return readQuantities(date).quantities
}
