import { partOf, readQuantities, type Quantity } from './read-quantities.ts'

const SPAN = '(?:day|night|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?'
const PERIOD =
  '(?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|mon|tue|wed|thu|fri|sat|sun)'
const SMALL_NUMBER = String.raw`(?:an?|one|two|three|four|five|six|\d+)`
/** Matches times before the day of speaking: “yesterday”, “last week”, “two years ago”, 去年. */
const PAST_TIME = new RegExp(
  [
    String.raw`\b(?:yesterday|ago|(?:last|previous|past) ${PERIOD}\w*|${SPAN} before|the other day)\b`,
    '昨[天日晚]|前[天日晚年]|[天日周月年一二三四五六]之?前|去年|上(?:个?(?:周|月|星期|礼拜)|次)',
  ].join('|'),
  'iu',
)
/** Matches times after the day of speaking: “tomorrow”, “in two weeks”, 明年. */
const FUTURE_TIME = new RegExp(
  [
    String.raw`\b(?:tomorrow|(?:next|following|coming) ${PERIOD}\w*|${SPAN} after|in ${SMALL_NUMBER} ${SPAN})\b`,
    '明[天日晚年]|后[天年]|[天日周月年一二三四五六]之?后|下(?:个?(?:周|月|星期|礼拜)|次)',
  ].join('|'),
  'iu',
)

/** Returns whether a text points before or after the day of speaking. `null`: neither, as with “today”. */
export function relativeTime(text: string): 'past' | 'future' | null {
  if (PAST_TIME.test(text)) return 'past'
  return FUTURE_TIME.test(text) ? 'future' : null
}

/** Removes relative times. They do not answer a question that asks for something else. */
export function withoutRelativeTime(text: string): string {
  return text.replaceAll(new RegExp(PAST_TIME, 'giu'), ' ').replaceAll(new RegExp(FUTURE_TIME, 'giu'), ' ')
}

type Step = 'day' | 'month' | 'year'

/** Phrases that name an exact distance from the day of speaking. Longer phrases come first. */
const STEPS: readonly (readonly [pattern: RegExp, unit: Step, count: number])[] = [
  [/\bday before yesterday\b|大?前天/iu, 'day', -2],
  [/\bday after tomorrow\b|后天/iu, 'day', 2],
  [/\byesterday\b|\blast night\b|昨[天日晚]/iu, 'day', -1],
  [/\btomorrow\b|明[天日晚]/iu, 'day', 1],
  [/\blast month\b|上个?月/iu, 'month', -1],
  [/\bnext month\b|下个?月/iu, 'month', 1],
  [/\blast year\b|去年/iu, 'year', -1],
  [/\bnext year\b|明年/iu, 'year', 1],
]
/** Matches a counted distance: “three years ago”, 三年前. */
const AGO =
  /(?:\b([\w-]+)\s+(day|month|year)s? ago\b)|([一二两三四五六七八九十\d]+)(?:个)?(天|月|年)(?:之?前|以前)/iu

const STEP_WORDS: Readonly<Record<string, Step>> = { day: 'day', 天: 'day', month: 'month', 月: 'month' }

/** The least and greatest distance in days that “last week” or “last Friday” can mean. Which one depends on the weekday of speaking. */
const NEAR_DAYS = [1, 13] as const
const NEAR_TIME =
  /\b(?:last|past|previous|next|coming|following) (?:week|weekend|mon|tue|wed|thu|fri|sat|sun)\w*|[上下]个?(?:周|星期|礼拜)/iu

/** Resolves a relative time from the day of speaking, as far as it is exact. `null`: the text has none, or several. */
export function resolveTime(spokenDate: readonly Quantity[], text: string): readonly Quantity[] | null {
  const partOfDate = (kind: 'year' | 'month' | 'day'): number =>
    Number(spokenDate.find((part) => part.kind === kind)?.value ?? Number.NaN)
  const [year, month, day] = [partOfDate('year'), partOfDate('month'), partOfDate('day')]
  const step = readStep(text)
  if (step === null) return resolveNear([year, month, day], text)
  const [unit, count] = step
  const years = year + (unit === 'year' ? count : 0)
  const months = month - 1 + (unit === 'month' ? count : 0)
  return partsOf(new Date(Date.UTC(years, months, unit === 'day' ? day + count : 1)), unit)
}

/** Resolves “last week” or “next Friday” to a month, if the nearest and the farthest possible day are in the same month. */
function resolveNear(
  [year, month, day]: readonly [number, number, number],
  text: string,
): readonly Quantity[] | null {
  const side = relativeTime(text)
  if (side === null || !NEAR_TIME.test(text) || relativeTime(text.replace(NEAR_TIME, ' ')) !== null)
    return null
  const sign = side === 'past' ? -1 : 1
  const [nearest, farthest] = NEAR_DAYS.map((days) =>
    partsOf(new Date(Date.UTC(year, month - 1, day + sign * days)), 'month'),
  )
  return nearest !== undefined && JSON.stringify(nearest) === JSON.stringify(farthest) ? nearest : null
}

/** Reads the only exact distance in a text. `null`: the text has none, several, or another relative time. */
function readStep(text: string): readonly [unit: Step, count: number] | null {
  const steps: (readonly [Step, number])[] = []
  let rest = text
  for (const [pattern, unit, count] of STEPS) {
    if (!pattern.test(rest)) continue
    steps.push([unit, count])
    rest = rest.replace(pattern, ' ')
  }
  const ago = AGO.exec(rest)
  if (ago !== null) {
    rest = rest.replace(ago[0], ' ')
    const counted = readQuantities(ago[0]).quantities.find(({ kind }) => kind === 'number')
    if (counted === undefined) return null
    steps.push([STEP_WORDS[(ago[2] ?? ago[4] ?? '').toLowerCase()] ?? 'year', -Number(counted.value)])
  }
  const [only] = steps
  return only !== undefined && steps.length === 1 && relativeTime(rest) === null ? only : null
}

/** Lists the year of a date, and its month and day as far as the unit is exact. */
function partsOf(date: Date, unit: Step): readonly Quantity[] | null {
  if (Number.isNaN(date.getTime())) return null
  const [year = '', month = '', day = ''] = [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
  ].map(String)
  return [
    partOf('year', year),
    ...(unit === 'year' ? [] : [partOf('month', month)]),
    ...(unit === 'day' ? [partOf('day', day)] : []),
  ]
}
