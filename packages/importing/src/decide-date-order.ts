import { ImportError, unreadable } from './import-error.ts'
import { DATE_ORDERS, type DateOrder, type ImportSettings } from './import-source.ts'
import { optionName } from './option-name.ts'
import { dateInOrder, type StampedMessage } from './stamped-lines.ts'

/** The order of a file's dates, and a sentence for the user if the file did not show it for certain. */
interface Decision {
  readonly order: DateOrder
  readonly note: string | null
}

/**
 * Decides whether a file's dates begin with day, month or year. Signs are a number above 12, the day of the week, dots between the numbers,
 * the order of the messages, and plausible years. @throws ImportError if no sign decides
 */
export function decideDateOrder(
  messages: Iterable<StampedMessage>,
  file: string,
  settings: ImportSettings,
): Decision {
  const { dateOrder, now } = settings
  if (dateOrder !== undefined) return { order: dateOrder, note: null }
  const dates = new Dates(messages, now)
  const { first, checks } = dates
  if (first === null) return { order: 'year-first', note: null }
  const possible = DATE_ORDERS.filter((order) => checks[order].impossibleLine === null)
  if (possible.length === 0)
    throw unreadable(
      `${file}:${checks['day-first'].impossibleLine ?? 0}: no order of day and month fits both this date and the one in line ${checks['month-first'].impossibleLine ?? 0}.`,
    )
  const usual = decideUsual(possible, dates)
  if (usual !== null && !isDoubtful(usual.order, dates)) return usual
  const plausible = possible.filter((order) => checks[order].isPlausible)
  const { line, stamp } = dates.example ?? first
  const [order] = plausible
  if (order !== undefined && plausible.length === 1) {
    const note = `Dates such as ${stamp.written} are read ${order}, since another order leads to implausible times.`
    return { order, note }
  }
  const choices = plausible.length > 1 ? plausible : possible
  const readings = choices.map((order) => `the ${order.replace('-', ' ')}`).join(' or ')
  const options = choices.map((order) => optionName(settings, 'dateOrder', order)).join(' or ')
  throw new ImportError(
    `${file}:${line}: ${stamp.written} may have ${readings}, and the file does not show which. Set ${options}.`,
    { asks: 'dateOrder', choices: choices.map((name) => ({ name, turns: null })) },
  )
}

/** Decides between day first and month first, which are far more common than a year of two digits first. */
function decideUsual(possible: readonly DateOrder[], { checks, example, isDotted }: Dates): Decision | null {
  const usual = possible.filter((order) => order !== 'year-first')
  const [order = 'year-first'] = usual
  if (usual.length < 2 || example === null) return { order, note: null }
  if (isDotted) return { order: 'day-first', note: null }
  const [plausible, ...others] = usual.filter((order) => checks[order].isOrderly)
  if (plausible === undefined || others.length > 0) return null
  return {
    order: plausible,
    note: `Dates such as ${example.stamp.written} are read ${plausible}, which the order of the messages shows.`,
  }
}

/** Reports whether the dates may rather begin with a year of two digits, since in this order they lie far back, or go back by years. */
function isDoubtful(order: DateOrder, { checks }: Dates): boolean {
  const [check, yearFirst] = [checks[order], checks['year-first']]
  if (order === 'year-first' || yearFirst.impossibleLine !== null) return false
  const isFarEarlier = yearFirst.isPlausible && yearFirst.latest - check.latest > MAX_LAG_MS
  const goesBackByYears = check.yearsBack > 0 && yearFirst.yearsBack <= check.yearsBack
  return check.isTooOld || isFarEarlier || goesBackByYears
}

const DAY_MS = 86_400_000
const YEAR_MS = 366 * DAY_MS
/** If another order leads to times this much later, the earlier ones are doubtful, since most exports are recent. */
const MAX_LAG_MS = 5 * YEAR_MS
/** The time when WhatsApp, the oldest of the messengers, began. */
const FIRST_MESSAGES = Date.UTC(2009, 0)

/** Collects the orders of day, month and year that are possible for all dates of a file. */
class Dates {
  readonly checks: Readonly<Record<DateOrder, OrderCheck>>
  isDotted = false
  /** The first message whose date does not surely begin with the year. */
  first: StampedMessage | null = null
  /** The first message whose first two numbers differ, so that their order matters. */
  example: StampedMessage | null = null

  constructor(messages: Iterable<StampedMessage>, now: number) {
    this.checks = {
      'day-first': new OrderCheck(now),
      'month-first': new OrderCheck(now),
      'year-first': new OrderCheck(now),
    }
    for (const message of messages) {
      const { numbers, isYearFirst, mark } = message.stamp
      if (isYearFirst) continue
      if (numbers[0] !== numbers[1]) this.example ??= message
      this.first ??= message
      this.isDotted ||= mark === '.'
      for (const order of DATE_ORDERS) this.checks[order].add(message, order)
    }
  }
}

/** Collects signs for and against one order of the dates. */
class OrderCheck {
  /** The line of the first date that is impossible in this order, or whose day of the week is another one. */
  impossibleLine: number | null = null
  latest = Number.NEGATIVE_INFINITY
  /** Number of messages that would be more than a year older than the one before. */
  yearsBack = 0
  /** Whether a message with a short year would be older than any messenger. */
  isTooOld = false
  /** Whether a message would be more than a day older than one before it. */
  #goesBack = false
  /** Whether a message would be more than two days in the future. */
  #isInFuture = false
  readonly #now: number
  #previous = Number.NEGATIVE_INFINITY

  constructor(now: number) {
    this.#now = now
  }

  get isOrderly(): boolean {
    return !this.#goesBack && !this.#isInFuture
  }

  get isPlausible(): boolean {
    return this.isOrderly && !this.isTooOld
  }

  add({ stamp, line, weekday }: StampedMessage, order: DateOrder): void {
    const [year, month, day] = dateInOrder(stamp, order)
    const at = Date.UTC(year, month - 1, day)
    const isOtherDay = weekday !== undefined && new Date(at).getUTCDay() !== weekday
    if (month > 12 || day > 31 || isOtherDay) this.impossibleLine ??= line
    this.#goesBack ||= at < this.latest - DAY_MS
    this.#isInFuture ||= at > this.#now + 2 * DAY_MS
    this.isTooOld ||= at < FIRST_MESSAGES && Math.max(...stamp.numbers) < 100
    if (at < this.#previous - YEAR_MS) this.yearsBack += 1
    this.#previous = at
    this.latest = Math.max(this.latest, at)
  }
}
