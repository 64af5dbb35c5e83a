import { zoneOffset } from './zone-offset.ts'

/** When and where a message was written. */
export interface MessageTime {
  readonly at: number
  readonly timeZone: string | null
}

/** Finds the time of an event in the words that date it. */
export type TimeResolver = (words: string, said: MessageTime, language: 'en' | 'zh') => number | null

let loading: Promise<TimeResolver> | undefined

/** Loads chrono-node once, on the first call. */
export function loadTimeResolver(): Promise<TimeResolver> {
  loading ??= load()
  return loading
}

/** Parts of a date that date an event. chrono-node completes the missing ones from the message's time. */
const PLACING = ['day', 'weekday', 'month', 'year', 'hour'] as const

async function load(): Promise<TimeResolver> {
  const [english, chinese] = await Promise.all([import('chrono-node/en'), import('chrono-node/zh/hans')])
  return (words, said, language) => {
    const reference = { instant: new Date(said.at), timezone: zoneOffset(said.timeZone, said.at) }
    const results = language === 'zh' ? chinese.parse(words, reference) : english.parse(words, reference)
    const start = results[0]?.start
    if (start === undefined || !PLACING.some((part) => start.isCertain(part))) return yearIn(words, said)
    const time = start.date().getTime()
    return Number.isFinite(time) ? time : null
  }
}

/** Resolves a bare year, which chrono ignores, to its first day in the speaker's time zone. */
function yearIn(words: string, said: MessageTime): number | null {
  const year = /\b(?:in|since|back in) ((?:19|20)\d\d)\b|((?:19|20)\d\d)年/.exec(words)
  const found = year?.[1] ?? year?.[2]
  return found === undefined
    ? null
    : Date.UTC(Number(found), 0, 1) - zoneOffset(said.timeZone, said.at) * 60_000
}
