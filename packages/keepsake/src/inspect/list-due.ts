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

/** Options of `due()`: the span, open on a side that is absent; from now on where both are. */
export interface DueOptions extends TimeSpan {
  /** The user's time zone, for plain days and yearly ones; UTC when absent. */
  readonly timeZone?: string
  /** Maximum number of results, the earliest first; 1,000 when absent. */
  readonly limit?: number
}

/** What falls due at a time, with the memory that says so and its evidence. */
export interface DueItem {
  /** `plan`: a day that a statement names ahead. `end`: of a statement. `yearly`: a birthday or another day that comes again. */
  readonly kind: 'plan' | 'end' | 'yearly'
  /** Its first moment, milliseconds since 1970; of an end that is a day, the last day on which the statement is so. */
  readonly at: number
  /** Whether a day is named and no time of day; `at` is then its first moment. */
  readonly isWholeDay: boolean
  readonly memory: Memory
}

const MOST = 1_000
const DAY_MS = 86_400_000
/** Years of a yearly day that an open span shows. */
const OPEN_YEARS = 2
/** Years of one yearly day at most, however wide the span is. */
const MOST_YEARS = MOST + 1
/** Keys whose days lie ahead of their statement though no year is said. */
const AHEAD_KEYS: ReadonlySet<string> = new Set(['plans', 'promises', 'goals'])
/** Words of what is still to come. */
const AHEAD =
  /\b(?:will|going to|plan(?:s|ning)?|due|deadline|appointment|scheduled|booked|is on|are on|starts?|expires?)\b|打算|计划|准备|约了|预约|将|要|到期|截止/iu

/**
 * Lists what falls due in a span, the earliest first: plans and appointments by the days that statements name, ends of statements, and
 * birthdays and other yearly days. Statements that are over by now, and what has been forgotten, are left out.
 */
export async function listDue(
  engine: Engine,
  resolved: ResolvedScope | null,
  { timeZone, limit = MOST, ...span }: DueOptions,
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
    const own = zoneOf(state, memory)
    const end = endOf(memory, own ?? zone)
    if (isOver(memory, now)) return end
    if (isYearly) return [...yearly(memory, { dates, within, zone: zone ?? own }), ...end]
    return [...planned(memory, dates, own ?? zone), ...end]
  })
  const { memories: latest } = await engine.users.load(resolved.owner)
  // What was removed while others went first is not shown.
  const isLive = ({ memory: { id } }: DueItem): boolean => latest.get(id)?.status === 'live'
  const due = items.filter((item) => within.from <= item.at && item.at < within.to && isLive(item))
  const first = due.sort((a, b) => a.at - b.at).slice(0, limit)
  const memories = await withTextsAndUsage(
    engine,
    resolved.owner,
    first.map(({ memory }) => memory),
  )
  return first.map((item, index) => ({ ...item, memory: memories[index] ?? item.memory }))
}

function zoneOf(state: UserState, { evidence }: Memory): string | null {
  return evidence.flatMap(({ turn }) => state.turns.get(turn)?.timeZone ?? [])[0] ?? null
}

function endOf(memory: Memory, timeZone: string | null): DueItem[] {
  const { validUntil } = memory
  if (validUntil === null) return []
  const offset = (time: number): number => zoneOffset(timeZone, time) * 60_000
  const isWholeDay = (validUntil + offset(validUntil)) % DAY_MS === 0
  const last = Math.floor((validUntil - 1 + offset(validUntil - 1)) / DAY_MS) * DAY_MS
  return [{ kind: 'end', at: isWholeDay ? last - offset(last) : validUntil, isWholeDay, memory }]
}

/** The days and times ahead that a statement names, as they were when it was said. */
function planned(memory: Memory, dates: DateReader, timeZone: string | null): DueItem[] {
  const { key, text, learnedAt, validUntil } = memory
  const isAhead = (key !== null && AHEAD_KEYS.has(key)) || (key !== 'experiences' && AHEAD.test(text))
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
  const named = dates.readAll(simplifyChinese(text), { at: learnedAt, timeZone }, language)
  const isPlanned = ({ from, to, isRelative, hasTime }: NamedDate): boolean =>
    // An end is no plan of its own.
    (validUntil === null || (to !== validUntil && from !== validUntil)) &&
    to > learnedAt &&
    to - from <= 2 * DAY_MS &&
    (isAhead || (!isRelative && !hasTime))
  const items = named.filter(isPlanned)
  return items.map(({ from, hasTime }) => ({ kind: 'plan', at: from, isWholeDay: !hasTime, memory }))
}

/** A yearly day in each year of a span. */
function yearly(
  memory: Memory,
  {
    dates,
    within,
    zone,
  }: { readonly dates: DateReader; readonly within: Span; readonly zone: string | null },
): DueItem[] {
  const text = simplifyChinese(`${memory.value ?? ''} ${memory.text}`)
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
  const [day] = dates
    .readAll(text, { at: memory.learnedAt, timeZone: zone }, language)
    .filter(({ from, to, hasTime }) => !hasTime && to - from <= 2 * DAY_MS)
  if (day === undefined) return []
  const local = new Date(day.from + zoneOffset(zone, day.from) * 60_000)
  const first = Number.isFinite(within.from) ? within.from : memory.learnedAt
  const year = new Date(first).getUTCFullYear()
  const last = Number.isFinite(within.to) ? new Date(within.to).getUTCFullYear() : year + OPEN_YEARS
  return Array.from({ length: Math.min(last - year + 1, MOST_YEARS) }, (_, after): DueItem => {
    const there = Date.UTC(year + after, local.getUTCMonth(), local.getUTCDate())
    return { kind: 'yearly', at: there - zoneOffset(zone, there) * 60_000, isWholeDay: true, memory }
  })
}
