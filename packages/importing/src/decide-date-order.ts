import { ImportError, unreadable } from './import-error.ts'
import type { DateOrder, ImportSettings } from './import-source.ts'
import { optionName } from './option-name.ts'
import { dateInOrder, type StampedMessage } from './stamped-lines.ts'

/**
 * Decides whether a file writes the day or the month first, by a day above 12, by dots, or by the order of messages.
 *
 * @throws ImportError when the dates stay ambiguous
 */
export function decideDateOrder(
  messages: Iterable<StampedMessage>,
  file: string,
  settings: ImportSettings,
): { readonly order: DateOrder; readonly note: string | null } {
  const { dateOrder, now } = settings
  if (dateOrder !== undefined) return { order: dateOrder, note: null }
  const dates = new Dates(messages, now)
  const { example, readings } = dates
  if (!dates.isOpen) return { order: 'year-first', note: null }
  const possible = ORDERS.filter((order) => readings[order].broken === null)
  const [first] = possible
  if (first === undefined)
    throw unreadable(
      `${file}:${readings['day-first'].broken ?? 0}: no order of day and month fits both this date and the one in line ${readings['month-first'].broken ?? 0}.`,
    )
  if (possible.length === 1 || example === null) return { order: first, note: null }
  if (dates.isDotted) return { order: 'day-first', note: null }
  const inOrder = possible.filter((order) => !readings[order].isMixed && !readings[order].isAhead)
  const [only] = inOrder
  const { written } = example.stamp
  if (only !== undefined && inOrder.length === 1)
    return {
      order: only,
      note: `Dates such as ${written} are read ${only}, which the order of the messages shows.`,
    }
  const ways = ORDERS.map((order) => optionName(settings, 'dateOrder', order)).join(' or ')
  throw new ImportError(
    `${file}:${example.line}: ${written} may have the day first or the month first, and the file does not show which. Set ${ways}.`,
    { asks: 'dateOrder', choices: ORDERS.map((name) => ({ name, turns: null })) },
  )
}

const ORDERS = ['day-first', 'month-first'] as const

/** Collects the orders of day and month that are possible for all dates of a file. */
class Dates {
  readonly readings: Readonly<Record<(typeof ORDERS)[number], Reading>>
  /** Whether any date does not begin with its year. */
  isOpen = false
  isDotted = false
  example: StampedMessage | null = null

  constructor(messages: Iterable<StampedMessage>, now: number) {
    this.readings = { 'day-first': new Reading(now), 'month-first': new Reading(now) }
    for (const message of messages) {
      const { numbers, isYearFirst, mark } = message.stamp
      if (isYearFirst) continue
      if (numbers[0] !== numbers[1]) this.example ??= message
      this.isOpen = true
      this.isDotted ||= mark === '.'
      for (const order of ORDERS) this.readings[order].add(message, order)
    }
  }
}

/** Checks the dates in one order of day and month. */
class Reading {
  /** The line of an impossible date. */
  broken: number | null = null
  /** Whether messages would go back in time by days. */
  isMixed = false
  isAhead = false
  readonly #now: number
  #last = Number.NEGATIVE_INFINITY

  constructor(now: number) {
    this.#now = now
  }

  add({ stamp, line }: StampedMessage, order: DateOrder): void {
    const [year, month, day] = dateInOrder(stamp, order)
    if (month > 12 || day > 31) this.broken ??= line
    const at = Date.UTC(year, month - 1, day)
    this.isMixed ||= at < this.#last - 86_400_000
    this.isAhead ||= at > this.#now + 2 * 86_400_000
    this.#last = Math.max(this.#last, at)
  }
}
