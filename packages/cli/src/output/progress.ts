import { PassThrough } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'
import stringWidth from 'string-width'
import type { Io } from '../io.ts'
import { shorten } from './style.ts'

const BAR_FORMAT = '{label}  {bar}  {value}/{total}  {eta_formatted} left{learned}'
const COUNT_FORMAT = '{label}  {value} turns  {duration_formatted}{learned}'
const WAIT_FORMAT = '{label} … {duration_formatted}{learned}'
/** Width of the bar in columns, and on narrow terminals. */
const BAR_WIDTH = 24
const SMALL_BAR_WIDTH = 10
const NARROW_TERMINAL = 80
/** Width of counts and time next to label and bar. */
const COUNTS_WIDTH = 34
/** Minimum width for showing learned facts. */
const MIN_LEARNED_WIDTH = 16
/** Milliseconds between progress lines without a terminal, which keep a log short. */
const LINE_INTERVAL_MS = 10_000

const isShown = (io: Io, isQuiet: boolean): boolean =>
  !isQuiet && io.stderr.isTTY === true && io.env['TERM'] !== 'dumb'

/** Shows the progress of a long command, on a terminal only. */
export function progressFor(io: Io, isQuiet: boolean): Progress {
  return new Progress(isShown(io, isQuiet) ? io.stderr : new PassThrough())
}

/** Shows the progress of work that takes hours. Without a terminal, prints a plain line every `every` milliseconds. */
export function lastingProgressFor(io: Io, isQuiet: boolean, every = LINE_INTERVAL_MS): Progress {
  return isQuiet || isShown(io, isQuiet)
    ? progressFor(io, isQuiet)
    : new Progress(new PassThrough(), { write: (line) => io.stderr.write(`${line}\n`), every })
}

interface PlainLines {
  readonly write: (line: string) => void
  readonly every: number
}

export class Progress {
  readonly #stream: NodeJS.WritableStream
  readonly #lines: PlainLines | null
  #lastLineAt = performance.now()
  #label = ''
  #learned = ''
  #value = 0
  #total = 0
  #bar: SingleBar | null = null
  #isWaiting = false
  #tracked = ''

  /** @param stream a terminal; nothing is drawn on another stream. @param lines prints plain lines instead */
  constructor(stream: NodeJS.WritableStream, lines: PlainLines | null = null) {
    this.#stream = stream
    this.#lines = lines
  }

  /** Counts up to `total`, or without an end for `null`. */
  start(label: string, total: number | null): void {
    this.#draw(label, total === null ? COUNT_FORMAT : BAR_FORMAT, total ?? 0)
  }

  /** Shows a label and the elapsed time, for work that cannot be counted. */
  wait(label: string): void {
    this.#draw(label, WAIT_FORMAT, 0)
    this.#isWaiting = true
  }

  /** Changes the label while waiting. Does nothing while counting. */
  relabel(label: string): void {
    if (!this.#isWaiting) return
    this.#label = label
    this.#bar?.update(0, { label })
  }

  add(count: number): void {
    this.set(this.#value + count)
  }

  /** Counts up to `value` of the total. */
  set(value: number): void {
    this.#value = value
    this.#bar?.update(value)
    this.#writeLine()
  }

  /** Shows an intermediate result next to the progress. */
  showLearned(learned: string): void {
    this.#learned = learned === '' ? '' : `  ${learned}`
    this.#bar?.update({ learned: this.#shownLearned() })
    this.#writeLine()
  }

  /** Returns the learned fact, cut to the rest of the line. */
  #shownLearned(): string {
    const width = this.#columns - stringWidth(this.#label) - this.#barSize - COUNTS_WIDTH
    return width < MIN_LEARNED_WIDTH ? '' : `  ${shorten(this.#learned, width)}`
  }

  get #columns(): number {
    return Number(Reflect.get(this.#stream, 'columns') ?? NARROW_TERMINAL)
  }

  get #barSize(): number {
    return this.#columns < NARROW_TERMINAL ? SMALL_BAR_WIDTH : BAR_WIDTH
  }

  #writeLine(): void {
    if (this.#lines === null || performance.now() - this.#lastLineAt < this.#lines.every) return
    this.#lastLineAt = performance.now()
    const ofTotal = this.#total === 0 ? '' : ` of ${this.#total.toLocaleString('en')}`
    const amount = this.#isWaiting ? '' : `: ${this.#value.toLocaleString('en')}${ofTotal} turns`
    this.#lines.write(`${this.#label}${amount}${this.#learned}`)
  }

  /** Returns a listener for progress events (done, total). */
  follow(label: string): (done: number, total: number) => void {
    return (done, total) => {
      if (this.#bar === null) this.start(label, total)
      this.#bar?.update(done)
    }
  }

  /** Follows several tasks in turn: a new label starts a new bar. */
  readonly track = (label: string, done: number, total: number): void => {
    if (label !== this.#tracked) this.stop()
    this.#tracked = label
    this.follow(label)(done, total)
  }

  readonly stop = (): void => {
    this.#bar?.stop()
    this.#bar = null
    this.#isWaiting = false
  }

  #draw(label: string, format: string, total: number): void {
    this.stop()
    this.#label = label
    this.#value = 0
    this.#total = total
    const stream = this.#stream
    const options = {
      format,
      stream,
      clearOnComplete: true,
      gracefulExit: false,
      barsize: this.#barSize,
      formatValue,
    }
    this.#bar = new SingleBar(options, Presets.shades_grey)
    this.#bar.start(total, 0, { label: this.#label, learned: this.#shownLearned() })
  }
}

/** Counts in one style: 12,000. */
function formatValue(value: number, _options: unknown, type: string): string {
  return type === 'value' || type === 'total' ? value.toLocaleString('en') : String(value)
}

/** Prints the steps of a long command, one per line, on a terminal. */
export function stepsFor(io: Io, isQuiet: boolean): { readonly say: (step: string) => void } {
  return {
    say: (step) => {
      if (isShown(io, isQuiet)) io.stderr.write(`${step}\n`)
    },
  }
}
