import type { Turn } from '../../turns/turn.ts'

/** Finds when something happened in the words that tell it. */
export type TimeResolver = (words: string, turn: Turn, language: 'en' | 'zh') => number | null

let loading: Promise<TimeResolver> | undefined

/** Loads chrono-node at the first call, once. */
export function loadTimeResolver(): Promise<TimeResolver> {
  loading ??= load()
  return loading
}

/** Parts that place something: chrono fills the rest in from the reference. */
const PLACING = ['day', 'weekday', 'month', 'year', 'hour'] as const

async function load(): Promise<TimeResolver> {
  const [english, chinese] = await Promise.all([import('chrono-node/en'), import('chrono-node/zh')])
  return (words, turn, language) => {
    const reference = { instant: new Date(turn.at), timezone: offsetMinutes(turn) }
    const results = language === 'zh' ? chinese.hans.parse(words, reference) : english.parse(words, reference)
    const start = results[0]?.start
    if (start === undefined || !PLACING.some((part) => start.isCertain(part))) return yearIn(words, turn)
    const time = start.date().getTime()
    return Number.isFinite(time) ? time : null
  }
}

/** A bare year, which chrono leaves: its first day where the speaker is. */
function yearIn(words: string, turn: Turn): number | null {
  const year = /\b(?:in|since|back in) ((?:19|20)\d\d)\b|((?:19|20)\d\d)年/.exec(words)
  const found = year?.[1] ?? year?.[2]
  return found === undefined ? null : Date.UTC(Number(found), 0, 1) - offsetMinutes(turn) * 60_000
}

/** Minutes the turn's time zone is ahead of UTC at its time; 0 where none or an unknown one is named. */
function offsetMinutes(turn: Turn): number {
  if (turn.timeZone === null) return 0
  const format = zoneFormat(turn.timeZone)
  if (format === null) return 0
  const name =
    format.formatToParts(new Date(turn.at)).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = /GMT([+-])(\d{1,2})(?::(\d{2}))?/.exec(name)
  if (match === null) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  return match[1] === '-' ? -minutes : minutes
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch (error) {
    // An unknown zone is the caller's to refuse when the turn comes in; here its times are read in UTC.
    if (error instanceof RangeError) return null
    throw error
  }
}
