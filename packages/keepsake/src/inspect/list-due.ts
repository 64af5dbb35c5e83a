// Lists what falls due in a period: planned days, ends of statements, and yearly days such as birthdays.
import {
  loadDateReader,
  readTimeZone,
  simplifyChinese,
  zoneOffset,
  type DateReader,
  type NamedDate,
  type Span,
} from '@keepsake/text'
import { isOver, type Memory } from '../memories/memory.ts'
import { readSpan, type TimeSpan } from '../memories/time-span.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { withTextsAndUsage } from '../work/read-memories.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'

/** Options of `due()`: a span. A side that is absent is open. If both are absent, the span begins now. */
export interface DueOptions extends TimeSpan {
  /** The user's time zone, for plain days and yearly ones; UTC when absent. */
  readonly timeZone?: string
  /** Maximum number of results, the earliest first; 1,000 when absent. */
  readonly limit?: number
}

/** Something that falls due, with the memory that states it. */
export interface DueItem {
  /** `plan`: a future day that a statement names. `end`: the end of a statement. `yearly`: a birthday or another yearly day. */
  readonly kind: 'plan' | 'end' | 'yearly'
  /** Its first moment, milliseconds since 1970. For an end without a time of day, the last day on which the statement holds. */
  readonly at: number
  /** Whether only a day is named, without a time; `at` is then the first moment of the day. */
  readonly isWholeDay: boolean
  readonly memory: Memory
}

const MAX_ITEMS = 1_000

const DAY_MS = 86_400_000

/** A date that a statement names may span up to two days, as “tonight” does. Longer spans are no day. */
const MAX_DAY_SPAN_MS = 2 * DAY_MS

/** A span without an end shows a yearly day up to this many years after its beginning. */
const OPEN_YEARS = 2

/** Maximum number of years for which one yearly day is listed, since at most `MAX_ITEMS` are shown. */
const MAX_YEARS = MAX_ITEMS + 1

/** Lists planned days that statements name, ends of statements, and yearly days. For an ended statement, lists only the end. */
export async function listDue(
  engine: Engine,
  resolved: ResolvedScope | null,
  { timeZone, limit = MAX_ITEMS, ...span }: DueOptions,
): Promise<DueItem[]> {
  const zone = timeZone === undefined ? null : readTimeZone(timeZone, 'timeZone')
  const isOpen = span.from === undefined && span.to === undefined
  const within = readSpan(isOpen ? { from: engine.now() } : span, 'The span of due()', zone)
  if (resolved === null) return []
  const state = await engine.users.load(resolved.owner)
  const dates = await loadDateReader()
  const facts = state.listMemories({
    scopes: new Set(resolved.scopes),
    forms: ['fact', 'note'],
    statuses: ['live'],
  })
  const now = engine.now()
  const items = await flatMapInPieces([...facts], (memory): DueItem[] => {
    const isYearly = memory.key !== null && engine.preset.keyTable.get(memory.key)?.yearly === true
    const turnZone = zoneOf(state, memory)
    const end = listEnd(memory, turnZone ?? zone)
    if (isOver(memory, now)) return end
    if (isYearly) return [...listYearlyDays(memory, { dates, within, zone: zone ?? turnZone }), ...end]
    return [...listPlans(memory, dates, turnZone ?? zone), ...end]
  })
  // Other calls ran in between and may have removed memories.
  const { memories: latest } = await engine.users.load(resolved.owner)
  const isLive = ({ memory: { id } }: DueItem): boolean => latest.get(id)?.status === 'live'
  const due = items.filter((item) => within.from <= item.at && item.at < within.to && isLive(item))
  const first = due.sort((a, b) => a.at - b.at).slice(0, limit)
  const firstMemories = first.map(({ memory }) => memory)
  const memories = await withTextsAndUsage(engine, resolved.owner, firstMemories)
  return first.map((item, index) => ({ ...item, memory: memories[index] ?? item.memory }))
}

