import { readQuantities, type Quantity } from './read-quantities.ts'

/** The marks that begin a line. */
interface Lead {
  /** Its day, as written and without the hour; `null` without one. */
  readonly date: string | null
  /** The line without list mark and date. */
  readonly rest: string
}

const LIST_MARK = /^\s*(?:[-*•·–]\s+|#{1,6}\s+|\d{1,3}[.)]\s+)+/u
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?'
const DAY = `(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{4}年\\d{1,2}月\\d{1,2}[日号]|\\d{1,2}(?:st|nd|rd|th)? ${MONTH},? \\d{4}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})`
const HOUR = '(?:[T ,]*\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[ap]m|Z|[+-]\\d{2}:?\\d{2})?)?'
const FIRST_DAY = new RegExp(DAY, 'i')
const BRACKETED = /^[[(（【]([^\])）】]{4,60})[\])）】]\s*[:：-]?\s*/u
/** Without brackets a date is a mark only before a colon, a bar or a dash: in “3 May 2021 was fine” it is content. */
const BARE = new RegExp(`^(${DAY})${HOUR}\\s*(?:[:：|]|\\s[-–—]\\s)\\s*`, 'i')
/** Words of time that a mark may have beside its date. */
const MARK_WORDS =
  /^(?:\s|[\d:.,/+-]|since|until|on|at|from|to|valid|as|of|said|date|time|utc|[ap]m|z|t|no|longer|current|自|从|到|至|于|起|止|截至|已不是最新情况|年|月|日|号)*$/iu

/** Splits a line's list mark and leading date from its content. A line of a date alone is content. */
export function readLead(line: string): Lead {
  const text = line.replace(LIST_MARK, '')
  const bracketed = BRACKETED.exec(text)
  const inside = bracketed === null ? null : readMark(bracketed[1] ?? '')
  const [mark, date] =
    inside === null
      ? [BARE.exec(text)?.[0] ?? '', BARE.exec(text)?.[1] ?? null]
      : [bracketed?.[0] ?? '', inside]
  const rest = text.slice(mark.length).trim()
  return date === null || rest === '' ? { date: null, rest: text.trim() } : { date, rest }
}

/** The first day in brackets that hold no more than a time; `null` otherwise. */
export function readMark(inside: string): string | null {
  const day = FIRST_DAY.exec(inside)?.[0]
  return day === undefined || !MARK_WORDS.test(inside.replaceAll(new RegExp(DAY, 'gi'), ' ')) ? null : day
}

/** Year, month and day of a lead's date. */
export function quantitiesOfDate(date: string): readonly Quantity[] {
  return readQuantities(date).quantities
}
