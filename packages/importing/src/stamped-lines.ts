import type { DateOrder, ImportSettings } from './import-source.ts'
import type { Line } from './input-file.ts'
import { readMoment, readWallTime } from './read-moment.ts'

/** Direction marks that messengers put around names and times. */
const MARKS = /[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g
const splitWords = (text: string): string[] => text.split('|')
/** Words for “pm” in WhatsApp's languages in which clocks may have twelve hours. `MORNING` has those for “am”. */
const AFTERNOON = splitWords(
  'pm|p.m.|p. m.|p.m|下午|晚上|傍晚|午後|오후|م|مساءً|ب.ظ.|अपराह्न|म.उ.|অপরাহ্ণ|μ.μ.|du.|ös|ch|ptg|em|ከሰዓት|m.d.',
)
const NOON = ['中午']
/** Words for halves of the day in languages in which the year always comes first: Korean and Japanese. */
const HALVES_WITH_YEAR_FIRST: ReadonlySet<string | undefined> = new Set(['오전', '오후', '午前', '午後'])
/** Matches Korean and Hungarian dates, which begin with the year: `26. 3. 14.` */
const SPACED_DATE = /^\d\d\. \d{1,2}\. \d{1,2}\.$/
const MORNING = splitWords(
  'am|a.m.|a. m.|a.m|上午|早上|凌晨|清晨|午前|오전|ص|صباحًا|ق.ظ.|पूर्वाह्न|म.पू.|পূর্বাহ্ণ|π.μ.|de.|öö|sa|pg|fm|ጥዋት|p.d.',
)
const DAY_HALVES = [...AFTERNOON, ...NOON, ...MORNING]
  .toSorted((left, right) => right.length - left.length)
  .map((half) => half.replaceAll('.', '\\.'))
  .join('|')

// Examples: 14/03/2026, 14.3.26, 2026. 3. 14, 2026年3月14日.
const DATE = String.raw`(?:(?<date>(?<one>\d{1,4})(?<mark>[./-])\s?(?<two>\d{1,2})\k<mark>\s?(?<three>\d{1,4})(?:\.|\s?г\.)?)|(?<year>\d{4})年(?<month>\d{1,2})月(?<day>\d{1,2})日)`
// Examples: 19:05, 7:05:01 pm, 오후 7:05.
const TIME = String.raw`(?<before>${DAY_HALVES})?\s?(?<hour>\d{1,2})[:.](?<minute>\d\d)(?:[:.](?<second>\d\d))?(?:\s?(?<after>${DAY_HALVES})|\s?ч\.)?`
const MOMENT = String.raw`${DATE}(?:[,،]?\s+(?:(?:klo|kl\.|at|um|à|às|alle|om|o|в|ve|a las)\s+)?|T)${TIME}`

// Example: 2026-03-03T19:05:00Z.
const ISO_MOMENT = String.raw`(?<one>\d{4})(?<mark>-)(?<two>\d\d)-(?<three>\d\d)(?:T|,?\s+)(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,9})?)?\s?(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?`

/** Matches lines that begin with a time, in the messengers' layouts. */
const LAYOUTS = [
  // 03/03/2026, 19:05 - Anna: Hello (Android)
  new RegExp(`^${MOMENT}\\s+[-–]\\s+(?<rest>.*)$`, 'iu'),
  // 09/12/2012 17:03:48: Anna: Hello (before 2016), 2026. 3. 14. 오후 7:05, 민수 : 안녕 (Korean)
  new RegExp(`^${MOMENT}(?::|,)\\s+(?<rest>[^:]{1,60}:\\s.*)$`, 'iu'),
  // 19:05, 13/3/2025 - Anna: Hello, [19:05:01, 13/3/2025] Anna: Hello (Vietnamese)
  new RegExp(`^${TIME},?\\s+${DATE}\\s+[-–]\\s+(?<rest>.*)$`, 'iu'),
  new RegExp(`^\\[${TIME},?\\s+${DATE}\\]\\s*(?<rest>.*)$`, 'iu'),
  // [03/03/2026, 19:05:01] Anna: Hello (iOS; text copied from current Telegram)
  new RegExp(`^\\[${MOMENT}\\]\\s*(?<rest>.*)$`, 'iu'),
  // 2026-03-03T19:05:00Z Anna: Hello (a log's time, with or without zone)
  new RegExp(`^\\[?${ISO_MOMENT}\\]?:?\\s+(?:[-–|]\\s+)?(?<rest>[^\\s:：][^:：]{0,39}[:：](?:\\s.*)?)$`, 'u'),
  // Anna (2026-03-03 19:05): Hello
  new RegExp(`^(?<name>[^\\s:：[(][^:：[(]{0,60}?)\\s?[[(]${MOMENT}[\\])]\\s?[:：]\\s*(?<rest>.*)$`, 'iu'),
  // Anna — 03/03/2026 7:05 PM, with the text below (copied from Discord)
  new RegExp(`^(?<name>[^\\s[(—–][^[(—–]{0,60}?)\\s+[—–]\\s+${MOMENT}$`, 'iu'),
  // Anna, [03.03.2026 19:05], with the text below (copied from older Telegram)
  new RegExp(`^(?<name>.{1,100}?), \\[${MOMENT}\\]:?$`, 'iu'),
]

/** A date's numbers in written order, and the time of day. */
interface Stamp {
  readonly numbers: readonly [number, number, number]
  /** Whether the first number is surely the year: by four digits, by 年 after it, or by the language. */
  readonly isYearFirst: boolean
  /** The character between the numbers: `/`, `.`, `-` or `年`. */
  readonly mark: string
  /** The date as the file writes it. */
  readonly written: string
  readonly clock: readonly [hour: number, minute: number, second: number]
  /** The zone after the time, or `null` for the phone's own time. */
  readonly zone: string | null
}

/** A message that begins with a time. */
export interface StampedMessage {
  readonly line: number
  readonly stamp: Stamp
  readonly text: string
  /** The sender if the name precedes the time, otherwise `null`: then the text begins with it. */
  readonly name: string | null
  /** The day of the week that the file writes beside the date: 0 for Sunday. */
  readonly weekday?: number
}

/** Reads messages that each begin with a time. Other lines continue the message above. */
export function* readStamped(lines: Iterable<Line>): Generator<StampedMessage> {
  let open: { head: Omit<StampedMessage, 'text'>; texts: string[] } | null = null
  const close = ({ head, texts }: NonNullable<typeof open>): StampedMessage => ({
    ...head,
    text: texts.join('\n').trim(),
  })
  for (const { text, number } of lines) {
    const beginning = parseBeginning(text)
    if (beginning === null) open?.texts.push(text)
    else {
      if (open !== null) yield close(open)
      const { rest, ...head } = beginning
      open = { head: { ...head, line: number }, texts: rest === null ? [] : [rest] }
    }
  }
  if (open !== null) yield close(open)
}

/** Reports whether a line begins with a name and then a time. The text follows, or is below. */
export const isNamedFirst = (line: string): boolean => (parseBeginning(line)?.name ?? null) !== null
/** Reports whether a message with a time begins on a line. */
export const isStamped = (line: string): boolean => parseBeginning(line) !== null

/** Parses the beginning of a message by the first layout that fits. */
function parseBeginning(line: string): { stamp: Stamp; rest: string | null; name: string | null } | null {
  if (!/\p{Nd}/u.test(line)) return null
  const plain = withLatinDigits(line.replace(MARKS, '').replaceAll(/[\u00A0\u202F]/g, ' '))
  for (const layout of LAYOUTS) {
    const groups = layout.exec(plain)?.groups
    if (groups === undefined) continue
    const rest = groups['rest'] === undefined ? null : originalRest(line, groups['rest'])
    return { stamp: readStamp(groups), rest, name: groups['name'] ?? null }
  }
  return null
}

/** Returns the end of the original line that corresponds to `rest`. It still has the marks, which identify texts of the messenger itself. */
function originalRest(line: string, rest: string): string {
  let start = line.length
  let remaining = rest.length
  while (start > 0 && remaining > 0) {
    start -= 1
    if (line[start]?.replace(MARKS, '') !== '') remaining -= 1
  }
  return line.slice(start)
}

/** Converts digits of other scripts, such as Arabic or Bengali, to 0 to 9 in place. */
const withLatinDigits = (text: string): string =>
  text.replaceAll(/(?![0-9])\p{Nd}/gv, (digit) => (digit.length > 1 ? digit : String(valueOfDigit(digit))))

/** Returns the value of a digit. In Unicode the ten digits of a script follow one another from 0; `zero` is the code of its 0. */
function valueOfDigit(digit: string): number {
  let zero = digit.charCodeAt(0)
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1
  return (digit.charCodeAt(0) - zero) % 10
}

function readStamp(groups: Readonly<Record<string, string | undefined>>): Stamp {
  const number = (name: string): number => Number(groups[name] ?? 0)
  const isChineseDate = groups['year'] !== undefined
  const half = (groups['before'] ?? groups['after'])?.toLowerCase()
  const hour = number('hour')
  const isShortYearFirst =
    number('three') < 100 && (HALVES_WITH_YEAR_FIRST.has(half) || SPACED_DATE.test(groups['date'] ?? ''))
  return {
    numbers: isChineseDate
      ? [number('year'), number('month'), number('day')]
      : [number('one'), number('two'), number('three')],
    isYearFirst: isChineseDate || isShortYearFirst || (groups['one']?.length ?? 0) > 2,
    mark: groups['mark'] ?? '年',
    written: [groups['one'], groups['two'], groups['three']].join(groups['mark']),
    clock: [half === undefined ? hour : hourOfDay(hour, half), number('minute'), number('second')],
    zone: groups['zone'] ?? null,
  }
}

/** Converts an hour of a twelve-hour clock. In the half 中午 (“noon”) 1 to 4 are after noon, and 11 and 12 stay. */
function hourOfDay(hour: number, half: string): number {
  if (AFTERNOON.includes(half)) return (hour % 12) + 12
  if (NOON.includes(half)) return hour < 5 ? hour + 12 : hour
  return hour % 12
}

/** Returns the time of a message in milliseconds since 1970. @throws ImportError naming the line of a day that is invalid in that order */
export function timeOfMessage(
  { stamp, line }: StampedMessage,
  order: DateOrder,
  file: string,
  settings: ImportSettings,
): number {
  const [year, month, day] = dateInOrder(stamp, order)
  const what = `${file}:${line}: the time`
  if (stamp.zone === null) return readWallTime([year, month, day, ...stamp.clock], what, settings)
  const pad = (number: number): string => String(number).padStart(2, '0')
  const zone = /\d/.test(stamp.zone) ? stamp.zone : 'Z'
  return readMoment(
    `${year}-${pad(month)}-${pad(day)}T${stamp.clock.map(pad).join(':')}${zone}`,
    what,
    settings,
  )
}

/** Returns year, month and day of a date in an order. Months are numbered from 1. */
export function dateInOrder(
  { numbers: [one, two, three], isYearFirst }: Stamp,
  order: DateOrder,
): readonly [year: number, month: number, day: number] {
  if (isYearFirst || order === 'year-first') return toGregorian(one, two, three)
  return order === 'day-first' ? toGregorian(three, two, one) : toGregorian(three, one, two)
}

const DAY_MS = 86_400_000
const PERSIAN = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

/** Converts years of two digits, Buddhist years (Thailand, 543 ahead) and Persian dates (years around 1400). */
function toGregorian(year: number, month: number, day: number): readonly [number, number, number] {
  if (year < 100) return [2_000 + year, month, day]
  if (year > 2_400) return [year - 543, month, day]
  if (year < 1_300 || year > 1_500) return [year, month, day]
  // The Persian year begins around 21 March, so the date is a few days from this estimate.
  const estimate = Date.UTC(year + 621, 2, 21) + ((month - 1) * 30.5 + day - 1) * DAY_MS
  for (let shift = -4; shift <= 4; shift++) {
    const date = new Date(estimate + shift * DAY_MS)
    const persian = Object.fromEntries(
      PERSIAN.formatToParts(date).map(({ type, value }) => [type, Number(value)]),
    )
    if (persian['month'] === month && persian['day'] === day)
      return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  }
  return [year, month, day]
}
