import { ImportError, unreadable } from './import-error.ts'
import type { DateOrder, ImportSettings } from './import-source.ts'
import { optionName } from './option-name.ts'
import { dateInOrder, type StampedMessage } from './stamped-lines.ts'

/** Decides whether a file writes day or month first: by a day above 12, dots, or the order of messages. @throws ImportError */
export function decideDateOrder(
  messages: Iterable<StampedMessage>,
  file: string,
  settings: ImportSettings,
): { readonly order: DateOrder; readonly note: string | null } {
  const { dateOrder, now } = settings
  if (dateOrder !== undefined) return { order: dateOrder, note: null }
  const dates = new Dates(messages, now)
  const { example, checks } = dates
  if (!dates.hasAmbiguous) return { order: 'year-first', note: null }
  const possible = ORDERS.filter((order) => checks[order].impossibleLine === null)
  const [first] = possible
  if (first === undefined)
    throw unreadable(
      `${file}:${checks['day-first'].impossibleLine ?? 0}: no order of day and month fits both this date and the one in line ${checks['month-first'].impossibleLine ?? 0}.`,
    )
  if (possible.length === 1 || example === null) return { order: first, note: null }
  if (dates.isDotted) return { order: 'day-first', note: null }
  const plausible = possible.filter((order) => !checks[order].goesBack && !checks[order].isInFuture)
  const [plausibleOrder] = plausible
  const { written } = example.stamp
  if (plausibleOrder !== undefined && plausible.length === 1)
    return {
      order: plausibleOrder,
      note: `Dates such as ${written} are read ${plausibleOrder}, which the order of the messages shows.`,
    }
  const options = ORDERS.map((order) => optionName(settings, 'dateOrder', order)).join(' or ')
  throw new ImportError(
    `${file}:${example.line}: ${written} may have the day first or the month first, and the file does not show which. Set ${options}.`,
    { asks: 'dateOrder', choices: ORDERS.map((name) => ({ name, turns: null })) },
  )
}

const DAY_MS = 86_400_000
const ORDERS = ['day-first', 'month-first'] as const

/** Collects the orders of day and month that are possible for all dates of a file. */
class Dates {
  readonly checks: Readonly<Record<(typeof ORDERS)[number], OrderCheck>>
  /** Whether any date does not begin with its year. */
  hasAmbiguous = false
  isDotted = false
  example: StampedMessage | null = null

  constructor(messages: Iterable<StampedMessage>, now: number) {
    this.checks = { 'day-first': new OrderCheck(now), 'month-first': new OrderCheck(now) }
    for (const message of messages) {
      const { numbers, isYearFirst, mark } = message.stamp
      if (isYearFirst) continue
      if (numbers[0] !== numbers[1]) this.example ??= message
      this.hasAmbiguous = true
      this.isDotted ||= mark === '.'
      for (const order of ORDERS) this.checks[order].add(message, order)
    }
  }
}

/** Checks the dates in one order of day and month. */
class OrderCheck {
  /** The line of an impossible date. */
  impossibleLine: number | null = null
  /** Whether a message would be more than a day older than one before it. */
  goesBack = false
  /** Whether a message would be more than two days in the future. */
  isInFuture = false
  readonly #now: number
  #latest = Number.NEGATIVE_INFINITY

  constructor(now: number) {
    this.#now = now
  }

  add({ stamp, line }: StampedMessage, order: DateOrder): void {
    const [year, month, day] = dateInOrder(stamp, order)
    if (month > 12 || day > 31) this.impossibleLine ??= line
    const at = Date.UTC(year, month - 1, day)
    this.goesBack ||= at < this.#latest - DAY_MS
    this.isInFuture ||= at > this.#now + 2 * DAY_MS
    this.#latest = Math.max(this.#latest, at)
  }
}