/** Returns the time zone of the first evidence turn that has one. */
function zoneOf(state: UserState, { evidence }: Memory): string | null {
  const zones = evidence.flatMap(({ turn }) => state.turns.get(turn)?.timeZone ?? [])
  return zones[0] ?? null
}

/** Lists the end of a statement. An end at midnight is shown as the day before it, the last on which the statement holds. */
function listEnd(memory: Memory, timeZone: string | null): DueItem[] {
  const { validUntil } = memory
  if (validUntil === null) return []
  const offset = (time: number): number => zoneOffset(timeZone, time) * 60_000
  const isWholeDay = (validUntil + offset(validUntil)) % DAY_MS === 0
  const lastDay = Math.floor((validUntil - 1 + offset(validUntil - 1)) / DAY_MS) * DAY_MS
  return [{ kind: 'end', at: isWholeDay ? lastDay - offset(lastDay) : validUntil, isWholeDay, memory }]
}

/** Lists the days and times that a statement names and that were in the future when it was made. */
function listPlans(memory: Memory, dates: DateReader, timeZone: string | null): DueItem[] {
  const { key, text, learnedAt, validUntil } = memory
  const hasFutureKey = key !== null && FUTURE_KEYS.has(key)
  const isAboutFuture = hasFutureKey || (key !== 'experiences' && FUTURE_WORDS.test(text))
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
  const named = dates.readAll(simplifyChinese(text), { at: learnedAt, timeZone }, language)
  const isPlanned = ({ from, to, isRelative, hasTime }: NamedDate): boolean => {
    // `listEnd` lists the end of the statement.
    const isEnd = validUntil !== null && (to === validUntil || from === validUntil)
    const isShort = to - from <= MAX_DAY_SPAN_MS
    // “Tonight” and “at 5” in a statement without a word of the future are usually about the past.
    const isPlan = isAboutFuture || (!isRelative && !hasTime)
    return !isEnd && to > learnedAt && isShort && isPlan
  }
  const items = named.filter(isPlanned)
  return items.map(({ from, hasTime }) => ({ kind: 'plan', at: from, isWholeDay: !hasTime, memory }))
}

interface YearlyContext {
  readonly dates: DateReader
  readonly within: Span
  readonly zone: string | null
}

/** Lists the day that a statement names in each year of a span. */
function listYearlyDays(memory: Memory, { dates, within, zone }: YearlyContext): DueItem[] {
  const text = simplifyChinese(`${memory.value ?? ''} ${memory.text}`)
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
  const [day] = dates
    .readAll(text, { at: memory.learnedAt, timeZone: zone }, language)
    .filter(({ from, to, hasTime }) => !hasTime && to - from <= MAX_DAY_SPAN_MS)
  if (day === undefined) return []
  const local = new Date(day.from + zoneOffset(zone, day.from) * 60_000)
  const start = Number.isFinite(within.from) ? within.from : memory.learnedAt
  const firstYear = new Date(start).getUTCFullYear()
  const lastYear = Number.isFinite(within.to) ? new Date(within.to).getUTCFullYear() : firstYear + OPEN_YEARS
  return Array.from({ length: Math.min(lastYear - firstYear + 1, MAX_YEARS) }, (_, index): DueItem => {
    const midnight = Date.UTC(firstYear + index, local.getUTCMonth(), local.getUTCDate())
    const at = midnight - zoneOffset(zone, midnight) * 60_000
    return { kind: 'yearly', at, isWholeDay: true, memory }
  })
}

/** Facts with these keys name future days. */
const FUTURE_KEYS: ReadonlySet<string> = new Set(['plans', 'promises', 'goals'])
const FUTURE_WORDS_EN =
  'will|going to|plan(?:s|ning)?|due|deadline|appointment|scheduled|booked|is on|are on|starts?|expires?'
const FUTURE_WORDS_ZH = '打算|计划|准备|约了|预约|将|要|到期|截止'
/** Matches words of statements about the future: “My appointment is on Friday.” */
const FUTURE_WORDS = new RegExp(`\\b(?:${FUTURE_WORDS_EN})\\b|${FUTURE_WORDS_ZH}`, 'iu')
