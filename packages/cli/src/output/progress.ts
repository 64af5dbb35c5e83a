import { PassThrough } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'
import type { Io } from '../io.ts'

const BAR_FORMAT = '{label}  {bar}  {value}/{total}  {eta_formatted} left'
const COUNT_FORMAT = '{label}  {value}  {duration_formatted}'
const WAIT_FORMAT = '{label} … {duration_formatted}'
/** Width of the bar in columns, and on narrow terminals. */
const BAR_WIDTH = 24
const SMALL_BAR_WIDTH = 10
const NARROW_TERMINAL = 80

const isShown = (io: Io, isQuiet: boolean): boolean =>
  !isQuiet && io.stderr.isTTY === true && io.env['TERM'] !== 'dumb'

/** Shows the progress of a long command, on a terminal only. */
export function progressFor(io: Io, isQuiet: boolean): Progress {
  return new Progress(isShown(io, isQuiet) ? io.stderr : new PassThrough())
}

export class Progress {
  readonly #stream: NodeJS.WritableStream
  #value = 0
  #bar: SingleBar | null = null
  #tracked = ''

  /** @param stream a terminal; nothing is drawn on another stream */
  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream
  }

  /** Counts up to `total`, or without an end for `null`. */
  start(label: string, total: number | null): void {
    this.#draw(label, total === null ? COUNT_FORMAT : BAR_FORMAT, total ?? 0)
  }

  /** Shows a label and the elapsed time, for work that cannot be counted. */
  wait(label: string): void {
    this.#draw(label, WAIT_FORMAT, 0)
  }

  add(count: number): void {
    this.set(this.#value + count)
  }

  /** Counts up to `value` of the total. */
  set(value: number): void {
    this.#value = value
    this.#bar?.update(value)
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
  }

  #draw(label: string, format: string, total: number): void {
    this.stop()
    this.#value = 0
    const columns = Number(Reflect.get(this.#stream, 'columns') ?? NARROW_TERMINAL)
    const options = {
      format,
      stream: this.#stream,
      clearOnComplete: true,
      gracefulExit: false,
      barsize: columns < NARROW_TERMINAL ? SMALL_BAR_WIDTH : BAR_WIDTH,
      formatValue,
    }
    this.#bar = new SingleBar(options, Presets.shades_grey)
    this.#bar.start(total, 0, { label })
  }
}

/** Counts in one style: 12,000. */
function formatValue(value: number, _options: unknown, type: string): string {
  return type === 'value' || type === 'total' ? value.toLocaleString('en') : String(value)
}

/** Prints a step of a long command on a line of its own, on a terminal. */
export function sayStep(io: Io, isQuiet: boolean, step: string): void {
  if (isShown(io, isQuiet)) io.stderr.write(`${step}\n`)
}
