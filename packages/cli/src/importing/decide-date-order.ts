import { wrongUsage } from '../cli-error.ts'
import type { DateOrder, ImportSettings } from './import-source.ts'
import { datedBy, type StampedMessage } from './stamped-lines.ts'

/**
 * Whether a file writes the day first or the month: told by a day above 12, by dots, or by the order of the messages.
 *
 * @throws CliError when the dates can be read in two ways and nothing tells which is meant
 */
export function decideDateOrder(
  messages: Iterable<StampedMessage>,
  file: string,
  { dateOrder, now }: ImportSettings,
): { readonly order: DateOrder; readonly told: string | null } {
  if (dateOrder !== undefined) return { order: dateOrder, told: null }
  const read = { 'day-first': new Reading(now), 'month-first': new Reading(now) }
  let [isOpen, isDotted] = [false, false]
  let example: StampedMessage | null = null
  for (const message of messages) {
    const { numbers, isYearFirst, mark } = message.stamp
    if (isYearFirst) continue
    if (numbers[0] !== numbers[1]) example ??= message
    isOpen = true
    isDotted ||= mark === '.'
    for (const order of ['day-first', 'month-first'] as const) read[order].add(message, order)
  }
  if (!isOpen) return { order: 'year-first', told: null }
  const possible = (['day-first', 'month-first'] as const).filter((order) => read[order].broken === null)
  const [first] = possible
  if (first === undefined)
    throw wrongUsage(
      `${file}:${read['day-first'].broken ?? 0}: no order of day and month fits this date and the one in line ${read['month-first'].broken ?? 0}.`,
    )
  if (possible.length === 1 || example === null) return { order: first, told: null }
  if (isDotted) return { order: 'day-first', told: null }
  const inOrder = possible.filter((order) => !read[order].isMixed && !read[order].isAhead)
  const [only] = inOrder
  const { shown } = example.stamp
  if (only !== undefined && inOrder.length === 1)
    return {
      order: only,
      told: `Dates such as ${shown} are read ${only}, as the order of the messages tells.`,
    }
  throw wrongUsage(
    `${file}:${example.line}: ${shown} may have the day first or the month first, and nothing in the file tells. Say --date-order day-first or --date-order month-first.`,
  )
}

/** What becomes of the dates in one order of day and month. */
class Reading {
  /** The line of a date that cannot be. */
  broken: number | null = null
  /** Whether messages would run back by days. */
  isMixed = false
  isAhead = false
  readonly #now: number
  #last = Number.NEGATIVE_INFINITY

  constructor(now: number) {
    this.#now = now
  }

  add({ stamp, line }: StampedMessage, order: DateOrder): void {
    const [year, month, day] = datedBy(stamp, order)
    if (month > 12 || day > 31) this.broken ??= line
    const at = Date.UTC(year, month - 1, day)
    this.isMixed ||= at < this.#last - 86_400_000
    this.isAhead ||= at > this.#now + 2 * 86_400_000
    this.#last = Math.max(this.#last, at)
  }
}
